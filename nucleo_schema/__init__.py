"""
Declare an attrs class once; describe it to a model, read its replies, write it, and keep its artifacts.

The way of the data, folder by folder: ``_declare``, ``_describe``, ``_read``, ``_write``, ``_artifacts``,
``_answers``. Each name is loaded, with what it needs, when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import aliases, artifact_tools, dialects, formatters, keywords, references
    from ._answers.contract import SCHEMA_NOTATION_LEGEND, ResponseContract
    from ._answers.reasoning import (
        AnalysisReasoning,
        ChainOfThoughtReasoning,
        Reasoning,
        SimpleReasoning,
        ToolSelectionReasoning,
    )
    from ._answers.responses import (
        ArtifactResponse,
        ChainOfThoughtResponse,
        ReasonableResponse,
        StringReasonableResponse,
    )
    from ._artifacts.lists import ListArtifact
    from ._artifacts.prompt_form import write_summarized_with_refs
    from ._artifacts.registry import ArtifactRegistry
    from ._artifacts.shapes import (
        CitationArtifact,
        CodeArtifact,
        LinkArtifact,
        PersonArtifact,
        WebPageArtifact,
    )
    from ._converter import configure_converter, converter, make_converter
    from ._declare.artifact import Artifact, SummarizedField
    from ._declare.forms import is_composite
    from ._declare.leaves import register_leaf
    from ._declare.metadata import Int32, Int64, Summarizable, SummarySize, described, meta, type_alias
    from ._describe.descriptors import ClassDefinition, FieldDescriptor
    from ._describe.walk import describe, json_schema, llm_schema
    from ._prompt import Prompt
    from ._read.extract import JsonProseSplit, extract_json, extract_json_with_prose
    from ._verbs import (
        convert,
        parse,
        parse_llm_response,
        read_tree,
        value_to_tree,
        write,
        write_compact,
        write_summarized,
        write_summarized_compact,
    )
    from ._write.summaries import Summarizer, TruncatingSummarizer
    from .dialects import Dialect, answer_format, tool_definition
    from .errors import (
        ArtifactNotFoundError,
        DuplicateAliasError,
        ExtractionError,
        InvalidInputError,
        MappingError,
        MissingTypeAliasError,
        NucleoError,
        Problem,
        ReferenceConflictError,
        ResponseRefused,
        SchemaError,
        SerializationError,
    )
else:
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


__all__ = [
    "SCHEMA_NOTATION_LEGEND",
    "AnalysisReasoning",
    "Artifact",
    "ArtifactNotFoundError",
    "ArtifactRegistry",
    "ArtifactResponse",
    "ChainOfThoughtReasoning",
    "ChainOfThoughtResponse",
    "CitationArtifact",
    "ClassDefinition",
    "CodeArtifact",
    "Dialect",
    "DuplicateAliasError",
    "ExtractionError",
    "FieldDescriptor",
    "Int32",
    "Int64",
    "InvalidInputError",
    "JsonProseSplit",
    "LinkArtifact",
    "ListArtifact",
    "MappingError",
    "MissingTypeAliasError",
    "NucleoError",
    "PersonArtifact",
    "Problem",
    "Prompt",
    "ReasonableResponse",
    "Reasoning",
    "ReferenceConflictError",
    "ResponseContract",
    "ResponseRefused",
    "SchemaError",
    "SerializationError",
    "SimpleReasoning",
    "StringReasonableResponse",
    "Summarizable",
    "SummarizedField",
    "Summarizer",
    "SummarySize",
    "ToolSelectionReasoning",
    "TruncatingSummarizer",
    "WebPageArtifact",
    "aliases",
    "answer_format",
    "artifact_tools",
    "configure_converter",
    "convert",
    "converter",
    "describe",
    "described",
    "dialects",
    "extract_json",
    "extract_json_with_prose",
    "formatters",
    "is_composite",
    "json_schema",
    "keywords",
    "llm_schema",
    "make_converter",
    "meta",
    "parse",
    "parse_llm_response",
    "read_tree",
    "references",
    "register_leaf",
    "tool_definition",
    "type_alias",
    "value_to_tree",
    "write",
    "write_compact",
    "write_summarized",
    "write_summarized_compact",
    "write_summarized_with_refs",
]
