"""
The ``x-nucleo-*`` keywords in finished schemas, and the two ways of taking them off.

A schema tells a model what to fill in, and a host what the data is: what can be summarized, what stays out
of a prompt, what is an artifact. The host's part stands in keywords that begin with ``x-nucleo-``.
`strip_from` removes them. `for_model` reduces every artifact to its reference before it does so, because a
model chooses an artifact and never writes one.

Keywords count only where a schema stands. A property or a definition of that name is no keyword, and what
stands under ``enum``, ``const``, ``default``, ``examples`` or an unknown keyword is data and stays.

What `for_model` takes for an artifact:

- A node that carries `TYPE_ALIAS`. On an array the keyword speaks of its items, on a map (an object with a
  schema for its values and no properties) of its values, on a union of its alternatives; a node of a scalar
  type holds no artifact's content and stays a scalar.
- A definition that such a node refers to, and every node that refers to it. References are followed as
  JSON Pointers within the document; a marked one that leads to no definition is reduced where it stands.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn, TypeGuard, TypeVar, cast
from urllib.parse import unquote

import orjson
from attrs import frozen

from ._dialects.record import STANDARD, Dialect, checked
from ._dialects.rewriting import rewritten
from ._dialects.wellformed import check_form
from ._wording import found
from .errors import InvalidInputError
from .references import REF_FIELD

__all__ = ["CONTEXT_IGNORE", "PREFIX", "SUMMARIZABLE", "TYPE_ALIAS", "for_model", "strip_from"]

#: What every keyword begins with, in this case.
PREFIX = "x-nucleo-"

#: How the text of a field can be summarized, as declared.
SUMMARIZABLE = f"{PREFIX}summarizable"

#: The field stays out of prompts.
CONTEXT_IGNORE = f"{PREFIX}context-ignore"

#: The type alias of the artifact that stands here; of the items of an array, of the values of a map.
TYPE_ALIAS = f"{PREFIX}type-alias"

#: Levels of nesting beyond which a schema is refused; one that contains itself is refused by the same count.
MAX_NESTING = 1_000

#: What the model is told about the one member of an artifact.
_REF_DESCRIPTION = "The reference of an artifact from the registry, copied exactly"

_DEFINITIONS = frozenset({"$defs", "definitions"})
_ALTERNATIVES = frozenset({"anyOf", "oneOf", "allOf"})

#: Keywords whose value is an object with a schema under each name.
_NAMED = _DEFINITIONS | {"properties", "patternProperties", "dependentSchemas", "dependencies"}

#: Keywords whose value is a schema or a list of schemas.
_UNNAMED = _ALTERNATIVES | {
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
}
_APPLICATORS = _NAMED | _UNNAMED

#: Keywords that show or demand values, and would show an artifact's content.
_CONTENT = frozenset({"examples", "example", "default", "const", "enum"})

_SCALAR_TYPES = frozenset({"string", "integer", "number", "boolean", "null"})

Node = dict[str, Any]

SchemaT = TypeVar("SchemaT", bound="str | dict[str, Any] | None")


@frozen
class _Carrier:
    """A kind of node that is no artifact itself but holds some: where they stand, and what else may stay."""

    elements: frozenset[str]
    extras: frozenset[str] = frozenset()

    @property
    def kept(self) -> frozenset[str]:
        """The keywords that a marked node of this kind keeps: none through which content comes back."""
        return self.elements | self.extras | _COMMON


_COMMON = _DEFINITIONS | {
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
_UNION = _Carrier(_ALTERNATIVES)
_LINK = _Carrier(frozenset(), frozenset({"$ref"}))


def strip_from(schema: SchemaT) -> SchemaT:
    """
    Return a schema without its ``x-nucleo-*`` keywords.

    Args:
        schema: A JSON Schema, as a dict or as JSON text.

    Returns:
        A new dict for a dict, text with an indent of two spaces for text; None and blank text as they are.

    Raises:
        InvalidInputError: If it is not an object or boolean, not JSON, or nested too deeply.
    """
    return _rewritten(schema, _strip)


def for_model(schema: SchemaT, *, dialect: Dialect = STANDARD) -> SchemaT:
    """
    Return a schema as a model is offered it: artifacts as references, without ``x-nucleo-*`` keywords.

    An artifact becomes an object with the one, required property ``artifact_ref`` and keeps its title and
    its description. What surrounds an artifact loses its examples, defaults and constants, for they would
    show content, and its ``oneOf`` becomes ``anyOf``, for references look alike. Definitions that
    nothing refers to any more are gone.

    Args:
        schema: A JSON Schema, as a dict or as JSON text.
        dialect: In whose terms the result is; it keeps to those of the schema when left out.

    Returns:
        A new dict for a dict, text with an indent of two spaces for text; None and blank text as they are.

    Raises:
        InvalidInputError: If it is not an object or boolean, not JSON, or nested too deeply.
        SchemaError: If the dialect cannot express it, or a keyword holds what it cannot hold; the message
            names the class and the field.
    """
    if not checked(dialect).model_facing:
        return _rewritten(schema, _offer)

    def offer(root: Node) -> None:
        check_form(root)
        _offer(root)
        result = rewritten(root, dialect)
        root.clear()
        root.update(result)

    return _rewritten(schema, offer)


def _rewritten(schema: SchemaT, rewrite: Callable[[Node], None]) -> SchemaT:
    """Return what *rewrite* makes of a copy of the schema, in the form in which the schema was given."""
    if schema is None or (isinstance(schema, str) and not schema.strip()):
        return schema
    result = _rewritten_text(schema, rewrite) if isinstance(schema, str) else _rewritten_tree(schema, rewrite)
    return cast("SchemaT", result)


def _rewritten_text(text: str, rewrite: Callable[[Node], None]) -> str:
    try:
        return _dump(_rewritten_tree(_load(text), rewrite))
    except RecursionError:
        _refuse_nesting()


def _rewritten_tree(root: Any, rewrite: Callable[[Node], None]) -> Any:
    if _is_object(root):
        root = _copy(root)
        rewrite(root)
    elif not isinstance(root, bool):
        raise InvalidInputError(
            f"schema: found {found(root)}, expected an object, as JSON text or as a dict."
        )
    return root


def _strip(root: Node) -> None:
    """Remove the keywords, in place."""
    for node in _iter_schemas(root):
        for key in [key for key in node if str(key).startswith(PREFIX)]:
            del node[key]


def _offer(root: Node) -> None:
    """Reduce the artifacts and remove the keywords, in place."""
    _Reduction(root).run()
    _prune(root)
    _strip(root)


class _Reduction:
    """
    The reduction of every artifact in one schema, in place.

    Nodes are known by their ``id``: `nodes` keeps all of them alive, also those that fall out of the tree,
    so no id comes back for another node.
    """

    def __init__(self, root: Node) -> None:
        self.root = root
        self.nodes = list(_iter_schemas(root))
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
        entries = {id(entry) for entry in _iter_definitions(self.nodes) if _is_object(entry)}
        for node in self.nodes:
            target = _target(self.root, node)
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
        for holder, key in _slots(node, carrier.elements):
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
        for node in _iter_schemas(self.root):
            for holder, key in _slots(node, _APPLICATORS - _DEFINITIONS):
                users[id(holder[key])].append(node)
            users[id(_target(self.root, node))].append(node)
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
    return {name for name in (stated if _is_list(stated) else [stated]) if isinstance(name, str)}


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
    slots = _slots(node, carrier.elements)
    return any(_is_object(holder[key]) or holder[key] is True for holder, key in slots)


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


def _prune(root: Node) -> None:
    """Remove the definitions that the root does not refer to, directly or through others."""
    nodes = list(_iter_schemas(root))
    unused = {id(entry) for entry in _iter_definitions(nodes)}
    pending: list[Any] = [root]
    while pending:
        for node in _iter_schemas(pending.pop(), _APPLICATORS - _DEFINITIONS):
            used = [step for step in _steps(root, node.get("$ref")) if id(step) in unused]
            unused.difference_update(map(id, used))
            pending.extend(used)
    for node in nodes:
        for key in _DEFINITIONS & node.keys():
            _drop_unused(node, key, unused)


def _drop_unused(node: Node, key: str, unused: set[int]) -> None:
    entries = node[key]
    if _is_object(entries):
        for name in [name for name, entry in entries.items() if id(entry) in unused]:
            del entries[name]
    if not entries or not _is_object(entries):
        del node[key]


def _slots(node: Node, keys: frozenset[str]) -> Iterator[tuple[Any, Any]]:
    """Yield the places under *keys* where a schema stands: the dict or list, and the key or index in it."""
    for key in [key for key in node if key in keys]:
        value = node[key]
        if key in _NAMED:
            names = list(value) if _is_object(value) else []
            yield from ((value, name) for name in names)
        elif _is_list(value):
            yield from ((value, index) for index in range(len(value)))
        else:
            yield node, key


def _iter_schemas(root: Any, keys: frozenset[str] = _APPLICATORS) -> Iterator[Node]:
    """Yield *root* and the nodes below it at which a schema stands; a boolean schema is no node."""
    pending = [root]
    while pending:
        node = pending.pop()
        if _is_object(node):
            yield node
            pending.extend(holder[key] for holder, key in _slots(node, keys))


def _iter_definitions(nodes: Iterable[Node]) -> Iterator[Any]:
    """Yield the definitions that stand on *nodes*."""
    for node in nodes:
        yield from (holder[key] for holder, key in _slots(node, _DEFINITIONS))


def _target(root: Node, node: Node) -> Any:
    """Return what the ``$ref`` of *node* leads to, or None."""
    steps = _steps(root, node.get("$ref"))
    return steps[-1] if steps else None


def _steps(root: Node, ref: Any) -> list[Any]:
    """Return what a reference passes on its way from the root, its target last; nothing if it dangles."""
    if not isinstance(ref, str) or not ref.startswith("#"):
        return []
    first, *tokens = unquote(ref[1:]).split("/")
    steps: list[Any] = [root]
    try:
        for token in tokens:
            steps.append(_step(steps[-1], token.replace("~1", "/").replace("~0", "~")))
    except (LookupError, ValueError):
        return []
    return [] if first else steps


def _step(holder: Any, token: str) -> Any:
    """Return the member or the item of *holder* that a token of a pointer names."""
    if _is_object(holder):
        return holder[token]
    if _is_list(holder) and token.isdecimal():
        return holder[int(token)]
    raise LookupError(token)


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _copy(root: Node) -> Node:
    """Return a copy that shares no dict and no list with the original, nor one part of it with another."""
    copy: Node = {}
    pending: list[tuple[Any, Any, int]] = [(root, copy, 1)]
    while pending:
        source, target, level = pending.pop()
        if level > MAX_NESTING:
            _refuse_nesting()
        for key, value in source.items() if _is_object(source) else enumerate(source):
            if _is_object(value):
                target[key] = {}
                pending.append((value, target[key], level + 1))
            elif isinstance(value, (list, tuple)):
                items = list(cast("list[Any]", value))
                target[key] = items
                pending.append((items, items, level + 1))
            else:
                target[key] = value
    return copy


def _load(text: str) -> Any:
    """Return what a JSON text says, integers of any size exactly."""
    try:
        return json.loads(text, parse_constant=_refuse_number, parse_float=_finite)
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInputError(
            f"schema: found {found(text)}, which does not read as JSON{where}, expected an object as text."
        ) from None


def _finite(text: str) -> float:
    """Return the number that *text* spells, if a float can hold it."""
    number = float(text)
    return number if math.isfinite(number) else _refuse_number(text)


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(text)


def _dump(root: Any) -> str:
    """Return a schema as text with an indent of two spaces."""
    try:
        return orjson.dumps(root, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # an integer beyond 64 bits, half a surrogate pair, or more levels than orjson takes
        return json.dumps(root, indent=2)


def _refuse_nesting() -> NoReturn:
    raise InvalidInputError(
        f"schema: nested too deeply, or within itself; expected at most {MAX_NESTING} levels."
    ) from None
