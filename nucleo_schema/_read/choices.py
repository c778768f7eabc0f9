"""Enumerations and literals: one of a few values, by its wire form, its name or its own value."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .._declare.forms import EnumForm, LiteralForm, enum_wire_form
from .._wording import found, listed
from .mismatch import Mismatch
from .modes import ReadMode

__all__ = ["choice_reader", "wire_choices"]

_NOTHING = object()


def wire_choices(form: EnumForm | LiteralForm) -> list[Any]:
    """Return the values that a choice has on the wire, in declaration order."""
    members = list(form.cls) if isinstance(form, EnumForm) else form.values
    wires = [_wire(member) for member in members]
    return list({(type(wire), wire): wire for wire in wires}.values())


def choice_reader(form: EnumForm | LiteralForm) -> tuple[Callable[[Any, ReadMode], Any], dict[str, Any]]:
    """
    Return the reader of a choice, and the table of its exact wire texts.

    Ways that lead to the value, each only where those before it do not: the wire form, the name, the
    member's own value, and wire form or name in any case when only one member fits.
    """
    members = list(form.cls) if isinstance(form, EnumForm) else list(form.values)
    chooser = _Chooser(members, _named(form, members), listed(wire_choices(form)))
    return chooser.read, chooser.exact


def _named(form: EnumForm | LiteralForm, members: list[Any]) -> dict[str, Any]:
    if isinstance(form, EnumForm):
        return dict(form.cls.__members__)
    return {member.name: member for member in members if isinstance(member, enum.Enum)}


class _Chooser:
    """Reads one choice; its tables are made once."""

    def __init__(self, members: list[Any], named: dict[str, Any], choices: str) -> None:
        wires = [(_wire(member), member) for member in members]
        self.exact: dict[str, Any] = {}
        for wire, member in wires:
            if isinstance(wire, str):
                self.exact.setdefault(wire, member)
        self.names = named
        self.values = {(type(value), value): member for value, member in _own_values(members)}
        self.folded = _folded([*self.exact.items(), *named.items()])
        self.choices = choices

    def read(self, value: Any, _mode: ReadMode) -> Any:
        """Return the member that *value* names."""
        if isinstance(value, str) and not isinstance(value, enum.Enum):
            chosen = self._by_text(str.__str__(value))
        elif isinstance(value, Mapping):
            chosen = self._by_text(next((text for text in value.values() if isinstance(text, str)), ""))
        else:
            chosen = self._by_value(value)
        if chosen is _NOTHING:
            msg = f"found {found(value)}, expected one of {self.choices}"
            raise Mismatch(msg)
        return chosen

    def _by_value(self, value: Any) -> Any:
        if isinstance(value, enum.Enum):
            return value if any(value is member for member in self.names.values()) else _NOTHING
        kind = next((kind for kind in (bool, int, float) if isinstance(value, kind)), type(value))
        try:
            return self.values.get((kind, value), _NOTHING)
        except TypeError:  # an array is not hashable
            return _NOTHING

    def _by_text(self, value: str) -> Any:
        for exact in (value, value.strip()):
            for table in (self.exact, self.names):
                if exact in table:
                    return table[exact]
        members = self.folded.get(value.strip().casefold(), ())
        if len(members) > 1:
            fitting = " and ".join(
                member.name if isinstance(member, enum.Enum) else member for member in members
            )
            msg = f"found {found(value)}, which fits {fitting} alike, expected one of {self.choices}"
            raise Mismatch(msg)
        return members[0] if members else self._by_scalar_text(value)

    def _by_scalar_text(self, text: str) -> Any:
        """Let the JSON text of a boolean or an integer stand for the choice that is one."""
        word = text.strip()
        if word.lower() in _BOOLEANS:
            return self.values.get((bool, _BOOLEANS[word.lower()]), _NOTHING)
        return self.values.get((int, int(word)), _NOTHING) if _INTEGER.fullmatch(word) else _NOTHING


_BOOLEANS = {"true": True, "false": False}
#: Not more digits than Python converts, with room to spare: no choice has so many.
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,99})", re.ASCII)


def _wire(member: Any) -> Any:
    return enum_wire_form(member) if isinstance(member, enum.Enum) else member


def _own_values(members: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    """Yield the numbers and booleans that members stand for, with the members."""
    for member in members:
        value = member.value if isinstance(member, enum.Enum) else member
        if isinstance(value, (bool, int, float)):
            kind = next(kind for kind in (bool, int, float) if isinstance(value, kind))
            yield kind(value), member


def _folded(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {}
    for text, member in pairs:
        members = table.setdefault(text.strip().casefold(), [])
        if not any(member is known for known in members):
            members.append(member)
    return table
