# The public names, for type checkers: the module itself loads each when it is first asked for.

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
