"""Prompts: a key and what stands under it, text or structure."""

from __future__ import annotations

from typing import Annotated, Any

import cattrs
from attrs import define, field

from ._declare.metadata import described, meta
from ._read.mismatch import mismatch
from ._read.modes import ReadMode
from ._read.reader import Reader
from ._read.readers import StructureHook

__all__ = ["Prompt", "install_prompt_hooks"]

#: A ``str`` that nothing but a text is read as.
_Text = Annotated[str, "text only"]


@described("A prompt under its key")
@define
class Prompt:
    """
    A prompt that travels as ``{"key": ..., "content": ...}``.

    Attributes:
        key: What the prompt is filed under.
        content: Text, or a structure of JSON values; None is written as null.
    """

    key: _Text = field(metadata=meta("What the prompt is filed under"))
    # A default that is made each time is not known to be None, so None is written.
    content: Any = field(factory=lambda: None, metadata=meta("The prompt: text or a structure"))


def _read_text(value: Any, _mode: ReadMode) -> str:
    if isinstance(value, str):
        return value
    raise mismatch(value, "string")


def install_prompt_hooks(converter: cattrs.BaseConverter) -> None:
    """Register the hook for the key of prompts on *converter*."""
    hook = StructureHook(converter, _Text, Reader(_read_text, _read_text))
    converter.register_structure_hook_func(lambda annotation: annotation == _Text, hook)
