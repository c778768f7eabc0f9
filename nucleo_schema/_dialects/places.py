"""Places in a schema, as messages name them: a class and its field."""

from __future__ import annotations

from attrs import evolve, frozen

__all__ = ["Place"]


@frozen
class Place:
    """
    Where a node stands.

    Attributes:
        owner: The title of the nearest object around it that has one.
        path: The names of properties from there; the node may be what the last of them holds.
    """

    owner: str
    path: tuple[str, ...] = ()

    def at(self, name: str) -> Place:
        """Return the place of a property."""
        return evolve(self, path=(*self.path, name))

    def inside(self, title: object) -> Place:
        """Return the place of the properties of an object, by its own title where it has one."""
        return Place(title) if isinstance(title, str) else self

    def __str__(self) -> str:
        """Return the class and the field, like ``Order.lines``."""
        return ".".join((self.owner, *self.path))
