"""Prompts: a key and what stands under it, text or structure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cattrs
from attrs import define, field

from ._declare.metadata import described, meta
from ._read.composites import MissingError, without_echo
from ._read.mismatch import mismatch
from ._read.modes import ReadMode
from ._read.reader import Reader, class_error, note_attribute
from ._read.readers import StructureHook
from ._read.scalars import read_untyped

__all__ = ["Prompt", "install_prompt_hooks"]


@described("A prompt under its key")
@define
class Prompt:
    """
    A prompt that travels as ``{"key": ..., "content": ...}``.

    Attributes:
        key: What the prompt is filed under.
        content: Text, or a structure of JSON values; None is written as null.
    """

    key: str = field(metadata=meta("What the prompt is filed under"))
    content: Any = field(default=None, metadata=meta("The prompt: text or a structure"))


def _read(value: Any, mode: ReadMode) -> Prompt:
    if isinstance(value, Prompt):
        return value
    if not isinstance(value, Mapping):
        raise mismatch(value, "object with key and content")
    data = without_echo(value, "Prompt", frozenset(("key", "content"))) if mode.echoes else value
    key = data.get("key")
    if isinstance(key, str):
        return Prompt(key, read_untyped(data.get("content"), mode))
    error = mismatch(key, "string") if "key" in data else MissingError("missing, expected string")
    raise class_error("Prompt", [note_attribute(error, Prompt, "key", str)], Prompt)


def _unstructure(prompt: Prompt) -> dict[str, Any]:
    return {"key": prompt.key, "content": prompt.content}


def install_prompt_hooks(converter: cattrs.BaseConverter) -> None:
    """Register the hooks of prompts on *converter*."""
    converter.register_structure_hook(Prompt, StructureHook(converter, Prompt, Reader(_read, _read)))
    converter.register_unstructure_hook(Prompt, _unstructure)
