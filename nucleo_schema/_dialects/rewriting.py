"""A finished schema for models in the terms of a dialect."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from attrs import frozen

from .._wording import found
from ..errors import SchemaError
from .instances import encoded
from .limits import check_limits
from .nodes import ALL_TYPES, ENUM_KINDS, MAX_NODES, Node, children, kind_of, normalized, resolved
from .places import Place
from .record import Dialect

__all__ = ["rewritten"]

#: Bounds that say no more than the width of an integer.
_WIDTHS = frozenset((-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)) | {
    (1 - 2**53, 2**53 - 1)
}
#: A bound beyond this is no number that every JSON reader holds.
_MAX_BOUND = 2**53 - 1

#: Keywords that say nothing to a model.
_SILENT = frozenset(
    {
        *(
            "$schema",
            "$id",
            "$anchor",
            "$comment",
            "$defs",
            "definitions",
            "deprecated",
            "readOnly",
            "writeOnly",
        ),
        *("propertyOrdering", "$vocabulary", "$dynamicAnchor"),
    }
)
#: What a body is made of; a refinement is what else a node says.
_STRUCTURE = frozenset(
    {
        *("$ref", "type", "description", "anyOf", "enum", "properties", "required", "additionalProperties"),
        *("items", "prefixItems"),
    }
)
#: How a description tells a keyword that may not stay; any other is told as it is spelled.
_TOLD: dict[str, str] = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} members",
    "maxProperties": "at most {} members",
    "uniqueItems": "no two items alike",
    "contentEncoding": "in {}",
    "format": "format {}",
    "pattern": "pattern {}",
    "default": "default {}",
}
_AS_ENTRIES = "written as an array of entries, each with a key and a value"
_AS_TEXT = "written as JSON text"
_NULL: Node = {"type": "null"}


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


@frozen
class _Body:
    """What a node becomes: its structure, and what its description must tell beside."""

    node: Node
    notes: tuple[str, ...] = ()


class _Rewriting:
    def __init__(self, root: Node, dialect: Dialect) -> None:
        self.root = root
        self.dialect = dialect
        self.keys: dict[int, str] = {}  # of the definitions that come back, by the ids of their nodes
        self.definitions: dict[str, Node] = {}
        self.recursive: dict[int, bool] = {}
        self.count = 0
        self.bodies: dict[str, Callable[[Node, Place], _Body]] = {
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
            self._refuse(place, f"found a schema of more than {MAX_NODES} nodes, expected fewer")
        if schema is False:
            self._refuse(place, "found a place that nothing can fill, expected a schema")
        node = normalized(schema)
        kind = kind_of(node)
        if kind == "reference":
            return self._reference(node, place)
        if "patternProperties" in node:
            self._refuse(place, "found patternProperties, expected properties, or a schema for all values")
        make = self.bodies.get(kind)
        body = make(node, place) if make else _Body({"type": kind})
        return self._finished(node, body)

    # References

    def _target(self, node: Node, place: Place) -> Node:
        target = resolved(self.root, node["$ref"])
        if target is None:
            self._refuse(place, f"found a reference to {found(node['$ref'])}, expected one to a definition")
        return target

    def _reference(self, node: Node, place: Place) -> Node:
        target = self._target(node, place)
        siblings = {key: value for key, value in node.items() if key != "$ref"}
        if not self._comes_back(target):
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
        told = self._finished(siblings, _Body({}))
        return {"anyOf": [bare], **told} if "description" in told else bare

    def _comes_back(self, target: Node) -> bool:
        """Return whether a definition refers to itself, directly or through others."""
        if id(target) not in self.recursive:
            seen: set[int] = set()
            waiting = self._referred(target)
            while waiting:
                current = waiting.pop()
                if id(current) not in seen:
                    seen.add(id(current))
                    waiting += self._referred(current)
            self.recursive[id(target)] = id(target) in seen
        return self.recursive[id(target)]

    def _referred(self, node: Node) -> list[Node]:
        targets: list[Node] = []
        waiting: list[Any] = [node]
        while waiting:
            current = waiting.pop()
            if isinstance(current, dict):
                target = resolved(self.root, current.get("$ref"))
                targets += [] if target is None else [target]
                waiting += children(current)
        return targets

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

    def _object(self, node: Node, place: Place) -> _Body:
        place = place.inside(node.get("title"))
        properties = node.get("properties", {})
        if properties and node.get("additionalProperties", False) is not False:
            self._refuse(place, "found an object with properties and open members, expected one or the other")
        declared = set(node.get("required", ()))
        names = sorted(properties, key=lambda name: name not in declared)  # the required ones first
        nodes: Node = {}
        for name in names:
            nodes[name] = self.node(properties[name], place.at(name))
            if self.dialect.all_required and name not in declared:
                nodes[name] = _nullable(nodes[name])
        required = names if self.dialect.all_required else [name for name in names if name in declared]
        body: Node = {"type": "object", "properties": nodes}
        if required or self.dialect.all_required:
            body["required"] = required
        if self.dialect.property_ordering:
            body["propertyOrdering"] = names
        return _Body({**body, "additionalProperties": False})

    def _map(self, node: Node, place: Place) -> _Body:
        value = node.get("additionalProperties", True)
        value = {} if value is True else value
        if self.dialect.maps == "objects":
            if not value:
                return _Body(copy.deepcopy(dict(self.dialect.open_map)))
            return _Body({"type": "object", "additionalProperties": self.node(value, place)})
        entry: Node = {
            "type": "object",
            "properties": {"key": {"type": "string"}, "value": self.node(value, place)},
            "required": ["key", "value"],
            "additionalProperties": False,
        }
        return _Body({"type": "array", "items": entry}, (_AS_ENTRIES,))

    def _array(self, node: Node, place: Place) -> _Body:
        return _Body({"type": "array", "items": self.node(node.get("items", {}), place)})

    def _tuple(self, node: Node, place: Place) -> _Body:
        """Let the items be any of those of the places, which the description tells."""
        places = [self.node(item, place) for item in node["prefixItems"]]
        rest = node.get("items", False)
        items = _distinct([*places, *([self.node(rest, place)] if isinstance(rest, dict) else [])])
        told = ", ".join(_label(item) for item in places)
        item = items[0] if len(items) == 1 else {"anyOf": items}
        return _Body({"type": "array", "items": item}, (f"in this order: {told}",))

    def _union(self, node: Node, place: Place) -> _Body:
        if node.keys() & (_STRUCTURE - {"anyOf", "description", "required"}):
            self._refuse(
                place, "found alternatives beside a type of their own, expected the one or the other"
            )
        alternatives = [normalized(alternative) for alternative in node["anyOf"] if alternative is not False]
        self._refuse_ambiguous(alternatives, place)
        nodes = _distinct([self.node(alternative, place) for alternative in alternatives])
        if len(nodes) == 1 and "$ref" not in nodes[0] and not node.keys() & nodes[0].keys() & {"description"}:
            return _Body(nodes[0])
        return _Body({"anyOf": nodes})

    def _refuse_ambiguous(self, alternatives: list[Node], place: Place) -> None:
        """Refuse alternatives that the dialect would make look alike, so that no reader tells them apart."""
        kinds = {kind_of(alternative) for alternative in alternatives}
        if self.dialect.maps == "entries" and "map" in kinds and kinds & {"array", "tuple"}:
            self._refuse(
                place,
                f"found a map or an array, expected one of them: for {self.dialect.name} both are arrays. "
                "Declare two fields.",
            )
        if self.dialect.untyped == "text" and "untyped" in kinds and kinds - {"untyped", "null"}:
            self._refuse(
                place,
                f"found untyped data or something else, expected one of them: for {self.dialect.name} "
                "untyped data is JSON text. Declare two fields.",
            )

    def _choice(self, node: Node, place: Place) -> _Body:
        by_type: dict[str, list[Any]] = {}
        for value in node["enum"]:
            kind = ENUM_KINDS.get(type(value))
            if kind is None:
                self._refuse(place, f"found a choice of {found(value)}, expected scalars")
            by_type.setdefault(kind, []).append(value)
        if not by_type:
            self._refuse(place, "found no choices, expected some")
        bodies = [self._choice_of(kind, values) for kind, values in by_type.items()]
        if len(bodies) == 1:
            return bodies[0]
        return _Body(
            {"anyOf": [body.node for body in bodies]}, tuple(n for body in bodies for n in body.notes)
        )

    def _choice_of(self, kind: str, values: list[Any]) -> _Body:
        if kind in self.dialect.enum_types:
            return _Body({"type": kind, "enum": values})
        is_whole = kind == "null" or set(values) == {True, False}
        return _Body({"type": kind}, () if is_whole else (f"only {_shown(values)}",))

    def _untyped(self, _node: Node, _place: Place) -> _Body:
        if self.dialect.untyped == "text":
            return _Body({"type": "string"}, (_AS_TEXT,))
        return _Body({"type": list(ALL_TYPES)} if self.dialect.untyped == "types" else {})

    # Descriptions

    def _finished(self, node: Node, body: _Body) -> Node:
        """Return a node with its words and with the refinements that the dialect takes."""
        kept: Node = {}
        notes = list(body.notes)
        for key, value in node.items():
            if key not in _STRUCTURE and key not in _SILENT and not key.startswith("x-"):
                self._refine(key, value, node, kept, notes)
        made = dict(body.node)
        head: Node = {key: made.pop(key) for key in ("type", "title") if key in made}
        inner = made.pop("description", None)
        title = kept.pop("title", None)
        if title is not None:
            head["title"] = title
        words = [text for text in (node.get("description", inner), _bracketed(notes)) if text]
        if words:
            head["description"] = " ".join(words)
        return {**head, **made, **kept}

    def _refine(self, key: str, value: Any, node: Node, kept: Node, notes: list[str]) -> None:
        """Keep one refinement, tell it, or drop it where it says nothing."""
        if key == "examples":
            value = list(_encoded_examples(value, node, self.root, self.dialect))
            if not value:
                return
        if key in ("minimum", "maximum") and self._is_width(key, value, node):
            return
        if self._stays(key, value):
            kept[key] = value
        elif key == "examples":
            notes.append(f"examples: {_shown(value)}")
        elif key != "title" and value is not False:
            text = value if isinstance(value, str) and key != "default" else _json(value)
            notes.append(_TOLD[key].format(text) if key in _TOLD else f"{key}: {text}")

    def _stays(self, key: str, value: Any) -> bool:
        dialect = self.dialect
        if key not in dialect.keywords:
            return False
        if key == "format":
            return value in dialect.formats
        if key == "pattern":
            return dialect.lookaround or "(?" not in value
        return key != "minItems" or dialect.max_min_items is None or value <= dialect.max_min_items

    def _is_width(self, key: str, value: Any, node: Node) -> bool:
        """Return whether a bound says only how wide an integer is, or what no reader holds exactly."""
        if abs(value) > _MAX_BOUND:
            return True
        pair = (node.get("minimum"), node.get("maximum"))
        return key not in self.dialect.keywords and pair in _WIDTHS


def _nullable(node: Node) -> Node:
    """Return a node that null fills as well, with its description outside."""
    if "anyOf" in node:
        known = _NULL in node["anyOf"]
        return node if known else {**node, "anyOf": [*node["anyOf"], dict(_NULL)]}
    if node.get("type") == "null":
        return node
    inner = {key: value for key, value in node.items() if key != "description"}
    outer: Node = {"anyOf": [inner, dict(_NULL)]}
    return {"description": node["description"], **outer} if "description" in node else outer


def _distinct(nodes: list[Node]) -> list[Node]:
    """Return the alternatives that differ, those of bare unions among them."""
    result: list[Node] = []
    for node in nodes:
        inner: list[Node] = node["anyOf"] if set(node) == {"anyOf"} else [node]
        result += [alternative for alternative in inner if alternative not in result]
    return result


def _label(node: Node) -> str:
    """Return the words for what stands at a place of an array."""
    if "anyOf" in node:
        return " or ".join(_label(alternative) for alternative in node["anyOf"])
    if "$ref" in node:
        return str(node["$ref"]).rpartition("/")[2]
    kind = node.get("title") or node.get("type", "any value")
    return kind if isinstance(kind, str) else "any value"


def _encoded_examples(examples: Any, node: Node, root: Node, dialect: Dialect) -> Iterator[Any]:
    for example in examples if isinstance(examples, list) else ():
        try:
            yield encoded(example, node, root, dialect)
        except LookupError:  # noqa: PERF203  it fits several alternatives, or none
            continue


def _bracketed(notes: list[str]) -> str:
    return f"[{'; '.join(notes)}]" if notes else ""


def _shown(values: list[Any]) -> str:
    return ", ".join(value if isinstance(value, str) else _json(value) for value in values)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
