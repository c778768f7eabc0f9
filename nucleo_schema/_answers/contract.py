"""The contract of an answer: told to the model, and held against what it wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, cast

import attrs

from .._artifacts.custody import settle, taking
from .._artifacts.registry import ArtifactRegistry
from .._converter import converter
from .._describe.described import Described
from .._describe.descriptors import ClassDefinition
from .._describe.notation import SCHEMA_NOTATION_LEGEND
from .._describe.shapes import ObjectShape, iter_shapes
from .._describe.walk import describe
from .._dialects.record import STANDARD, Dialect, checked
from .._read.modes import ReadMode, undoing
from .._read.reading import REPLY, read_answer
from .._wording import path_ends
from ..errors import (
    ExtractionError,
    InvalidInputError,
    MappingError,
    Problem,
    ResponseRefused,
)
from .responses import ArtifactResponse
from .validation import as_entries, missing_members

__all__ = ["SCHEMA_NOTATION_LEGEND", "ResponseContract"]

T = TypeVar("T")

_REQUEST = (
    "Answer with one JSON object and nothing else: no text before or after it, no comments. "
    "It has the members that this schema describes:"
)
_DEMANDING = attrs.evolve(REPLY, demanding=True)
_BY_REFERENCE = attrs.evolve(_DEMANDING, by_reference=True)


class ResponseContract(Generic[T]):
    """
    What a model is to answer with, and the reading of what it answers.

    Attributes:
        target: The class of the answer.
        definition: Its description.
        dialect: In whose terms the model is asked and answers.
    """

    def __init__(self, cls: type[T], *, dialect: Dialect = STANDARD) -> None:
        """
        Describe *cls*.

        Args:
            cls: The class of the answer.
            dialect: That of the schema which the model is given; reading undoes what it changes.

        Raises:
            SchemaError: If it cannot be described, or not in the dialect.
        """
        self.target = cls
        self.dialect: Dialect = checked(dialect)
        self.definition: ClassDefinition = describe(cls)
        self._schema = self.definition.to_json_schema(dialect=dialect) if dialect.model_facing else None
        self._takes_artifacts = _takes_artifacts(self.definition)

    def instructions(self, legend: bool = False) -> str:  # noqa: FBT001, FBT002  the contract's signature
        """
        Return what to append to a prompt: to answer with one JSON object, and its schema.

        The schema is in the notation, and in a dialect other than ``STANDARD`` JSON Schema.

        Args:
            legend: Whether the notation is explained too, with a small worked example.
        """
        if self._schema is not None:
            return f"{_REQUEST}\n\n{self._schema}"
        parts = [_REQUEST, self.definition.to_llm_schema()]
        return "\n\n".join([*parts, SCHEMA_NOTATION_LEGEND] if legend else parts)

    def read(self, raw: str | bytes, registry: ArtifactRegistry | None = None) -> T:
        """
        Return the answer in a model's raw reply.

        With a registry, every artifact in it is the registry's own object, and an ``ArtifactResponse``
        has its references canonical and its artifacts resolved.

        Args:
            raw: The reply, as the model wrote it; bytes in UTF-8.
            registry: Where the artifacts of the answer are held. A class without artifacts needs none.

        Raises:
            ResponseRefused: If the reply holds no answer that fulfils the contract; it lists what to correct.
            InvalidInputError: If the class holds artifacts and there is no registry to take them from.
        """
        if self._takes_artifacts and registry is None:
            holder = self.definition.name
            msg = f"registry: found None, expected an ArtifactRegistry, since {holder} holds artifacts"
            raise InvalidInputError(msg)
        mode = undoing(_DEMANDING if registry is None else _BY_REFERENCE, self.dialect)
        try:
            answer, span = read_answer(converter, raw, self.target, mode)
        except MappingError as error:
            faults = error.problems if registry is None else self._with_references(error, raw, registry, mode)
            raise ResponseRefused(tuple(map(str, faults))) from error
        except ExtractionError as error:
            raise ResponseRefused((f"no JSON answer was found: {error.reason}",)) from error
        problems: list[Problem] = []
        if registry is not None:
            answer = settle(registry.get, answer, problems, self.target)
        response: Any = answer if isinstance(answer, ArtifactResponse) else None
        if response is not None:
            response.canonicalize_artifact_refs("\n".join(_texts(span.value)))
        named = {problem.path for problem in problems}
        problems += [problem for problem in missing_members(answer, mode) if problem.path not in named]
        if problems:
            faults = as_entries(problems, answer) if mode.has_entries else problems
            raise ResponseRefused(tuple(map(str, faults)))
        if response is not None and registry is not None:
            response.resolve_artifacts(registry)
        return cast("T", answer)

    def _with_references(
        self, error: MappingError, raw: Any, registry: ArtifactRegistry, mode: ReadMode
    ) -> Iterable[Problem]:
        """Return the problems of a reply that does not fit, those of its references among them."""
        try:
            read_answer(converter, raw, self.target, attrs.evolve(mode, take=taking(registry.get)))
        except MappingError as with_references:
            return _merged(with_references.problems, error.problems)
        return error.problems

    def validation_errors(self, instance: T) -> list[str]:
        """
        Return a line for each required member that is None or blank, at every depth, by its path.

        An empty collection is a valid "nothing found". Artifacts are not looked into.
        """
        return list(map(str, missing_members(instance)))


def _merged(problems: Sequence[Problem], others: Sequence[Problem]) -> Iterator[Problem]:
    """Yield *problems*, then those of *others* that are not about the same place or one inside it."""
    yield from problems
    named = {problem.path for problem in problems}
    for other in others:
        if not any(other.path[:end] in named for end in path_ends(other.path)):
            yield other


def _takes_artifacts(definition: Described) -> bool:
    """Return whether a place for an artifact stands anywhere in a class."""
    waiting = [definition]
    while waiting:
        current = waiting.pop()
        if current.is_artifact:
            return True
        for field in current.fields.values():
            shapes = iter_shapes(field.shape)
            waiting += [shape.definition for shape in shapes if isinstance(shape, ObjectShape)]
    return False


def _texts(tree: Any) -> Iterator[str]:
    """Yield every text in a tree of JSON values, in document order."""
    waiting = [tree]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for name, item in reversed(value.items()):
                waiting += (item, name)
        elif isinstance(value, list):
            waiting += reversed(value)
