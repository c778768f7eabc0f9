"""``nucleo-schema schema``: a class in one of the forms that a model or a program reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from .. import ClassDefinition, describe, dialects, keywords

__all__ = ["FORMS", "dialect_text", "schema_text"]


def _model_text(definition: ClassDefinition) -> str:
    schema = keywords.for_model(definition.json_schema())
    return json.dumps(schema, indent=2, ensure_ascii=False)


#: The forms of ``--form``, the default first.
FORMS: Mapping[str, Callable[[ClassDefinition], str]] = {
    "json": lambda definition: definition.to_json_schema(),
    "llm": lambda definition: definition.to_llm_schema(),
    "model": _model_text,
}


def schema_text(target: Any, form: str) -> str:
    """Return the schema of the class *target* in *form*, as pretty JSON text."""
    return FORMS[form](describe(target))


def dialect_text(target: Any, name: str) -> str:
    """Return the schema of the class *target* in the dialect *name*, as pretty JSON text."""
    return describe(target).to_json_schema(dialect=dialects.DIALECTS[name])
