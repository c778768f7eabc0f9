"""The competitors, one module each, so that one that is not installed is only left out."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from importlib import metadata
from typing import Any

from attrs import frozen

__all__ = [
    "ANSWER",
    "OURS",
    "PAGE",
    "Competitor",
    "find_competitor",
    "load_competitors",
    "packages_of",
    "version_of",
]

#: The documents.
ANSWER, PAGE = "answer", "page"

#: What each competitor is called, and the module that defines it.
_MODULES = {
    "nucleo_schema": "ours",
    "pydantic": "with_pydantic",
    "msgspec": "with_msgspec",
    "mashumaro": "with_mashumaro",
    "cattrs": "with_cattrs",
    "json_repair + pydantic": "with_json_repair",
    "orjson alone": "with_orjson",
}
OURS = "nucleo_schema"


@frozen(kw_only=True)
class Competitor:
    """
    One way to read and write the documents, as its own documentation does it.

    Attributes:
        packages: The distributions that it is made of.
        write: Writes what was read as compact JSON text; the bytes that some peers give are decoded.
        read: Reads the JSON text of a document.
        read_reply: Reads a model's raw reply that holds a document; empty where it is not made for them.
        refusal: What it raises for data that does not fit; nothing where it checks none.
    """

    packages: tuple[str, ...]
    write: Callable[[Any], str]
    read: Mapping[str, Callable[[str], Any]] = {}
    read_reply: Mapping[str, Callable[[str], Any]] = {}
    refusal: tuple[type[Exception], ...] = ()


def find_competitor(name: str) -> Competitor | None:
    """Return the competitor, or None when a package that it needs is not installed."""
    try:
        module = importlib.import_module(f"{__name__}.{_MODULES[name]}")
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] in (__package__.partition(".")[0], OURS):
            raise
        return None
    competitor = module.COMPETITOR
    if not isinstance(competitor, Competitor):
        raise TypeError(f"{module.__name__}.COMPETITOR is no Competitor")
    return competitor


def load_competitors() -> dict[str, Competitor | None]:
    """Return all competitors by name; None for one that is not installed."""
    return {name: find_competitor(name) for name in _MODULES}


def version_of(package: str) -> str:
    """Return the version of a distribution; it has none where a clone is run that was not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "(as it is here)"


def packages_of(competitors: Mapping[str, Competitor | None]) -> Iterator[str]:
    """Yield the distributions of *competitors*, each once."""
    yield from dict.fromkeys(package for found in competitors.values() if found for package in found.packages)
