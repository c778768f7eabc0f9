"""The server, a process of its own that speaks MCP over its standard input and output."""

from __future__ import annotations

from decimal import Decimal

import anyio
from attrs import define, field
from mcp.server.stdio import stdio_server

from nucleo_schema import Artifact, ArtifactRegistry, ListArtifact, aliases, described, meta, type_alias

from .boundary import Tool, make_server
from .shop import (
    Attached,
    AttachedTo,
    ExpressOrder,
    FindOrders,
    Order,
    OrdersFound,
    Refund,
    Refunded,
    Status,
)


@described("An order that is wrapped as a gift")
@type_alias("mcp-order:gift")
@define
class GiftOrder(Order):
    """A kind of order that the clients have never heard of."""

    card: str | None = field(default=None, metadata=meta("What the card says"))


@described("A photograph")
@type_alias("mcp-photo")
@define
class Photo(Artifact):
    """What the clients know no ancestor of."""

    url: str | None = field(default=None, metadata=meta("Where it is"))


aliases.register(GiftOrder)
aliases.register(Photo)

OLD = Order("A-0900", Status.DELIVERED, Decimal("20.00"))
ORDERS = [
    ExpressOrder(
        "A-1007",
        Status.IN_TRANSIT,
        Decimal("129.90"),
        history="scanned in the depot; " * 40,
        trace="t-1",
        courier="Night Mail",
    ),
    GiftOrder("A-1012", Status.DELIVERED, Decimal("15.00"), replaces=OLD, card="Happy birthday"),
    Order("A-1015", Status.IN_TRANSIT, Decimal("1.10")),
]
EVERYTHING = ListArtifact([*ORDERS, OLD], worker_tool_name="find_orders")


def find_orders(request: FindOrders) -> OrdersFound:
    """Return the orders, the same objects every time."""
    found = ORDERS[: request.limit]
    return OrdersFound(found, EVERYTHING, {order.number: order for order in found})


def refund(request: Refund) -> Refunded:
    """Return the shop's own order and the sum of the shop's own totals."""
    amount = sum((order.total for order in (request.order, *request.also)), Decimal(0))
    return Refunded(request.order, amount)


def attached_to(_request: AttachedTo) -> Attached:
    """Return attachments of a kind that the client can read and of one that it cannot."""
    return Attached([ORDERS[2], Photo("https://example.org/a.jpg")])


async def main() -> None:
    """Serve until standard input ends."""
    registry = ArtifactRegistry()
    tools = [
        Tool(FindOrders, OrdersFound, find_orders),
        Tool(Refund, Refunded, refund),
        Tool(AttachedTo, Attached, attached_to),
    ]
    server = make_server("orders", tools, registry)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
