"""
Hypothesis strategies: attrs classes, instances of them, messy spellings of JSON, and hostile texts.

A generated class comes from the source text of a small module, which is what a failing example prints: it
can be pasted and run. Only constructs whose written form reads back equal are generated, so no NaN.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime as dt
import decimal
import enum
import inspect
import itertools
import json
import pathlib
import random
import re
import sys
import types
import typing
import uuid
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union

import attrs
from hypothesis import note, strategies as st

import nucleo_schema

__all__ = [
    "BITS",
    "Messy",
    "Scope",
    "Written",
    "arguments_of",
    "classes",
    "classes_with_instances",
    "forms_with_values",
    "hints_of",
    "hostile_texts",
    "instances_of",
    "json_values",
    "messy",
    "parameters_of",
    "values_of",
]

#: Names that attributes are drawn from: conventions, acronyms, digits, and words that schemas use themselves.
ATTRIBUTE_NAMES = (
    *(
        "name",
        "firstName",
        "last_name",
        "OrdersLookedUp",
        "HTTPServer2",
        "line2",
        "x1y2",
        "_hidden",
        "_Score",
    ),
    *("type", "title", "properties", "default", "items", "required", "enum", "description", "ref", "format"),
    *("anyOf", "examples", "maximum", "key", "class_", "größe", "id", "n", "to_json", "value2D"),
)

#: Wire names that no attribute could have by itself.
WIRE_NAMES = (
    *("x-nucleo-hint", "with space", "dotted.name", "$ref", "a/b~c", "naïve", "1st", 'quo"te', "UPPER", "-"),
)

CLASS_NAMES = ("Order", "Line", "HTTPCall", "Node", "Person2", "Shelf", "Mood_Report", "Éclair")

ENUM_NAMES = ("Color", "Status")

DESCRIPTIONS = (
    "Plain words",
    "This is (REQUIRED) only in words",
    "Ends in [Examples: no, none]",
    'Says "hello", isn\'t it?',
    "Two\nlines",
    "Größe — 100 % …",
    "{braces} and [brackets]",
)

#: The widths of the annotated integers, in bits.
BITS = {"Int32": 32, "Int64": 64}

PUBLISHED_INTEGER_LIMIT = 2**53 - 1

PRELUDE = """
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import pathlib
import typing
import uuid
from typing import Annotated, Any, Generic, Literal, Optional, TypeVar, Union

from attrs import define, field, frozen
from nucleo_schema import Int32, Int64, Summarizable, described, meta

T = TypeVar("T")
Label = typing.NewType("Label", str)
Count = typing.NewType("Count", int)
"""

BOX = """
@define
class Box(Generic[T]):
    item: T
    items: "list[T]" = field(factory=list)
    labelled: "dict[str, T]" = field(factory=dict)
"""

_module_numbers = itertools.count()


# --- source of classes --------------------------------------------------------------------------------------


class Known(NamedTuple):
    """What the annotations of one class may name."""

    enums: tuple[str, ...]
    earlier: tuple[str, ...]  # composites that are defined already, so they may stand alone
    all: tuple[str, ...]  # every composite, to be named where a value can end: in a list, a map, an Optional
    hashable: tuple[str, ...]  # composites that fit into a set
    tagged: tuple[str, ...]  # composites that carry a Literal tag
    boxes: bool  # whether there is a generic class Box

    @property
    def unions(self) -> tuple[str, ...]:
        """The unions of two tagged composites."""
        return tuple(f"Union[{', '.join(pair)}]" for pair in itertools.combinations(self.tagged, 2))

    @property
    def box_arguments(self) -> tuple[str, ...]:
        """What a Box may hold."""
        return (
            ("int", "str", "float", "bool", "datetime.date", *self.enums, *self.earlier) if self.boxes else ()
        )


SCALARS = (
    *(
        "str",
        "int",
        "float",
        "bool",
        "Int32",
        "Int64",
        "bytes",
        "uuid.UUID",
        "decimal.Decimal",
        "pathlib.Path",
    ),
    *("datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta"),
    *("Label", "Count", "Annotated[int, 'a note']", "Annotated[str, 1]"),
)

LITERALS = (
    "Literal['a', 'b']",
    "Literal['only']",
    "Literal['Low', 'low', 'x y']",
    "Literal[1, 2, -3]",
    "Literal['one', 2]",
    "Literal['3', 3]",
    "Literal[True, 'maybe']",
)

ANY_FORMS = ("Any", "object", "dict[str, Any]", "list[Any]")

SCALAR_UNIONS = ("int | str", "bool | str", "float | str", "Union[int, bool]", "int | str | None")

KEYS = ("str", "str", "int", "datetime.date", "uuid.UUID", "Label")

#: Plain annotations, as sources, with a strategy for published examples of them.
EXAMPLES: dict[str, st.SearchStrategy[Any]] = {
    "str": st.sampled_from(["", "A-1007", "a, b", 'say "x"', "3", "[1]", "(REQUIRED)"]),
    "int": st.integers(-PUBLISHED_INTEGER_LIMIT, PUBLISHED_INTEGER_LIMIT) | st.just("3"),
    "Int32": st.integers(-(2**31), 2**31 - 1),
    "float": st.floats(allow_nan=False, allow_infinity=False) | st.integers(-5, 5),
    "bool": st.booleans(),
    "datetime.date": st.just("2024-12-31"),
    "datetime.datetime": st.just("2024-12-31T10:15:30Z"),
    "list[str]": st.text(max_size=5),
    "list[int]": st.integers(-5, 5),
    "str | None": st.text(max_size=5),
    "Literal['a', 'b']": st.sampled_from(["a", "b"]),
}

#: Defaults, as sources, for plain annotations.
DEFAULTS: dict[str, tuple[str, ...]] = {
    "str": ("''", "'given'"),
    "int": ("0", "-1"),
    "Int32": ("7",),
    "float": ("0.0", "2.5"),
    "bool": ("False", "True"),
    "datetime.date": ("datetime.date(2020, 2, 29)",),
    "decimal.Decimal": ("decimal.Decimal('1.10')",),
    "Literal['a', 'b']": ("'b'",),
    "Any": ("None",),
    "object": ("None",),
}


#: Those that admit None beside a default that is something else are written as null.
OPTIONAL_SCALARS = tuple(f"{annotation} | None" for annotation in DEFAULTS if annotation not in ANY_FORMS)


def _wraps_none(source: str) -> bool:
    return source.startswith("Optional[") or source.endswith(" | None")


def _optional(draw: Any, source: str) -> str:
    """Return an annotation that admits None as well."""
    if " | " in source or draw(st.booleans()):
        return f"Optional[{source}]" if not _wraps_none(source) else source
    return f"{source} | None"


def _annotation(draw: Any, known: Known, depth: int, *, hashable: bool = False, ends: bool = False) -> str:
    """Return the source of an annotation; *ends* tells that a value may end here, so a cycle may pass."""
    composites = known.all if ends else known.earlier
    single: dict[str, tuple[str, ...]] = {
        "scalar": SCALARS,
        "more scalars": SCALARS,
        "literal": LITERALS + tuple(f"Literal[{name}.FIRST]" for name in known.enums),
        "enum": known.enums,
        "optional scalar": OPTIONAL_SCALARS,
    }
    nested = ["optional", "tuple", "fixed tuple", "frozenset"]
    if hashable:
        single |= {"hashable composite": known.hashable}
    else:
        single |= {f"composite {number}": composites for number in range(4)}
        single |= {f"tagged union {number}": known.unions for number in range(4)}
        single |= {"any": ANY_FORMS, "scalar union": SCALAR_UNIONS}
        single |= {"box": tuple(f"Box[{form}]" for form in known.box_arguments)}
        nested += ["list", "list", "dict", "dict", "mapping", "set"]
    kinds = [kind for kind, sources in single.items() if sources]
    kind = draw(st.sampled_from([*kinds, *(nested if depth else ())]))
    if kind in single:
        return draw(st.sampled_from(single[kind]))
    return _container(draw, kind, known, depth - 1, hashable=hashable)


def _container(draw: Any, kind: str, known: Known, depth: int, *, hashable: bool) -> str:
    if kind in ("set", "frozenset"):
        return f"{kind}[{_annotation(draw, known, 0, hashable=True)}]"
    if kind == "fixed tuple":
        items = [_annotation(draw, known, depth, hashable=hashable) for _ in range(draw(st.integers(1, 3)))]
        return f"tuple[{', '.join(items)}]"
    inner = _annotation(draw, known, depth, hashable=hashable, ends=True)
    key = draw(st.sampled_from(KEYS + known.enums))
    shapes = {
        "optional": [_optional(draw, inner)],
        "tuple": [f"tuple[{inner}, ...]"],
        "list": [f"list[{inner}]", f"list[{inner}]", f"typing.List[{inner}]"],
        "dict": [f"dict[{key}, {inner}]", f"typing.Dict[{key}, {inner}]"],
        "mapping": [f"collections.abc.Mapping[{key}, {inner}]"],
    }
    return draw(st.sampled_from(shapes[kind]))


def _enum_source(draw: Any, name: str) -> str:
    """Return the source of an enum with values of one kind; its first member is called FIRST."""
    base, values = draw(
        st.sampled_from(
            [
                ("enum.Enum", ["first", "second"]),
                ("enum.Enum", ["SECOND", "FIRST"]),  # one member's name is the other's value
                ("enum.Enum", ["a", "A", " padded "]),
                ("str, enum.Enum", ["new", "in progress", "größer"]),
                ("enum.Enum", [1, 2, 30]),
                ("enum.IntEnum", [0, 1]),
                ("enum.Enum", ["word", 7, 2.5]),
            ]
        )
    )
    names = ["FIRST", "SECOND", "third_one"]
    return "\n".join(
        [f"class {name}({base}):", *(f"    {n} = {v!r}" for n, v in zip(names, values, strict=False))]
    )


class FieldSource(NamedTuple):
    """One attribute of a class to come."""

    name: str
    annotation: str
    arguments: dict[str, str]  # of attrs.field

    @property
    def has_default(self) -> bool:
        """Whether the constructor can do without it."""
        return "default" in self.arguments or "factory" in self.arguments

    def source(self, *, quoted: bool) -> str:
        """Return the line that declares the attribute."""
        line = f'    {self.name}: "{self.annotation}"' if quoted else f"    {self.name}: {self.annotation}"
        arguments = ", ".join(f"{key}={value}" for key, value in self.arguments.items())
        return f"{line} = field({arguments})" if arguments else line


def _factory(annotation: str) -> str | None:
    """Return the factory of empty values of a container, as source."""
    start = annotation.removeprefix("typing.").lower()
    for name in ("list", "dict", "set", "frozenset"):
        if start.startswith(f"{name}[") and not _wraps_none(annotation):
            return name
    return None


def _field(draw: Any, name: str, annotation: str, known: Known, spare_wire_names: list[str]) -> FieldSource:
    arguments: dict[str, str] = {}
    if draw(st.booleans()):
        factory = _factory(annotation)
        if annotation in DEFAULTS:
            arguments["default"] = draw(st.sampled_from(DEFAULTS[annotation]))
        elif annotation in known.enums:
            arguments["default"] = f"{annotation}.FIRST"
        elif _wraps_none(annotation):
            inner = annotation.removesuffix(" | None")
            arguments["default"] = draw(st.sampled_from(["None", *DEFAULTS.get(inner, ())]))
        elif factory:
            arguments["factory"] = factory
    metadata = _metadata(draw, annotation, arguments, spare_wire_names)
    if metadata:
        arguments["metadata"] = metadata
    if not name.startswith("_") and draw(st.integers(0, 9)) == 0:
        arguments["alias"] = repr(f"{name}_argument")
    return FieldSource(name, annotation, arguments)


def _metadata(draw: Any, annotation: str, arguments: dict[str, str], spare_wire_names: list[str]) -> str:
    """Return the source of the metadata of an attribute, empty for none."""
    if not draw(st.booleans()):
        return ""
    stated: list[str] = []
    if draw(st.booleans()):
        stated.append(repr(draw(st.sampled_from(DESCRIPTIONS))))
    if not _wraps_none(annotation) and annotation not in ("Any", "object") and draw(st.integers(0, 3)) == 0:
        stated.append(f"required={draw(st.booleans())}")
    if annotation in EXAMPLES and draw(st.booleans()):
        stated.append(f"examples={draw(st.lists(EXAMPLES[annotation], max_size=2))!r}")
    if spare_wire_names and draw(st.integers(0, 3)) == 0:
        stated.append(f"name={spare_wire_names.pop()!r}")
    if draw(st.integers(0, 5)) == 0:
        stated.append("context_ignore=True")
    if draw(st.integers(0, 5)) == 0:
        stated.append("summarizable=Summarizable('some text', threshold=5)")
    if {"default", "factory"} & set(arguments) and draw(st.integers(0, 5)) == 0:
        return f"{{**meta({', '.join([*stated, 'ignore=True'])}), 'left alone': True}}"
    return f"meta({', '.join(stated)})"


def _normalized(name: str) -> str:
    """Return what no two wire names of a class may share, whatever the exact rule for names is."""
    return re.sub(r"[\W_]", "", name.lower())


class Progress:
    """What the classes of a module that are written already leave to the next ones."""

    def __init__(self, draw: Any) -> None:
        self.quoted = draw(st.booleans())  # or unquoted, under "from __future__ import annotations"
        self.hashable: list[str] = []
        self.bases: dict[str, set[str]] = {}  # classes to inherit from, with the names they use up
        self.spare_wire_names: list[str] = list(draw(st.permutations(WIRE_NAMES)))


def _class_source(draw: Any, name: str, known: Known, progress: Progress, tag: str | None) -> str:
    """Return the source of one class, and note in *progress* what it is good for."""
    bases = progress.bases
    kind = draw(st.sampled_from(["attrs", "attrs", "attrs", "hashable", "dataclass"]))
    box = known.boxes and kind == "attrs" and draw(st.integers(0, 3)) == 0
    parents = [] if box or kind != "attrs" else sorted(bases)
    parent = draw(st.sampled_from([None, *parents])) if parents else None
    base = f"Box[{draw(st.sampled_from(known.box_arguments))}]" if box else parent
    taken = {"item", "items", "labelled"} if box else set(bases.get(parent or "", ()))
    fields: list[FieldSource] = []
    if tag is not None:
        fields.append(FieldSource("kind", f"Literal[{tag!r}]", {}))
    for attribute in draw(st.lists(st.sampled_from(ATTRIBUTE_NAMES), max_size=5, unique_by=_normalized)):
        if _normalized(attribute) in taken:
            continue
        annotation = _annotation(draw, known, 2, hashable=kind == "hashable")
        if kind == "dataclass":
            fields.append(FieldSource(attribute, annotation, {}))
        else:
            fields.append(_field(draw, attribute, annotation, known, progress.spare_wire_names))
    keyword_only = bool(base) or draw(st.booleans())
    if not keyword_only:
        fields.sort(key=lambda field: field.has_default)
    if kind == "hashable":
        progress.hashable.append(name)
    if kind == "attrs" and tag is None:  # the subclass of a tagged class would carry the same tag
        bases[name] = taken | {_normalized(field.name) for field in fields}
    head = _class_head(draw, name, base, kind, keyword_only=keyword_only)
    return "\n".join([*head, *(field.source(quoted=progress.quoted) for field in fields), "    pass"])


def _class_head(draw: Any, name: str, base: str | None, kind: str, *, keyword_only: bool) -> list[str]:
    options = [f"kw_only={keyword_only}"]
    if kind == "dataclass":
        decorator = f"dataclasses.dataclass({options[0]})"
    else:
        options.append(f"slots={draw(st.booleans())}")
        frozen = kind == "hashable" or draw(st.integers(0, 3)) == 0
        decorator = f"{'frozen' if frozen else 'define'}({', '.join(options)})"
    lines = [f"@{decorator}", f"class {name}({base}):" if base else f"class {name}:"]
    if draw(st.booleans()):
        lines.insert(0, f"@described({draw(st.sampled_from(DESCRIPTIONS))!r})")
    elif draw(st.booleans()):
        lines.append('    """A docstring."""')
    return lines


@st.composite
def _modules(draw: Any) -> tuple[types.ModuleType, list[str]]:
    """Return a module of related classes, and their names."""
    enums = ENUM_NAMES[: draw(st.integers(0, 2))]
    names = draw(st.permutations(CLASS_NAMES))[: draw(st.integers(1, 4))]
    tagged = set(draw(st.lists(st.sampled_from(names), min_size=2, max_size=3))) if len(names) > 2 else set()
    boxes = draw(st.integers(0, 3)) == 0
    progress = Progress(draw)
    sources = ["" if progress.quoted else "from __future__ import annotations", PRELUDE, BOX if boxes else ""]
    sources += [_enum_source(draw, name) for name in enums]
    for number, name in enumerate(names):
        earlier = tuple(names[:number])
        ready = tuple(other for other in earlier if other in tagged)
        known = Known(tuple(enums), earlier, tuple(names), tuple(progress.hashable), ready, boxes)
        tag = f"tag of {name}" if name in tagged else None
        sources.append(_class_source(draw, name, known, progress, tag))
    return _module_from("\n\n".join(sources)), list(names)


def _module_from(source: str) -> types.ModuleType:
    module = types.ModuleType(f"generated_{next(_module_numbers)}")
    module.__dict__["__source__"] = source
    sys.modules[module.__name__] = module
    exec(compile(source, module.__name__, "exec", dont_inherit=True), module.__dict__)  # noqa: S102  written above
    return module


@st.composite
def classes(draw: Any) -> type[Any]:
    """Build random composites: attrs classes for the most part, with everything that they refer to."""
    module, names = draw(_modules())
    cls = getattr(module, draw(st.sampled_from(names)))
    note(f"{cls.__name__} of\n{module.__source__.replace(PRELUDE, '')}")
    return cls


@st.composite
def classes_with_instances(draw: Any, *, published: bool = False) -> tuple[type[Any], Any]:
    """Build a composite and an instance of it."""
    cls = draw(classes())
    return cls, draw(instances_of(cls, published=published))


# --- instances ----------------------------------------------------------------------------------------------

_OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda m: dt.timezone(dt.timedelta(minutes=m)))
_ZONES = st.none() | st.just(dt.timezone.utc) | _OFFSETS
_DATETIMES = st.datetimes(timezones=_ZONES)

_SCALAR_VALUES: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=20) | st.sampled_from(["", " ", "None", "1.10", '{"a": 1}', "[1]", "it's “so”"]),
    int: st.integers(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    dt.date: st.dates(),
    dt.datetime: _DATETIMES,
    dt.time: st.times(timezones=_ZONES),
    dt.timedelta: st.timedeltas(),
    uuid.UUID: st.uuids(),
    decimal.Decimal: st.decimals(allow_nan=False, allow_infinity=False),
    bytes: st.binary(max_size=20),
    pathlib.Path: st.text("ab/. -é", max_size=10).map(pathlib.Path),
    type(None): st.none(),
}


def json_values(*, max_leaves: int = 8) -> st.SearchStrategy[Any]:
    """Build JSON trees: what untyped data holds."""
    leaves = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=10)
        | st.sampled_from(["2024-12-31", "NaN", "«artifact:link~abc123»"])
    )
    keys = st.text(max_size=5) | st.sampled_from(
        ["@id", "@fields", "@ref", "$ref", "artifact_ref", "__class__"]
    )
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=max_leaves,
    )


class Scope(NamedTuple):
    """What the values of one class depend on besides their annotations."""

    bound: dict[Any, Any]  # what its type variables stand for
    depth: int  # below 0 containers are empty and optional values absent, so that cycles end
    published: bool

    def inside(self, bound: dict[Any, Any]) -> Scope:
        """Return the scope of a class that is parametrized with *bound* in this one."""
        return self._replace(bound={variable: self.bound.get(form, form) for variable, form in bound.items()})


def instances_of(cls: type[Any], *, published: bool = False, depth: int = 2) -> st.SearchStrategy[Any]:
    """
    Build instances of a composite, from its annotations.

    Args:
        cls: An attrs class, a dataclass, or either parametrized.
        published: Keep to what the JSON Schema of the class admits: a plain int is read with any size, and
            published with the width that every JSON reader shares.
        depth: How many composites deep a value may go before its containers stay empty.
    """
    return values_of(cls, published=published, depth=depth)


def values_of(annotation: Any, *, published: bool = False, depth: int = 2) -> st.SearchStrategy[Any]:
    """Build values of any typing form that the generated classes use."""
    return _values(annotation, Scope({}, depth, published))


def arguments_of(form: Any) -> dict[Any, Any]:
    """Return what the type variables of a parametrized class stand for."""
    parameters = getattr(typing.get_origin(form), "__parameters__", ())
    return dict(zip(parameters, typing.get_args(form), strict=False))


def _resolved(annotation: Any, namespace: dict[str, Any]) -> Any:
    """Return an annotation without text in it."""
    if isinstance(annotation, str):
        return _resolved(eval(annotation, namespace), namespace)  # noqa: S307  annotations of our own classes
    if isinstance(annotation, typing.ForwardRef):
        return _resolved(annotation.__forward_arg__, namespace)
    if isinstance(annotation, types.GenericAlias):
        arguments = tuple(_resolved(argument, namespace) for argument in annotation.__args__)
        return types.GenericAlias(annotation.__origin__, arguments)
    if any(isinstance(argument, typing.ForwardRef) for argument in typing.get_args(annotation)):
        return annotation.copy_with(tuple(_resolved(argument, namespace) for argument in annotation.__args__))
    return annotation


def hints_of(cls: type[Any], scope: Scope) -> dict[str, tuple[Any, Scope]]:
    """Return the annotation of every attribute, and the scope of the class that declares it."""
    hints: dict[str, tuple[Any, Scope]] = {}
    for base in vars(cls).get("__orig_bases__", cls.__bases__):
        origin = typing.get_origin(base) or base
        if origin not in (object, typing.Generic):
            hints.update(hints_of(origin, scope.inside(arguments_of(base))))
    namespace = vars(sys.modules[cls.__module__])
    for name, annotation in inspect.get_annotations(cls).items():
        hints[name] = (_resolved(annotation, namespace), scope)
    return hints


class Parameter(NamedTuple):
    """One argument of a constructor."""

    attribute: str
    name: str
    has_default: bool
    default: Any


def parameters_of(cls: type[Any]) -> list[Parameter]:
    """Return the arguments of a class's constructor that are on the wire."""
    if dataclasses.is_dataclass(cls):
        nothing = (dataclasses.MISSING, dataclasses.MISSING)
        return [
            Parameter(f.name, f.name, (f.default, f.default_factory) != nothing, f.default)
            for f in dataclasses.fields(cls)
        ]
    return [
        Parameter(a.name, a.alias, a.default is not attrs.NOTHING, a.default)
        for a in attrs.fields(cls)
        if a.init and not a.metadata.get("left alone")
    ]


@st.composite
def _instances(draw: Any, cls: type[Any], scope: Scope) -> Any:
    hints = hints_of(cls, scope)
    arguments: dict[str, Any] = {}
    for parameter in parameters_of(cls):
        if parameter.has_default and draw(st.booleans()):
            continue
        annotation, declared = hints[parameter.attribute]
        values = _values(annotation, declared._replace(depth=scope.depth - 1))
        if isinstance(annotation, TypeVar) or annotation in (Any, object):
            # None is left out, so only where None is the default does it come back.
            values = values.filter(
                lambda value, default=parameter.default: value is not None or default is None
            )
        arguments[parameter.name] = draw(values)
    return cls(**arguments)


def _values(annotation: Any, scope: Scope) -> st.SearchStrategy[Any]:
    if isinstance(annotation, TypeVar):
        return _values(scope.bound.get(annotation, Any), scope)
    if annotation is Any or annotation is object:
        return json_values()
    if annotation is int and scope.published:
        return st.integers(-PUBLISHED_INTEGER_LIMIT, PUBLISHED_INTEGER_LIMIT)
    if annotation in _SCALAR_VALUES:
        return _SCALAR_VALUES[annotation]
    origin = typing.get_origin(annotation)
    if origin in _FORMS:
        return _FORMS[origin](annotation, scope)
    return _values_of_class(annotation, scope)


def _values_of_class(annotation: Any, scope: Scope) -> st.SearchStrategy[Any]:
    if hasattr(annotation, "__supertype__"):
        return _values(annotation.__supertype__, scope)
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return st.sampled_from(annotation)
    return _instances(typing.get_origin(annotation) or annotation, scope.inside(arguments_of(annotation)))


def _annotated_values(annotation: Any, scope: Scope) -> st.SearchStrategy[Any]:
    for name, bits in BITS.items():
        if annotation == getattr(nucleo_schema, name):
            return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return _values(annotation.__origin__, scope)


def _union_values(annotation: Any, scope: Scope) -> st.SearchStrategy[Any]:
    members = typing.get_args(annotation)
    if scope.depth < 0 and type(None) in members:
        return st.none()
    return st.one_of([_values(member, scope) for member in members])


def _tuple_values(annotation: Any, scope: Scope) -> st.SearchStrategy[Any]:
    members = typing.get_args(annotation)
    if members[-1] is ...:
        return st.lists(_values(members[0], scope), max_size=_size(scope)).map(tuple)
    return st.tuples(*(_values(member, scope) for member in members))


def _mapping_values(annotation: Any, scope: Scope) -> st.SearchStrategy[Any]:
    key, value = typing.get_args(annotation)
    return st.dictionaries(_values(key, scope), _values(value, scope), max_size=_size(scope))


def _collection_values(build: Any) -> Callable[[Any, Scope], st.SearchStrategy[Any]]:
    def values(annotation: Any, scope: Scope) -> st.SearchStrategy[Any]:
        return build(_values(typing.get_args(annotation)[0], scope), max_size=_size(scope))

    return values


def _size(scope: Scope) -> int:
    return 3 if scope.depth >= 0 else 0


_FORMS: dict[Any, Callable[[Any, Scope], st.SearchStrategy[Any]]] = {
    Annotated: _annotated_values,
    Literal: lambda annotation, _scope: st.sampled_from(typing.get_args(annotation)),
    Union: _union_values,
    types.UnionType: _union_values,
    tuple: _tuple_values,
    dict: _mapping_values,
    collections.abc.Mapping: _mapping_values,
    list: _collection_values(st.lists),
    set: _collection_values(st.sets),
    frozenset: _collection_values(st.frozensets),
}


@st.composite
def forms_with_values(draw: Any) -> tuple[Any, Any]:
    """Build a typing form that is no class, like ``dict[str, Order]``, and a value of it."""
    module, names = draw(_modules())
    known = Known((), tuple(names), tuple(names), (), (), boxes=False)
    kind = draw(st.sampled_from(["list", "dict", "tuple", "fixed tuple", "set"]))
    source = _container(draw, kind, known, 1, hashable=False)
    note(f"{source} of\n{module.__source__.replace(PRELUDE, '')}")
    form = eval(source, module.__dict__)  # noqa: S307  written above
    return form, draw(values_of(form))


# --- messy spellings ----------------------------------------------------------------------------------------


class Messy(NamedTuple):
    """A text, and the JSON tree that it means."""

    text: str
    tree: Any


class Written(NamedTuple):
    """A number in a tree, with its text."""

    text: str


#: Brackets that close nothing. Behind an interval that lacks one they might: the two do not go together.
SMILEYS = "It is :-] or :-} or )"
INTERVAL = "The interval [0, 1) is meant."

#: Prose that opens nothing, for either side of an answer.
PROSE = (
    "Sure, here's what you asked for:",
    'He said "no", didn\'t he?',
    "The 5\" pipe isn't 6' long.",
    "# Result",
    "See https://a.example/x // really",
    "[see note]",
    "A {smile for you.",
    "Use {name} here.",
    "“Curly” quotes – and ‘single’ ones…",
    SMILEYS,
    "/* a remark that is never closed",
    "`code` and C:\\dir\\",
    "1 < 2 && 3 > 2, i.e. 100 %",
    "An odd ' apostrophe",
    "- a list item\n- another",
    "<think>Hm, isn't it?</think>",
)

#: Prose before an answer that is JSON itself: the last answer counts.
DRAFTS = ('First try: {"draft": 1}', "Counts: [1, 2]", "No: {} nor []", INTERVAL)

#: Prose around an answer that is an object: lists are no answers.
FOOTNOTES = ("see [1]", INTERVAL, "(Left out: [].)", "[[1], [2]]")

_COMMENTS = (
    "/* a remark */",
    "/* { [ \" ' ] } */",
    "/**/",
    "/***/",
    '// it\'s "one" line }\n',
    "# so } is ] this\n",
    "//\n",
)

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*", re.ASCII)
_WORDS = {"true", "false", "null", "True", "False", "None", "NaN", "Infinity", "undefined"}
_QUOTES = "\"'`“”„‟‘’‚‛′″‵‶«»"


def _spelled_string(rng: random.Random, text: str) -> str:
    """Return a spelling of a string."""
    opening, closing = rng.choice([('"', '"'), ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’")])
    # Inside curly quotes the text is kept clear of quotes: which of them ends it is the author's guess too.
    if opening in "“‘" and any(quote in text for quote in _QUOTES if (opening, quote) != ("“", "'")):
        opening = closing = '"'
    style = rng.choice(["raw", "escaped", "ascii", "fancy"])
    pieces = [opening]
    for char in text:
        if char in (opening, "\\") and opening in "\"'":
            pieces.append("\\" + char)
        elif char == "\\":
            pieces.append("\\\\")
        elif (style == "escaped" and char < " ") or (style == "ascii" and not " " <= char <= "~"):
            pieces.append(json.dumps(char)[1:-1])
        elif style == "fancy" and char in "$@&%!?/":
            pieces.append("\\" + char)
        else:
            pieces.append(char)
    return "".join([*pieces, closing])


def _spelled_name(rng: random.Random, name: str) -> str:
    """Return a spelling of a member's name."""
    if _IDENTIFIER.fullmatch(name) and name not in _WORDS and rng.random() < 0.5:
        return name
    return _spelled_string(rng, name)


def _spelled_number(rng: random.Random, text: str) -> str:
    """Return a spelling of a number."""
    if text.startswith(("0.", "-0.")) and rng.random() < 0.5:
        text = text.replace("0.", ".", 1)
    if text.startswith("-"):
        return rng.choice(["-", "-", "–"]) + text[1:]
    return rng.choice(["", "", "+"]) + text


class _Speller:
    """Spells a JSON tree, with remarks and white space between its parts."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def gap(self) -> str:
        """Return what may stand between two tokens."""
        gap = self.rng.choice(["", "", " ", "\n  ", "\t", "\r\n", "remark"])
        return f" {self.rng.choice(_COMMENTS)} " if gap == "remark" else gap

    def spell(self, tree: Any) -> str:
        """Return a spelling of *tree*."""
        if tree is None:
            return self.rng.choice(["null", "None"])
        if isinstance(tree, bool):
            return self.rng.choice([json.dumps(tree), str(tree)])
        if isinstance(tree, str):
            return _spelled_string(self.rng, tree)
        if isinstance(tree, (int, float, Written)):
            text = tree.text if isinstance(tree, Written) else json.dumps(tree)
            return _spelled_number(self.rng, text)
        if isinstance(tree, dict):
            members = [
                f"{_spelled_name(self.rng, name)}{self.gap()}:{self.gap()}{self.spell(value)}"
                for name, value in tree.items()
            ]
            return self.brackets("{}", members)
        return self.brackets("[]", [self.spell(item) for item in tree])

    def brackets(self, pair: str, parts: list[str]) -> str:
        """Return *parts* between brackets."""
        if not parts:
            return f"{pair[0]}{self.gap()}{pair[1]}"
        spelled = "".join(f"{self.gap()}{part}{self.gap()}," for part in parts)
        if self.rng.random() < 0.5:
            spelled = spelled[:-1]
        return f"{pair[0]}{spelled}{self.gap()}{pair[1]}"


@st.composite
def messy(draw: Any, tree: Any, *, prose: bool = True, drafts: bool = True, footnotes: bool = False) -> Messy:
    """
    Spell a JSON tree as a careless model would, with its meaning kept.

    Args:
        draw: Given by Hypothesis.
        tree: An object or an array.
        prose: Put prose around it, a fence, a byte order mark.
        drafts: Put earlier answers in front of it.
        footnotes: Put lists behind it, which is prose for a target that only an object can fill.
    """
    rng = draw(st.randoms(use_true_random=False))
    text = _Speller(rng).spell(tree)
    if not prose:
        return Messy(text, tree)
    fences = [
        "{}",
        "{}",
        "```json\n{}\n```",
        "```\n{}\n```",
        "````JSON5\n{}\n```",
        "```json {} ```",
        "{}\n```",
    ]
    text = rng.choice(fences).replace("{}", text)
    before = list(PROSE + (DRAFTS if drafts else ()) + (FOOTNOTES if footnotes else ()))
    parts = [rng.choice(before) for _ in range(rng.randint(0, 3))]
    after = [words for words in PROSE if words != SMILEYS or INTERVAL not in parts]
    after += FOOTNOTES if footnotes else ()
    parts = [*parts, text, *(rng.choice(after) for _ in range(rng.randint(0, 2)))]
    return Messy(rng.choice(["", "", "\ufeff", " \n\t"]) + rng.choice(["\n", "\n\n", " "]).join(parts), tree)


# --- hostile texts ------------------------------------------------------------------------------------------

_FRAGMENTS = (
    *("{", "}", "[", "]", ":", ",", '"', "'", "“", "”", "‘", "’", "„", "\\", "\\u", "\\u00", "\\ud834"),
    *("/*", "*/", "//", "#", "\n", "\r", "\x00", "\x1f", " ", "\u2028", "\ufeff", "```", "```json\n"),
    *("true", "None", "NaN", "-", "+", ".", "1", "0", "1e", "e999999", "0x1F", "–", "…", "9" * 400),
    *("«artifact:link~abc123»", "@fields", "@ref", "@type", "$ref", "__class__", "{0}", "%s", "<think>"),
    *("a", '"a": ', "{a:", "[1,", "é", "😀", "\ud800", "()"),
)


def hostile_texts() -> st.SearchStrategy[str]:
    """Build texts from what parsers stumble over: half tokens, unmatched brackets, long repetitions."""
    fragments = st.sampled_from(_FRAGMENTS) | st.text(max_size=3)
    repeated = st.tuples(fragments, st.sampled_from([1, 1, 1, 2, 7, 300])).map(lambda pair: pair[0] * pair[1])
    return st.lists(repeated, max_size=15).map("".join)
