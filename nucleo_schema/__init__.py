"""
Declare an attrs class once; describe it to a model, read its replies, write it, and keep its artifacts.

The way of the data, folder by folder: ``_declare``, ``_describe``, ``_read``, ``_write``, ``_artifacts``,
``_answers``. Each name is loaded, with what it needs, when it is first asked for.
"""

from __future__ import annotations

import importlib

_MODULES = ("aliases", "artifact_tools", "dialects", "formatters", "keywords", "references")
#: Where the names are that are no modules.
_HOMES = {
    "._answers.contract": "SCHEMA_NOTATION_LEGEND ResponseContract",
    "._answers.reasoning": (
        "AnalysisReasoning ChainOfThoughtReasoning Reasoning SimpleReasoning ToolSelectionReasoning"
    ),
    "._answers.responses": (
        "ArtifactResponse ChainOfThoughtResponse ReasonableResponse StringReasonableResponse"
    ),
    "._artifacts.lists": "ListArtifact",
    "._artifacts.prompt_form": "write_summarized_with_refs",
    "._artifacts.registry": "ArtifactRegistry",
    "._artifacts.shapes": "CitationArtifact CodeArtifact LinkArtifact PersonArtifact WebPageArtifact",
    "._converter": "configure_converter converter make_converter",
    "._declare.artifact": "Artifact SummarizedField",
    "._declare.forms": "is_composite",
    "._declare.leaves": "register_leaf",
    "._declare.metadata": "Int32 Int64 Summarizable SummarySize described meta type_alias",
    "._describe.descriptors": "ClassDefinition FieldDescriptor",
    "._describe.walk": "describe json_schema llm_schema",
    "._prompt": "Prompt",
    "._read.extract": "JsonProseSplit extract_json extract_json_with_prose",
    "._verbs": (
        "convert parse parse_llm_response read_tree value_to_tree write write_compact "
        "write_summarized write_summarized_compact"
    ),
    "._write.summaries": "Summarizer TruncatingSummarizer",
    ".dialects": "Dialect answer_format tool_definition",
    ".errors": (
        "ArtifactNotFoundError DuplicateAliasError ExtractionError InvalidInputError MappingError "
        "MissingTypeAliasError NucleoError Problem ReferenceConflictError ResponseRefused "
        "SchemaError SerializationError"
    ),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

#: What ``__init__.pyi`` tells type checkers, name by name.
__all__ = [*_MODULES, *_HOME_OF]  # noqa: PLE0604  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    """Return a public name, loaded now; the next look for it does not come here."""
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_HOME_OF[name], __name__), name)
    return value


def __dir__() -> list[str]:
    """Return the public names, loaded or not, and all others that a module has."""
    return sorted({*globals(), *__all__})
