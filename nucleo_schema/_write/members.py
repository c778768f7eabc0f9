"""
The members of a composite as writing sees them, and the careful way to write an instance.

The careful way goes member by member and tells which one could not be written. The quick way of `generate`
is made of the same records and tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from .._declare.classes import ClassSpec, FieldSpec
from .annotated import WriterTools, form_writer, iter_forms
from .failure import UnwritableError
from .modes import WriteMode
from .summaries import is_text, warn_about_missing_hint

__all__ = ["Member", "careful_writer", "members_of"]


@frozen(eq=False, repr=False)
class Member:
    """
    How one member is written in one mode.

    Attributes:
        field: What the class declares.
        by_form: What writes it where a host's hook is for a form and not for a class.
        hooked: Whether a host's hook writes some part of it.
        threshold_chars: A text longer than this gives way to its summary; None where all are kept.
        by_node: Whether the nodes of its value give way to the summaries that the artifact caches.
    """

    field: FieldSpec
    by_form: Callable[[Any, Any], Any] | None
    hooked: bool
    threshold_chars: int | None
    by_node: bool

    @property
    def written_as_null(self) -> bool:
        """Whether None is written: reading an absent member would give something else."""
        field = self.field
        if not field.nullable:
            return False
        if field.has_default:
            return field.factory is not None or field.default is not None
        return not (field.optional or field.info.required is False)


def members_of(spec: ClassSpec, mode: WriteMode, tools: WriterTools) -> tuple[Member, ...]:
    """Return the members of a composite that *mode* writes, in order; a hint that is missing is logged."""
    return tuple(_iter_members(spec, mode, tools))


def _iter_members(spec: ClassSpec, mode: WriteMode, tools: WriterTools) -> Iterator[Member]:
    for field in spec.fields:
        if mode.summarize:
            warn_about_missing_hint(spec.cls, field)
        if mode.skip_context_ignored and field.info.context_ignore:
            continue
        note = field.info.summarizable if mode.summarize else None
        form = field.form
        yield Member(
            field,
            by_form=None if form is None else form_writer(form, tools),
            hooked=form is None or any(tools.host_hook(part.annotation) for part in iter_forms(form)),
            threshold_chars=note.threshold if note and (is_text(field) or not note.pre_summarized) else None,
            by_node=note is not None and note.pre_summarized and spec.is_artifact,
        )


def careful_writer(members: tuple[Member, ...], tools: WriterTools) -> Callable[[Any, Any], dict[str, Any]]:
    """Return the function that gives an instance's members, their values not yet in wire form."""

    def write(obj: Any, session: Any) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for member in members:
            value = getattr(obj, member.field.name)
            if value is not None:
                out[member.field.wire_name] = _written(member, obj, value, session, tools)
            elif member.written_as_null:
                out[member.field.wire_name] = None
        return out

    return write


def _written(member: Member, obj: Any, value: Any, session: Any, tools: WriterTools) -> Any:
    limit = member.threshold_chars
    if limit is not None and isinstance(value, str) and len(value) > limit:
        value = tools.summary(obj, member.field, value, session)
    try:
        if member.by_node:
            return tools.pre_summarized(obj, member.field, value, session)
        return value if member.by_form is None else member.by_form(value, session)
    except UnwritableError as error:
        raise error.at(member.field.wire_name)  # noqa: B904  the same error, with one more step
