"""
Spellings of artifact references.

A reference is written ``«artifact:link:cite~a7f3b2»``: the type alias of the artifact, whose levels are
separated by colons, and an id of six characters. A model that copies one may lose the guillemets or
the word ``artifact:``, add spaces or wrap it in quotes; all these spellings have one canonical form, which
is the key of registries.

What is read, and what is not:

- The id is read in either case, because ids hold small letters only. The alias keeps its case.
- Guillemets, angle brackets, quotes and backticks around a reference count for nothing, a lone one neither.
- Spaces are allowed around the colons and the tilde, never inside a level or the id.
- A leading ``artifact:`` is always the prefix and taken off once. An alias whose first level is ``artifact``
  therefore needs the prefix in front: ``artifact:x~a7f3b2`` has the alias ``x``, and
  ``artifact:artifact:x~a7f3b2`` the alias ``artifact:x``. The alias ``artifact`` alone needs none.
"""

from __future__ import annotations

import functools
import re
import string
from typing import Any

from ._wording import found
from .errors import InvalidInputError

__all__ = [
    "ID_CHARS",
    "ID_LENGTH",
    "REF_FIELD",
    "extract_alias",
    "is_reference",
    "make_reference",
    "new_id",
    "normalize_to_key",
    "refs_mentioned_in",
]

#: The member under which an artifact carries its reference.
REF_FIELD = "artifact_ref"

#: The characters that an id is made of.
ID_CHARS = string.ascii_lowercase + string.digits

#: The number of characters in an id.
ID_LENGTH = 6

#: How many ids there are.
_IDS = len(ID_CHARS) ** ID_LENGTH

#: References up to this length are remembered for a while.
_USUAL_CHARS = 100

#: What may stand around a reference without being part of it.
_AROUND = string.whitespace + "«»‹›<>\"'`“”„‘’‚\u00a0\u202f\u200b\ufeff"

# Every repeated part is followed by a character that it cannot match itself, so no text takes more than
# linear time; and no part matches a guillemet, so attempts that begin at different ones never overlap.
_GAP = r"[^\S\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*"  # spaces within one line
_LEVEL = r"[A-Za-z0-9_-]+"
_PREFIX = rf"artifact{_GAP}:{_GAP}"
_BODY = rf"({_LEVEL}(?:{_GAP}:{_GAP}{_LEVEL})*){_GAP}~{_GAP}([A-Za-z0-9]{{{ID_LENGTH}}})"

_ANY = re.compile(r"(?s:.*)")
_ALIAS = re.compile(rf"{_LEVEL}(?::{_LEVEL})*")
_ID = re.compile(rf"[a-z0-9]{{{ID_LENGTH}}}")
_CANONICAL = re.compile(rf"«artifact:({_LEVEL}(?::{_LEVEL})*)~[a-z0-9]{{{ID_LENGTH}}}»")
_SPELLING = re.compile(rf"{_GAP}(?:{_PREFIX})?{_BODY}{_GAP}")
_MENTION = re.compile(rf"«{_GAP}{_PREFIX}{_BODY}{_GAP}»")


def normalize_to_key(ref: str) -> str:
    """
    Return the canonical form of a reference.

    Args:
        ref: The reference, in any spelling.

    Returns:
        The form ``«artifact:type~id»``. Text that is no reference comes back as it is, without the spaces
        around it, so that it names nothing in any registry.

    Raises:
        InvalidInputError: If *ref* is not text.
    """
    parts = _parts(ref)
    if parts is not None:
        return parts[1]
    return _required("ref", ref, _ANY, "the text of an artifact reference").strip()


def extract_alias(ref: str) -> str | None:
    """Return the type alias that a reference in any spelling carries, or None for anything else."""
    parts = _parts(ref)
    return None if parts is None else parts[0]


def is_reference(text: Any) -> bool:
    """Tell whether *text* is a reference, in any spelling."""
    return _parts(text) is not None


def refs_mentioned_in(text: str | None) -> list[str]:
    """
    Return the references that a text mentions.

    Args:
        text: Any text; a mention in it has both guillemets and ``artifact:``, and stands on one line.

    Returns:
        The canonical forms, each once, in the order of their first mention.
    """
    return list(dict.fromkeys(_canonical(match) for match in _MENTION.finditer(text or "")))


def make_reference(alias: str, ref_id: str) -> str:
    """
    Return the canonical reference made of a type alias and an id.

    Raises:
        InvalidInputError: If one of them could not be read back from the reference.
    """
    _required("alias", alias, _ALIAS, "levels like link:cite, of letters, digits, - and _")
    _required("ref_id", ref_id, _ID, f"{ID_LENGTH} characters of a-z and 0-9")
    return f"«artifact:{alias}~{ref_id}»"


def new_id() -> str:
    """Return an id drawn from the system's randomness, which no ``random.seed`` can repeat."""
    import secrets  # noqa: PLC0415  it brings the library of TLS along, and reading mints no ids

    number = secrets.randbelow(_IDS)
    chars: list[str] = []
    for _ in range(ID_LENGTH):
        number, digit = divmod(number, len(ID_CHARS))
        chars.append(ID_CHARS[digit])
    return "".join(chars)


def _parts(ref: Any) -> tuple[str, str] | None:
    """Return the alias and the canonical form of a reference; None for anything else."""
    if type(ref) is str and len(ref) <= _USUAL_CHARS:
        return _known_parts(ref)
    return _read_parts(ref) if isinstance(ref, str) else None


def _read_parts(ref: str) -> tuple[str, str] | None:
    canonical = _CANONICAL.fullmatch(ref)
    if canonical is not None:
        return canonical[1], ref
    match = _SPELLING.fullmatch(ref.strip().strip(_AROUND))
    return None if match is None else (_alias(match), _canonical(match))


#: A reference is looked at again and again while its artifact is read and indexed.
_known_parts = functools.lru_cache(4096)(_read_parts)


def _required(name: str, value: Any, shape: re.Pattern[str], expected: str) -> str:
    """Return the value of a parameter, if it is text of that shape."""
    if isinstance(value, str) and shape.fullmatch(value):
        return value
    raise InvalidInputError(f"{name}: found {found(value)}, expected {expected}.")


def _alias(match: re.Match[str]) -> str:
    return "".join(match[1].split())


def _canonical(match: re.Match[str]) -> str:
    return f"«artifact:{_alias(match)}~{match[2].lower()}»"
