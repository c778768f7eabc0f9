"""Making readers: under way in one thread while another reads, and given up half way."""

import threading
from typing import Optional

import pytest
from attrs import Factory, define, field, make_class

from nucleo_schema import (
    Artifact,
    SchemaError,
    aliases,
    convert,
    make_converter,
    meta,
    parse,
    type_alias,
    write,
)
from nucleo_schema._read.modes import PLAIN
from nucleo_schema._read.readers import _BUILDER, reader_of


class Foreign:
    pass


@define
class Node:
    next: Optional["Node"] = None
    foreign: Foreign = None


def outcome_of(function):
    """Return what *function* returns or raises."""
    try:
        return function()
    except Exception as error:  # noqa: BLE001
        return error


def made_and_read(way, make_hook):
    """Return the outcome of making the reader of Node, and of a thread that reads with it meanwhile."""
    converter = make_converter()
    outcomes = []

    def read(reader):
        value = {"next": {"foreign": 1}, "foreign": 2}
        outcomes.append(outcome_of(lambda: getattr(reader, way)(value, PLAIN)))

    threads = []

    def factory(_):
        thread = threading.Thread(target=read, args=(reader_of(converter, Node),))
        thread.start()
        thread.join(0.2)  # by then it waits
        threads.append(thread)
        return make_hook()

    converter.register_structure_hook_factory(lambda cls: cls is Foreign, factory)
    made = outcome_of(lambda: reader_of(converter, Node))
    for thread in threads:
        thread.join()
    return made, outcomes


@pytest.mark.parametrize("way", ["quick", "careful"])
def test_who_needs_a_reader_that_another_thread_is_making_waits_for_it(way):
    """What it then reads is what a single thread reads."""
    _, outcomes = made_and_read(way, lambda: lambda value, _: value + 1)

    assert outcomes == [Node(Node(None, 2), 3)]


@pytest.mark.parametrize("way", ["quick", "careful"])
def test_who_waits_for_a_reader_that_is_given_up_is_told_so(way):
    """Nobody waits for ever, and nothing half made is used."""

    def give_up():
        raise TypeError("no such thing")

    made, outcomes = made_and_read(way, give_up)

    assert isinstance(made, SchemaError)
    assert [str(error) for error in outcomes] == ["Node: its reader could not be made"]


@type_alias("building:odd")
@define
class Odd(Artifact):
    number: complex


@define
class Holder:
    it: Artifact


@define
class NullableHolder:
    it: Optional[Artifact]


@pytest.mark.parametrize("holder", [Holder, NullableHolder])
@pytest.mark.parametrize(
    ("container", "wrap"),
    [(None, lambda it: it), (list, lambda it: [it]), (tuple, lambda it: [it])],
)
def test_a_reference_to_a_class_that_cannot_be_read_says_so_of_the_class(holder, container, wrap):
    """The reply is not to blame."""
    aliases.register(Odd)
    form = holder if container is None else container[holder]

    with pytest.raises(SchemaError, match=r"Odd\.number"):
        convert(wrap({"it": {"artifact_ref": "«artifact:building:odd~abc123»"}}), form)


@pytest.mark.parametrize("name", ["Größe", "ﬁle", "Größe²", "a b", "x-y", "日本"])
def test_a_class_of_any_name_is_read_and_written(name):
    """Python normalizes names in code; those of generated functions are plain."""
    cls = make_class(name, {"value": field(type=int)})

    assert parse(write(cls(1)), cls) == cls(1)


def test_what_was_being_made_is_given_up_in_a_forked_child():
    """The thread that makes it is not there, and nobody waits for it."""
    converter = make_converter()
    before = converter.get_structure_hook(Plain)
    _BUILDER.converters.append(converter)
    _BUILDER.pending[id(converter), Plain] = _BUILDER.unfilled(Plain)

    _BUILDER.give_up()

    assert (_BUILDER.converters, _BUILDER.pending) == ([], {})
    assert converter.get_structure_hook(Plain) is not before


@define
class Plain:
    number: int = 0


made_of = []


def noted(self, *_):
    """Say which instance was made."""
    made_of.append(type(self).__name__)


@define
class AfterInit:
    number: int = 0
    __attrs_post_init__ = noted


@define
class BeforeInit:
    number: int = 0
    __attrs_pre_init__ = noted


@define
class OwnInit:
    number: int = 0

    def __init__(self, number=0):
        """Take the number, and say so."""
        self.number = number
        noted(self)


@define(slots=False)
class BelowPlain(Plain):
    def __init__(self, number=0):
        """Take the number, and say so."""
        super().__init__(number)
        noted(self)


@define
class OwnSetting:
    number: int = 0

    def __setattr__(self, name, value):
        """Say that something was set."""
        noted(self)
        object.__setattr__(self, name, value)


@pytest.mark.parametrize("cls", [AfterInit, BeforeInit, OwnInit, BelowPlain, OwnSetting])
def test_what_a_class_does_when_an_instance_is_made_is_done(cls):
    """Only a constructor that stores its arguments and does nothing else is passed over."""
    made_of.clear()

    assert parse('{"number": 5}', cls).number == 5

    assert made_of == [cls.__name__]


@define
class Defaults:
    number: int
    plain: str = "text"
    made: list[int] = field(factory=list)
    built: str = field(default=Factory(lambda self: f"{self.number}!", takes_self=True))
    off: int = field(default=7, init=False)
    off_made: list[int] = field(factory=list, init=False)
    off_wire: list[int] = field(factory=list, metadata=meta(ignore=True))
    set_later: list[int] = field(factory=list, init=False, metadata=meta(ignore=False))


@define
class PlainDefaults:
    number: int
    plain: str = "text"
    made: list[int] = field(factory=list)
    off_made: list[int] = field(factory=list, init=False)
    off_wire: list[int] = field(factory=list, metadata=meta(ignore=True))
    off_plain: int = field(default=7, metadata=meta(ignore=True))


@pytest.mark.parametrize("cls", [Defaults, PlainDefaults])
def test_every_attribute_has_what_its_constructor_would_have_given_it(cls):
    """Defaults too, and what is made is made anew for each instance."""
    one, other = parse('[{"number": 1}, {"number": 1, "made": null}]', list[cls])

    assert one == other == cls(1)
    assert one.made is not other.made
    assert one.off_made is not other.off_made
