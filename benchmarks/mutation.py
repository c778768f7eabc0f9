"""
How much of a change to the library the tests notice: its functions are altered in one place at a time.

``python -m benchmarks.mutation MODULE... -- PYTEST_ARGUMENT...`` collects the tests once, finds which of them
call which function, and runs for each mutant those that call the altered one, in a fork, until one fails. It
prints a line for each mutant that all of them let pass, and the figures of each module.

Only what runs inside functions is altered: a constant of a module has long been read when tests run.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import json
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

#: A mutant that is alive after so much processor time of tests has survived.
BUDGET_S = 12
#: A test that takes longer hangs, which is noticed.
HANGS_S = 20
#: Tests that take no longer than this go first.
QUICK_S = 0.05

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {}
for _one, _other in [
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
    (ast.And, ast.Or),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
    (ast.BitOr, ast.BitAnd),
    (ast.LShift, ast.RShift),
    (ast.Continue, ast.Break),
]:
    _SWAPPED |= {_one: _other, _other: _one}
_SWAPPED[ast.Mod] = ast.FloorDiv

_Key = tuple[str, str, int]
_Mutation = Callable[[Any], ast.AST]


def _set(**attributes: Any) -> _Mutation:
    def mutate(node: Any) -> ast.AST:
        for name, value in attributes.items():
            setattr(node, name, value)
        return node

    return mutate


def _mutations(node: Any) -> Iterator[tuple[str, _Mutation]]:
    """Yield what can be done to a node: a word for it, and the function that does it."""
    yield from _of_operators(node)
    yield from _of_constants(node)
    yield from _of_branches(node)


def _of_operators(node: Any) -> Iterator[tuple[str, _Mutation]]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                if swapped := _SWAPPED.get(type(operator)):
                    operators = [*node.ops[:index], swapped(), *node.ops[index + 1 :]]
                    yield f"operator {index} to {swapped.__name__}", _set(ops=operators)
        case ast.BoolOp():
            yield "and or", _set(op=_SWAPPED[type(node.op)]())
            for index in range(len(node.values)):
                rest = [*node.values[:index], *node.values[index + 1 :]]
                yield f"without operand {index}", _set(values=rest)
        case ast.BinOp() | ast.AugAssign() if swapped := _SWAPPED.get(type(node.op)):
            yield f"operator to {swapped.__name__}", _set(op=swapped())
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "without sign", lambda node: node.operand


def _of_constants(node: Any) -> Iterator[tuple[str, _Mutation]]:
    match node:
        case ast.Constant(value=bool()):
            yield "other truth", _set(value=not node.value)
        case ast.Constant(value=int()):
            yield "one more", _set(value=node.value + 1)
        case ast.Constant(value=str()):
            yield "other text", _set(value=f"XX{node.value}")
        case ast.Constant(value=bytes()):
            yield "other text", _set(value=b"XX" + node.value)


def _of_branches(node: Any) -> Iterator[tuple[str, _Mutation]]:
    match node:
        case ast.IfExp():
            yield "other way round", _set(body=node.orelse, orelse=node.body)
        case ast.If() | ast.While():
            yield "other way round", _set(test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Return(value=ast.Constant(value=None)):
            pass
        case ast.Return(value=ast.expr()):
            yield "return None", _set(value=ast.Constant(None))
        case ast.Continue() | ast.Break():
            yield "continue or break", lambda node: _SWAPPED[type(node)]()
        case ast.Raise() | ast.Expr(value=ast.Call()):
            yield "left out", lambda _: ast.Pass()


def _inside_functions(node: ast.AST, *, inside: bool = False) -> Iterator[ast.AST]:
    """Yield the nodes of functions that run when these are called, without docstrings."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not is_docstring:
                if inside:
                    yield child
                yield from _inside_functions(
                    child, inside=inside or isinstance(child, (ast.FunctionDef, ast.Lambda))
                )


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def _mutants(path: str) -> Iterator[tuple[str, CodeType]]:
    """Yield each mutant of a module: what was done where, and its code."""
    source = Path(path).read_text("utf-8")
    for position, node in enumerate(_inside_functions(ast.parse(source))):
        for number, (word, _) in enumerate(_mutations(node)):
            tree = ast.parse(source)
            old: Any = list(_inside_functions(tree))[position]
            shown = " ".join(ast.unparse(old).split())[:80]
            new = list(_mutations(old))[number][1](old)
            if isinstance(new, ast.BoolOp) and len(new.values) == 1:
                new = new.values[0]
            tree = _Replace(old, ast.copy_location(new, old)).visit(tree)
            with contextlib.suppress(SyntaxError):
                code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
                yield f"{path}:{old.lineno}: {word}: {shown}", code


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _key(code: CodeType) -> _Key:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _changed(original: CodeType, mutant: CodeType) -> dict[CodeType, CodeType]:
    pairs = zip(_codes(original), _codes(mutant), strict=False)
    return {old: new for old, new in pairs if old != new and old.co_name != "<module>"}


def _put_in(changed: dict[CodeType, CodeType]) -> bool:
    """Give the functions of this process the code of a mutant; return whether there were any."""
    functions = [one for one in gc.get_objects() if isinstance(one, FunctionType) and one.__code__ in changed]
    with contextlib.suppress(ValueError):  # it uses fewer variables of the function around it
        for function in functions:
            function.__code__ = changed[function.__code__]
        return bool(functions)
    return False


class Check:
    """The plugin that runs the collected tests against the mutants of some modules."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = [str(Path(path).resolve()) for path in paths]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests in our own way."""
        callers, seconds = self._callers(session.items)
        for path in self.paths:
            original = compile(Path(path).read_text("utf-8"), path, "exec", dont_inherit=True)
            figures: Counter[str] = Counter()
            for shown, mutant in _mutants(path):
                changed = _changed(original, mutant)
                names = [code.co_qualname for code in changed]
                innermost = [
                    code for code in changed if not any(n.startswith(f"{code.co_qualname}.") for n in names)
                ]
                tests = set().union(*(callers[_key(code)] for code in innermost))
                quick_first = sorted(tests, key=lambda n: (seconds[n] > QUICK_S, n * 7919 % 10007))
                if not tests:
                    continue  # the same code after all, or a function that runs at import
                end = self._end(lambda todo=quick_first, new=changed: self._fails(session.items, todo, new))
                figures[end] += 1
                if end == "survived":
                    print(f"{shown} ({len(tests)} tests)", flush=True)
            print(f"{path}: {sum(figures.values())} mutants, {dict(figures)}", flush=True)
        return True

    def _callers(self, items: list[pytest.Item]) -> tuple[dict[_Key, set[int]], list[float]]:
        """Return the numbers of the tests that call each function, and how long each takes, from a fork."""
        reader, writer = os.pipe()
        if not os.fork():
            self._write_callers(items, writer)
        os.close(writer)
        with os.fdopen(reader) as stream:
            callers, seconds = json.load(stream)
        os.wait()
        return defaultdict(set, {tuple(key): set(numbers) for key, numbers in callers}), seconds

    def _write_callers(self, items: list[pytest.Item], writer: int) -> None:
        called: dict[_Key, set[int]] = defaultdict(set)
        seconds: list[float] = []

        def note(frame: FrameType, _event: str, _argument: Any) -> None:
            if frame.f_code.co_filename in self.paths:
                called[_key(frame.f_code)].add(len(seconds))

        _be_quiet()
        for item in items:
            start = time.perf_counter()
            sys.settrace(note)
            runtestprotocol(item, log=False, nextitem=None)
            sys.settrace(None)
            seconds.append(time.perf_counter() - start)
        with os.fdopen(writer, "w") as stream:
            json.dump(([(key, sorted(numbers)) for key, numbers in called.items()], seconds), stream)
        os._exit(0)

    @staticmethod
    def _fails(items: list[pytest.Item], numbers: list[int], changed: dict[CodeType, CodeType]) -> int:
        if not _put_in(changed):
            return 2
        start = time.process_time()
        for number in numbers:
            if time.process_time() - start > BUDGET_S:
                break
            signal.alarm(HANGS_S)
            if any(report.failed for report in runtestprotocol(items[number], log=False, nextitem=None)):
                return 1
        return 0

    @staticmethod
    def _end(fails: Callable[[], int]) -> str:
        child = os.fork()
        if not child:
            _be_quiet()
            status = 1
            with contextlib.suppress(BaseException):
                status = fails()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return {0: "survived", 2: "not run"}.get(status, "killed")


def _be_quiet() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


if __name__ == "__main__":
    cut = sys.argv.index("--")
    sys.exit(
        pytest.main(["-q", "-s", "-W", "ignore", *sys.argv[cut + 1 :]], plugins=[Check(sys.argv[1:cut])])
    )
