"""Definitions of one schema: which of them a reference names, and which come back to themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .nodes import Node, children, resolved

__all__ = ["Definitions"]


class Definitions:
    """What the references of one schema lead to; what is found out about a definition is kept."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self._ways_back: dict[tuple[int, bool], bool] = {}  # by the id of a node, and whether inside counts

    def target(self, reference: Any) -> Node | None:
        """Return the definition that a reference names, or None."""
        return resolved(self.root, reference)

    def comes_back(self, target: Node) -> bool:
        """Return whether a definition refers to itself, directly or through others."""
        return self._leads_back(target, deep=True)

    def is_groundless(self, target: Node) -> bool:
        """Return whether a definition comes down to itself: it is, or may be, what it refers to."""
        return self._leads_back(target, deep=False)

    def _leads_back(self, target: Node, *, deep: bool) -> bool:
        """Return whether *target* is among the definitions that it refers to, or that those refer to."""
        key = (id(target), deep)
        if key not in self._ways_back:
            self._ways_back[key] = id(target) in self._reached(target, deep=deep)
        return self._ways_back[key]

    def _reached(self, target: Node, *, deep: bool) -> set[int]:
        seen: set[int] = set()
        waiting = list(self._referred(target, deep=deep))
        while waiting:
            current = waiting.pop()
            if id(current) not in seen:
                seen.add(id(current))
                waiting += self._referred(current, deep=deep)
        return seen

    def _referred(self, node: Node, *, deep: bool) -> Iterator[Node]:
        """Yield what a node refers to, and what it holds where it is *deep*, else what it may be instead."""
        waiting: list[Any] = [node]
        while waiting:
            current = waiting.pop()
            if isinstance(current, dict):
                target = self.target(current.get("$ref"))
                if target is not None:
                    yield target
                waiting += children(current) if deep else _instead(current)


def _instead(node: Node) -> Iterator[Any]:
    """Yield the schemas that an instance of a node is of, or may be of, itself."""
    for key in ("anyOf", "oneOf", "allOf"):
        yield from node.get(key, ())
