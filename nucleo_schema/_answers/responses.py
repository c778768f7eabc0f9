"""Responses: answers with their reasoning, and with references to artifacts."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from attrs import define, field

from .._artifacts.registry import ArtifactRegistry
from .._declare.artifact import Artifact
from .._declare.metadata import meta
from .._wording import found
from ..errors import InvalidInputError
from ..references import normalize_to_key, refs_mentioned_in
from .reasoning import ChainOfThoughtReasoning, Reasoning, SimpleReasoning

__all__ = ["ArtifactResponse", "ChainOfThoughtResponse", "ReasonableResponse", "StringReasonableResponse"]

R = TypeVar("R", bound=Reasoning)


@define
class ReasonableResponse(Generic[R]):
    """The base class of answers that carry their reasoning; a subclass binds its shape."""

    reasoning: R | None = field(
        default=None, kw_only=True, metadata=meta("The reasoning that led to the answer", required=False)
    )


@define
class StringReasonableResponse(ReasonableResponse[SimpleReasoning]):
    """The base class of answers whose reasoning is one text."""


@define
class ChainOfThoughtResponse(ReasonableResponse[ChainOfThoughtReasoning]):
    """The base class of answers whose reasoning is an approach and its steps."""


def _normalized(refs: list[str]) -> list[str]:
    return list(dict.fromkeys(normalize_to_key(ref) for ref in refs))


def _normalize_assigned(_instance: Any, _attribute: Any, refs: Any) -> list[str]:
    if not isinstance(refs, (list, tuple)):
        msg = f"artifact_refs: found {found(refs)}, expected a list of references"
        raise InvalidInputError(msg)
    return _normalized(list(refs))


@define
class ArtifactResponse(ReasonableResponse[R]):
    """
    The base class of answers that hand artifacts on.

    What a model wrote arrives in ``artifact_refs`` as written; a list that is assigned later is normalized,
    and anything else is refused with an InvalidInputError.
    """

    artifact_refs: list[str] = field(
        factory=list,
        kw_only=True,
        on_setattr=_normalize_assigned,
        metadata=meta("References of the artifacts to hand on with the answer", required=False),
    )
    artifacts: list[Artifact] = field(
        factory=list, init=False, eq=False, repr=False, metadata=meta(ignore=True)
    )

    @property
    def has_artifact_refs(self) -> bool:
        """Whether the answer hands on any artifact."""
        return bool(self.artifact_refs)

    def canonicalize_artifact_refs(self, answer_text: str | None = None) -> None:
        """
        Replace the references by their canonical forms, and add those that a text mentions.

        Args:
            answer_text: The text of the answer. Mentions have guillemets and ``artifact:``; they come
                after the declared references, in the order of first mention.
        """
        self.artifact_refs = [*self.artifact_refs, *refs_mentioned_in(answer_text or "")]

    def add_artifact_ref(self, ref: str) -> None:
        """Add a reference in its canonical form, unless it is there."""
        self.artifact_refs = [*self.artifact_refs, ref]

    def resolve_artifacts(self, registry: ArtifactRegistry) -> None:
        """Fill ``artifacts`` with the registry's own objects; unknown references are logged and skipped."""
        self.artifacts = registry.resolve(self.artifact_refs)
