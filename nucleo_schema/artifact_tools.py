"""
Tools that a model reads artifacts with: a window of one field, and a search through their text.

The input classes are described, ready to be published as tool definitions. Both tools only read the
registry.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any

from attrs import field, frozen

from . import aliases
from ._artifacts.registry import ArtifactRegistry
from ._artifacts.search import iter_matches
from ._declare.artifact import Artifact
from ._declare.classes import FieldSpec, class_spec
from ._declare.metadata import described, meta
from ._declare.naming import snake_case
from ._verbs import write_compact
from ._wording import found, listed
from .errors import ArtifactNotFoundError, InvalidInputError
from .references import REF_FIELD, extract_alias, normalize_to_key

__all__ = [
    "ArtifactField",
    "ArtifactMatch",
    "GetArtifactFieldInput",
    "SearchArtifactContentInput",
    "SearchResult",
    "get_artifact_field",
    "search_artifact_content",
]

_MAX_CHARS = 10_000
_MAX_RESULTS = 10
_CONTEXT_CHARS = 200


@described("Read one field of an artifact in full, or a window of it")
@frozen
class GetArtifactFieldInput:
    """What ``get_artifact_field`` takes."""

    artifact_ref: str = field(
        metadata=meta("The reference of the artifact", examples=["«artifact:link:cite~a7f3b2»"])
    )
    field_name: str = field(metadata=meta("The field to read", examples=["abstract_text"]))
    offset: int = field(default=0, metadata=meta("The first character of the window, counted from 0"))
    max_chars: int = field(default=_MAX_CHARS, metadata=meta("The length of the window in characters"))


@described("A window of one field of an artifact")
@frozen
class ArtifactField:
    """What ``get_artifact_field`` gives."""

    field_name: str = field(metadata=meta("The field that was read"))
    content: str | None = field(metadata=meta("The text in the window; null where the field is null"))
    length: int = field(metadata=meta("The length of the whole text in characters"))
    truncated: bool = field(metadata=meta("Whether there is more after the window"))


@described("Search the text of the artifacts for exact words, in any case")
@frozen
class SearchArtifactContentInput:
    """What ``search_artifact_content`` takes."""

    query: str = field(metadata=meta("The exact text to look for; case does not matter"))
    artifact_ref: str | None = field(
        default=None, metadata=meta("The reference of the one artifact to search; all are when left out")
    )
    artifact_type: str | None = field(
        default=None,
        metadata=meta(
            "The kind of artifact to search: a type alias, or part of a class name", examples=["link"]
        ),
    )
    max_results: int = field(default=_MAX_RESULTS, metadata=meta("The number of matches to stop at"))
    context_chars: int = field(
        default=_CONTEXT_CHARS, metadata=meta("The number of characters to show on each side of a match")
    )


@described("One place where the text was found")
@frozen
class ArtifactMatch:
    """One match of a search."""

    artifact_ref: str = field(metadata=meta("The reference of the artifact"))
    field_name: str = field(metadata=meta("The field that holds the text"))
    position: int = field(metadata=meta("Where the match begins in the field, in characters from 0"))
    snippet: str = field(metadata=meta("The match with the text around it"))


@described("The places where the text was found")
@frozen
class SearchResult:
    """What ``search_artifact_content`` gives."""

    matches: list[ArtifactMatch] = field(metadata=meta("The matches, in the order of the artifacts"))
    total_matches: int = field(metadata=meta("The number of matches"))


def get_artifact_field(
    registry: ArtifactRegistry,
    artifact_ref: str,
    field_name: str,
    offset: int = 0,
    max_chars: int = _MAX_CHARS,
) -> ArtifactField:
    """
    Return a window of one field of an artifact as text.

    Args:
        registry: What holds the artifact, on either tier.
        artifact_ref: The reference, in any spelling.
        field_name: The wire name or its camelCase form; inherited fields count.
        offset: The first character of the window, counted from 0.
        max_chars: The length of the longest window, in characters.

    Returns:
        The window, the length of the whole in characters, and whether there is more after the window. A
        field that is not text is given as its JSON. The content is None where the field is.

    Raises:
        ArtifactNotFoundError: If the registry does not know the reference.
        InvalidInputError: If there is no such field, or a number is out of range.
        SerializationError: If a field that is not text cannot be written.
    """
    _require_at_least(0, offset=offset)
    _require_at_least(1, max_chars=max_chars)
    artifact = _required_artifact(registry, artifact_ref)
    spec = _required_field(artifact, field_name)
    value = getattr(artifact, spec.name)
    if value is None:
        return ArtifactField(spec.wire_name, None, 0, truncated=False)
    text = value if _is_text(value) else write_compact(value)
    end = offset + max_chars
    return ArtifactField(spec.wire_name, text[offset:end], len(text), truncated=end < len(text))


def search_artifact_content(  # noqa: PLR0913, PLR0917  the contract pins the parameters
    registry: ArtifactRegistry,
    query: str,
    artifact_ref: str | None = None,
    artifact_type: str | None = None,
    max_results: int = _MAX_RESULTS,
    context_chars: int = _CONTEXT_CHARS,
) -> SearchResult:
    """
    Return the places where the text fields of artifacts hold *query*, in any case.

    Args:
        registry: What holds the artifacts; those of both tiers are searched, the top level first.
        query: The exact text to look for.
        artifact_ref: The one artifact to search, in any spelling; all when None.
        artifact_type: A type alias, with everything below it, or part of a class name, in any case.
        max_results: The number of matches to stop at.
        context_chars: The number of characters on each side of a match that its snippet shows.

    Returns:
        The matches, which may overlap, with positions in the original text, and their number.

    Raises:
        ArtifactNotFoundError: If the registry does not know *artifact_ref*.
        InvalidInputError: If the query is empty, or a number is out of range.
    """
    if not isinstance(query, str) or not query:
        msg = f"query: found {found(query)}, expected the text to look for"
        raise InvalidInputError(msg)
    _require_at_least(1, max_results=max_results)
    _require_at_least(0, context_chars=context_chars)
    if artifact_ref is None:
        searched = registry.artifacts_including_reachable
    else:
        searched = {normalize_to_key(artifact_ref): _required_artifact(registry, artifact_ref)}
    matches: list[ArtifactMatch] = []
    for reference, artifact in searched.items():
        if artifact_type is None or _is_of_type(reference, artifact, artifact_type):
            for match in _iter_field_matches(reference, artifact, query, context_chars):
                matches.append(match)
                if len(matches) == max_results:
                    return SearchResult(matches, len(matches))
    return SearchResult(matches, len(matches))


def _iter_field_matches(
    reference: str, artifact: Artifact, query: str, context_chars: int
) -> Iterator[ArtifactMatch]:
    for spec in class_spec(type(artifact)).fields:
        text = getattr(artifact, spec.name)
        if spec.wire_name == REF_FIELD or not _is_text(text):
            continue
        for start, end in iter_matches(text, query):
            snippet = text[max(0, start - context_chars) : end + context_chars]
            yield ArtifactMatch(reference, spec.wire_name, start, snippet)


def _is_of_type(reference: str, artifact: Artifact, artifact_type: str) -> bool:
    """Return whether an alias of the artifact, or its class's name, is of *artifact_type*."""
    wanted = artifact_type.strip().casefold()
    own = (extract_alias(reference), aliases.get_alias(type(artifact)))
    is_below = any(f"{alias}:".casefold().startswith(f"{wanted}:") for alias in own if alias)
    return is_below or wanted in type(artifact).__name__.casefold()


def _required_artifact(registry: ArtifactRegistry, artifact_ref: str) -> Artifact:
    artifact = registry.get(artifact_ref)
    if artifact is None:
        msg = f"artifact_ref: found {found(artifact_ref)}, expected the reference of a registered artifact"
        raise ArtifactNotFoundError(msg)
    return artifact


def _required_field(artifact: Artifact, field_name: str) -> FieldSpec:
    """Return the field under a wire name, or under another spelling of it."""
    fields = class_spec(type(artifact)).by_wire_name
    spec = fields.get(field_name) if isinstance(field_name, str) else None
    if spec is None and isinstance(field_name, str):
        spec = fields.get(snake_case(field_name.strip()))
    if spec is None:
        msg = f"field_name: found {found(field_name)}, expected one of {listed(fields, most=100)}"
        raise InvalidInputError(msg)
    return spec


def _require_at_least(minimum: int, **parameters: Any) -> None:
    for name, value in parameters.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
            msg = f"{name}: found {found(value)}, expected a whole number from {minimum}"
            raise InvalidInputError(msg)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, enum.Enum)
