"""Twelve classes as different as those that hosts declare, each with an instance."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import attrs
from attrs import define, field

from nucleo_schema import Artifact, Int32, Int64, Summarizable, described, meta, type_alias

__all__ = ["CASES"]

T = TypeVar("T")


class Status(Enum):
    RECEIVED = "received"
    SHIPPED = "shipped"


@described("A place the customer has goods sent to.")
@define
class Address:
    street: str = field(metadata=meta("Street and number.", examples=["12 Mill Lane"]))
    city: str
    country: Literal["DE", "FR", "GB", "US", "other"] = field(metadata=meta("Country code."))
    postcode: str | None = None


@define
class Customer:
    name: str
    email: str
    loyalty_points: Int32 = 0
    addresses: list[Address] = field(factory=list)


@described("One article of the order.")
@define
class OrderLine:
    sku: str = field(metadata=meta("Number of the article.", examples=["BK-0042"]))
    quantity: Int32
    unit_price: float
    title: str | None = None
    options: dict[str, str] = field(
        factory=dict, metadata=meta("Chosen variants.", examples=[{"colour": "red"}])
    )


@described("What the assistant found out about one customer order.")
@define
class OrderAnswer:
    order_id: Int64 = field(metadata=meta("Number of the order.", examples=[48213377]))
    status: Status
    placed_on: dt.date
    customer: Customer
    lines: list[OrderLine]
    totals: dict[str, float]
    shipped_at: dt.datetime | None = None
    gift: bool = False
    remarks: Any = field(default=None, metadata=meta("Anything else the customer wrote."))
    raw: dict[str, Any] = field(factory=dict, metadata=meta("The shop's record.", context_ignore=True))


@define
class Quote:
    url: str
    title: str
    published: dt.date | None = None
    kind: Literal["news", "paper", "forum"] = "news"
    quotes: list[str] = field(factory=list, metadata=meta(summarizable=Summarizable("quotes")))


@define
class Hit:
    rank: Int32
    title: str
    snippet: str
    citations: list[Quote]
    score: float | None = None
    indexed_at: dt.datetime | None = None
    bytes: Int64 = 0
    facets: dict[str, list[str]] = field(factory=dict)
    metadata: dict[str, Any] = field(factory=dict)


@described("Answer of the search tool.")
@define
class SearchResult:
    query: str = field(metadata=meta("What was asked.", examples=["tallest church"]))
    hits: list[Hit]
    took_ms: int
    by_language: dict[str, int] = field(factory=dict)
    best: Hit | None = None
    debug: Any = None


@define
class Image:
    src: str
    width: Int32 | None = None
    height: Int32 | None = None


@described("A page and the pages it leads to.")
@define
class CrawledPage:
    url: str
    status: Int32 = field(metadata=meta("The answer of the server.", examples=[200]))
    fetched_at: dt.datetime | None = None
    headers: dict[str, str] = field(factory=dict)
    parent: CrawledPage | None = field(
        default=None, metadata=meta("The page that led here.", context_ignore=True)
    )
    links: list[CrawledPage] = field(factory=list)
    by_anchor: dict[str, CrawledPage] = field(factory=dict)
    images: list[Image] = field(factory=list)


@define
class File:
    name: str
    size: int


@described("Files, and the folders inside, which know what holds them.")
@define
class Folder:
    name: str
    entries: list[File | Folder] = field(factory=list)
    shortcut: Shortcut | None = None


@define
class Shortcut:
    label: str
    target: Folder | None = None


@define
class Page(Generic[T]):
    number: int
    item: T
    items: list[T]
    labelled: dict[str, T] = field(factory=dict)


@define
class Products:
    """Generic classes, bound."""

    products: Page[File]
    names: Page[str]


def _wide() -> type[Any]:
    fields = {f"needed_{n}": attrs.field(type=str) for n in range(60)}
    fields |= {f"spare_{n}": attrs.field(type=int, default=n) for n in range(20)}
    return attrs.make_class("Wide", fields)


Wide: Any = _wide()


def _deep(levels: int) -> type[Any]:
    cls: type[Any] = attrs.make_class(f"Level{levels}", {"name": attrs.field(type=str)})
    for level in range(levels - 1, 0, -1):
        fields = {"name": attrs.field(type=str), "inner": attrs.field(type=cls)}
        cls = attrs.make_class(f"Level{level}", fields)
    return cls


Deep: Any = _deep(9)


def _deep_instance(cls: Any) -> Any:
    fields = attrs.fields_dict(cls)
    return cls("x", _deep_instance(fields["inner"].type)) if "inner" in fields else cls("x")


@define
class Maps:
    by_name: dict[str, int]
    by_number: dict[int, str]
    by_day: dict[dt.date, list[float]]
    by_status: dict[Status, File]
    nested: dict[str, dict[str, bool]]
    pairs: list[dict[str, str]]
    optional: dict[str, int | None] | None = None


@define
class Card:
    kind: Literal["card"]
    digits: str


@define
class Transfer:
    kind: Literal["transfer"]
    iban: str
    fee: float = 0.0


@define
class Unions:
    payment: Card | Transfer
    payments: list[Card | Transfer]
    number: int | str
    limit: int | None = 5
    by_name: dict[str, Card | Transfer] = field(factory=dict)
    either: dict[str, int] | str = ""


@define
class Untyped:
    anything: Any
    several: list[Any]
    named: dict[str, Any]
    fixed: tuple[Any, int]
    lists: dict[str, list[Any]] = field(factory=dict)
    spare: Any = 3


@described("A page of the web.")
@type_alias("consumed-page")
@define
class WebPage(Artifact):
    url: str
    text: str


@type_alias("consumed-photo")
@define
class Photo(Artifact):
    url: str
    place: dict[str, Any] = field(factory=dict)


@define
class Artifacts:
    reply: str
    chosen: WebPage
    others: list[WebPage] = field(factory=list)
    by_topic: dict[str, Photo] = field(factory=dict)
    cover: Photo | WebPage | None = None


@define
class Scalars:
    text: str
    whole: int
    number: float
    truth: bool
    day: dt.date
    moment: dt.datetime
    clock: dt.time
    span: dt.timedelta
    id: uuid.UUID
    price: Decimal
    data: bytes
    path: Path
    small: Int32
    large: Int64
    choice: Literal["a", "b", 3]
    status: Status
    pair: tuple[int, str]
    tags: frozenset[str] = frozenset()


def _page(name: str) -> WebPage:
    return WebPage(artifact_ref=f"consumed-page~{name}", url=f"https://{name}.example/", text="")


_LINE = OrderLine("BK-0042", 1, 9.5, options={"cover": "hard"})
_QUOTE = Quote("https://a.example/", "A", dt.date(2026, 1, 2), quotes=["x"])
_HIT = Hit(1, "Minster", "The tallest.", [_QUOTE], 0.5, facets={"kind": ["church"]}, metadata={"n": [1]})
_LEAF = CrawledPage("https://b.example/", 404)

#: Each class by what it stands for, with an instance of it.
CASES: dict[str, tuple[Any, Any]] = {
    "order_answer": (
        OrderAnswer,
        OrderAnswer(
            48213377,
            Status.SHIPPED,
            dt.date(2026, 3, 14),
            Customer("A", "a@shop.example", 120, [Address("12 Mill Lane", "York", "GB")]),
            [_LINE],
            {"goods": 9.5, "post": 3.0},
            dt.datetime(2026, 3, 15, 8, tzinfo=dt.timezone.utc),
            remarks={"door": "back"},
            raw={"a": [1, 2], "b": None},
        ),
    ),
    "search_result": (SearchResult, SearchResult("church", [_HIT], 12, {"en": 1}, _HIT, {"shards": 3})),
    "crawled_page": (
        CrawledPage,
        CrawledPage(
            "https://a.example/",
            200,
            headers={"etag": "x"},
            parent=_LEAF,
            links=[_LEAF, CrawledPage("https://c.example/", 200, links=[_LEAF])],
            by_anchor={"next": _LEAF},
            images=[Image("a.png", 10, 20)],
        ),
    ),
    "mutual recursion": (
        Folder,
        Folder("a", [File("b", 1), Folder("c")], Shortcut("up", Folder("d", [File("e", 2)]))),
    ),
    "generic": (Products, Products(Page(1, File("a", 1), [File("b", 2)]), Page(2, "x", [], {"y": "z"}))),
    "wide": (Wide, Wide(*(str(n) for n in range(60)), spare_3=7)),
    "deep": (Deep, _deep_instance(Deep)),
    "maps": (
        Maps,
        Maps(
            {"a": 1, "b": 2},
            {1: "x", -2: "y"},
            {dt.date(2026, 1, 2): [1.5]},
            {Status.SHIPPED: File("f", 1)},
            {"a": {"b": True}, "c": {}},
            [{"key": "k", "value": "v"}],
        ),
    ),
    "unions": (
        Unions,
        Unions(
            Card("card", "12"),
            [Transfer("transfer", "X1"), Card("card", "3")],
            "seven",
            None,
            {"a": Card("card", "4")},
            {"b": 2},
        ),
    ),
    "untyped": (
        Untyped,
        Untyped({"a": [1, None]}, ["x", 2.5, {"y": []}], {"z": "1", "n": None}, ([], 1), {"l": [True]}),
    ),
    "artifacts": (
        Artifacts,
        Artifacts(
            "See these.",
            _page("a1"),
            [_page("b2")],
            {"tea": Photo(artifact_ref="consumed-photo~c3", url="u")},
        ),
    ),
    "scalars": (
        Scalars,
        Scalars(
            "t",
            2**53 - 1,
            0.25,
            True,  # noqa: FBT003
            dt.date(2026, 1, 2),
            dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.timezone.utc),
            dt.time(3, 4, 5, tzinfo=dt.timezone.utc),
            dt.timedelta(hours=2),
            uuid.UUID(int=1),
            Decimal("1.10"),
            b"x",
            Path("a/b"),
            -(2**31),
            2**62,
            3,
            Status.RECEIVED,
            (1, "a"),
            frozenset({"x"}),
        ),
    ),
}
