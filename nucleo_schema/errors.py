"""The errors that the library raises: data for programs first, one sentence for people second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from ._wording import counted, listed, qualified_name, type_name

__all__ = [
    "ArtifactNotFoundError",
    "DuplicateAliasError",
    "ExtractionError",
    "InvalidInputError",
    "MappingError",
    "MissingTypeAliasError",
    "NucleoError",
    "Problem",
    "ReferenceConflictError",
    "ResponseRefused",
    "SchemaError",
    "SerializationError",
]

#: How many problems a message spells out; *problems* always holds all of them.
MAX_PROBLEMS_SHOWN = 20


class NucleoError(Exception):
    """The root of all errors of this library."""


@frozen
class Problem:
    """
    One thing in the data that does not fit.

    Attributes:
        path: Where it stands, in wire names, like ``cited[1].year``; empty for the root.
        message: What was found there and what was expected.
    """

    path: str
    message: str

    def __str__(self) -> str:
        """Return the problem on one line, the path first."""
        return f"{self.path}: {self.message}" if self.path else self.message


def problem_lines(problems: Sequence[object]) -> list[str]:
    """Return the first problems as lines, and a line that counts those left out."""
    lines = [str(problem) for problem in problems[:MAX_PROBLEMS_SHOWN]]
    if len(problems) > MAX_PROBLEMS_SHOWN:
        lines.append(f"and {counted(len(problems) - MAX_PROBLEMS_SHOWN, 'more problem')}")
    return lines


class ExtractionError(NucleoError, ValueError):
    """
    A reply holds no JSON that could be its answer.

    Attributes:
        reason: What is wrong with the reply.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        """Return the sentence for people."""
        return f"Failed to extract valid JSON from response: {self.reason}"


class MappingError(NucleoError, ValueError):
    """
    The data does not fit the target.

    Attributes:
        target: The class or typing form that was to be filled.
        problems: Everything that is wrong, in document order; what the validators of a class say comes after
            its members.
    """

    def __init__(self, target: Any, problems: tuple[Problem, ...]) -> None:
        super().__init__(target, problems)
        self.target = target
        self.problems = problems

    def __str__(self) -> str:
        """Return the first problems with their paths, and how many more there are."""
        return f"Failed to parse JSON to {type_name(self.target)}: {'; '.join(problem_lines(self.problems))}"


class SerializationError(NucleoError):
    """An object could not be written; the message describes its fields by size."""


class SchemaError(NucleoError):
    """A class cannot be described: an unsuitable annotation, clashing names, an unreadable example."""


class DuplicateAliasError(NucleoError):
    """
    One type alias was declared on two classes.

    Attributes:
        alias: The alias.
        registered: The class that holds it.
        refused: The class that asked for it too.
    """

    def __init__(self, alias: str, registered: type[Any], refused: type[Any]) -> None:
        super().__init__(alias, registered, refused)
        self.alias = alias
        self.registered = registered
        self.refused = refused

    def __str__(self) -> str:
        """Return a sentence that names both classes."""
        return (
            f"Type alias {self.alias!r} is declared by {qualified_name(self.registered)} "
            f"and by {qualified_name(self.refused)}; aliases are unique, so give one of them another."
        )


class MissingTypeAliasError(NucleoError):
    """
    Concrete artifact classes carry no type alias.

    Attributes:
        classes: Those classes.
    """

    def __init__(self, classes: tuple[type[Any], ...]) -> None:
        super().__init__(classes)
        self.classes = classes

    def __str__(self) -> str:
        """Return a sentence that names every one of them."""
        names = listed((qualified_name(cls) for cls in self.classes), most=100)
        return f"No type alias on artifact class {names}: decorate it with @type_alias(...)."


class ReferenceConflictError(NucleoError):
    """A different object arrived under a reference that a registry already holds."""


class ArtifactNotFoundError(NucleoError):
    """A registry does not know a reference."""


class InvalidInputError(NucleoError, ValueError):
    """An argument is unusable; the message names it and says what is expected."""


class ResponseRefused(NucleoError):  # noqa: N818  the contract pins the name
    """
    A model's reply does not fulfil its contract.

    Attributes:
        violations: One line for each thing to correct, written for the model.
    """

    def __init__(self, violations: tuple[str, ...]) -> None:
        super().__init__(tuple(violations))
        self.violations: tuple[str, ...] = tuple(violations)

    def __str__(self) -> str:
        """Return the violations on one line."""
        return f"Response refused: {'; '.join(problem_lines(self.violations))}"

    def correction(self) -> str:
        """Return the text of the turn that asks the model to correct its reply."""
        lines = "\n".join(f"- {violation}" for violation in problem_lines(self.violations))
        return (
            "Your reply could not be used as it is:\n"
            f"{lines}\n"
            "Correct this and answer again with the whole JSON object and nothing else."
        )
