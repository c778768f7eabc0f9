"""TARGET on the command line: ``module:Class`` to the class."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from .console import UsageError

__all__ = ["load_target"]

_DOTTED_NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_MISSING = object()
_TARGET = re.compile(rf"({_DOTTED_NAME}):({_DOTTED_NAME})")


def load_target(text: str) -> Any:
    """
    Import the class, or other typing form, that *text* names.

    The current directory is searched first, as ``python -m`` does.

    Args:
        text: Like ``shop.answers:OrderAnswer``; a nested class is ``module:Outer.Inner``.

    Raises:
        UsageError: If it is not of that form, the module does not import, or there is no such attribute.
    """
    match = _TARGET.fullmatch(text)
    if match is None:
        raise UsageError(f"TARGET {text!r} is not of the form module:Class, like shop.answers:OrderAnswer.")
    module_name, attributes = match.groups()
    target: Any = _import_module(module_name)
    for attribute in attributes.split("."):
        holder = target
        target = getattr(holder, attribute, _MISSING)
        if target is _MISSING:
            name = holder.__name__ if isinstance(holder, type) else f"module {module_name}"
            raise UsageError(f"TARGET {text!r}: {name} has no attribute {attribute!r}.")
    return target


def _import_module(name: str) -> ModuleType:
    directory = str(Path.cwd())
    if directory not in sys.path:
        sys.path.insert(0, directory)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise UsageError(
                f"there is no module {error.name!r} in the current directory or among the installed packages."
            ) from None
        raise UsageError(_import_failure(name, error)) from error
    except (Exception, SystemExit) as error:
        raise UsageError(_import_failure(name, error)) from error


def _import_failure(name: str, error: BaseException) -> str:
    return f"module {name!r} does not import: {type(error).__name__}: {error}"
