"""Artifacts in a schema: each is reduced to its reference, and nothing around it shows its content."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from attrs import frozen

from ..references import REF_FIELD
from .names import TYPE_ALIAS
from .nodes import (
    ALTERNATIVES,
    APPLICATORS,
    DEFINITIONS,
    Node,
    is_list,
    is_object,
    iter_definitions,
    iter_schemas,
    slots,
    target_of,
)

__all__ = ["reduce_artifacts"]

#: What the model is told about the one member of an artifact.
_REF_DESCRIPTION = "The reference of an artifact from the registry, copied exactly"

#: Keywords that show or demand values, and would show an artifact's content.
_CONTENT = frozenset({"examples", "example", "default", "const", "enum"})

_SCALAR_TYPES = frozenset({"string", "integer", "number", "boolean", "null"})


@frozen
class _Carrier:
    """A kind of node that is no artifact itself but holds some: where they stand, and what else may stay."""

    elements: frozenset[str]
    extras: frozenset[str] = frozenset()

    @property
    def kept(self) -> frozenset[str]:
        """The keywords that a marked node of this kind keeps: none through which content comes back."""
        return self.elements | self.extras | _COMMON


_COMMON = DEFINITIONS | {
    "$schema",
    "$id",
    "type",
    "title",
    "description",
    "deprecated",
    "readOnly",
    "writeOnly",
}
_ARRAY = _Carrier(
    frozenset({"items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"}),
    frozenset({"minItems", "maxItems", "uniqueItems", "minContains", "maxContains"}),
)
_MAP = _Carrier(
    frozenset({"additionalProperties", "patternProperties", "unevaluatedProperties"}),
    frozenset({"minProperties", "maxProperties", "propertyNames", "required"}),
)
_UNION = _Carrier(ALTERNATIVES)
_LINK = _Carrier(frozenset(), frozenset({"$ref"}))


def reduce_artifacts(root: Node) -> None:
    """Reduce every artifact in a schema to its reference, in place."""
    _Reduction(root).run()


class _Reduction:
    """
    The reduction of every artifact in one schema, in place.

    Nodes are known by their ``id``: `nodes` keeps all of them alive, also those that fall out of the tree,
    so no id comes back for another node.
    """

    def __init__(self, root: Node) -> None:
        self.root = root
        self.nodes = list(iter_schemas(root))
        self.reduced: set[int] = set()
        self.scalars: set[int] = set()
        self.carriers: dict[int, tuple[Node, _Carrier]] = {}
        self.targets: dict[int, Node] = {}
        self.referrers: defaultdict[int, list[Node]] = defaultdict(list)

    def run(self) -> None:
        """Reduce what is marked, spread to what refers to it, and clear what surrounds it."""
        self._link()
        pending = [node for node in self.nodes if TYPE_ALIAS in node]
        settled: set[int] = set()
        while pending:
            node = pending.pop()
            if id(node) not in settled and id(node) not in self.reduced:
                settled.add(id(node))
                pending.extend(self._settle(node))
        self._clear_surroundings()

    def _link(self) -> None:
        """Find the definition behind each ``$ref``, before anything moves."""
        entries = {id(entry) for entry in iter_definitions(self.nodes) if is_object(entry)}
        for node in self.nodes:
            target = target_of(self.root, node)
            if id(target) in entries:
                self.targets[id(node)] = target
                self.referrers[id(target)].append(node)

    def _settle(self, node: Node) -> Iterable[Node]:
        """Treat a marked node by its kind; return the nodes that its mark speaks of."""
        if _is_scalar(node):
            self.scalars.add(id(node))
            return ()
        carrier = _carrier_of(node)
        if carrier is not None:
            self.carriers[id(node)] = (node, carrier)
            return self._elements(node, carrier)
        target = self.targets.get(id(node))
        if target is not None:
            self.carriers[id(node)] = (node, _LINK)
            return (target,)
        self._reduce(node)
        return ()

    def _elements(self, node: Node, carrier: _Carrier) -> list[Node]:
        """Return the schemas of what *node* holds; what admits anything becomes a node of its own."""
        if carrier is _ARRAY and "prefixItems" not in node:
            node.setdefault("items", True)
        elements: list[Node] = []
        for holder, key in slots(node, carrier.elements):
            if not isinstance(holder[key], (dict, bool)) or holder[key] is True:
                holder[key] = {}
                self.nodes.append(holder[key])
            if holder[key] is not False:
                elements.append(holder[key])
        return elements

    def _reduce(self, node: Node) -> None:
        """Turn *node*, which refers to no definition, into a reference, and so what refers to it."""
        pending = [node]
        while pending:
            node = pending.pop()
            self.reduced.add(id(node))
            self.carriers.pop(id(node), None)
            reference = _reference_to(node, self.targets.get(id(node), {}))
            node.clear()
            node.update(reference)
            pending.extend(self.referrers[id(node)])

    def _clear_surroundings(self) -> None:
        """
        Take content off every node that has a reduced one below it or behind its ``$ref``.

        A carrier counts as reduced itself, unless it leads to a scalar: then a reduced one decides.
        """
        users = self._users()
        plain = _above(self.scalars, users)
        bare = {key: node for key, (node, _) in self.carriers.items() if key not in plain}
        for node in (bare | _above({*self.reduced, *bare}, users)).values():
            self._clear(node)

    def _users(self) -> defaultdict[int, list[Node]]:
        """Return the nodes that use each schema: that hold it, definitions apart, or refer to it."""
        users: defaultdict[int, list[Node]] = defaultdict(list)
        for node in iter_schemas(self.root):
            for holder, key in slots(node, APPLICATORS - DEFINITIONS):
                users[id(holder[key])].append(node)
            users[id(target_of(self.root, node))].append(node)
        return users

    def _clear(self, node: Node) -> None:
        """Leave nothing on *node* that shows content, or that tells references apart, for they look alike."""
        if id(node) in self.carriers:
            for key in node.keys() - self.carriers[id(node)][1].kept:
                del node[key]
        for key in _CONTENT & node.keys():
            del node[key]
        if "anyOf" not in node and "oneOf" in node:
            node["anyOf"] = node.pop("oneOf")


def _reference_to(node: Node, target: Node) -> Node:
    """Return the node that offers the artifact at *node*, or behind its reference, as its reference alone."""
    reference: Node = {"type": ["object", "null"] if "null" in _types(node) else "object"}
    for key in ("title", "description"):
        text = node.get(key, target.get(key))
        if isinstance(text, str):
            reference[key] = text
    reference["properties"] = {REF_FIELD: {"type": "string", "description": _REF_DESCRIPTION}}
    reference["required"] = [REF_FIELD]
    return reference


def _types(node: Node) -> set[str]:
    """Return the types that a node states; none when it is untyped."""
    stated = node.get("type")
    return {name for name in (stated if is_list(stated) else [stated]) if isinstance(name, str)}


def _is_scalar(node: Node) -> bool:
    types = _types(node)
    return bool(types) and types <= _SCALAR_TYPES


def _carrier_of(node: Node) -> _Carrier | None:
    """Return what kind of holder of artifacts a marked node is, or None when it is none."""
    types, members = _types(node), node.get("properties")
    if "object" not in types and ("array" in types or (not (types or members) and _admits(node, _ARRAY))):
        return _ARRAY
    if "array" in types or members:
        return None
    if (not types or "object" in types) and _admits(node, _MAP):
        return _MAP
    return _UNION if not types and _admits(node, _UNION) else None


def _admits(node: Node, carrier: _Carrier) -> bool:
    """Tell whether a node has elements of this kind: a schema for them other than ``false``."""
    elements = slots(node, carrier.elements)
    return any(is_object(holder[key]) or holder[key] is True for holder, key in elements)


def _above(schemas: Iterable[int], users: Mapping[int, list[Node]]) -> dict[int, Node]:
    """Return all that use one of these schemas, directly or through others, by ``id``."""
    above: dict[int, Node] = {}
    pending = list(schemas)
    while pending:
        for user in users.get(pending.pop(), ()):
            if id(user) not in above:
                above[id(user)] = user
                pending.append(id(user))
    return above
