"""The base class of artifacts, which describing, reading and writing all know."""

from __future__ import annotations

import threading
from typing import Any

from attrs import define, field, frozen

from .._forks import fork_safe
from .metadata import described, meta

__all__ = ["Artifact", "SummarizedField"]

_CACHE_LOCK = fork_safe(threading.Lock())


@frozen
class SummarizedField:
    """
    A summary with the text it stands for.

    Attributes:
        full_text: The text, or the text form of the node, that was summarized.
        summary: What is shown instead.
    """

    full_text: str
    summary: str


@described("A record that a tool made")
@define
class Artifact:
    """
    A tool's record, kept in a registry under a reference and out of a model's reach.

    Subclasses are attrs classes that carry ``@type_alias``. The reference takes part in equality and not
    in the hash, so that minting one does not move a frozen artifact in a set.
    """

    artifact_ref: str | None = field(
        default=None,
        kw_only=True,
        hash=False,
        metadata=meta("The reference of this artifact, as the registry shows it"),
    )
    _summaries: dict[str, SummarizedField] = field(
        factory=dict, init=False, eq=False, repr=False, metadata=meta(ignore=True)
    )

    @property
    def has_reference(self) -> bool:
        """Whether a registry has given this artifact its reference."""
        return self.artifact_ref is not None

    def cached_summary(self, name: str) -> SummarizedField | None:
        """Return the summary cached under a wire name or JSON Pointer, or None. Safe for threads."""
        return self._summaries.get(name)

    def cache_summary(self, name: str, value: SummarizedField) -> None:
        """Cache a summary under a wire name, or a JSON Pointer in a pre-summarized tree. Safe for threads."""
        with _CACHE_LOCK:  # a copy may have the same dict
            object.__setattr__(self, "_summaries", {**self._summaries, name: value})

    def __str__(self) -> str:
        """Return the reference once there is one, the usual representation before."""
        return self.artifact_ref or repr(self)


def set_reference(artifact: Any, reference: str | None) -> None:
    """Give *artifact* its reference, frozen or not."""
    object.__setattr__(artifact, "artifact_ref", reference)
