"""What the renderings see of a class: it is described below them, and has them as its methods above."""
# The methods of a protocol have no bodies, and each has its words.
# pyright: reportReturnType=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

__all__ = ["Described", "Member"]


class Member(Protocol):
    """One member of a class, as the renderings see it; a ``FieldDescriptor`` is one."""

    @property
    def prose(self) -> str:
        """The words about it."""

    @property
    def shape(self) -> Any:
        """What it holds."""

    @property
    def offered(self) -> Any:
        """What a model is to write."""

    @property
    def required(self) -> bool:
        """Whether the model must give it."""

    @property
    def examples(self) -> tuple[Any, ...]:
        """Values to take as a pattern."""

    @property
    def keywords(self) -> dict[str, Any]:
        """What hosts are told about it."""


class Described(Protocol):
    """A class, as the renderings see it; a ``ClassDefinition`` is one."""

    @property
    def name(self) -> str:
        """The simple name."""

    @property
    def description(self) -> str:
        """The words about it."""

    @property
    def fields(self) -> Mapping[str, Member]:
        """Its members by their wire names."""

    @property
    def is_artifact(self) -> bool:
        """Whether a model is offered it by its reference alone."""

    @property
    def type_alias(self) -> str | None:
        """The alias of an artifact."""

    @property
    def definitions(self) -> Mapping[str, Described]:
        """The classes that references name."""
