"""Many threads at once give what one gives, and what is read, refused or held crosses processes whole."""

from __future__ import annotations

import copy
import importlib
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from types import ModuleType
from typing import Any

import attrs
import pytest
from attrs import define, field
from hypothesis import HealthCheck, assume, given, reject, settings

import nucleo_schema as ns
from nucleo_schema import errors, keywords
from nucleo_schema._read import readers
from nucleo_schema._write import session

from .strategies import classes_with_instances

THREADS = 8


@pytest.fixture
def impatient() -> Iterator[None]:
    """Let threads give way to each other as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def together(work: Callable[[int], Any], threads: int = THREADS) -> list[Any]:
    """Return what *work* gives in each of some threads that start at once; an error is a result too."""
    barrier = threading.Barrier(threads)
    results: list[Any] = [None] * threads

    def run(number: int) -> None:
        barrier.wait(timeout=60)
        try:
            results[number] = work(number)
        except BaseException as error:  # noqa: BLE001
            results[number] = error

    running = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join(timeout=120)
    assert not any(thread.is_alive() for thread in running)
    return results


# --- threads ------------------------------------------------------------------------------------------------


def everything(cls: type[Any], instance: Any) -> tuple[Any, ...]:
    """Return all that can be asked of a class and an instance, in a form that compares."""
    text = ns.write(instance)
    return (
        text,
        ns.write_summarized_compact(instance),
        json.dumps(ns.json_schema(cls)),
        json.dumps(ns.llm_schema(cls)),
        keywords.for_model(ns.describe(cls).to_json_schema()),
        ns.write(ns.parse(text, cls)),
        ns.write(ns.parse_llm_response(f"So: {text}", cls)),
        ns.write(ns.convert(json.loads(text), cls)),
        refusal(cls),
    )


def refusal(cls: type[Any]) -> str:
    """Return the words for a reply that fits no class."""
    try:
        return ns.write(ns.parse_llm_response('{"@fields": [5]}', cls))
    except ns.MappingError as error:
        return str(error)


@pytest.mark.usefixtures("impatient")
@settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(classes_with_instances())
def test_threads_that_meet_a_class_at_once_all_see_what_one_sees(drawn: tuple[type[Any], Any]) -> None:
    """Describing, reading, refusing and writing a class that nobody has seen, each thread in another order."""
    cls, instance = drawn
    order = [
        lambda: ns.write(instance),
        lambda: ns.json_schema(cls),
        lambda: ns.llm_schema(cls),
        lambda: ns.parse(ns.write(instance), cls),
        lambda: refusal(cls),
    ]

    def work(number: int) -> tuple[Any, ...]:
        order[number % len(order)]()
        return everything(cls, instance)

    results = together(work)

    assert results == [everything(cls, instance)] * THREADS
    assert ns.make_converter().unstructure(instance) == json.loads(results[0][0])


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[str]:
    """Return the names of the classes for which the function *name* of a module makes something, from now on."""
    made: list[str] = []
    make = getattr(module, name)

    def count(first: Any, *rest: Any, **named: Any) -> Any:
        made.append(getattr(first, "spec", first).name)
        return make(first, *rest, **named)

    monkeypatch.setattr(module, name, count)
    return made


@define
class Leaf:
    number: int = 0


@define
class Branch:
    leaves: list[Leaf] = field(factory=list)
    twigs: list[Branch] = field(factory=list)
    root: Root | None = None


@define
class Root:
    branches: list[Branch] = field(factory=list)
    other: Leaf | None = None


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("classes", [[Root], [Root, Branch, Leaf]])
def test_threads_that_meet_a_class_at_once_share_what_is_made_for_it(
    monkeypatch: pytest.MonkeyPatch, classes: list[type[Any]]
) -> None:
    """Each reader and writer is made once, whichever class of a cycle a thread begins with."""
    read = counted(monkeypatch, readers, "generate_reader")
    written = counted(monkeypatch, session, "generate_writer")
    converter = ns.make_converter()
    leaf = Leaf(1)
    root = Root([Branch([leaf], [Branch()])], leaf)

    def work(number: int) -> tuple[Any, Any]:
        first = classes[number % len(classes)]
        converter.structure({}, first)
        converter.unstructure(first())
        tree = converter.unstructure(root)
        return tree, converter.structure(tree, Root)

    results = together(work)

    assert results == [(results[0][0], root)] * THREADS
    assert sorted(read) == sorted(written) == ["Branch", "Leaf", "Root"]


def test_a_hook_that_is_registered_later_is_used_by_every_reader_after_it() -> None:
    """What was made before is not shared with those who ask afterwards."""
    converter = ns.make_converter()
    assert converter.structure({"other": {"number": 1}}, Root) == Root(other=Leaf(1))

    converter.register_structure_hook(Leaf, lambda _value, _: Leaf(7))
    converter.register_unstructure_hook(Leaf, lambda leaf: leaf.number)

    assert converter.structure({"other": {"number": 1}}, Root) == Root(other=Leaf(7))
    assert converter.unstructure(Root(other=Leaf(1)))["other"] == 1


def test_a_factory_of_a_host_for_everything_takes_over() -> None:
    """It is given what it is asked for, and what it does not hand on is not ours."""
    converter = ns.make_converter()
    ours = converter.get_structure_hook(Leaf)
    asked: list[Any] = []

    @converter.register_structure_hook_factory(lambda _: True)
    def everything(annotation: Any) -> Callable[[Any, Any], Any]:
        asked.append(annotation)
        return ours

    assert converter.structure({"number": 1}, Leaf) == Leaf(1)
    assert asked == [Leaf]


@pytest.mark.usefixtures("impatient")
def test_threads_that_register_one_class_under_its_alias_agree() -> None:
    """Two classes under one alias: one of them stands, and every other thread is told which."""
    for number in range(10):
        made = [
            ns.type_alias(f"hammer:n{number}")(attrs.make_class(f"Hammer{index}", {}, bases=(ns.Artifact,)))
            for index in range(THREADS)
        ]

        results = together(lambda index, made=made: ns.aliases.get_alias(made[index]))

        standing = ns.aliases.resolve_alias(f"hammer:n{number}")
        for cls, result in zip(made, results, strict=True):
            if cls is standing:
                assert result == f"hammer:n{number}"
            else:
                assert isinstance(result, ns.DuplicateAliasError)
                assert (result.registered, result.refused) == (standing, cls)


@pytest.mark.usefixtures("impatient")
def test_threads_with_registries_of_their_own_do_not_meet() -> None:
    """Each registry holds its own objects, and no two of its references are one."""

    def work(number: int) -> tuple[int, bool]:
        registry = ns.ArtifactRegistry()
        links = [ns.LinkArtifact(f"{number}.{index}") for index in range(100)]
        references = [registry.register(link) for link in links]
        violations: list[str] = []
        held = registry.held(
            [ns.LinkArtifact(artifact_ref=reference) for reference in references], violations
        )
        same = all(one is other for one, other in zip(held, links, strict=True))
        return len(set(references)), same and not violations

    assert together(work) == [(100, True)] * THREADS


# --- pickles ------------------------------------------------------------------------------------------------


def pickled(value: Any) -> list[Any]:
    """Return *value* as it comes out of a pickle of every protocol that takes all names, and out of a copy."""
    again = [
        pickle.loads(pickle.dumps(value, protocol)) for protocol in range(3, pickle.HIGHEST_PROTOCOL + 1)
    ]
    return [*again, copy.deepcopy(value)]


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(classes_with_instances())
def test_what_was_read_pickles(drawn: tuple[type[Any], Any]) -> None:
    """It holds nothing but plain values: no number remembers its text, and nothing refers to a reader."""
    cls, instance = drawn
    reply = f"So: {ns.write(instance)} # and that is it"
    read = ns.parse_llm_response(reply, cls)
    try:
        assume(pickle.loads(pickle.dumps(instance)) == instance)
    except AttributeError:  # attrs loses members of a class with a dict below one with slots
        reject()

    for again in pickled(read):
        assert type(again) is cls
        assert again == instance
        assert ns.write(again) == ns.write(instance)


class Plain(pickle.Unpickler):
    """Finds no class of this library."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the class of that name, unless it is ours."""
        assert not module.startswith("nucleo_schema"), f"{module}.{name}"
        return super().find_class(module, name)


@pytest.mark.parametrize(
    "text", ['{a: [+1, 1.10, -0, 1e3, 0x1F, 10000000000000000000000, .5, "x"]}', "[1.0, NaN]"]
)
def test_untyped_data_pickles_without_the_library(text: str, tmp_path: Any) -> None:
    """A process that lacks it reads the data all the same."""
    path = tmp_path / "data"
    path.write_bytes(pickle.dumps(ns.parse(text, Any)))

    with path.open("rb") as file:
        assert repr(Plain(file).load()) == repr(ns.parse(text, Any))


def an_error_of(kind: type[ns.NucleoError]) -> ns.NucleoError:
    """Return an error of a public class, with something in each attribute."""
    arguments: dict[type[ns.NucleoError], tuple[Any, ...]] = {
        ns.MappingError: (dict[str, int], (ns.Problem("a[1].b", "found null"), ns.Problem("", "wörds"))),
        ns.DuplicateAliasError: ("a:b", ns.LinkArtifact, ns.CodeArtifact),
        ns.MissingTypeAliasError: ((ns.Artifact, ns.LinkArtifact),),
        ns.ResponseRefused: (("a: missing", "b: blank"),),
    }
    return kind(*arguments.get(kind, ("wörds",)))


PUBLIC_ERRORS = [
    value
    for name in errors.__all__
    if isinstance(value := getattr(errors, name), type) and issubclass(value, BaseException)
]


@pytest.mark.parametrize("kind", PUBLIC_ERRORS)
def test_every_public_error_comes_out_of_a_pickle_whole(kind: type[ns.NucleoError]) -> None:
    """Class, message, arguments and attributes; also what a host has noted on it."""
    error = an_error_of(kind)
    error.host = ["noted"]  # type: ignore[attr-defined]

    for again in pickled(error):
        assert type(again) is kind
        assert str(again) == str(error)
        assert again.args == error.args
        assert vars(again) == vars(error)


def test_artifacts_pickle_with_their_references_and_summaries() -> None:
    """What a process has summarized is not summarized again in another."""
    page = ns.WebPageArtifact(title="t", content="words " * 3_000)
    registry = ns.ArtifactRegistry()
    registry.register(page)
    text = ns.write_summarized(page)

    for again in pickled(page):
        assert again == page
        assert again.artifact_ref == page.artifact_ref
        assert again.cached_summary("content") == page.cached_summary("content") is not None
        assert ns.write_summarized(again) == text


# --- processes ----------------------------------------------------------------------------------------------

WORKER = '''
"""What the worker processes run."""

import os
from attrs import define, field
import nucleo_schema as ns


@ns.type_alias("worker-record")
@define
class Record(ns.Artifact):
    number: int
    links: list[ns.LinkArtifact] = field(factory=list)


ns.aliases.register(Record)  # as init() does: a new process has seen no instance of it


@define
class Answer:
    text: str
    records: list[Record] = field(factory=list)


def read(raw):
    return os.getpid(), ns.parse_llm_response(raw, Answer)


def describe():
    return ns.json_schema(Answer), ns.llm_schema(Answer)


def restore(snapshot):
    registry = ns.ArtifactRegistry.from_snapshot(snapshot)
    return registry, registry.to_snapshot()


def refuse(error):
    raise error
'''

START_METHODS = [
    name for name in ("fork", "spawn", "forkserver") if name in multiprocessing.get_all_start_methods()
]


@pytest.fixture
def worker(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Give a module that worker processes can import."""
    (tmp_path / "nucleo_test_worker.py").write_text(WORKER, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("nucleo_test_worker")
    del sys.modules["nucleo_test_worker"]


@pytest.fixture(params=START_METHODS)
def pool(request: pytest.FixtureRequest, worker: ModuleType) -> Iterator[ProcessPoolExecutor]:
    """Give worker processes, started in each way that there is; this one has read and described before."""
    worker.describe()
    worker.read('{"text": "warm"}')
    context = multiprocessing.get_context(request.param)
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        yield executor


def test_a_worker_reads_describes_and_restores_what_this_process_does(
    pool: ProcessPoolExecutor, worker: ModuleType
) -> None:
    """Classes, instances, schemas, snapshots and registries mean the same on both sides."""
    raw = 'So: {text: "a", records: [{artifact_ref: "worker-record~aaaaaa", number: "3"}]}'
    registry = ns.ArtifactRegistry()
    registry.register(worker.Record(1, [ns.LinkArtifact("a"), ns.LinkArtifact("b")]))
    registry.register(ns.ListArtifact([ns.CitationArtifact("c")]))
    snapshot = registry.to_snapshot()

    answers = list(pool.map(worker.read, [raw] * 20))
    described = pool.submit(worker.describe).result()
    again, again_text = pool.submit(worker.restore, snapshot).result()

    assert [answer for _, answer in answers] == [worker.read(raw)[1]] * 20
    assert os.getpid() not in {process for process, _ in answers}
    assert described == worker.describe()
    assert again_text == snapshot
    assert dict(again.artifacts_including_reachable) == dict(registry.artifacts_including_reachable)
    assert again.register(ns.LinkArtifact("new")) not in registry


def test_an_error_in_a_worker_arrives_as_it_was_raised(pool: ProcessPoolExecutor, worker: ModuleType) -> None:
    """Every public error, and one out of reading, with its attributes and its words."""
    for kind in PUBLIC_ERRORS:
        error = an_error_of(kind)
        with pytest.raises(kind) as caught:
            pool.submit(worker.refuse, error).result()
        arrived = caught.value
        assert type(arrived) is kind
        assert (str(arrived), arrived.args) == (str(error), error.args)
    with pytest.raises(ns.MappingError) as refused:
        pool.submit(worker.read, '{"records": [{"number": "many"}]}').result()
    assert refused.value.target is worker.Answer
    assert {problem.path for problem in refused.value.problems} == {"text", "records[0].number"}


FORK_SCRIPT = """
import os, sys, threading
from attrs import define
import nucleo_schema as ns

class Slow:
    pass

@define
class Waiting:
    slow: Slow

@define
class Other:
    a: int = 0

@ns.type_alias("forked")
@define
class Forked(ns.Artifact):
    text: str = ""

entered, leave = threading.Event(), threading.Event()

def factory(annotation):
    entered.set()
    leave.wait(60)
    return lambda value, _: Slow()

ns.converter.register_structure_hook_factory(lambda annotation: annotation is Slow, factory)
thread = threading.Thread(target=ns.parse, args=('{"slow": 1}', Waiting))
thread.start()
entered.wait(60)
child = os.fork()
if child == 0:
    import faulthandler
    faulthandler.dump_traceback_later(20, exit=True)
    ns.parse('{"a": "1"}', Other)
    ns.write(Other(2))
    ns.aliases.register(Forked)
    os._exit(0)
leave.set()
thread.join()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_while_another_thread_builds_a_hook_leaves_no_lock_behind() -> None:
    """The child reads classes of its own; the thread that held the lock is not there to give it back."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", FORK_SCRIPT],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr
