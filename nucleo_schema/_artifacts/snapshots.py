"""Snapshots: the artifacts of a registry as JSON text, and back."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field

from .. import aliases
from .._converter import converter
from .._declare.artifact import Artifact
from .._read.reading import read_json, read_value
from .._verbs import write_compact
from .._wording import found, join_path
from ..errors import MappingError, Problem
from ..references import REF_FIELD, extract_alias

__all__ = ["read_snapshot", "write_snapshot"]

_LOGGER = logging.getLogger("nucleo_schema.artifacts")


@define
class Snapshot:
    """The form of a snapshot: every artifact of the top level, whole, in the order of registration."""

    artifacts: list[dict[str, Any]] = field()


def write_snapshot(artifacts: Iterable[Artifact]) -> str:
    """
    Return artifacts as the text of a snapshot.

    Raises:
        SerializationError: If one of them cannot be written.
    """
    parts = ['{"artifacts":[']
    for artifact in artifacts:
        parts += (write_compact(artifact), ",")
    parts[max(1, len(parts) - 1) :] = ["]}"]
    return "".join(parts)


def read_snapshot(text: str | bytes) -> Iterator[Artifact]:
    """
    Yield the artifacts of a snapshot; one of an unknown kind is logged and skipped.

    Raises:
        MappingError: If the text is no snapshot, or an artifact in it does not fit its class.
    """
    snapshot: Snapshot = read_json(converter, text, Snapshot)
    entries = snapshot.artifacts
    for index in range(len(entries)):
        entry, entries[index] = entries[index], {}  # what was read is let go
        try:
            yield read_value(converter, entry, Artifact)
        except MappingError as error:
            unknown = _unknown_reference(entry)
            if unknown is None:
                raise _at(error, index) from error
            _LOGGER.warning(
                "skipped %s: no class is known for %s", found(entry.get(REF_FIELD)), found(unknown)
            )


def _at(error: MappingError, index: int) -> MappingError:
    """Return the error of one entry as one of the whole snapshot."""
    place = join_path("artifacts", index)
    problems = [Problem(join_path(place, p.path) if p.path else place, p.message) for p in error.problems]
    return MappingError(Snapshot, tuple(problems))


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
