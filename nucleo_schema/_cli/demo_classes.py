"""The classes that the demo reads replies into: those of its tour, and those of its collected cases."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import Enum
from typing import Any

from attrs import define, field

from .. import Artifact, described, meta, type_alias

__all__ = ["RECORDS", "TARGETS", "TOUR", "DelayAnswer", "OrderAnswer", "look_orders_up"]


class OrderStatus(Enum):
    """Where an order is."""

    PLACED = "placed"
    IN_TRANSIT = "in transit"
    DELIVERED = "delivered"


@described("One item of an order")
@define
class Item:
    sku: str = field(metadata=meta("Article number", examples=["TEA-250"]))
    quantity: int = field(metadata=meta("How many were ordered"))


@described("One order of the customer")
@define
class Order:
    number: str = field(metadata=meta("Order number", examples=["A-1007"]))
    status: OrderStatus = field(metadata=meta("Where the order is"))
    expected_on: date | None = field(default=None, metadata=meta("Day of delivery, where it is known"))
    items: list[Item] = field(factory=list, metadata=meta("What was ordered"))


@described("What the customer is told")
@define
class OrderAnswer:
    reply: str = field(metadata=meta("The reply to the customer, in whole sentences"))
    orders: list[Order] = field(metadata=meta("The orders that the reply is about"))


#: The declaration as the demo prints it, from the inside out.
TOUR = (OrderStatus, Item, Order, OrderAnswer)


@described("An order, as the shop's own tool returns it")
@type_alias("demo-order")
@define
class OrderRecord(Artifact):
    number: str = field(metadata=meta("Order number", examples=["A-1007"]))
    promised_on: date = field(metadata=meta("The day that it was promised for"))
    is_late: bool = field(metadata=meta("Whether that day has passed"))


@described("What the customer is told about delays")
@define
class DelayAnswer:
    reply: str = field(metadata=meta("The reply to the customer, in whole sentences"))
    delayed: list[OrderRecord] = field(metadata=meta("The orders that are late"))


#: The declaration of the records, as the demo prints it.
RECORDS = (OrderRecord, DelayAnswer)


def look_orders_up() -> list[OrderRecord]:
    """Return what a tool would; the references are fixed because the recorded reply names them."""
    due, later = date(2024, 5, 6), date(2024, 5, 9)
    return [
        OrderRecord("A-1007", due, is_late=True, artifact_ref="«artifact:demo-order~a7f3b2»"),
        OrderRecord("A-1012", later, is_late=False, artifact_ref="«artifact:demo-order~k2m9xq»"),
        OrderRecord("A-1015", due, is_late=True, artifact_ref="«artifact:demo-order~p0c4de»"),
    ]


@define
class Headings:
    headings: list[Heading]


@define
class Heading:
    heading: str
    python_function_code: str
    description: str


@define
class Function2:
    function_name: str
    diameter: int


@define
class BookAnalysis:
    bookNames: list[str]  # noqa: N815  the case spells it so, and it travels as book_names
    popularityOverTime: list[Popularity]  # noqa: N815


@define
class Popularity:
    bookName: str  # noqa: N815
    scores: list[Score]


@define
class Score:
    year: int
    score: int


class Category(Enum):
    """Two of a kind."""

    ONE = "ONE"
    TWO = "TWO"


@define
class Pick:
    category: Category


@define
class Foo:
    a: int
    b: str


@define
class Flag:
    ok: bool


@define
class ScoredItem:
    id: int
    score: float


@define
class Box:
    items: list[ScoredItem]


class Actions(Enum):
    """What a task does."""

    SEARCH = "Search"
    CREATE = "Create"
    UPDATE = "Update"
    DELETE = "Delete"


@define
class Task:
    action: Actions
    action_input: str
    for_new_lines: str
    additional_fields: str | None = None


@define
class Answer:
    answer: int


@define
class Node:
    name: str
    child: Node | None = None


@define
class Num:
    n: int | None = None


@define
class Ev:
    d: date


@define
class Person:
    name: str
    age: int | None = None


#: What the index of the replies calls a target, and the target.
TARGETS: Mapping[str, Any] = {
    "OrderAnswer": OrderAnswer,
    "Any": Any,
    "Answer": Answer,
    "BookAnalysis": BookAnalysis,
    "Box": Box,
    "Ev": Ev,
    "Flag": Flag,
    "Function2": Function2,
    "Headings": Headings,
    "Node": Node,
    "Num": Num,
    "Person": Person,
    "Pick": Pick,
    "Task": Task,
    "dict[str, Foo]": dict[str, Foo],
    "list[Answer]": list[Answer],
    "list[int]": list[int],
}
