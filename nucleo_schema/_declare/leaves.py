"""The scalar types: what each is called in the notation, and its JSON Schema."""

from __future__ import annotations

import copy
import datetime as dt
import decimal
import pathlib
import uuid
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from .._wording import found, type_name
from ..errors import SchemaError

__all__ = [
    "INT_MAX",
    "INT_MIN",
    "LEAVES",
    "SHIPPED_LEAVES",
    "Leaf",
    "find_leaf",
    "leaf_generation",
    "register_leaf",
]

#: The integers that every JSON reader holds exactly (RFC 8259, section 6).
INT_MIN, INT_MAX = -(2**53) + 1, 2**53 - 1


@frozen(eq=False)
class Leaf:
    """
    One scalar type.

    Attributes:
        type: The Python class.
        label: The word for it in the notation.
        json_schema: Its JSON Schema node, without description.
        shipped: Whether its reading and writing are ours; otherwise they are the host's cattrs hooks.
    """

    type: type[Any]
    label: str
    json_schema: Mapping[str, Any]
    shipped: bool = True


def _string(**keywords: Any) -> dict[str, Any]:
    return {"type": "string", **keywords}


#: Those that are read and written by hooks of ours.
SHIPPED_LEAVES = (
    Leaf(str, "string", _string()),
    Leaf(int, "integer", {"type": "integer", "minimum": INT_MIN, "maximum": INT_MAX}),
    Leaf(float, "number", {"type": "number"}),
    Leaf(bool, "boolean", {"type": "boolean"}),
    Leaf(type(None), "null", {"type": "null"}),
    Leaf(dt.date, "date", _string(format="date")),
    Leaf(dt.datetime, "date-time", _string(format="date-time")),
    Leaf(dt.time, "time", _string(format="time")),
    Leaf(dt.timedelta, "duration", _string(format="duration")),
    Leaf(uuid.UUID, "uuid", _string(format="uuid")),
    Leaf(decimal.Decimal, "decimal", _string()),
    Leaf(bytes, "base64", _string(contentEncoding="base64")),
    Leaf(pathlib.Path, "path", _string()),
    Leaf(pathlib.PurePath, "path", _string()),
    Leaf(pathlib.PurePosixPath, "path", _string()),
    Leaf(pathlib.PureWindowsPath, "path", _string()),
)

#: Every known leaf by its class; ``register_leaf`` adds to it.
LEAVES: dict[type[Any], Leaf] = {leaf.type: leaf for leaf in SHIPPED_LEAVES}

_REGISTRATIONS = [0]


def leaf_generation() -> int:
    """Return a number that grows with each registration, for caches of what depends on the leaves."""
    return _REGISTRATIONS[0]


#: pendulum's classes, by name, so that pendulum is loaded only by those who use it.
_PENDULUM = {"Date": dt.date, "DateTime": dt.datetime, "Time": dt.time, "Duration": dt.timedelta}


def find_leaf(cls: Any) -> Leaf | None:
    """Return the leaf for *cls*, or None when it is not one."""
    leaf = LEAVES.get(cls)
    if leaf is None and isinstance(cls, type) and str(cls.__module__).partition(".")[0] == "pendulum":
        base = _PENDULUM.get(cls.__name__)
        if base is not None and issubclass(cls, base):
            return Leaf(cls, LEAVES[base].label, LEAVES[base].json_schema)
    return leaf


def register_leaf(cls: type[Any], label: str, json_schema: Mapping[str, Any]) -> None:
    """
    Teach the walk a type of the host's.

    Its values are read and written by the structure and unstructure hooks that the host registers on
    the converter. Classes that were described before are described anew when somebody asks again.

    Args:
        cls: The class, as it appears in annotations.
        label: The word for it in the notation.
        json_schema: The JSON Schema node for it, without a description.

    Raises:
        SchemaError: If an argument is of an unusable kind, or *cls* has a form of ours already.
    """
    if not isinstance(cls, type):
        msg = f"register_leaf(cls): found {found(cls)}, expected a class"
        raise SchemaError(msg)
    known = LEAVES.get(cls)
    if known is not None and known.shipped:
        msg = f"register_leaf(cls): {type_name(cls)} has a form already ({known.label})"
        raise SchemaError(msg)
    if not isinstance(label, str) or not label.strip():
        msg = f"register_leaf(label): found {found(label)}, expected a word"
        raise SchemaError(msg)
    if not isinstance(json_schema, Mapping):
        msg = f"register_leaf(json_schema): found {found(json_schema)}, expected a JSON Schema object"
        raise SchemaError(msg)
    LEAVES[cls] = Leaf(cls, label, copy.deepcopy(dict(json_schema)), shipped=False)
    _REGISTRATIONS[0] += 1
