"""What the server and its clients both know: the classes that cross the boundary."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import Enum

from attrs import define, field

from nucleo_schema import (
    Artifact,
    Int32,
    ListArtifact,
    Summarizable,
    SummarySize,
    aliases,
    described,
    meta,
    type_alias,
)

__all__ = [
    "Attached",
    "AttachedTo",
    "ExpressOrder",
    "FindOrders",
    "Order",
    "OrdersFound",
    "Refund",
    "Refunded",
]


class Status(Enum):
    """Where an order is."""

    IN_TRANSIT = "in transit"
    DELIVERED = "delivered"


@described("An order of the shop")
@type_alias("mcp-order")
@define
class Order(Artifact):
    """What both sides know of every order."""

    number: str = field(metadata=meta("Order number", examples=["A-1007"]))
    status: Status = field(metadata=meta("Where the order is"))
    total: Decimal = field(metadata=meta("What it costs", examples=["129.90"]))
    history: str | None = field(
        default=None,
        metadata=meta(
            "Every scan", summarizable=Summarizable("scan log", size=SummarySize.BRIEF, threshold=300)
        ),
    )
    trace: str | None = field(default=None, metadata=meta("Trace id of the lookup", context_ignore=True))
    replaces: Order | None = field(default=None, metadata=meta("The order that this one stands in for"))


@described("An order that is delivered overnight")
@type_alias("mcp-order:express")
@define
class ExpressOrder(Order):
    """A kind of order that both sides know."""

    courier: str | None = field(default=None, metadata=meta("Who brings it"))


@described("Find the orders of a customer")
@define
class FindOrders:
    """What ``find_orders`` takes."""

    customer: str = field(metadata=meta("Number of the customer", examples=["C-20"]))
    due_before: date | None = field(default=None, metadata=meta("Only orders that are due before this day"))
    limit: Int32 = field(default=10, metadata=meta("The number of orders to stop at"))


@described("The orders that were found")
@define
class OrdersFound:
    """What ``find_orders`` gives."""

    orders: list[Order] = field(metadata=meta("The orders, the newest first"))
    history: ListArtifact[Order] = field(metadata=meta("All that the customer ever ordered"))
    by_number: dict[str, Order] = field(factory=dict, metadata=meta("The same orders by their number"))


@described("Give the money for an order back")
@define
class Refund:
    """What ``refund`` takes."""

    order: Order = field(metadata=meta("The order to refund"))
    reason: str = field(metadata=meta("Why", examples=["arrived broken"]))
    also: list[Order] = field(factory=list, metadata=meta("Further orders to refund"))


@described("Money that was given back")
@define
class Refunded:
    """What ``refund`` gives."""

    order: Order = field(metadata=meta("The order that was refunded"))
    amount: Decimal = field(metadata=meta("How much was given back in all"))


@described("Find what is attached to an order")
@define
class AttachedTo:
    """What ``attached_to`` takes."""

    order: Order = field(metadata=meta("The order"))


@described("What is attached to an order")
@define
class Attached:
    """What ``attached_to`` gives."""

    items: list[Artifact] = field(metadata=meta("The attachments, of any kind"))


# The class of what arrives is found by its alias, so both sides make theirs known.
aliases.register(Order)
aliases.register(ExpressOrder)
