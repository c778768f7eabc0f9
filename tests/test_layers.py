"""Imports inside the package are relative and point down, without a circle."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "nucleo_schema"

#: The folders, each on top of those before it: describing reads and writes the examples of a class.
FOLDERS = [
    "_declare",
    "_schemas",
    "_dialects",
    "_read",
    "_write",
    "_describe",
    "_artifacts",
    "_answers",
    "_cli",
]
#: The modules below all folders, each on top of those before it.
GROUND = ["_forks", "_building", "_wording", "errors"]


def module_name(path):
    """Return the name of the module in *path* below the package, "" for its root."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported(name):
    """Yield the modules of the package that the module *name* imports, wherever in it."""
    path = MODULES[name]
    inside = [*name.split("."), "__init__"] if path.stem == "__init__" and name else name.split(".")
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = inside[: len(inside) - node.level] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                member = ".".join([*base, alias.name])
                yield member if member in MODULES else ".".join(base)


GRAPH = {name: set(imported(name)) - {name} for name in MODULES}


def rank(name):
    """Return how high the module *name* stands, or None where only the absence of circles counts."""
    top = name.split(".")[0]
    if top in GROUND:
        return GROUND.index(top) - len(GROUND)
    return FOLDERS.index(top) if top in FOLDERS else None


def test_no_module_imports_itself_on_a_way_round():
    """The graph of imports has no circle."""
    order = list(TopologicalSorter(GRAPH).static_order())

    assert set(order) == set(MODULES)


@pytest.mark.parametrize("name", [name for name in MODULES if rank(name) is not None])
def test_imports_point_down(name):
    """A module imports from its own folder and from those before it, the ground modules from below only."""
    above = {other for other in GRAPH[name] if rank(other) is not None and rank(other) > rank(name)}

    assert above == set()


@pytest.mark.parametrize("name", [name for name in MODULES if name.split(".")[0] not in {"_cli", "__main__"}])
def test_only_the_command_line_uses_the_front_door(name):
    """The library itself never imports from its own root."""
    assert "" not in GRAPH[name]


@pytest.mark.parametrize("name", MODULES)
def test_imports_inside_are_relative(name):
    """No module names the package that it is part of."""
    tree = ast.parse(MODULES[name].read_text("utf-8"))
    absolute = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    absolute += [
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    ]

    assert [name for name in absolute if name.split(".")[0] == "nucleo_schema"] == []
