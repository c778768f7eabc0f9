"""One writing: JSON data for any value, in one mode, through the hooks of one converter."""

from __future__ import annotations

import collections
import json
from collections.abc import Callable, Mapping, Set as AbstractSet
from typing import Any, get_args

import cattrs
from attrs import frozen

from .._building import LOCK, Epoch, made_once
from .._declare.analysis import analyze
from .._declare.artifact import Artifact
from .._declare.classes import FieldSpec, class_spec
from .._declare.forms import ScalarForm, UnsupportedAnnotationError, is_composite
from .._declare.leaves import SHIPPED_LEAVES
from .._wording import found, qualified_name, type_name
from ..errors import SchemaError
from .annotated import WriterTools, form_writer
from .failure import UnwritableError
from .generate import generate_writer
from .leaves import find_leaf_writer, key_text, wire_float
from .members import careful_writer, members_of
from .modes import TREE, WriteMode
from .summaries import DEFAULT_SUMMARIZER, Summarizer, pre_summarized, summary_of

__all__ = ["Session", "UnstructureHook", "install_unstructure_hooks"]

#: Writers of whole classes that show themselves in another way when summarized, by class.
_Digest = Callable[[Any, Callable[[Any], Any]], dict[str, Any]]
DIGESTS: dict[type[Any], _Digest] = {}

_Write = Callable[[Any, Any], Any]
_SEQUENCES = (list, tuple, collections.deque)


@frozen(eq=False, repr=False)
class Session:
    """
    What one call of a writing verb works with.

    Attributes:
        converter: Whose hooks write.
        mode: How; the usual one gives plain JSON data.
        summarizer: Who shortens long texts, in modes that do not keep them.
        reference_of: Gives an artifact its reference; None in modes that write them whole.
    """

    converter: cattrs.BaseConverter
    mode: WriteMode = TREE
    summarizer: Summarizer = DEFAULT_SUMMARIZER
    reference_of: Callable[[Artifact], str] | None = None


def _refuse(obj: Any) -> Any:
    msg = f"found an instance of {qualified_name(type(obj))}, expected a type with a JSON form"
    raise UnwritableError(msg)


class UnstructureHook:
    """
    One of our unstructure hooks, as cattrs calls it: plain JSON data for a value, by its own class.

    The generated writers of a composite are made when first needed, one for each mode.
    """

    __slots__ = ("_careful", "_converter", "_quick", "annotation", "composites")

    def __init__(self, converter: cattrs.BaseConverter, annotation: Any) -> None:
        self._converter = converter
        self.annotation = annotation
        self._careful: dict[tuple[type[Any], str], _Write] = {}
        self._quick: dict[tuple[type[Any], str], _Write] = {}
        self.composites: set[type[Any]] = {annotation} if is_composite(annotation) else set()

    def __call__(self, value: Any) -> Any:
        """Return JSON data for *value*, all the way down."""
        session = Session(self._converter)
        if get_args(self.annotation):
            return writer_of(self._converter, self.annotation)(value, session)
        kind = type(value)
        if kind in _READY or isinstance(value, (Mapping, *_SEQUENCES, AbstractSet)):
            return plain(value, session)
        # Not by way of the converter: a hook of the host's may be built over this one.
        try:
            return self.writer(kind, session.mode)(value, session)
        except (UnwritableError, RecursionError):  # the careful way tells where, or manages
            return plain(self.shallow(value, kind, session), session)

    def writer(self, cls: type[Any], mode: WriteMode) -> _Write:
        """Return the quick writer of *cls*, which raises anything at all where something is wrong."""
        found = self._quick.get((cls, mode.name))
        if found is None:
            with LOCK:
                found = self._quick.get((cls, mode.name))
                if found is None:
                    found = self._quick[cls, mode.name] = _make_quick_writer(self, self._converter, cls, mode)
        return found

    def shallow(self, obj: Any, cls: type[Any], session: Session) -> Any:
        """Return the wire form of *obj*, or the dict or list of what it holds, not yet in wire form."""
        if session.reference_of is not None and isinstance(obj, Artifact):
            return {"@ref": session.reference_of(obj)}
        writer = self._careful.get((cls, session.mode.name))
        if writer is None:
            writer = _make_careful_writer(self._converter, cls, session.mode)
            self._careful[cls, session.mode.name] = writer
        return writer(obj, session)


def install_unstructure_hooks(converter: cattrs.BaseConverter) -> None:
    """Register our unstructure hooks on *converter*; hooks that a host registers later go before them."""

    def factory(annotation: Any, converter: cattrs.BaseConverter) -> Any:
        return made_once(
            converter.get_unstructure_hook, annotation, lambda: UnstructureHook(converter, annotation)
        )

    converter.register_unstructure_hook_factory(_is_ours, factory)
    for leaf in SHIPPED_LEAVES:  # cattrs or one of its preconfs dispatches some of them before any factory
        if not isinstance(converter.get_unstructure_hook(leaf.type), UnstructureHook):
            converter.register_unstructure_hook(leaf.type, UnstructureHook(converter, leaf.type))


def _is_ours(annotation: Any) -> bool:
    """Return whether we write *annotation* ourselves."""
    if annotation is Epoch:
        return True
    if isinstance(annotation, type) and find_leaf_writer(annotation) is not None:
        return True
    try:
        form = analyze(annotation)
    except (UnsupportedAnnotationError, SchemaError):
        return isinstance(annotation, type) and issubclass(annotation, (*_SEQUENCES, AbstractSet, Mapping))
    return not isinstance(form, ScalarForm) or form.leaf.shipped


def _make_careful_writer(converter: cattrs.BaseConverter, cls: type[Any], mode: WriteMode) -> _Write:
    leaf = find_leaf_writer(cls)
    if leaf is not None:
        return lambda obj, _session: leaf(obj)
    digest = _find_digest(cls, mode)
    if digest is not None:
        return lambda obj, session: digest(obj, lambda value: plain(value, session))
    if not is_composite(cls):
        return lambda obj, _session: _refuse(obj)
    tools = _tools(converter)
    return careful_writer(members_of(class_spec(cls), mode, tools), tools)


def _make_quick_writer(
    hook: UnstructureHook, converter: cattrs.BaseConverter, cls: type[Any], mode: WriteMode
) -> _Write:
    def careful(obj: Any, session: Session) -> Any:
        return plain(hook.shallow(obj, cls, session), session)

    shown_as_it_is = not (mode.artifacts_as_refs and issubclass(cls, Artifact)) and not _find_digest(
        cls, mode
    )
    if not shown_as_it_is or find_leaf_writer(cls) is not None or not is_composite(cls):
        return careful
    spec, tools = class_spec(cls), _tools(converter)
    return generate_writer(spec, members_of(spec, mode, tools), mode, tools, careful)


def _find_digest(cls: type[Any], mode: WriteMode) -> _Digest | None:
    """Return what gives the digest of a class in modes that show one."""
    return next((DIGESTS[base] for base in cls.__mro__ if base in DIGESTS), None) if mode.summarize else None


def _tools(converter: cattrs.BaseConverter) -> WriterTools:
    def host_hook(annotation: Any) -> Callable[[Any], Any] | None:
        hook = converter.get_unstructure_hook(annotation)
        return None if isinstance(hook, UnstructureHook) else hook

    def writers_of(cls: type[Any]) -> Callable[[type[Any], WriteMode], _Write]:
        hook: Any = converter.get_unstructure_hook(cls)
        writers: Callable[[type[Any], WriteMode], _Write] = hook.writer
        return writers

    return WriterTools(plain, ready, _summary, _pre_summarized, host_hook, _key, _stable, writers_of)


def writer_of(converter: cattrs.BaseConverter, annotation: Any) -> Callable[[Any, Session], Any]:
    """
    Return what gives JSON data for values of *annotation*.

    Values are written by their own class. Only a hook that a host registered for an annotation that is no
    class, such as a NewType or a union, is looked for in the annotation, in whatever container it stands.
    """
    return form_writer(analyze(annotation), _tools(converter)) or plain


def _summary(owner: Any, field: FieldSpec, text: str, session: Session) -> str:
    return summary_of(owner, field, text, session.summarizer)


def _pre_summarized(owner: Any, _field: FieldSpec, value: Any, session: Session) -> Any:
    return pre_summarized(owner, plain(value, session))


def plain(value: Any, session: Session) -> Any:
    """
    Return JSON data for *value*, whatever it is, through the hooks and the mode of *session*.

    One frame for each level of nesting, so that all that can be read can be written.

    Raises:
        UnwritableError: If something in it has no JSON form; it tells the path.
    """
    if type(value) in _READY:
        return value
    opened = _opened(value, session)
    step = ""
    try:
        if type(opened) is dict:
            out: dict[str, Any] = {}
            for key, item in opened.items():
                step = key if type(key) is str else _key(key, session)
                if step in out:
                    _refuse_twofold(step)
                out[step] = item if type(item) in _READY else plain(item, session)
            return out
        if type(opened) is list:
            items: list[Any] = []
            for item in opened:
                step = f"[{len(items)}]"
                items.append(item if type(item) in _READY else plain(item, session))
            return items
    except UnwritableError as error:
        raise error.at(step)  # noqa: B904  the same error, with one more step
    return opened


_READY = frozenset((str, int, bool, type(None)))


def ready(value: Any, session: Session) -> Any:
    """
    Return what the mode of *session* is to have for *value*, instances by their quick writers.

    It raises anything at all where something is wrong; `plain` then tells what.
    """
    kind = type(value)
    if kind in _READY:
        return value
    if kind is list:
        return [item if type(item) in _READY else ready(item, session) for item in value]
    if kind is dict:
        out = {
            key if type(key) is str else _key(key, session): item
            if type(item) in _READY
            else ready(item, session)
            for key, item in value.items()
        }
        if len(out) != len(value):
            _refuse_twofold("")
        return out
    if kind is float:
        return wire_float(value)
    hook: Any = session.converter.get_unstructure_hook(kind)
    if type(hook) is UnstructureHook and kind in hook.composites:
        return hook.writer(kind, session.mode)(value, session)
    opened = _opened(value, session)
    return ready(opened, session) if type(opened) is dict or type(opened) is list else opened


def _opened(value: Any, session: Session) -> Any:
    """Return the wire form of *value*, or the dict or list of what it holds, not yet in wire form."""
    kind = type(value)
    if kind is float:
        return wire_float(value)
    if kind is dict or kind is list:
        return value
    hook = session.converter.get_unstructure_hook(kind)
    if not isinstance(hook, UnstructureHook):
        return _from_host(hook, value, session)
    if isinstance(value, (Mapping, *_SEQUENCES)):
        return dict(value) if isinstance(value, Mapping) else list(value)
    if isinstance(value, AbstractSet):
        return _stable([plain(item, session) for item in value])
    return hook.shallow(value, kind, session)


def _from_host(hook: Callable[[Any], Any], value: Any, session: Session) -> Any:
    wire = hook(value)
    if wire is not value:
        return wire if type(wire) in _READY else _opened(wire, session)
    leaf = find_leaf_writer(type(value))  # cattrs hands over as it is what it does not know
    return leaf(value) if leaf is not None else _refuse(value)


def _refuse_twofold(name: str) -> None:
    msg = f"two keys are written as {found(name)}"
    raise UnwritableError(msg)


def _key(key: Any, session: Session) -> str:
    name = key_text(plain(key, session)) if key is not None else None
    if name is None:
        msg = f"found a key of type {type_name(type(key))}, expected one with a text form"
        raise UnwritableError(msg)
    return name


def _stable(items: list[Any]) -> list[Any]:
    """Return the items of a set in an order that depends on nothing but them."""
    return sorted(
        items, key=lambda item: (type(item).__name__, item) if type(item) in (int, str) else _text(item)
    )


def _text(item: Any) -> tuple[str, str]:
    return f"~{type(item).__name__}", json.dumps(item, ensure_ascii=False, sort_keys=True)
