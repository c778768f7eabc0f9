"""Snapshots: the artifacts of a registry as JSON text, and back."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from .. import aliases
from .._converter import converter
from .._declare.artifact import Artifact
from .._read.reading import read_json, read_value
from .._verbs import value_to_tree, write_compact
from .._wording import found, join_path
from ..errors import MappingError, Problem
from ..references import REF_FIELD, extract_alias, normalize_to_key
from .graph import LEAVES, children, field_names, field_value, is_leaf_class, iter_artifacts
from .holding import held_by

__all__ = ["Beside", "read_snapshot", "write_snapshot"]

_LOGGER = logging.getLogger("nucleo_schema.artifacts")

#: The members of a snapshot: the top level; what it holds where reading finds data only; and, under the
#: reference of each holder, the references of what it holds in such places.
_TOP, _LOOSE, _HELD = "artifacts", "reachable", "held"

#: By reference, what an artifact held when it was written, and does not hold where it was read.
Beside: TypeAlias = Mapping[str, Sequence[Artifact]]


# Writing


def write_snapshot(top: Collection[Artifact], find: Callable[[str], Artifact | None], beside: Beside) -> str:
    """
    Return the artifacts of the top level, with what they hold, as the text of a snapshot.

    Args:
        top: The top level, in order.
        find: Gives the artifact that is held under a reference, or None.
        beside: What artifacts hold besides what is found in them.

    Raises:
        SerializationError: If one of them cannot be written.
    """
    unread = _Unread(find, beside)
    unread.gather(top)
    parts = [f'{{"{_TOP}":', *_listed(top)]
    if unread.loose:
        parts += [f',"{_LOOSE}":', *_listed(unread.loose)]
    if unread.held:
        parts += [f',"{_HELD}":', write_compact(unread.held)]
    return "".join([*parts, "}"])


def _listed(artifacts: Iterable[Artifact]) -> Iterator[str]:
    opening = "["
    for artifact in artifacts:
        yield opening
        yield write_compact(artifact)
        opening = ","
    yield "[]" if opening == "[" else "]"


class _Unread:
    """
    What a top level holds in places where reading finds data, or nothing.

    Attributes:
        loose: The artifacts that reading finds nowhere, so that they are written by themselves.
        held: The references of what each holder holds in such places, under its own.
    """

    def __init__(self, find: Callable[[str], Artifact | None], beside: Beside) -> None:
        self.loose: list[Artifact] = []
        self.held: dict[str, list[str]] = {}
        self._find = find
        self._beside = beside
        self._known: set[str] = set()
        self._seen: set[int] = set()

    def gather(self, top: Iterable[Artifact]) -> None:
        """Go through all that is held, what reading finds first."""
        unread = self._closure(top)
        for artifact in unread:  # it grows
            held = self._find(artifact.artifact_ref or "")
            if held is None:  # it came in after its holder was registered, and is data where it stands
                unread += self._all_in(artifact)
            elif artifact.artifact_ref not in self._known:
                self.loose.append(held)
                unread += self._closure([held])

    def _all_in(self, artifact: Artifact) -> list[Artifact]:
        if id(artifact) in self._seen:
            return []
        self._seen.add(id(artifact))
        found_there, besides = held_by(artifact)
        return found_there + besides

    def _closure(self, roots: Iterable[Artifact]) -> list[Artifact]:
        """Take up what reading finds in *roots*, and return what it does not find there."""
        unread: list[Artifact] = []
        waiting = list(roots)[::-1]
        while waiting:
            artifact = waiting.pop()
            if id(artifact) in self._seen:
                continue
            self._seen.add(id(artifact))
            reference = artifact.artifact_ref or ""
            self._known.add(reference)
            found_there, besides = held_by(artifact)
            besides += self._beside.get(reference, ())
            references = dict.fromkeys(inner.artifact_ref or "" for inner in besides)
            named = [inner for inner in references if self._find(inner) is not None]
            if named:
                self.held[reference] = named
            unread += besides
            waiting += found_there[::-1]
        return unread


# Reading


def read_snapshot(text: str | bytes, target: type[Any]) -> tuple[list[Artifact], list[Artifact], Beside]:
    """
    Return the top level of a snapshot, with what it holds where reading does not find it.

    An artifact of an unknown kind is logged and skipped.

    Args:
        text: The snapshot.
        target: The class that errors say was to be read.

    Returns:
        The top level; the artifacts that are held besides; and which artifact holds which of these.

    Raises:
        MappingError: If the text is no snapshot, or an artifact in it does not fit its class.
    """
    try:
        tree = read_json(converter, text, dict[str, Any])
    except MappingError as error:
        raise MappingError(target, error.problems) from error
    top = list(_iter_read(tree.get(_TOP), _TOP, target))
    loose = list(_iter_read(tree.get(_LOOSE, []), _LOOSE, target))
    held = _held_references(tree.get(_HELD, {}), target)
    return top, loose, _put_in_place(held, [*top, *loose]) if held else {}


def _held_references(held: Any, target: type[Any]) -> dict[str, list[str]]:
    """Return what a snapshot says that each artifact holds; the references are in canonical form."""
    try:
        read: dict[str, list[str]] = read_value(converter, held, dict[str, list[str]])
    except MappingError as error:
        raise _at(error, _HELD, target) from error
    return {normalize_to_key(key): list(map(normalize_to_key, inner)) for key, inner in read.items()}


def _iter_read(entries: Any, tier: str, target: type[Any]) -> Iterator[Artifact]:
    if not isinstance(entries, list):
        raise _refused(target, tier, f"found {found(entries)}, expected array")
    for index in range(len(entries)):
        entry, entries[index] = entries[index], None  # what was read is let go
        place = join_path(tier, index)
        if not isinstance(entry, dict):
            raise _refused(target, place, f"found {found(entry)}, expected object")
        try:
            yield read_value(converter, entry, Artifact)
        except MappingError as error:
            unknown = _unknown_reference(entry)
            if unknown is None:
                raise _at(error, place, target) from error
            _LOGGER.warning(
                "skipped %s: no class is known for %s", found(entry.get(REF_FIELD)), found(unknown)
            )


def _refused(target: type[Any], path: str, message: str) -> MappingError:
    return MappingError(target, (Problem(path, message),))


def _at(error: MappingError, place: str, target: type[Any]) -> MappingError:
    """Return the error of one entry as one of the whole snapshot."""
    problems = [Problem(join_path(place, p.path) if p.path else place, p.message) for p in error.problems]
    return MappingError(target, tuple(problems))


def _put_in_place(held: Mapping[str, list[str]], roots: list[Artifact]) -> Beside:
    """
    Put what each artifact holds where untyped data in it is what was written of that, member by member.

    Returns:
        What each holds, wherever it is: some places, such as a tuple's, cannot be altered.
    """
    copies = list(iter_artifacts(roots))
    by_reference = {artifact.artifact_ref or "": artifact for artifact in reversed(copies)}
    written = functools.cache(lambda reference: value_to_tree(by_reference[reference]))
    beside: dict[str, tuple[Artifact, ...]] = {}
    for holder in copies:
        reference = holder.artifact_ref or ""
        inside = {inner: by_reference[inner] for inner in held.get(reference, ()) if inner in by_reference}
        if inside:
            beside[reference] = tuple(inside.values())
            _put_inside(holder, inside, written)
    return beside


def _put_inside(holder: Artifact, inside: Mapping[str, Artifact], written: Callable[[str], Any]) -> None:
    """Put the artifacts of *inside* into *holder*, and into no other artifact that it holds."""
    seen: set[int] = set()
    waiting: list[Any] = [holder]
    while waiting:
        obj = waiting.pop()
        cls: Any = type(obj)
        is_another = issubclass(cls, Artifact) and obj is not holder
        if is_another or cls in LEAVES or is_leaf_class(cls) or id(obj) in seen:
            continue
        seen.add(id(obj))
        put = obj.__setitem__ if cls in (dict, list) else functools.partial(object.__setattr__, obj)
        for step, data in _untyped(obj):
            reference = data[REF_FIELD]
            if reference in inside and data == written(reference):
                put(step, inside[reference])
        waiting += children(obj)


def _untyped(obj: Any) -> list[tuple[Any, dict[str, Any]]]:
    """Return the objects of untyped data that an object holds, and where; a tuple cannot be altered."""
    cls: Any = type(obj)
    if cls is dict:
        steps: Iterable[tuple[Any, Any]] = obj.items()
    elif cls is list:
        steps = enumerate(obj)
    else:
        steps = ((name, field_value(obj, name)) for name in field_names(cls))
    return [(step, part) for step, part in steps if type(part) is dict and type(part.get(REF_FIELD)) is str]


def _unknown_reference(entry: dict[str, Any]) -> str | None:
    """Return a reference in *entry* whose alias names no class and no ancestor; None if there is none."""
    waiting: list[Any] = [entry]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            reference = node.get(REF_FIELD)
            alias = extract_alias(reference) if isinstance(reference, str) else None
            if alias is not None and aliases.resolve_alias_with_fallback(alias) is None:
                return str(reference)
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return None
