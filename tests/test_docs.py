"""
What the documentation shows is what happens.

On each page a ``python`` block runs after those before it and in their namespace, and one that starts with
``>>>`` is a doctest. A block with a title is saved under it and not run; one that requires a package
of others is left out where that is not installed. In a ``console`` block, what follows ``$`` is run, and it
prints what the block shows, where a line ``...`` or dots within a line stand for anything. A ``sh`` block
makes an environment or needs one, and is for the checks of the project to run.
"""

import doctest
import importlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import nucleo_schema
from nucleo_schema import errors

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r'^(?P<fence>`{3,})(?P<language>\w+)(?: title="(?P<title>[^"]+)")?(?: requires="(?P<requires>[^"]+)")?\n'
    r"(?P<code>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
OPENING = re.compile(r"^`{3,}(?!\{)[^`\n]+$", re.MULTILINE)
REFERENCE = re.compile(
    r"^\.\. (?P<kind>auto\w+|py:data):: (?P<name>[\w.]+)(?:\n   :module: (?P<module>\w+))?$", re.MULTILINE
)
LINK = re.compile(r"(?<!!)\[[^]]*\]\((?!https?://|#)([^)#]+)")
TIMEOUT_S = 120


def blocks(page):
    """Yield the line, language, title and code of each block of *page* that can run here."""
    text = page.read_text("utf-8")
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("code")) + 1
        if match["requires"] is None or importlib.util.find_spec(match["requires"]) is not None:
            yield line, match["language"], match["title"], match["code"]


def run_python(code, page, line, namespace):
    """Run a ``python`` block, so that a traceback names the page and its line."""
    if code.startswith(">>>"):
        test = doctest.DocTestParser().get_doctest(code, namespace, page.name, str(page), line - 1)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        assert runner.run(test, clear_globs=False).failed == 0
        namespace.update(test.globs)
        return
    # The newlines put the code on the lines that it has in the page.
    exec(compile("\n" * (line - 1) + code, page, "exec"), namespace)  # noqa: S102  our own documentation


def run_console(code, directory, environment):
    """Run the commands of a ``console`` block and compare what they print."""
    for session in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, _, expected = session.partition("\n")
        done = subprocess.run(  # noqa: S602  the commands are our own, and readers have a shell
            command,
            shell=True,
            cwd=directory,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT_S,
            check=False,
        )
        pattern = re.escape(expected).replace(re.escape("..."), ".*?")
        printed = done.stdout.decode("utf-8")
        assert re.fullmatch(pattern, printed, re.DOTALL), f"$ {command}\n{printed}"
        assert "Traceback" not in printed


@pytest.fixture
def environment(tmp_path):
    """Return an environment whose ``nucleo-schema`` is the one under test."""
    script = tmp_path / "bin" / "nucleo-schema"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m nucleo_schema "$@"\n', "utf-8")
    script.chmod(0o755)
    package = Path(nucleo_schema.__file__).parents[1]
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(package)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_does_what_it_shows(page, tmp_path, monkeypatch, environment):
    """The blocks of a page run from the first to the last, in a directory of their own."""
    directory = tmp_path / "work"
    directory.mkdir()
    monkeypatch.chdir(directory)
    monkeypatch.syspath_prepend(directory)
    namespace = {"__name__": "__main__"}
    for line, language, title, code in blocks(page):
        if title:
            (directory / title).write_text(code, "utf-8")
            monkeypatch.delitem(sys.modules, Path(title).stem, raising=False)
        elif language == "python":
            run_python(code, page, line, namespace)
        elif language == "console":
            run_console(code, directory, environment)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_is_of_a_kind_that_is_run(page):
    """What a reader copies is checked: code in other languages, or under a misspelled one, has no place."""
    text = page.read_text("utf-8")
    found = list(BLOCK.finditer(text))
    inside = [(match.start("code"), match.end("code")) for match in found]
    openings = [m for m in OPENING.finditer(text) if not any(a <= m.start() < b for a, b in inside)]

    assert len(openings) == len(found)
    assert {match["language"] for match in found} <= {"python", "console", "text", "sh"}
    assert all(match["title"] for match in found if match["language"] == "text")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    """A link inside the project names a file that is there."""
    assert [link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()] == []


def test_the_readme_has_its_two_commands():
    """Each is one line that makes the environment it needs; ``.ci/run`` takes the second from here."""
    commands = [code.splitlines() for _, language, _, code in blocks(ROOT / "README.md") if language == "sh"]

    assert [len(lines) for lines in commands] == [1, 1]
    assert all(lines[0].startswith("python3 -m venv .venv && ") for lines in commands)
    assert commands[0][0].endswith("nucleo-schema demo")
    assert commands[1][0].endswith(".venv/bin/pytest")


def test_the_readme_compares_this_library_as_it_is(monkeypatch):
    """Its row is what the command prints; those of the others need them installed."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT)])
    comparison = importlib.import_module("benchmarks.comparison")

    own = next(row for row in comparison.rows() if "nucleo-schema" in row)

    assert own in (ROOT / "README.md").read_text("utf-8").splitlines()


def public_names():
    """Yield every name that is public: of the package and of its modules."""
    modules = [name for name in nucleo_schema.__all__ if isinstance(getattr(nucleo_schema, name), ModuleType)]
    yield from (f"nucleo_schema.{name}" for name in nucleo_schema.__all__ if name not in modules)
    for name in modules:
        module = importlib.import_module(f"nucleo_schema.{name}")
        yield from (f"{module.__name__}.{member}" for member in module.__all__)
    yield from (f"nucleo_schema.{name}" for name in errors.__all__)


def test_the_reference_has_every_public_name():
    """A name that can be imported is described, on one page and no more."""
    described = []
    for page in sorted((ROOT / "docs" / "reference").glob("*.md")):
        for entry in REFERENCE.finditer(page.read_text("utf-8")):
            name = f"{entry['module']}.{entry['name']}" if entry["module"] else entry["name"]
            if entry["kind"] == "automodule":
                described += [f"{name}.{member}" for member in importlib.import_module(name).__all__]
            else:
                described.append(name)

    assert sorted(described) == sorted(set(public_names()))
