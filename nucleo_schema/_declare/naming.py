"""Wire names: the snake_case rule that turns attribute names into member names."""

from __future__ import annotations

__all__ = ["snake_case", "wire_name_of"]


def snake_case(name: str) -> str:
    """
    Return *name* in snake_case.

    A word begins at a capital after a small letter or digit, and at the last capital of a run that a
    small letter follows: ``firstName`` gives ``first_name``, ``HTTPServer`` ``http_server``, ``userID``
    ``user_id``, ``line2Text`` ``line2_text``. A digit begins no word: ``md5`` stays.
    """
    if name.islower():
        return name
    parts: list[str] = []
    for i, char in enumerate(name):
        before = name[i - 1] if i else "_"
        after = name[i + 1 : i + 2]
        if char.isupper() and (
            before.islower() or before.isdigit() or (before.isupper() and after.islower())
        ):
            parts.append("_")
        parts.append(char.lower())
    return "".join(parts)


def wire_name_of(attribute: str) -> str:
    """Return the wire name of an attribute that states none: snake_case, without leading underscores."""
    return snake_case(attribute.lstrip("_") or attribute)
