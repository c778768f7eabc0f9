"""Lists of artifacts: bulk data that a model sees as a short digest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from attrs import define, field

from .. import aliases
from .._declare.artifact import Artifact
from .._declare.metadata import described, meta, type_alias
from .._wording import found
from .._write.session import DIGESTS
from ..references import extract_alias

__all__ = ["SAMPLE_SIZE", "ListArtifact", "iterand_alias"]

#: How many iterands a digest shows.
SAMPLE_SIZE = 3

A = TypeVar("A", bound=Artifact)


def _iterands_are_known(_instance: Any, _attribute: Any, iterands: Any) -> None:
    """Refuse what is no artifact, and a reference that does not tell its class: nothing is left out."""
    if not isinstance(iterands, (list, tuple)):
        msg = f"found {found(iterands)}, expected a list of artifacts"
        raise ValueError(msg)  # noqa: TRY004  reading reports a ValueError as a problem of the data
    known: set[tuple[type[Any], str]] = set()
    for index, iterand in enumerate(iterands):
        if not isinstance(iterand, Artifact):
            msg = f"found {found(iterand)} at index {index}, expected an artifact"
            raise ValueError(msg)  # noqa: TRY004
        alias = extract_alias(iterand.artifact_ref) if iterand.artifact_ref else None
        if alias is None or (type(iterand), alias) in known:
            continue
        if not _is_named_by(type(iterand), alias):
            kind = type(iterand).__name__
            msg = f"found a reference at index {index} that names no known {kind}, expected one that does"
            raise ValueError(msg)
        known.add((type(iterand), alias))


def _is_named_by(cls: type[Any], alias: str) -> bool:
    """Return whether *alias* may stand in the reference of an instance of *cls*: its own, or a relative's."""
    if aliases.get_alias(cls) == alias:
        return True
    named = aliases.find_named(alias, cls)
    return named is not None and (issubclass(named, cls) or issubclass(cls, named))


@described("A list of artifacts, each with a reference of its own")
@type_alias("list")
@define
class ListArtifact(Artifact, Generic[A]):
    """
    Bulk data: any number of artifacts under one reference.

    A model sees its digest: the reference, the kind of the iterands, how many there are and the first
    three. Build the list completely before it is registered; its iterands are indexed then, and later
    changes leave that index behind.

    Attributes:
        iterands: The artifacts, in order.
        iterand_type_alias: The alias of their kind; the digest takes that of the first when it is absent.
        derived_from_ref: The reference of the artifact that the list was made from.
        worker_tool_name: The tool that made it.
        instruction: What that tool was asked to do.
    """

    iterands: list[A] = field(
        factory=list, validator=_iterands_are_known, metadata=meta("The artifacts in the list, in order")
    )
    iterand_type_alias: str | None = field(
        default=None, metadata=meta("The type alias of the artifacts in the list")
    )
    derived_from_ref: str | None = field(
        default=None, metadata=meta("The reference of the artifact that this list was made from")
    )
    worker_tool_name: str | None = field(default=None, metadata=meta("The tool that made the list"))
    instruction: str | None = field(default=None, metadata=meta("What the tool was asked to do"))


def iterand_alias(listed: ListArtifact[Any]) -> str | None:
    """Return the alias of what is in a list: the stated one, or that of the first iterand."""
    if listed.iterand_type_alias is not None or not listed.iterands:
        return listed.iterand_type_alias
    return aliases.get_alias(type(listed.iterands[0]))


def _digest(listed: ListArtifact[Any], write: Callable[[Any], Any]) -> dict[str, Any]:
    """Return what a model is shown of a list, however long it is."""
    head = {"artifact_ref": listed.artifact_ref, "iterand_type": iterand_alias(listed)}
    sample = [write(iterand) for iterand in listed.iterands[:SAMPLE_SIZE]]
    shown = {name: value for name, value in head.items() if value is not None}
    return {**shown, "count": len(listed.iterands), "sample": sample}


DIGESTS[ListArtifact] = _digest
