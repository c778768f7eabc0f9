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

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

from ._dialects.record import STANDARD, Dialect, checked
from ._dialects.rewriting import rewritten
from ._dialects.wellformed import check_form
from ._schemas.artifacts import reduce_artifacts
from ._schemas.names import CONTEXT_IGNORE, PREFIX, SUMMARIZABLE, TYPE_ALIAS
from ._schemas.nodes import Node, is_object, iter_schemas, prune
from ._schemas.text import copied, dumped, loaded, refuse_nesting
from ._wording import found
from .errors import InvalidInputError, SchemaError

__all__ = ["CONTEXT_IGNORE", "PREFIX", "SUMMARIZABLE", "TYPE_ALIAS", "for_model", "strip_from"]

Root: TypeAlias = "Node | bool"
SchemaT = TypeVar("SchemaT", bound="str | dict[str, Any] | None")


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

    def offer(root: Root) -> None:
        if isinstance(root, bool):
            msg = f"schema: found {found(root)}, expected an object with properties for {dialect.name}"
            raise SchemaError(msg)
        check_form(root)
        _offer(root)
        result = rewritten(root, dialect)
        root.clear()
        root.update(result)

    return _rewritten(schema, offer)


def _rewritten(schema: SchemaT, rewrite: Callable[[Root], None]) -> SchemaT:
    """Return what *rewrite* makes of a copy of the schema, in the form in which the schema was given."""
    if schema is None or (isinstance(schema, str) and not schema.strip()):
        return schema
    result = _rewritten_text(schema, rewrite) if isinstance(schema, str) else _rewritten_tree(schema, rewrite)
    return cast("SchemaT", result)


def _rewritten_text(text: str, rewrite: Callable[[Root], None]) -> str:
    try:
        return dumped(_rewritten_tree(loaded(text), rewrite))
    except RecursionError:
        refuse_nesting()


def _rewritten_tree(root: Any, rewrite: Callable[[Root], None]) -> Any:
    if not isinstance(root, (dict, bool)):
        raise InvalidInputError(
            f"schema: found {found(root)}, expected an object, as JSON text or as a dict."
        )
    root = copied(root) if is_object(root) else root
    rewrite(root)
    return root


def _strip(root: Root) -> None:
    """Remove the keywords, in place."""
    for node in iter_schemas(root):
        for key in [key for key in node if str(key).startswith(PREFIX)]:
            del node[key]


def _offer(root: Root) -> None:
    """Reduce the artifacts and remove the keywords, in place."""
    if is_object(root):
        reduce_artifacts(root)
        prune(root)
        _strip(root)
