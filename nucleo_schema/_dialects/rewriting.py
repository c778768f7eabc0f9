"""A finished schema for models in the terms of a dialect."""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Callable
from typing import Any, NoReturn

from .._wording import found, listed
from ..errors import SchemaError
from .alternatives import distinct, label, nullable
from .ambiguity import Ambiguity
from .definitions import Definitions
from .limits import check_limits
from .nodes import ALL_TYPES, ENUM_KINDS, MAX_NODES, STRUCTURE, Node, conflicts, kind_of, normalized
from .places import Place
from .record import Dialect
from .tagging import find_tags
from .telling import Body, finished, shown

__all__ = ["rewritten"]

_AS_ENTRIES = "written as an array of entries, each with a key and a value"
_AS_TEXT = "written as JSON text"


def rewritten(schema: Node, dialect: Dialect) -> Node:
    """
    Return a schema for models, as ``for_model`` gives it, in the terms of *dialect*.

    Raises:
        SchemaError: If the dialect cannot express it; the message names the class and the field.
    """
    try:
        result = _Rewriting(schema, dialect).run()
        check_limits(result, dialect)
    except RecursionError:
        msg = f"{Place(schema.get('title', 'schema'))}: nested too deeply for {dialect.name}"
        raise SchemaError(msg) from None
    return result


class _Rewriting:
    def __init__(self, root: Node, dialect: Dialect) -> None:
        self.root = root
        self.dialect = dialect
        self.keys: dict[int, str] = {}  # of the definitions that come back, by the ids of their nodes
        self.definitions: dict[str, Node] = {}
        self.known = Definitions(root)
        self.tags = find_tags(self.known) if dialect.all_required else set()
        self.count = 0
        self.ambiguity = Ambiguity(root, dialect)
        self.bodies: dict[str, Callable[[Node, Place], Body]] = {
            "union": self._union,
            "choice": self._choice,
            "object": self._object,
            "map": self._map,
            "array": self._array,
            "tuple": self._tuple,
            "untyped": self._untyped,
        }

    def run(self) -> Node:
        place = Place(self.root.get("title", "schema"))
        root = self.root
        if "$ref" in root:
            root = self._target(root, place)
        node = normalized(root)
        if kind_of(node) != "object":
            self._refuse(place, "found a root that is no object with properties, expected one")
        result = self.node(node, place)
        return {**result, "$defs": self.definitions} if self.definitions else result

    def _refuse(self, place: Place, message: str) -> NoReturn:
        msg = f"{place}: {message}"
        raise SchemaError(msg)

    def node(self, schema: Any, place: Place) -> Node:
        """Return one node in the dialect's terms."""
        self.count += 1
        if self.count > MAX_NODES:
            what = "nodes, with what several places share written out at each"
            self._refuse(place, f"found a schema of more than {MAX_NODES} {what}, expected fewer")
        if schema is False:
            self._refuse(place, "found a place that nothing can fill, expected a schema")
        node = normalized(schema)
        kind = kind_of(node)
        if kind == "reference":
            return self._reference(node, place)
        if "patternProperties" in node:
            self._refuse(place, "found patternProperties, expected properties, or a schema for all values")
        if "allOf" in node:
            self._refuse(place, "found allOf beside other schemas, expected one schema that says it all")
        make = self.bodies.get(kind)
        body = make(node, place) if make else Body({"type": kind})
        return finished(node, body, self.root, self.dialect)

    # References

    def _target(self, node: Node, place: Place) -> Node:
        target = self.known.target(node["$ref"])
        if target is None:
            self._refuse(place, f"found a reference to {found(node['$ref'])}, expected one to a definition")
        if self.known.is_groundless(target):
            self._refuse(
                place,
                f"found a reference to {found(node['$ref'])}, which comes down to itself, "
                "expected one to something else",
            )
        return target

    def _reference(self, node: Node, place: Place) -> Node:
        target = self._target(node, place)
        siblings = {key: value for key, value in node.items() if key != "$ref"}
        comes_back = self.known.comes_back(target)
        strange = conflicts(siblings, target, are_merged=not comes_back)
        if strange:
            names = listed(sorted(strange))
            self._refuse(place, f"found {names} beside a reference, expected what it refers to alone")
        if not comes_back:
            return self.node({**target, **siblings}, place)
        name = target.get("title", "it")
        if self.dialect.recursion == "none":
            self._refuse(
                place,
                f"found a reference back to {name}, expected no recursion for {self.dialect.name}. Use a "
                "dialect without strict, or a class that does not hold itself.",
            )
        bare = {"$ref": f"#/$defs/{self._definition(target, place)}"}
        siblings.pop("examples", None)
        told = finished(siblings, Body({}), self.root, self.dialect)
        return {"anyOf": [bare], **told} if "description" in told else bare

    def _definition(self, target: Node, place: Place) -> str:
        if id(target) not in self.keys:
            name = re.sub(r"[^A-Za-z0-9_.-]", "_", str(target.get("title", "definition")))
            key, number = name, 1
            while key in self.definitions:
                number += 1
                key = f"{name}_{number}"
            self.keys[id(target)] = key
            self.definitions[key] = {}
            self.definitions[key] = self.node(target, place)
        return self.keys[id(target)]

    # Bodies

    def _object(self, node: Node, place: Place) -> Body:
        place = place.inside(node.get("title"))
        properties = node.get("properties", {})
        if properties and node.get("additionalProperties", False) is not False:
            self._refuse(place, "found an object with properties and open members, expected one or the other")
        declared = set(node.get("required", ()))
        self._refuse_strange(declared - properties.keys(), place)
        names = sorted(properties, key=lambda name: name not in declared)  # the required ones first
        nodes: Node = {}
        for name in names:
            nodes[name] = self.node(properties[name], place.at(name))
            is_tag = id(properties[name]) in self.tags
            if self.dialect.all_required and name not in declared and not is_tag:
                nodes[name] = nullable(nodes[name])
        required = names if self.dialect.all_required else [name for name in names if name in declared]
        body: Node = {"type": "object", "properties": nodes}
        if required or self.dialect.all_required:
            body["required"] = required
        if self.dialect.property_ordering:
            body["propertyOrdering"] = names
        return Body({**body, "additionalProperties": False})

    def _refuse_strange(self, names: set[str], place: Place) -> None:
        """Refuse required properties that nobody declares: a closed object could not have them."""
        if names:
            self._refuse(place, f"found {listed(sorted(names))} required, expected declared properties only")

    def _map(self, node: Node, place: Place) -> Body:
        self._refuse_strange(set(node.get("required", ())), place)
        value = node.get("additionalProperties", True)
        value = {} if value is True else value
        if self.dialect.maps == "objects":
            if not value:
                return Body(copy.deepcopy(dict(self.dialect.open_map)))
            return Body({"type": "object", "additionalProperties": self.node(value, place)})
        entry: Node = {
            "type": "object",
            "properties": {"key": {"type": "string"}, "value": self.node(value, place)},
            "required": ["key", "value"],
            "additionalProperties": False,
        }
        return Body({"type": "array", "items": entry}, (_AS_ENTRIES,))

    def _array(self, node: Node, place: Place) -> Body:
        return Body({"type": "array", "items": self.node(node.get("items", {}), place)})

    def _tuple(self, node: Node, place: Place) -> Body:
        """Let the items be any of those of the places, which the description tells."""
        places = [self.node(item, place) for item in node["prefixItems"]]
        rest = node.get("items", False)
        items = distinct([*places, *([self.node(rest, place)] if isinstance(rest, dict) else [])])
        told = ", ".join(label(item) for item in places)
        item = items[0] if len(items) == 1 else {"anyOf": items}
        return Body({"type": "array", "items": item}, (f"in this order: {told}",))

    def _union(self, node: Node, place: Place) -> Body:
        if node.keys() & (STRUCTURE - {"anyOf", "description", "required"}):
            self._refuse(
                place, "found alternatives beside a type of their own, expected the one or the other"
            )
        alternatives = [normalized(alternative) for alternative in node["anyOf"] if alternative is not False]
        self._refuse_ambiguous(alternatives, place)
        nodes = distinct([self.node(alternative, place) for alternative in alternatives])
        if len(nodes) == 1 and "$ref" not in nodes[0] and not node.keys() & nodes[0].keys() & {"description"}:
            return Body(nodes[0])
        return Body({"anyOf": nodes})

    def _refuse_ambiguous(self, alternatives: list[Node], place: Place) -> None:
        """Refuse alternatives that the dialect would make look alike, so that no reader tells them apart."""
        name = self.dialect.name
        for one, other in itertools.combinations(alternatives, 2):
            if not self.ambiguity.is_between(one, other):
                continue
            kinds = {kind_of(one), kind_of(other)}
            if "map" in kinds and kinds & {"array", "tuple"}:
                found_words, why = "a map or an array", "both are arrays"
            elif "untyped" in kinds:
                found_words, why = "untyped data or something else", "untyped data is JSON text"
            else:
                found_words, why = "alternatives that look alike", "no reader tells them apart"
            self._refuse(
                place, f"found {found_words}, expected one of them: for {name} {why}. Declare two fields."
            )

    def _choice(self, node: Node, place: Place) -> Body:
        by_type: dict[str, list[Any]] = {}
        for value in node["enum"]:
            kind = ENUM_KINDS.get(type(value))
            if kind is None:
                self._refuse(place, f"found a choice of {found(value)}, expected scalars")
            values = by_type.setdefault(kind, [])
            values += [] if value in values else [value]
        if not by_type:
            self._refuse(place, "found no choices, expected some")
        bodies = [self._choice_of(kind, values) for kind, values in by_type.items()]
        if len(bodies) == 1:
            return bodies[0]
        return Body(
            {"anyOf": [body.node for body in bodies]}, tuple(n for body in bodies for n in body.notes)
        )

    def _choice_of(self, kind: str, values: list[Any]) -> Body:
        if kind in self.dialect.enum_types:
            return Body({"type": kind, "enum": values})
        is_whole = kind == "null" or (kind == "boolean" and set(values) == {True, False})
        return Body({"type": kind}, () if is_whole else (f"only {shown(values)}",))

    def _untyped(self, _node: Node, _place: Place) -> Body:
        if self.dialect.untyped == "text":
            return Body({"type": "string"}, (_AS_TEXT,))
        return Body({"type": list(ALL_TYPES)} if self.dialect.untyped == "types" else {})
