"""The command line: what it prints, where, and what it exits with."""

import contextlib
import importlib
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import nucleo_schema
from nucleo_schema._cli import console, demo, reading
from nucleo_schema._cli.demo_classes import look_orders_up
from nucleo_schema._cli.main import main

SHOP = """
from datetime import date
from enum import Enum

from attrs import define, field

from nucleo_schema import meta


class Status(Enum):
    PLACED = "placed"
    DELIVERED = "delivered"


@define
class Answer:
    reply: str = field(metadata=meta("The reply"))
    status: Status
    stars: int = 0
    arrives_on: date | None = None

    @define
    class Inner:
        n: int


@define
class Odd:
    number: complex


Answers = list[Answer]
LIMIT = 5


def function():
    pass
"""

ANSWER = '{"reply": "Yes – é", "status": "PLACED", "arrives_on": "6 May 2024",}'
NORMALIZED = {"reply": "Yes – é", "status": "placed", "stars": 0, "arrives_on": "2024-05-06"}
TIMEOUT_S = 60


@pytest.fixture(autouse=True)
def shop(tmp_path, monkeypatch):
    """Work in a directory of its own that has the module ``cli_shop``."""
    (tmp_path / "cli_shop.py").write_text(SHOP, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("cli_")]:
        del sys.modules[name]


@pytest.fixture
def standard_input(monkeypatch):
    """Return a function that makes bytes the standard input of this process."""

    def give(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


def environment(**more):
    """Return an environment in which a new process imports the package under test."""
    return {**os.environ, "PYTHONPATH": str(Path(nucleo_schema.__file__).parents[1]), **more}


def run(*arguments, **options):
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "nucleo_schema", *arguments]
    options = {"env": environment(), "timeout": TIMEOUT_S, **options}
    return subprocess.run(command, capture_output=True, check=False, **options)


def only_line(capsys):
    """Return the one line on standard error; nothing else was printed."""
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    return line


# --- the program --------------------------------------------------------------------------------------------


def test_the_module_runs_as_a_program():
    """``python -m nucleo_schema`` is the command line, called by its own name."""
    done = run("--help")

    assert done.returncode == 0
    assert done.stdout.startswith(b"usage: nucleo-schema ")
    assert b"examples:" in done.stdout


def test_importing_the_program_does_not_run_it():
    """A tool that imports every module of a package does not start a command."""
    module = importlib.import_module("nucleo_schema.__main__")

    assert module.main is main


def test_the_version_is_that_of_the_package(capsys, monkeypatch):
    """``--version`` tells what is installed."""
    monkeypatch.setattr("nucleo_schema._cli.main.version", lambda name: f"1.2.3 of {name}")

    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    assert capsys.readouterr().out == "nucleo-schema 1.2.3 of nucleo-schema\n"


def test_the_version_of_a_package_that_is_not_installed_is_no_error(capsys, monkeypatch):
    """A source tree on the path has no metadata to look in."""

    def version(name):
        raise nucleo_schema._cli.main.PackageNotFoundError(name)

    monkeypatch.setattr("nucleo_schema._cli.main.version", version)

    with pytest.raises(SystemExit):
        main(["--version"])

    assert capsys.readouterr().out == "nucleo-schema (not installed)\n"


@pytest.mark.parametrize("command", ["schema", "read", "demo"])
def test_every_command_has_a_help_text(command, capsys):
    """``--help`` after a command is about that command."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])

    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: nucleo-schema {command} ")


@pytest.mark.parametrize(
    "arguments", [[], ["write"], ["schema"], ["read"], ["schema", "cli_shop:Answer", "--form", "xml"]]
)
def test_wrong_usage_exits_with_2(arguments, capsys):
    """What the parser does not understand is a usage error with a usage line."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)

    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: nucleo-schema")


# --- TARGET -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["schema", "read"])
@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("cli_shop.Answer", "not of the form module:Class"),
        ("cli_shop:", "not of the form module:Class"),
        (":Answer", "not of the form module:Class"),
        (".cli_shop:Answer", "not of the form module:Class"),
        ("cli_shop:1", "not of the form module:Class"),
        ("cli_nowhere:Answer", "there is no module 'cli_nowhere'"),
        ("cli_shop.deeper:Answer", "'cli_shop.deeper'"),
        ("cli_shop:Nothing", "module cli_shop has no attribute 'Nothing'"),
        ("cli_shop:Answer.Nothing", "Answer has no attribute 'Nothing'"),
        ("cli_raises:Answer", "does not import: ZeroDivisionError: division by zero"),
        ("cli_exits:Answer", "does not import: SystemExit: 3"),
        ("cli_syntax:Answer", "does not import: SyntaxError"),
        ("cli_needs:Answer", "does not import: ModuleNotFoundError: No module named 'cli_absent'"),
        ("cli_shop:Odd", "complex"),
        ("cli_shop:function", "function"),
        ("cli_shop:LIMIT", "5"),
    ],
)
def test_a_target_that_cannot_be_used_is_one_line_and_exit_status_2(command, target, message, capsys):
    """The line says what is wrong with it."""
    Path("cli_raises.py").write_text("1 / 0", "utf-8")
    Path("cli_exits.py").write_text("raise SystemExit(3)", "utf-8")
    Path("cli_syntax.py").write_text("class", "utf-8")
    Path("cli_needs.py").write_text("import cli_absent", "utf-8")
    Path("reply.txt").write_text('{"number": 1}', "utf-8")

    assert main([command, target, *["reply.txt"][: command == "read"]]) == 2
    line = only_line(capsys)
    assert line.startswith("nucleo-schema: error: ")
    assert message in line


def test_a_nested_class_is_named_with_dots(capsys, standard_input):
    """``module:Outer.Inner`` is the class inside the class."""
    standard_input(b"{n: 1}")

    assert main(["read", "cli_shop:Answer.Inner"]) == 0
    assert json.loads(capsys.readouterr().out) == {"n": 1}


def test_the_current_directory_is_searched_by_a_program_too():
    """A module beside the user is found although the program lies elsewhere."""
    done = run("schema", "cli_shop:Answer")

    assert done.returncode == 0
    assert done.stderr == b""


# --- schema -------------------------------------------------------------------------------------------------


def test_the_default_form_is_json_schema(capsys):
    """Without ``--form`` the schema is JSON Schema."""
    assert main(["schema", "cli_shop:Answer"]) == 0
    default = capsys.readouterr().out
    assert main(["schema", "cli_shop:Answer", "--form", "json"]) == 0

    assert json.loads(default)["required"] == ["reply", "status"]
    assert capsys.readouterr().out == default


def test_every_form_is_pretty_json_that_the_library_gives(capsys):
    """``--form`` chooses among the renderings, and each is printed with two spaces of indentation."""
    assert main(["schema", "cli_shop:Answer"]) == 0
    capsys.readouterr()
    import cli_shop  # noqa: PLC0415  the command line put it on the path

    expected = {
        "json": nucleo_schema.json_schema(cli_shop.Answer),
        "llm": nucleo_schema.llm_schema(cli_shop.Answer),
        "model": nucleo_schema.keywords.for_model(nucleo_schema.json_schema(cli_shop.Answer)),
    }
    for form, schema in expected.items():
        assert main(["schema", "cli_shop:Answer", "--form", form]) == 0
        printed = capsys.readouterr().out
        assert json.loads(printed) == schema
        assert printed.startswith('{\n  "')


# --- read ---------------------------------------------------------------------------------------------------


def test_file_may_stand_before_and_behind_the_options(shop, capsys):
    """The order of FILE and ``--jsonl`` does not matter, and a second FILE is wrong usage."""
    (shop / "one.jsonl").write_text(ANSWER, "utf-8")

    assert main(["read", "cli_shop:Answer", "one.jsonl", "--jsonl"]) == 0
    before = capsys.readouterr()
    assert main(["read", "cli_shop:Answer", "--jsonl", "one.jsonl"]) == 0
    assert capsys.readouterr() == before
    with pytest.raises(SystemExit) as ended:
        main(["read", "cli_shop:Answer", "one.jsonl", "--jsonl", "two.jsonl"])
    assert ended.value.code == 2


@pytest.mark.parametrize("arguments", [[], ["-"], ["reply.txt"]])
def test_a_reply_is_read_from_a_file_or_from_standard_input(arguments, shop, capsys, standard_input):
    """FILE, ``-`` and nothing lead to the same normalized JSON."""
    (shop / "reply.txt").write_text(ANSWER, "utf-8")
    standard_input(ANSWER.encode())

    assert main(["read", "cli_shop:Answer", *arguments]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == NORMALIZED
    assert captured.out.startswith('{\n  "reply": "Yes – é"')
    assert captured.err == ""


def test_a_target_may_be_a_typing_form(capsys, standard_input):
    """Any attribute of the module that stands for a type will do."""
    standard_input(f"[{ANSWER}]".encode())

    assert main(["read", "cli_shop:Answers"]) == 0
    assert json.loads(capsys.readouterr().out) == [NORMALIZED]


def test_a_refusal_is_one_line_for_each_problem_and_exit_status_1(capsys, standard_input):
    """Each line starts with the path; standard output stays empty."""
    standard_input(b'{"status": "lost", "stars": 1.5}')

    assert main(["read", "cli_shop:Answer"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sorted(line.split(":")[0] for line in captured.err.splitlines()) == ["reply", "stars", "status"]


@pytest.mark.parametrize(
    "raw",
    [b"", b" \n\t", b"I do not know.", b"\xff\xfe{}", b'{"reply": "cut', b"[" * 100_000, b'{"a":' * 100_000],
    ids=["empty", "blank", "prose", "not UTF-8", "cut", "deep list", "deep object"],
)
def test_a_reply_without_an_answer_is_refused_in_one_line(raw, capsys, standard_input):
    """Whatever the bytes are, the refusal is a line of the library and never a traceback."""
    standard_input(raw)

    assert main(["read", "cli_shop:Answer"]) == 1
    assert len(only_line(capsys)) < 500


@pytest.mark.parametrize(("name", "why"), [("nowhere.txt", "No such file"), (".", "directory")])
@pytest.mark.parametrize("options", [[], ["--jsonl"]])
def test_a_file_that_cannot_be_read_is_one_line_and_exit_status_2(name, why, options, capsys):
    """The line names the file and says why."""
    assert main(["read", "cli_shop:Answer", name, *options]) == 2
    line = only_line(capsys)
    assert name in line
    assert why in line


def test_a_process_without_standard_input_is_told_so(capsys, monkeypatch):
    """A closed standard input is a usage error."""
    monkeypatch.setattr(sys, "stdin", None)

    assert main(["read", "cli_shop:Answer"]) == 2
    assert "no standard input" in only_line(capsys)


def test_a_reply_of_50_mb_is_read(shop):
    """A reply has no size at which it fails."""
    text = "a" * 50_000_000
    (shop / "large.txt").write_text(f'Here: {{"reply": "{text}", "status": "placed"}}', "utf-8")

    done = run("read", "cli_shop:Answer", "large.txt")

    assert done.stderr == b""
    assert done.returncode == 0
    assert len(done.stdout) > len(text)


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_output_is_utf_8_whatever_the_locale(locale):
    """JSON text is UTF-8 also where the terminal is not."""
    settings = environment(LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii")
    done = run("read", "cli_shop:Answer", input=ANSWER.encode(), env=settings)

    assert done.returncode == 0
    assert json.loads(done.stdout.decode("utf-8")) == NORMALIZED


def test_output_that_is_no_text_file_is_left_as_it_is(monkeypatch, standard_input):
    """A host that replaced standard output keeps what it put there."""
    output = io.StringIO()
    monkeypatch.setattr(sys, "stdout", output)
    standard_input(ANSWER.encode())

    assert main(["read", "cli_shop:Answer"]) == 0
    assert json.loads(output.getvalue()) == NORMALIZED


# --- read --jsonl -------------------------------------------------------------------------------------------


def test_every_line_gives_a_result_with_its_number(capsys, standard_input):
    """Refusals do not stop the others, blank lines are counted, and the tally goes to standard error."""
    lines = [ANSWER, "", json.dumps(f"Sure:\n```\n{ANSWER}\n```"), '{"status": "lost"}', "No idea."]
    standard_input("\n".join([*lines, json.dumps({"id": 1, "text": ANSWER})]).encode())

    assert main(["read", "cli_shop:Answer", "--jsonl"]) == 1
    captured = capsys.readouterr()
    results = [json.loads(line) for line in captured.out.splitlines()]
    assert [result["line"] for result in results] == [1, 3, 4, 5, 6]
    assert [result.get("value") for result in results] == [NORMALIZED, NORMALIZED, None, None, NORMALIZED]
    assert [line.split(":")[0] for line in results[2]["problems"]] == ["reply", "status"]
    assert len(results[3]["problems"]) == 1
    assert captured.err == "5 replies: 3 accepted, 2 refused\n"


def test_lines_without_a_refusal_exit_with_0(shop, capsys):
    """A batch that was accepted whole is a success, also when it is empty."""
    (shop / "one.jsonl").write_text(ANSWER, "utf-8")
    (shop / "none.jsonl").write_text("\n", "utf-8")

    assert main(["read", "cli_shop:Answer", "--jsonl", "one.jsonl"]) == 0
    assert capsys.readouterr().err == "1 reply: 1 accepted, 0 refused\n"
    assert main(["read", "cli_shop:Answer", "--jsonl", "none.jsonl"]) == 0
    assert capsys.readouterr().err == "0 replies: 0 accepted, 0 refused\n"


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b'{"a": 1}\n', b'{"a": 1}\n'),
        (b"Sure: {a: 1}\n", b"Sure: {a: 1}\n"),
        (b"{a: 1}\n", b"{a: 1}\n"),
        (b'"{a: 1}"\n', "{a: 1}"),
        (b'  {"id": 1, "text": "{a: 1}"}\r\n', "{a: 1}"),
        (b'{"text": 1}\n', b'{"text": 1}\n'),
        (b'{"text": "a"} {"text": "b"}\n', b'{"text": "a"} {"text": "b"}\n'),
        (b'{"text": "\xff"}\n', b'{"text": "\xff"}\n'),
        (b'{"a":' * 100_000, b'{"a":' * 100_000),
    ],
    ids=range(9),
)
def test_a_line_is_a_reply_or_wraps_one(line, reply):
    """A JSON string and an object with a textual ``text`` are unwrapped; any other line is the reply."""
    assert reading.reply_of_line(line) == reply


def test_half_a_surrogate_pair_does_not_break_the_output(standard_input, capsys):
    """What UTF-8 cannot hold is refused or written as its escape, and the next line is read."""
    standard_input(rb'{"reply": "\ud83d", "status": "placed"}' + b"\n" + ANSWER.encode())

    main(["read", "cli_shop:Answer", "--jsonl"])

    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [result["line"] for result in results] == [1, 2]
    assert results[1]["value"] == NORMALIZED


def test_results_are_printed_as_they_come():
    """A result is there before the next reply is."""
    command = [sys.executable, "-m", "nucleo_schema", "read", "cli_shop:Answer", "--jsonl"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe) as process:
        for _ in range(2):
            process.stdin.write(f"{ANSWER}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["value"] == NORMALIZED
        _, errors = process.communicate(timeout=TIMEOUT_S)

    assert errors == b"2 replies: 2 accepted, 0 refused\n"
    assert process.returncode == 0


# --- the world around ---------------------------------------------------------------------------------------


def test_a_reader_that_leaves_early_is_no_error(shop):
    """``| head`` ends the command quietly, with the status of a closed pipe."""
    (shop / "many.jsonl").write_text(f"{ANSWER}\n" * 20_000, "utf-8")
    command = [sys.executable, "-m", "nucleo_schema", "read", "cli_shop:Answer", "--jsonl", "many.jsonl"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment(), stdout=pipe, stderr=pipe) as process:
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(timeout=TIMEOUT_S)

    assert errors == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_cannot_be_written_is_one_line(unbuffered):
    """A full disk is told as such, once, whenever Python comes to write."""
    command = [sys.executable, "-m", "nucleo_schema", "schema", "cli_shop:Answer"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command,
            env=environment(PYTHONUNBUFFERED=unbuffered),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT_S,
            check=False,
        )

    assert done.returncode == 2
    assert done.stderr == b"nucleo-schema: error: No space left on device\n"


def test_an_interrupt_ends_with_130():
    """Ctrl-C stops the command without a traceback."""
    command = [sys.executable, "-m", "nucleo_schema", "read", "cli_shop:Answer", "--jsonl"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command,
        env=environment(),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        # A job in the background ignores interrupts, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        process.stdin.write(f"{ANSWER}\n".encode())
        process.stdin.flush()
        process.stdout.readline()  # it is reading now
        process.send_signal(signal.SIGINT)
        process.wait(timeout=TIMEOUT_S)
        errors = process.stderr.read()

    assert process.returncode == 130
    assert errors == b""


def on_a_terminal(*arguments, **more):
    """Return what a command prints when its output and its errors go to one terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "nucleo_schema", *arguments]
    settings = {name: value for name, value in environment(TERM="xterm", **more).items() if value is not None}
    printed = b""
    with subprocess.Popen(command, env=settings, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs):
        os.close(theirs)
        with contextlib.suppress(OSError):  # how Linux says that the other side is closed
            while part := os.read(ours, 65536):
                printed += part
    os.close(ours)
    return printed.decode("utf-8").replace("\r\n", "\n")


def test_progress_is_shown_on_a_terminal(shop):
    """The line is drawn while replies are read and taken away before the tally."""
    (shop / "three.jsonl").write_text(f"{ANSWER}\n" * 3, "utf-8")

    printed = on_a_terminal("read", "cli_shop:Answer", "three.jsonl", "--jsonl", NO_COLOR=None)

    assert "\x1b[K1 reply: 1 accepted, 0 refused" in printed
    assert printed.endswith("\r\x1b[K3 replies: 3 accepted, 0 refused\n")


@pytest.mark.parametrize(("no_color", "coloured"), [(None, True), ("", True), ("1", False)])
def test_colours_are_for_terminals_without_no_color(no_color, coloured):
    """A refusal is red on a terminal, unless the user wants no colours."""
    printed = on_a_terminal("read", "cli_shop:Answer", NO_COLOR=no_color)

    assert ("\x1b[31m" in printed) is coloured


def test_a_dumb_terminal_gets_neither_colours_nor_progress(monkeypatch):
    """``TERM=dumb`` counts as no terminal."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert console.paint("text", "red", Terminal()) == "\x1b[31mtext\x1b[0m"
    monkeypatch.setenv("TERM", "dumb")
    assert console.paint("text", "red", Terminal()) == "text"


# --- demo ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [*demo.iter_tour(), *demo.iter_cases()], ids=lambda case: case.title)
def test_every_reply_of_the_demo_comes_out_as_its_index_says(case):
    """The demo shows what happens, so it is a check as well."""
    outcome = demo.read_case(case)

    assert outcome.as_expected, outcome.text


def test_the_demo_has_all_it_promises():
    """A tour of messy replies, accepted and refused, and at least twelve of the collected ones."""
    tour, collected = list(demo.iter_tour()), list(demo.iter_cases())

    assert len(tour) >= 8
    assert len(collected) >= 12
    assert {"value", "refused"} == {key for case in tour for key in case.expect}


def test_the_demo_shows_the_class_its_schemas_and_every_reply(capsys):
    """It exits with 0, and prints the same every time and nothing on standard error."""
    assert main(["demo"]) == 0
    printed = capsys.readouterr()
    assert main(["demo"]) == 0

    assert capsys.readouterr() == printed
    assert printed.err == ""
    assert "class OrderAnswer:" in printed.out
    assert '"@type": "OrderAnswer"' in printed.out
    assert '"title": "OrderAnswer"' in printed.out
    assert all(case.title in printed.out for case in [*demo.iter_tour(), *demo.iter_cases()])
    assert re.search(
        r"^\d+ replies: \d+ accepted, \d+ refused, each as expected\.$", printed.out, re.MULTILINE
    )
    assert max(map(len, printed.out.splitlines())) <= 130


@pytest.mark.parametrize(
    ("raw", "expect"),
    [
        ('{"answer": 2}', {"value": {"answer": 1}}),
        ('{"answer": 2}', {"refused": []}),
        ('{"answer": "x"}', {"value": {"answer": 1}}),
        ('{"answer": "x"}', {"refused": ["another reason"]}),
    ],
)
def test_the_demo_fails_when_a_reply_comes_out_otherwise(raw, expect, capsys, monkeypatch):
    """Another value, another refusal, or one instead of the other: the text and the exit status say so."""
    monkeypatch.setattr(demo, "iter_tour", lambda: iter([demo.Case("odd", "Answer", raw, expect)]))
    monkeypatch.setattr(demo, "iter_cases", lambda: iter([]))

    assert main(["demo"]) == 1
    printed = capsys.readouterr().out
    assert "NOT AS EXPECTED" in printed
    assert printed.endswith("1 OTHERWISE THAN EXPECTED.\n")


def test_the_demo_reads_the_tools_own_orders(capsys):
    """The references of the reply are followed; its wrong number is nowhere but in its prose."""
    orders, registry = look_orders_up(), nucleo_schema.ArtifactRegistry()
    for order in orders:
        registry.register(order)

    outcome = demo.read_choice(demo.choice_case(), orders, registry)

    assert outcome.as_expected, outcome.text
    assert [line.split(": ")[-1] for line in outcome.text.splitlines()[1:]] == [
        "the tool's own order A-1007",
        "the tool's own order A-1015",
    ]
    assert main(["demo"]) == 0
    printed = capsys.readouterr().out
    assert "class OrderRecord(Artifact):" in printed
    assert "--- «artifact:demo-order~k2m9xq» ---" in printed
    assert all(line in printed for line in outcome.text.splitlines())


@pytest.mark.parametrize(
    ("raw", "accepted"),
    [
        ('{"reply": "One.", "delayed": ["demo-order~a7f3b2"]}', True),
        ('{"reply": "One.", "delayed": ["demo-order~zzzzzz"]}', False),
    ],
    ids=["other orders", "refused"],
)
def test_the_demo_fails_when_other_orders_come_out(raw, accepted, capsys, monkeypatch):
    """Fewer orders, or a reference that names none: the text and the exit status say so."""
    case = demo.Case("odd", "DelayAnswer", raw, {"own": ["A-1007", "A-1015"]})
    monkeypatch.setattr(demo, "choice_case", lambda: case)
    monkeypatch.setattr(demo, "iter_cases", lambda: iter([]))

    assert main(["demo"]) == 1
    printed = capsys.readouterr().out
    assert ("accepted: (NOT AS EXPECTED)" if accepted else "refused: (NOT AS EXPECTED)") in printed
    assert printed.endswith("1 OTHERWISE THAN EXPECTED.\n")


def test_long_replies_and_lines_are_shown_in_part(capsys, monkeypatch):
    """The demo stays readable whatever the replies are."""
    raw = "\n".join(["x" * 500, *(f"line {number}" for number in range(50)), '{"answer": 1}'])
    case = demo.Case("long", "Answer", raw, {"value": {"answer": 1}})
    monkeypatch.setattr(demo, "iter_tour", lambda: iter([case]))
    monkeypatch.setattr(demo, "iter_cases", lambda: iter([]))

    assert main(["demo"]) == 0
    printed = capsys.readouterr().out
    assert "x" * 501 not in printed
    assert "... 42 more lines" in printed
