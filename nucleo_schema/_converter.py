"""The converter: cattrs with the hooks that follow the wire rules."""

from __future__ import annotations

from typing import Any, TypeVar

import cattrs

from ._prompt import install_prompt_hooks
from ._read.readers import install_structure_hooks
from ._write.session import install_unstructure_hooks

__all__ = ["configure_converter", "converter", "make_converter"]

C = TypeVar("C", bound=cattrs.BaseConverter)


def configure_converter(converter: C) -> C:
    """
    Install the hooks of this library on a cattrs converter, and return it.

    Hooks that the host registers afterwards go before ours, whatever their type. Structuring raises what
    cattrs raises; unstructuring gives plain JSON data by the wire rules.
    """
    install_structure_hooks(converter)
    install_unstructure_hooks(converter)
    install_prompt_hooks(converter)
    return converter


def make_converter(**cattrs_options: Any) -> cattrs.Converter:
    """
    Return a new ``cattrs.Converter`` with the hooks of this library.

    Args:
        cattrs_options: What ``cattrs.Converter`` takes, such as ``detailed_validation``.
    """
    return configure_converter(cattrs.Converter(**cattrs_options))


#: The converter that the module's functions use.
converter: cattrs.Converter = make_converter()
