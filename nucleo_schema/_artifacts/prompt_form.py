"""The form that goes into a prompt: artifacts by their reference, long texts by their summary."""

from __future__ import annotations

from typing import Any

from .._declare.artifact import Artifact
from .._verbs import write_with_references
from .._write.failure import UnwritableError
from .._write.summaries import Summarizer
from ..references import is_reference, normalize_to_key
from .registry import ArtifactRegistry

__all__ = ["write_summarized_with_refs"]


def write_summarized_with_refs(
    obj: Any, registry: ArtifactRegistry | None, summarizer: Summarizer | None = None
) -> str:
    """
    Return *obj* as indented JSON text in the form for a prompt.

    Long summarizable texts are shortened, fields marked ``context_ignore`` are left out, and every artifact
    gives way to ``{"@ref": "..."}``, in whatever place it stands.

    Args:
        obj: What to write.
        registry: Where the artifacts are registered. Without one, each must have its reference.
        summarizer: Who shortens; ``TruncatingSummarizer`` when left out.

    Raises:
        SerializationError: If something cannot be written, the registry refuses an artifact, or there is no
            registry and an artifact has no reference; the cause then names its class.
    """
    reference_of = _own_reference if registry is None else registry.ensure_reference
    return write_with_references(obj, reference_of, summarizer)


def _own_reference(artifact: Artifact) -> str:
    reference = artifact.artifact_ref
    if not is_reference(reference):
        kind = type(artifact).__name__
        msg = f"found an artifact {kind} without a reference, expected one or a registry to give it"
        raise UnwritableError(msg)
    return normalize_to_key(reference or "")
