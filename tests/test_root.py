"""The front door: every public name is there, and nothing is loaded before it is asked for."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import nucleo_schema as ns
from nucleo_schema import aliases

MODULES = ("aliases", "artifact_tools", "formatters", "keywords", "references")


def printed_by(code):
    """Return what *code* prints in a process that has imported nothing."""
    package_root = str(Path(ns.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": package_root},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def declared_imports():
    """Return what type checkers see the root import: each name with its module."""
    tree = ast.parse(Path(ns.__file__).with_suffix(".pyi").read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module for node in imports for alias in node.names}


def test_type_checkers_and_programs_find_one_thing_under_each_name():
    """What is imported for type checkers only is what is loaded, and all of it is public."""
    declared = declared_imports()

    assert sorted(declared) == sorted(ns.__all__)
    for name, module in declared.items():
        full_name = f"nucleo_schema.{module or name}"
        __import__(full_name)
        home = sys.modules[full_name]
        assert getattr(ns, name) is (home if module is None else getattr(home, name))


def test_all_names_are_listed_before_they_are_loaded():
    """``dir`` is what a console completes from."""
    names = printed_by(
        "import nucleo_schema as ns; print(*[n for n in ns.__all__ if n not in dir(ns)], 'end')"
    )

    assert names == "end"
    assert set(ns.__all__) <= set(dir(ns))


def test_a_star_import_brings_all_names():
    """And nothing that is not public."""
    namespace = {}
    exec("from nucleo_schema import *", namespace)  # noqa: S102  it cannot be written inside a function

    assert sorted(namespace.keys() - {"__builtins__"}) == sorted(ns.__all__)


@pytest.mark.parametrize("name", ["nothing_of_this_name", "_home_of", "orjson", "__path_of__"])
def test_a_name_that_is_not_there_is_the_usual_error(name):
    """``hasattr`` and ``getattr`` with a default work."""
    assert not hasattr(ns, name)
    assert getattr(ns, name, 1) == 1
    with pytest.raises(AttributeError, match=f"module 'nucleo_schema' has no attribute '{name}'"):
        getattr(ns, name)


def test_a_module_is_the_same_however_it_is_imported():
    """By the root, by name, or from the root."""
    for name in MODULES:
        found = printed_by(
            f"import nucleo_schema.{name} as by_name; import nucleo_schema as ns; "
            f"from nucleo_schema import {name} as from_root; print(by_name is ns.{name} is from_root)"
        )
        assert found == "True"


def test_the_bare_import_loads_nothing_else():
    """No dependency, and no module of our own."""
    code = "import sys; before = set(sys.modules); import nucleo_schema; print(*set(sys.modules) - before)"
    loaded = printed_by(code).split()

    assert [name for name in loaded if name.startswith("nucleo_schema")] == ["nucleo_schema"]
    assert not {"attr", "attrs", "cattrs", "orjson", "pyjson5", "pendulum"} & set(loaded)


def test_reading_and_writing_load_neither_pendulum_nor_the_command_line():
    """They are loaded by those who use them."""
    loaded = printed_by(
        "import sys; from nucleo_schema import *; from attrs import make_class; "
        "C = make_class('C', ['a']); write(parse('{\"a\": 1}', C)); describe(C); print(*sys.modules)"
    ).split()

    assert not [name for name in loaded if name.startswith(("pendulum", "nucleo_schema._cli"))]


def test_threads_may_ask_for_the_first_names_at_once():
    """Each finds the one object that there is."""
    found = printed_by(
        "import threading, nucleo_schema as ns\n"
        "found, start = [], threading.Barrier(16)\n"
        "def look():\n"
        "    start.wait()\n"
        "    found.append(tuple(id(getattr(ns, name)) for name in ns.__all__))\n"
        "threads = [threading.Thread(target=look) for _ in range(16)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        "print(len(found), len(set(found)))"
    )

    assert found == "16 1"


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("list", "ListArtifact"),
        ("link", "LinkArtifact"),
        ("link:page", "WebPageArtifact"),
        ("link:cite", "CitationArtifact"),
        ("code", "CodeArtifact"),
        ("person", "PersonArtifact"),
    ],
)
def test_a_shipped_artifact_is_known_before_it_is_imported(alias, name):
    """Its alias resolves, and no other class can take it."""
    assert aliases.resolve_alias(alias) is getattr(ns, name)
    assert aliases.resolve_alias_with_fallback(f"{alias}:more") is getattr(ns, name)
    found = printed_by(
        "from nucleo_schema import Artifact, DuplicateAliasError, aliases, type_alias\n"
        "from attrs import define\n"
        f"Mine = type_alias({alias!r})(define(type('Mine', (Artifact,), {{}})))\n"
        "try:\n    aliases.register(Mine)\n"
        "except DuplicateAliasError as error:\n    print(error)\n"
        f"print(aliases.resolve_alias({alias!r}).__name__)"
    ).splitlines()
    assert name in found[0]
    assert found[1] == name


def test_no_shipped_artifact_is_left_out():
    """Every aliased class of the root is known by its alias."""
    classes = [getattr(ns, name) for name in ns.__all__]
    artifacts = [cls for cls in classes if isinstance(cls, type) and issubclass(cls, ns.Artifact)]

    assert {aliases.get_alias(cls) for cls in artifacts if cls is not ns.Artifact} == set(aliases._SHIPPED)
