"""Unions: which member a value is meant for, decided by tags and by what the members declare."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from attrs import frozen

from .._declare.classes import ClassSpec, class_spec
from .._declare.forms import (
    CompositeForm,
    Form,
    MapForm,
    UnionForm,
)
from .._declare.metadata import own_type_alias
from .._declare.naming import snake_case
from .._wording import found, listed, type_name
from ..aliases import find_named
from ..references import REF_FIELD, extract_alias, is_reference
from .containers import DECODED, ENTRIES, decoded_text
from .fitting import closeness, is_as_asked, is_as_written, is_container, is_exactly
from .mismatch import Mismatch
from .modes import ReadMode
from .reader import Read, Reader
from .scalars import read_untyped
from .stack import TooDeepError, on_fresh_stack
from .tags import find_tag

__all__ = ["union_reader"]


@frozen(eq=False, repr=False)
class _Member:
    """One member of a union, with what tells it apart."""

    form: Form
    reader: Reader
    name: str
    spec: ClassSpec | None
    wire_names: frozenset[str]

    @property
    def cls(self) -> type[Any]:
        """The class of a composite."""
        return self.spec.cls if self.spec is not None else object


@frozen(eq=False)
class _Outcome:
    """
    What became of one value in one union.

    Attributes:
        value: The value, kept so that its identity stays its own.
        read: The reading that fits.
        given: What that reads: the value, or what stands in it.
        mode: The mode to read that in.
        problem: What was wrong, where nothing fits.
    """

    value: Any
    read: Read | None
    given: Any
    mode: ReadMode
    problem: Exception | None = None


#: What a value reads as, with the reading that fits, what that reads and in which mode.
_Choice = tuple[Any, Read | None, Any, ReadMode]


#: What unions found out in one read, by union, value and way: without it, the members of nested unions would
#: be tried over and over. Not what they made: a value that stands in two places becomes two instances.
_OUTCOMES: ContextVar[dict[tuple[int, int, bool, bool], _Outcome] | None] = ContextVar(
    "nucleo_schema_union_outcomes", default=None
)


def union_reader(form: UnionForm, readers: list[Reader]) -> Reader:
    """Return the reader of a union."""
    union = _Union([_member(part, reader) for part, reader in zip(form.members, readers, strict=True)])
    return Reader(union.quick, union.careful, blank=union.blank)


def _member(form: Form, reader: Reader) -> _Member:
    spec = class_spec(form.annotation) if isinstance(form, CompositeForm) else None
    names = frozenset(field.wire_name for field in spec.fields) if spec else frozenset()
    return _Member(form, reader, spec.name if spec else type_name(form.annotation), spec, names)


class _Union:
    """Reads one union; what can be known of its members is worked out once."""

    def __init__(self, members: list[_Member]) -> None:
        self.members = members
        self.composites = [member for member in members if member.spec is not None]
        self.artifacts = [member for member in self.composites if member.spec and member.spec.is_artifact]
        #: What is expected, by whether the model was told to write maps as entries.
        self.expected = {entries: _names(members, entries=entries) for entries in (False, True)}
        #: Whether an empty text is null: a member has it so, and no member takes it for a text.
        self.blank = any(member.reader.blank for member in members)
        self.tag = find_tag([member.spec for member in self.composites if member.spec is not None])

    def quick(self, value: Any, mode: ReadMode) -> Any:
        """Return what the member that fits makes of *value*."""
        return self._remembered(value, mode, careful=False)

    def careful(self, value: Any, mode: ReadMode) -> Any:
        """Return the same, or raise all the problems of the nearest member."""
        return self._remembered(value, mode, careful=True)

    def _remembered(self, value: Any, mode: ReadMode, *, careful: bool) -> Any:
        """Read *value*; which member it is for is found out once in one read, however many unions ask."""
        if not isinstance(value, (dict, list, str)):
            return self._read(value, mode, careful)[0]
        outcomes = _OUTCOMES.get()
        if outcomes is None:
            token, decoded = _OUTCOMES.set({}), DECODED.set({})
            try:
                return self._remembered(value, mode, careful=careful)
            finally:
                _OUTCOMES.reset(token)
                DECODED.reset(decoded)
        key = (id(self), id(value), careful, mode.asked)
        known = outcomes.get(key)
        if known is None:
            try:
                result, read, given, mode = self._read(value, mode, careful)
            except TooDeepError:
                raise
            except RecursionError:
                pass
            except Exception as error:
                outcomes[key] = _Outcome(value, None, None, mode, error)
                raise
            else:
                outcomes[key] = _Outcome(value, read, given, mode)
                return result
            return on_fresh_stack(self.careful if careful else self.quick, value, mode)
        if known.problem is not None:
            raise _fresh(known.problem)
        return known.read(known.given, known.mode) if known.read is not None else known.given

    def _read(self, value: Any, mode: ReadMode, careful: bool) -> _Choice:  # noqa: FBT001
        """Return what the member that fits makes of *value*; in a dialect, one that it asks for first."""
        if mode.dialect is not None and not mode.asked:
            try:
                return self._by_member(value, mode.as_asked, careful=False)
            except RecursionError:
                raise
            except Exception:  # noqa: BLE001, S110  whatever it is, the model kept to the canonical form
                pass
        return self._by_member(value, mode, careful)

    def _by_member(self, value: Any, mode: ReadMode, careful: bool) -> _Choice:  # noqa: FBT001
        if type(value) is float:
            read_untyped(value, mode)  # asks for its text where it may be an integer that lost its digits
        member = self._by_exact_kind(value)
        if member is None and self.composites:
            value, mode = self._opened(value, mode)
        if member is None and isinstance(value, str) and is_reference(value):
            member = self._by_reference({REF_FIELD: value})
        if member is None and isinstance(value, Mapping) and self.composites:
            value = dict(value)
            member = self._by_object(value, mode)
            if member is None:
                return self._by_members(value, mode, careful)
        if member is None:
            return self._by_coercion(value, mode, careful)
        read = member.reader.careful if careful else member.reader.quick
        return read(value, mode), read, value, mode

    def _opened(self, value: Any, mode: ReadMode) -> tuple[Any, ReadMode]:
        """Return the object in a text that was encoded twice, or in the schema's own shape, and its mode."""
        data = value
        if isinstance(value, str) and not mode.asked:
            data = decoded_text(value, "{")
            mode = mode if data is None else mode.exact
        inner = data.get("@fields") if mode.echoes and isinstance(data, Mapping) else None
        named = isinstance(data, Mapping) and isinstance(data.get("@type"), str)
        if isinstance(inner, Mapping) and not named:
            return inner, mode
        return (value if data is None else data), mode

    # By kind

    def _by_exact_kind(self, value: Any) -> _Member | None:
        exact = [member for member in self.members if is_exactly(member.form, value)]
        rank = min((closeness(member.form) for member in exact), default=0)
        best = [member for member in exact if closeness(member.form) == rank]
        return best[0] if len(best) == 1 else None

    def _by_coercion(
        self,
        value: Any,
        mode: ReadMode,
        careful: bool,  # noqa: FBT001
    ) -> _Choice:
        """Return what the only member makes of *value* that takes it as it stands, else that reads it."""
        results = _attempt(self.members, value, mode)
        if len(results) > 1:
            results = [pair for pair in results if _is_as_written(*pair, value, mode)] or results
        if results:
            (member, first), *others = results
            if all(type(other) is type(first) and other == first for _, other in others):
                return first, member.reader.quick, value, mode
            fitting = _names([member for member, _ in results], entries=mode.has_entries)
            msg = f"found {found(value)}, which could be {fitting}, expected a value that fits one"
            raise Mismatch(msg)
        if self.blank and isinstance(value, str) and not value.strip():
            return None, None, None, mode
        entries = mode.has_entries
        nearest = [member for member in self.members if is_container(member.form, value, entries=entries)]
        if careful and len(nearest) == 1:
            read = nearest[0].reader.careful
            return read(value, mode), read, value, mode
        msg = f"found {found(value)}, expected {self.expected[mode.has_entries]}"
        raise Mismatch(msg)

    # Objects

    def _by_object(self, value: dict[str, Any], mode: ReadMode) -> _Member | None:
        """Return the member that an object names by itself: by an echo, a reference or a tag."""
        return (
            (self._by_echo(value) if mode.echoes else None)
            or self._by_reference(value)
            or self._by_tag(value, mode)
        )

    def _by_echo(self, value: dict[str, Any]) -> _Member | None:
        """Return the member that an echo of the schema names."""
        names = (
            [value["@type"]]
            if isinstance(value.get("@type"), str)
            else list(value)
            if len(value) == 1
            else []
        )
        found_members = [member for member in self.composites if member.name in names]
        return found_members[0] if len(found_members) == 1 else None

    def _by_reference(self, value: dict[str, Any]) -> _Member | None:
        """Return the artifact class that a reference's alias names, or the nearest above it."""
        reference = _reference_in(value) if self.artifacts else None
        if not isinstance(reference, str):
            return None
        if len(self.artifacts) == 1:
            return self.artifacts[0]
        alias = extract_alias(reference) or ""
        fitting = [m for m in self.artifacts if own_type_alias(m.cls) == alias]
        if not fitting:
            named = find_named(alias, *(m.cls for m in self.artifacts))
            fitting = [m for m in self.artifacts if named is not None and issubclass(named, m.cls)]
        if not fitting:
            names = listed(m.name for m in self.artifacts)
            msg = f"found {found(reference)}, expected the reference of {names}"
            raise Mismatch(msg)
        return max(fitting, key=lambda m: len(m.cls.__mro__))

    def _by_tag(self, value: dict[str, Any], mode: ReadMode) -> _Member | None:
        """Return the member whose tag *value* carries; None where there is no tag to go by."""
        annotations = self.tag.named_by(value, mode) if self.tag is not None else None
        if annotations is None:
            return None
        return next(m for m in self.composites if m.spec and m.spec.annotation in annotations)

    def _by_members(
        self,
        value: dict[str, Any],
        mode: ReadMode,
        careful: bool,  # noqa: FBT001
    ) -> _Choice:
        """Return what the member that declares most of *value* makes of it, of those that read it."""
        groups = self._by_declared(value, mode)
        for count in sorted(groups, reverse=True):
            if count == 0 and len(groups) > 1:
                break  # a member that declares nothing of the value is not meant where another one does
            results = _attempt(groups[count], value, mode)
            composites = [(member, result) for member, result in results if member.spec is not None]
            results = composites or results
            if len(results) == 1:
                member, result = results[0]
                return result, member.reader.quick, value, mode
            if results:
                fitting = listed((member.name for member, _ in results), most=10, separator=" and ")
                msg = f"found {found(value)} that fits {fitting} alike, expected what tells them apart"
                raise Mismatch(msg)
        if not careful:
            msg = f"found {found(value)}, expected {self.expected[mode.has_entries]}"
            raise Mismatch(msg)
        maps = [member for member in groups[max(groups)] if isinstance(member.form, MapForm)]
        return self._nearest(maps or groups[max(groups)], value, mode)

    def _by_declared(self, value: dict[str, Any], mode: ReadMode) -> dict[int, list[_Member]]:
        """Return the members that may take an object, by how many of its members each declares: a map all."""
        given = [key for key in value if isinstance(key, str) and not (mode.echoes and key.startswith("@"))]
        names = {*given, *map(snake_case, given)}
        groups: dict[int, list[_Member]] = {}
        for member in self.composites:
            groups.setdefault(len(member.wire_names & names), []).append(member)
        for member in self.members:
            if isinstance(member.form, MapForm) and not mode.has_entries:  # then it is an array
                groups.setdefault(len(given), []).append(member)
        return groups

    def _nearest(self, members: list[_Member], value: dict[str, Any], mode: ReadMode) -> _Choice:
        """Return what the only map reads, or raise the problems of the member that has fewest."""
        errors: list[Exception] = []
        for member in members:
            read = member.reader.careful
            try:
                return read(value, mode), read, value, mode
            except Exception as error:
                errors.append(error)
                if isinstance(error, RecursionError):
                    raise
        if self.tag is not None and all(member.spec is not None for member in members):
            raise self.tag.missing()
        raise min(errors, key=_problem_count)


def _is_as_written(member: _Member, result: Any, value: Any, mode: ReadMode) -> bool:
    """Return whether a member's result would be written as *value*, by the canonical form or a dialect's."""
    if mode.dialect is None:
        return is_as_written(result, value)
    return is_as_asked(member.form, result, value, mode)


def _names(members: list[_Member], *, entries: bool) -> str:
    """Return the words for members of a union, as the model was told of them."""
    are_entries = [entries and isinstance(member.form, MapForm) for member in members]
    names = [member.name for member, is_map in zip(members, are_entries, strict=True) if not is_map]
    return listed([*names, ENTRIES] if any(are_entries) else names, most=10, separator=" or ")


def _reference_in(value: dict[str, Any]) -> Any:
    """Return the reference that an object carries, under whatever name a model gave it."""
    stand_ins = (value[key] for key in value if isinstance(key, str) and snake_case(key) == REF_FIELD)
    return value.get(REF_FIELD) or value.get("@ref") or next(stand_ins, None)


def _attempt(members: list[_Member], value: Any, mode: ReadMode) -> list[tuple[_Member, Any]]:
    """Return the members that read *value*, with what each makes of it."""
    results = []
    for member in members:
        try:
            result = member.reader.quick(value, mode)
        except RecursionError:
            raise
        except Exception:  # noqa: BLE001, S112  whatever a member raises, it does not fit
            continue
        if result is not None or not member.reader.blank:
            results.append((member, result))
    return results


def _fresh(problem: Exception) -> Exception:
    """Return the problem for one more place: the notes that say where are not shared."""
    group: Any = problem
    clone: Exception = group.derive(group.exceptions) if hasattr(group, "derive") else copy.copy(problem)
    clone.__notes__ = list(getattr(problem, "__notes__", ()))
    return clone


def _problem_count(error: BaseException) -> int:
    """Return how many single problems an error holds."""
    count, waiting = 0, [error]
    while waiting:
        inner = getattr(waiting.pop(), "exceptions", None)
        if inner is None:
            count += 1
        else:
            waiting += inner
    return count
