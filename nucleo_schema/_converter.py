"""The converter: cattrs with the hooks that follow the wire rules."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

import cattrs

from ._prompt import install_prompt_hooks
from ._read.readers import install_structure_hooks
from ._wording import cut, listed
from ._write.session import install_unstructure_hooks
from .errors import InvalidInputError

__all__ = ["configure_converter", "converter", "make_converter"]

_HONOURED = frozenset(
    (
        "detailed_validation",
        "forbid_extra_keys",
        "prefer_attrib_converters",
        "structure_fallback_factory",
        "unstructure_fallback_factory",
    )
)

C = TypeVar("C", bound=cattrs.BaseConverter)


def configure_converter(converter: C) -> C:
    """
    Install the hooks of this library on a cattrs converter, and return it.

    Hooks that the host registers afterwards go before ours, whatever their type. Structuring raises what
    cattrs raises; unstructuring gives plain JSON data by the wire rules, which go before options of the
    converter that say otherwise, such as ``omit_if_default``.
    """
    install_structure_hooks(converter)
    install_unstructure_hooks(converter)
    install_prompt_hooks(converter)
    return converter


def make_converter(**cattrs_options: Any) -> cattrs.Converter:
    """
    Return a new ``cattrs.Converter`` with the hooks of this library.

    Args:
        cattrs_options: ``detailed_validation``, ``forbid_extra_keys``, ``prefer_attrib_converters`` and the
            two fallback factories, as ``cattrs.Converter`` takes them.

    Raises:
        InvalidInputError: If another option is set, which the wire rules would overrule in silence.
    """
    parameters = inspect.signature(cattrs.Converter).parameters
    for name, value in cattrs_options.items():
        if name in parameters and name not in _HONOURED and value != parameters[name].default:
            msg = (
                f"make_converter: found {name}={cut(repr(value))}, expected only options that leave the wire "
                f"rules alone: {listed(sorted(_HONOURED))}"
            )
            raise InvalidInputError(msg)
    return configure_converter(cattrs.Converter(**cattrs_options))


#: The converter that the module's functions use.
converter: cattrs.Converter = make_converter()
