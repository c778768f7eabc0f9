"""Tools of ours as tools of an MCP server, and calls of them through an MCP client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from attrs import frozen
from mcp import Client, types
from mcp.server.lowlevel import Server

from nucleo_schema import (
    ArtifactRegistry,
    MappingError,
    convert,
    describe,
    json_schema,
    value_to_tree,
    write_compact,
)

__all__ = ["RefusedError", "Tool", "call", "make_server", "result_of"]

T = TypeVar("T")


@frozen
class Tool:
    """A function from an instance of one class to an instance of another."""

    takes: type[Any]
    gives: type[Any]
    run: Callable[[Any], Any]

    @property
    def definition(self) -> types.Tool:
        """The tool as it is published: both schemas with their keywords."""
        return types.Tool(
            name=self.run.__name__,
            description=describe(self.takes).description,
            input_schema=json_schema(self.takes),
            output_schema=json_schema(self.gives),
        )

    def call(self, arguments: Any, registry: ArtifactRegistry) -> types.CallToolResult:
        """Return the result of a call; what does not fit is told to the model line by line."""
        violations: list[str] = []
        try:
            request = registry.held(convert(arguments, self.takes), violations)
        except MappingError as error:
            violations = [f"{problem.path}: {problem.message}" for problem in error.problems]
        if violations:
            return types.CallToolResult(content=[_text("\n".join(violations))], is_error=True)
        result = self.run(request)
        registry.index_reachable_from(result)  # whatever leaves has a reference, so that it can come back
        return types.CallToolResult(
            content=[_text(write_compact(result))], structured_content=value_to_tree(result)
        )


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


def make_server(name: str, tools: Sequence[Tool], registry: ArtifactRegistry) -> Server[Any]:
    """Return a server of *tools*, whose artifacts *registry* keeps."""
    by_name = {tool.run.__name__: tool for tool in tools}

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool.definition for tool in tools])

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return by_name[params.name].call(params.arguments or {}, registry)

    return Server(name, on_list_tools=list_tools, on_call_tool=call_tool)


class RefusedError(Exception):
    """The server refused the arguments; its lines say why."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.lines = lines


async def call(client: Client, name: str, request: Any) -> types.CallToolResult:
    """Call a tool with the wire form of *request*: an instance, or a tree that a model wrote."""
    return await client.call_tool(name, value_to_tree(request))


def result_of(called: types.CallToolResult, gives: type[T]) -> T:
    """Return the result of a call as an instance; its artifacts are of the classes that they are named by."""
    if called.is_error:
        raise RefusedError(called.content[0].text.splitlines())
    return convert(called.structured_content, gives)
