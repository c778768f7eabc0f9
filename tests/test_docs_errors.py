"""
The page of errors lists every message that the code can say.

A message is found where it is made: in what an error, a problem or a warning is given, and in what is
assigned to or returned as the words for one. Its fixed words have to stand in one row of the page.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "nucleo_schema"
ROWS = [
    line.replace("\\|", "|").replace("\\\\", "\\")
    for line in (ROOT / "docs" / "errors.md").read_text("utf-8").splitlines()
]

#: What is called with the words of a message.
SAID = re.compile(
    r"(Error|Refused|Mismatch|mismatch|Problem|_unreadable|_refuse|_required|as_object|as_array|warning)$"
)
#: The names under which the words of a message go before it is raised.
WORDS = {"msg", "message", "fault", "reason", "several", "expected", "what"}
#: The functions whose result is the words of a message.
WORDINGS = {"__str__", "_cause", "_fault", "_whole_expected", "decode_whole", "problem_lines", "correction"}
WORD = re.compile(r"[A-Za-z]+")


def said_in(tree):
    """Yield the expressions of a module that give the words of a message."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if SAID.search(name):
                yield from node.args
        elif isinstance(node, ast.Assign):
            names = {getattr(target, "id", getattr(target, "attr", "")) for target in node.targets}
            if names & WORDS:
                yield node.value
        elif isinstance(node, ast.FunctionDef) and node.name in WORDINGS:
            yield from (part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value)


def sentences(expression):
    """Yield the fixed parts of each text in an expression: those between what differs from case to case."""
    if isinstance(expression, ast.Constant):
        if isinstance(expression.value, str) and WORD.search(expression.value):
            yield expression.value.split("%s")
    elif isinstance(expression, ast.JoinedStr):
        fixed = [part.value for part in expression.values if isinstance(part, ast.Constant)]
        yield [line for part in fixed for line in part.splitlines() if WORD.search(line)]
    elif isinstance(expression, (ast.BoolOp, ast.IfExp)):
        for part in ast.iter_child_nodes(expression):
            yield from sentences(part)


MESSAGES = [
    pytest.param(parts, id=f"{path.relative_to(PACKAGE)}:{expression.lineno}")
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.parent.name != "_cli" or path.stem == "targets"
    for expression in said_in(ast.parse(path.read_text("utf-8")))
    for parts in sentences(expression)
    if parts
]


def test_messages_are_found():
    """The search has not gone blind."""
    assert len(MESSAGES) > 100


@pytest.mark.parametrize("parts", MESSAGES)
def test_every_message_is_on_the_page(parts):
    """Its fixed words stand together in one line, so that whoever searches for them finds what to do."""
    fixed = [part.strip() for part in parts]

    assert any(all(part in row for part in fixed) for row in ROWS), fixed
