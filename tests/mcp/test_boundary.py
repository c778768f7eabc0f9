"""
Tools over the Model Context Protocol: schemas, arguments, results and artifacts cross it whole.

The server is a process of its own. Of the classes that it sends, this one knows ``Order`` and
``ExpressOrder``; a gift order and a photograph are known to the server alone.
"""

import json
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from nucleo_schema import (
    ArtifactRegistry,
    ListArtifact,
    MappingError,
    ResponseContract,
    aliases,
    json_schema,
    keywords,
    parse,
    write_compact,
    write_summarized_with_refs,
)

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

pytest.importorskip("mcp", reason="needs tests/mcp/requirements.txt")

from mcp import Client, StdioServerParameters

from .boundary import RefusedError, call, result_of

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 60
TOOLS = {
    "find_orders": (FindOrders, OrdersFound),
    "refund": (Refund, Refunded),
    "attached_to": (AttachedTo, Attached),
}

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend():
    """Run the client on asyncio."""
    return "asyncio"


@pytest.fixture(scope="module", params=["legacy", "auto"])
async def client(request, anyio_backend):  # noqa: ARG001  the fixture runs on the backend
    """Return a client of a server process, by both ways in which the two can agree on a version."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "tests.mcp.server"], cwd=ROOT)
    async with Client(server, mode=request.param, read_timeout_seconds=TIMEOUT_S) as client:
        yield client


@pytest.fixture
async def tools(client):
    """Return the definitions of the tools, as they arrived."""
    return {tool.name: tool for tool in (await client.list_tools()).tools}


@pytest.fixture
async def found(client):
    """Return what the first tool found, as typed objects."""
    return result_of(await call(client, "find_orders", FindOrders("C-20")), OrdersFound)


def keywords_in(node, path=""):
    """Yield the path and the value of every ``x-nucleo-*`` keyword in a schema."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        here = f"{path}/{key}"
        if str(key).startswith(keywords.PREFIX):
            yield here, value
        elif isinstance(value, (dict, list)):
            yield from keywords_in(value, here)


@pytest.mark.parametrize("name", TOOLS)
async def test_both_schemas_arrive_as_they_were_published(tools, name):
    """They are those of the classes, which the client can tell for itself."""
    takes, gives = TOOLS[name]

    assert tools[name].input_schema == json_schema(takes)
    assert tools[name].output_schema == json_schema(gives)
    assert list(tools[name].input_schema["properties"]) == list(json_schema(takes)["properties"])


async def test_the_keywords_arrive_intact(tools):
    """Every one of them, wherever it stands."""
    schema = tools["find_orders"].output_schema
    arrived = dict(keywords_in(schema))
    orders = "/properties/orders"
    members = f"{orders}/items/properties"

    assert arrived[f"{orders}/{keywords.TYPE_ALIAS}"] == "mcp-order"
    assert arrived[f"/properties/history/{keywords.TYPE_ALIAS}"] == "list"
    assert arrived[f"{members}/trace/{keywords.CONTEXT_IGNORE}"] is True
    assert arrived[f"{members}/history/{keywords.SUMMARIZABLE}"]["hint"] == "scan log"
    assert arrived == dict(keywords_in(json_schema(OrdersFound)))


@pytest.mark.parametrize("name", TOOLS)
async def test_a_model_is_offered_the_references_of_artifacts_alone(tools, name):
    """The client makes what its model sees from what arrived; no keyword and no content is left."""
    offered = keywords.for_model(tools[name].input_schema)

    Draft202012Validator.check_schema(offered)
    assert list(keywords_in(offered)) == []
    assert "total" not in json.dumps(offered)
    for member in {"order"} & offered["properties"].keys():
        assert list(offered["properties"][member]["properties"]) == ["artifact_ref"]
        assert offered["properties"][member]["required"] == ["artifact_ref"]


async def test_arguments_are_read_as_leniently_as_a_reply(client):
    """Another spelling of a name, a number as text and a day in words reach the tool as they were meant."""
    wrote = {"Customer": "C-20", "dueBefore": "6 May 2024", "limit": "2.0"}

    found = result_of(await call(client, "find_orders", wrote), OrdersFound)

    assert [order.number for order in found.orders] == ["A-1007", "A-1012"]


async def test_an_instance_is_an_argument_too(client):
    """A host that calls a tool itself sends what it has."""
    request = FindOrders("C-20", due_before=date(2024, 5, 6), limit=1)

    found = result_of(await call(client, "find_orders", request), OrdersFound)

    assert [order.number for order in found.orders] == ["A-1007"]


async def test_wrong_arguments_come_back_as_lines_to_correct(client):
    """The call is an error for the model to read, and names everything that is wrong by its path."""
    wrote = {"due_before": "03/04/2024", "limit": 3_000_000_000}

    called = await call(client, "find_orders", wrote)

    assert called.is_error
    with pytest.raises(RefusedError) as refused:
        result_of(called, OrdersFound)
    assert [line.split(":")[0] for line in refused.value.lines] == ["customer", "due_before", "limit"]


async def test_structure_and_text_of_a_result_are_the_same_objects(client):
    """A client may read either; both satisfy the published schema."""
    called = await call(client, "find_orders", FindOrders("C-20"))

    from_structure = result_of(called, OrdersFound)
    from_text = parse(called.content[0].text, OrdersFound)

    assert from_structure == from_text
    assert write_compact(parse(called.content[0].text, dict)) == called.content[0].text
    Draft202012Validator(json_schema(OrdersFound)).validate(called.structured_content)


async def test_an_artifact_is_rebuilt_by_its_alias(found):
    """It is of the class that its reference names, with what that class adds, and equal to the tool's own."""
    express = found.orders[0]

    assert express == ExpressOrder(
        "A-1007",
        Status.IN_TRANSIT,
        Decimal("129.90"),
        history="scanned in the depot; " * 40,
        trace="t-1",
        courier="Night Mail",
        artifact_ref=express.artifact_ref,
    )
    assert express.artifact_ref.startswith("«artifact:mcp-order:express~")
    assert found.by_number["A-1007"] == express


async def test_a_client_with_only_an_ancestor_rebuilds_that(found):
    """What it does not know it reads as the nearest kind that it does, under the reference that came."""
    gift = found.by_number["A-1012"]

    assert aliases.resolve_alias("mcp-order:gift") is None
    assert type(gift) is Order
    assert (gift.number, gift.status, gift.total) == ("A-1012", Status.DELIVERED, Decimal("15.00"))
    assert gift.artifact_ref.startswith("«artifact:mcp-order:gift~")
    assert gift.replaces.number == "A-0900"


async def test_a_list_keeps_all_that_is_in_it(found):
    """Its artifacts are of their own classes; none is left out."""
    listed = found.history

    assert isinstance(listed, ListArtifact)
    assert [type(order) for order in listed.iterands] == [ExpressOrder, Order, Order, Order]
    assert [order.number for order in listed.iterands] == ["A-1007", "A-1012", "A-1015", "A-0900"]


async def test_the_model_of_the_client_sees_references(found):
    """The client keeps what arrived in a registry of its own, under the references of the server."""
    registry = ArtifactRegistry()

    shown = json.loads(write_summarized_with_refs(found, registry))

    assert shown["orders"] == [{"@ref": order.artifact_ref} for order in found.orders]
    assert set(registry.artifacts) >= {order.artifact_ref for order in found.orders}
    assert registry.get(found.orders[0].artifact_ref) is found.orders[0]


async def test_a_kind_without_a_known_ancestor_is_refused_by_its_path(client, found):
    """A place for any artifact takes what can be named; nothing is made up for the rest."""
    called = await call(client, "attached_to", {"order": {"artifact_ref": found.orders[0].artifact_ref}})

    with pytest.raises(MappingError) as refused:
        result_of(called, Attached)
    assert [problem.path for problem in refused.value.problems] == ["items[1]"]
    assert "mcp-photo" in str(refused.value)


async def test_a_reference_brings_the_object_of_the_server_back(client, found):
    """A model names an order in any spelling, and the tool works on its own, whole and unaltered."""
    first, second, third = found.orders
    wrote = {
        "order": {"artifact_ref": first.artifact_ref, "total": "9999.00", "number": "A-1"},
        "reason": "arrived broken",
        "also": [second.artifact_ref, {"@ref": third.artifact_ref.strip("«»")}],
    }

    refunded = result_of(await call(client, "refund", wrote), Refunded)

    assert refunded.amount == Decimal("146.00")
    assert refunded.order == first


async def test_objects_of_the_client_go_back_by_their_references(client, found):
    """A host sends what it holds; that it knows a kind only by an ancestor does not matter."""
    refunded = result_of(await call(client, "refund", Refund(found.orders[1], "unwanted")), Refunded)

    assert refunded == Refunded(found.orders[1], Decimal("15.00"))


async def test_a_reference_that_the_server_never_gave_is_refused(client):
    """The line names the place; nothing that the model wrote beside it is used."""
    wrote = {"order": {"artifact_ref": "«artifact:mcp-order~zzzzzz»", "total": "9999.00"}, "reason": "mine"}

    with pytest.raises(RefusedError) as refused:
        result_of(await call(client, "refund", wrote), Refunded)
    [line] = refused.value.lines
    assert line.startswith("order: ")
    assert "9999" not in line


async def test_an_artifact_that_a_model_made_up_is_refused(client):
    """Content without a reference is nothing that a tool gave."""
    made_up = {"number": "A-1007", "status": "delivered", "total": "9999.00"}

    with pytest.raises(RefusedError) as refused:
        result_of(await call(client, "refund", {"order": made_up, "reason": "mine"}), Refunded)
    [line] = refused.value.lines
    assert line.startswith("order: ")


async def test_a_model_chooses_among_what_crossed(client, found):
    """A reply names what the first tool gave, and the next call takes it from the registry."""
    registry = ArtifactRegistry()
    registry.index_reachable_from(found)
    reply = f"I refund the express order.\n{{order: {found.orders[0].artifact_ref!r}, reason: 'late',}}"

    request = ResponseContract(Refund).read(reply, registry)
    refunded = result_of(await call(client, "refund", request), Refunded)

    assert request.order is found.orders[0]
    assert refunded == Refunded(found.orders[0], Decimal("129.90"))
