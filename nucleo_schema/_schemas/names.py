"""The names of the keywords."""

from __future__ import annotations

__all__ = ["CONTEXT_IGNORE", "PREFIX", "SUMMARIZABLE", "TYPE_ALIAS"]

#: What every keyword begins with, in this case.
PREFIX = "x-nucleo-"

#: How the text of a field can be summarized, as declared.
SUMMARIZABLE = f"{PREFIX}summarizable"

#: The field stays out of prompts.
CONTEXT_IGNORE = f"{PREFIX}context-ignore"

#: The type alias of the artifact that stands here; of the items of an array, of the values of a map.
TYPE_ALIAS = f"{PREFIX}type-alias"
