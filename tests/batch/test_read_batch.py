"""A batch of replies: one process or several, stopped and resumed, the output is the same."""

import fcntl
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from multiprocessing import Pipe
from pathlib import Path

import pytest

import nucleo_schema
from nucleo_schema._cli import lines, signals, workers
from nucleo_schema._cli.main import main

SHOP = """
import multiprocessing
import os
import pathlib

from attrs import define, field

IS_WORKER = multiprocessing.parent_process() is not None
print("imported")


def act(text):
    if text == "gate" and pathlib.Path("arrived").exists():
        pathlib.Path("arrived").write_text("here")  # waits for the test to read it,
        os.read(os.open("go_on", os.O_RDONLY), 1)  # and for the test to write it
    if text == "die" and IS_WORKER:
        os.kill(os.getpid(), 9)
    if text == "half a pair":
        raise ValueError("\\ud83d")
    if text == "leave" and IS_WORKER:
        os._exit(3)
    return text


@define
class Note:
    title: str = field(converter=act)
    stars: int = 0


@define
class Odd:
    number: complex
"""

TIMEOUT_S = 60
#: More lines than two workers hold at once.
LINES = 3 * workers.CHUNK_LINES
READ = ("read", "cli_notes:Note", "--jsonl", "replies.jsonl")


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch):
    """Work in a directory of its own that has the module ``cli_notes`` and more lines than fit in a chunk."""
    (tmp_path / "cli_notes.py").write_text(SHOP, "utf-8")
    (tmp_path / "replies.jsonl").write_bytes(replies())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("cli_notes", None)


def replies(*, special="none", at=LINES // 2):
    """Return lines of every kind; the one in the middle, which is none of a kind, has the title *special*."""
    kinds = [
        '{"title": "Tea – é", "stars": "4"}',
        "\"Sure: {title: 'Cups', stars: 5.0,}\"",
        '{"id": 1, "text": "{\\"title\\": \\"Pots\\"}"}',
        '{"title": "half a pair"}',
        '{"stars": "many"}',
        "I do not know.",
        "",
    ]
    texts = [kinds[number % len(kinds)] for number in range(LINES)]
    texts[at] = json.dumps({"title": special})
    return "\n".join(texts).encode()


def start(*arguments, **options):
    """Start the command line in a process of its own."""
    package = str(Path(nucleo_schema.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package}
    command = [sys.executable, "-m", "nucleo_schema", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, **options)


def run(*arguments, data=None):
    """Run the command line in a process of its own; return its exit status, its output and its errors."""
    with start(*arguments, stdin=subprocess.PIPE) as process:
        output, errors = process.communicate(data, timeout=TIMEOUT_S)
    return process.returncode, output, errors


def results(data=None):
    """Return the output over *data*, by default over the file, of one process that nothing stops."""
    if data is not None:
        Path("replies.jsonl").write_bytes(data)
    Path("whole.jsonl").unlink(missing_ok=True)
    assert main([*READ, "--output", "whole.jsonl"]) == 1
    return Path("whole.jsonl").read_bytes()


def only_line(capsys):
    """Return the one line on standard error."""
    (line,) = capsys.readouterr().err.splitlines()
    return line


# --- the output ---------------------------------------------------------------------------------------------


def test_the_output_file_holds_what_standard_output_would(capsys):
    """With ``--output`` nothing else changes: the tally is the same, and so is the exit status."""
    assert main([*READ, "--output", "results.jsonl"]) == 1
    to_file = capsys.readouterr()
    assert main(list(READ)) == 1
    to_screen = capsys.readouterr()

    assert to_file.err == to_screen.err
    assert to_file.out == "imported\n"
    assert Path("results.jsonl").read_text("utf-8") == to_screen.out


def test_an_output_file_that_holds_something_is_not_written_to(capsys):
    """Without ``--resume`` no result is put behind what is there."""
    Path("results.jsonl").write_text("{}\n", "utf-8")

    assert main([*READ, "--output", "results.jsonl"]) == 2
    assert "results.jsonl is not empty; add --resume" in only_line(capsys)
    assert Path("results.jsonl").read_text("utf-8") == "{}\n"


def test_an_output_file_that_is_empty_is_written_to():
    """Somebody made the file to have it."""
    Path("results.jsonl").touch()

    assert main([*READ, "--output", "results.jsonl"]) == 1
    assert Path("results.jsonl").read_bytes() == results()


def test_a_missing_file_of_replies_leaves_no_output_behind():
    """The replies are opened first."""
    assert main(["read", "cli_notes:Note", "--jsonl", "nowhere.jsonl", "--output", "results.jsonl"]) == 2
    assert not Path("results.jsonl").exists()


@pytest.mark.parametrize(("output", "why"), [(".", "directory"), ("nowhere/results.jsonl", "No such file")])
def test_an_output_that_cannot_be_opened_is_one_line_and_exit_status_2(output, why, capsys):
    """The line names the file and says why."""
    assert main([*READ, "--output", output]) == 2
    assert why in only_line(capsys)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_output_that_is_full_is_one_line_and_exit_status_2(capsys):
    """A full disk is told as such."""
    assert main([*READ, "--output", "/dev/full"]) == 2
    assert only_line(capsys) == "nucleo-schema: error: No space left on device"


def test_an_output_that_is_no_ordinary_file_cannot_be_resumed(capsys):
    """What was written to a device or a pipe cannot be read again; writing to it is fine."""
    assert main([*READ, "--output", os.devnull]) == 1
    capsys.readouterr()
    assert main([*READ, "--output", os.devnull, "--resume"]) == 2
    assert "not an ordinary file" in only_line(capsys)


def test_two_runs_do_not_write_to_one_file(capsys):
    """The second is refused for as long as the first one runs."""
    with Path("results.jsonl").open("a", encoding="utf-8") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        assert main([*READ, "--output", "results.jsonl", "--resume"]) == 2
    assert "is being written to by another process" in only_line(capsys)

    assert main([*READ, "--output", "results.jsonl", "--resume"]) == 1


def test_a_system_without_locks_writes_all_the_same(monkeypatch):
    """There it is up to the user not to start two runs."""
    monkeypatch.setitem(sys.modules, "fcntl", None)

    assert main([*READ, "--output", "results.jsonl"]) == 1


def test_half_a_surrogate_pair_is_written_as_its_escape():
    """The file is UTF-8, and JSON, whatever the words of a refusal are."""
    problems = [json.loads(line).get("problems") for line in results().splitlines()]

    assert ["title: \\ud83d"] in problems


# --- options ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [["--output", "results.jsonl"], ["--workers", "2"], ["--resume"]])
def test_the_options_of_a_batch_need_jsonl(more, capsys):
    """One reply has nothing to share among processes and nothing to go on from."""
    assert main(["read", "cli_notes:Note", "replies.jsonl", *more]) == 2
    assert "add --jsonl" in only_line(capsys)
    assert not Path("results.jsonl").exists()


def test_resume_needs_an_output_file(capsys):
    """What went to standard output cannot be read again."""
    assert main([*READ, "--resume"]) == 2
    assert "name it with --output" in only_line(capsys)


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "two", "", "٣", "10000", "9" * 5000])
def test_workers_is_a_whole_number_from_1(text, capsys):
    """Anything else is wrong usage."""
    with pytest.raises(SystemExit) as ended:
        main([*READ, f"--workers={text}"])

    assert ended.value.code == 2
    assert "expected a whole number from 1 to 9999" in capsys.readouterr().err


# --- resume -------------------------------------------------------------------------------------------------


def test_a_run_that_ended_anywhere_is_resumed_to_the_same_bytes(monkeypatch):
    """Whatever part of the output is there, no line is lost, repeated or broken."""
    data = b'{"title": "Tea"}\n\n{"stars": 1}\nNo idea.\n \n{"title": "\xc3\xa9"}'
    whole = results(data)
    for end in range(len(whole) + 1):
        Path("results.jsonl").write_bytes(whole[:end])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        source = "-" if end % 2 else "replies.jsonl"
        command = ["read", "cli_notes:Note", "--jsonl", source, "--output", "results.jsonl", "--resume"]

        assert main(command) == 1
        assert Path("results.jsonl").read_bytes() == whole


def test_a_resumed_run_counts_the_results_of_the_one_before(capsys):
    """The tally and the exit status are about the whole file; it says how much was there."""
    Path("replies.jsonl").write_text("No idea.\n" + '{"title": "Tea"}\n' * 3, "utf-8")
    whole = results().splitlines(keepends=True)
    Path("results.jsonl").write_bytes(b"".join(whole[:2]))
    capsys.readouterr()

    assert main([*READ, "--output", "results.jsonl", "--resume"]) == 1
    assert only_line(capsys) == "4 replies: 3 accepted, 1 refused (2 of them in earlier runs)"
    assert main([*READ, "--output", "results.jsonl", "--resume"]) == 1
    assert only_line(capsys) == "4 replies: 3 accepted, 1 refused (4 of them in earlier runs)"


def test_a_run_that_never_began_is_resumed_from_the_start(capsys):
    """One command is right for the first run and for every other."""
    assert main([*READ, "--output", "results.jsonl", "--resume"]) == 1
    assert "earlier" not in only_line(capsys)
    assert Path("results.jsonl").read_bytes() == results()


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (
            b'{"line": 1, "value": {}}\n{"line": 2, "value": {}}\n',
            "line 2 of results.jsonl is not the result of line 3",
        ),
        (
            b'{"line": 1, "value": {}}\n{"line": 4, "value": {}}\n',
            "line 2 of results.jsonl is not the result of line 3",
        ),
        (b"a letter\n", "line 1 of results.jsonl is not the result of line 1"),
        (b"a letter", "line 1 of results.jsonl is not the result of line 1"),
        (b'{"line": 2, "val', "line 1 of results.jsonl is not the result of line 1"),
        (b'{"line": 1, "other": {}}\n', "line 1 of results.jsonl is not the result of line 1"),
        (b"\n", "line 1 of results.jsonl is not the result of line 1"),
        (b'{"line": 1, "value": {}}\n{"line": 3, "problems": []}\n{', "line 3 of results.jsonl has no reply"),
        (b'{"line": 1, "value": 1}\n{"line": 3, "value": 1}\n{"line": 0, "value": 1}\n', "there are no more"),
    ],
    ids=range(9),
)
def test_the_output_of_other_replies_is_refused_and_left_alone(output, message, capsys):
    """Nothing is cut from a file, nor put behind it, that is not the output of these replies."""
    Path("replies.jsonl").write_text('{"title": "Tea"}\n\n{"title": "Cups"}\n', "utf-8")
    Path("results.jsonl").write_bytes(output)

    assert main([*READ, "--output", "results.jsonl", "--resume"]) == 2
    assert message in only_line(capsys)
    assert Path("results.jsonl").read_bytes() == output


# --- workers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", ["2", "3", "20"])
def test_several_workers_give_the_bytes_of_one(count):
    """The order is that of the replies, also when there are more workers than work."""
    assert main([*READ, "--output", "results.jsonl", "--workers", count]) == 1
    assert Path("results.jsonl").read_bytes() == results()


def test_workers_read_from_standard_input_and_write_to_standard_output():
    """Where replies come from and results go to is independent of who reads them; prints go elsewhere."""
    data = Path("replies.jsonl").read_bytes()
    status, output, errors = run("read", "cli_notes:Note", "--jsonl", "--workers", "2", data=data)

    assert status == 1
    assert output == b"imported\n" + results()
    *printed, tally = errors.rstrip().splitlines()
    assert b"".join(printed) == b"imported" * 2  # two processes print at once: a line end may come late
    assert re.fullmatch(rb"\d+ replies: \d+ accepted, \d+ refused", tally)


def test_an_empty_batch_starts_no_worker(capsys):
    """There is no chunk for it."""
    Path("replies.jsonl").write_bytes(b"\n\n")

    assert main([*READ, "--workers", "2"]) == 0
    assert only_line(capsys) == "0 replies: 0 accepted, 0 refused"


def test_large_lines_make_small_chunks():
    """What is under way is bounded in bytes as well as in lines."""
    sizes = [10, workers.CHUNK_BYTES, 10, workers.CHUNK_BYTES - 10, *[1] * (workers.CHUNK_LINES + 1)]
    numbered = enumerate((b"a" * size for size in sizes), start=1)

    chunks = list(workers._chunks(numbered))

    assert [len(chunk) for chunk in chunks] == [2, 2, workers.CHUNK_LINES, 1]
    assert [number for chunk in chunks for number, _ in chunk] == list(range(1, len(sizes) + 1))


@pytest.mark.parametrize(
    ("special", "ending"), [("die", "was killed by signal 9"), ("leave", "ended with status 3")]
)
def test_a_worker_that_ends_is_an_error_in_words_and_nothing_is_lost(special, ending, capsys):
    """The results before its lines are there, and a run on one process goes on from them."""
    Path("replies.jsonl").write_bytes(replies(special=special))
    capsys.readouterr()

    assert main([*READ, "--output", "results.jsonl", "--workers", "2"]) == 2
    errors = capsys.readouterr().err.splitlines()
    written = Path("results.jsonl").read_bytes()
    assert main([*READ, "--output", "results.jsonl", "--resume"]) == 1

    (error,) = [line for line in errors if line != "imported"]
    named = re.fullmatch(
        rf"nucleo-schema: error: a worker process {ending} while it read lines (\d+) to (\d+); "
        r"the results end before them\.",
        error,
    )
    assert int(named[1]) <= LINES // 2 + 1 <= int(named[2])
    assert json.loads(written.splitlines()[-1])["line"] == int(named[1]) - 1
    assert Path("results.jsonl").read_bytes() == results()


@pytest.mark.parametrize("count", ["1", "2"])
def test_a_class_that_cannot_be_described_is_the_same_error_from_a_worker(count, capsys):
    """What ends a batch at its first line is told in one line."""
    assert main(["read", "cli_notes:Odd", "--jsonl", "replies.jsonl", "--workers", count]) == 2
    assert "complex" in only_line(capsys)


def test_a_worker_answers_with_what_ends_the_batch():
    """The process that started it raises the error as its own."""
    ours, theirs = Pipe()
    worker = threading.Thread(target=workers.serve, args=(theirs, "cli_notes:Odd"))
    worker.start()
    ours.send([(1, b'{"number": 1}')])
    answer = ours.recv()
    ours.close()
    worker.join()
    theirs.close()

    assert isinstance(answer, nucleo_schema.SchemaError)


def test_a_module_that_does_not_import_in_a_worker_is_an_error_in_words(capsys):
    """A module may do something else in a process that is not the first."""
    with Path("cli_notes.py").open("a", encoding="utf-8") as module:
        module.write("\nif IS_WORKER:\n    raise LookupError('not here')\n")

    assert main([*READ, "--workers", "2"]) == 2
    assert "module 'cli_notes' does not import: LookupError: not here" in only_line(capsys)


def test_a_worker_ends_when_its_results_go_nowhere():
    """The process that started it was killed meanwhile."""
    ours, theirs = Pipe()
    ours.send([(1, b'{"title": "Tea"}')])
    ours.close()

    workers.serve(theirs, "cli_notes:Note")
    theirs.close()


# --- stopped ------------------------------------------------------------------------------------------------


def stop(number, *more):
    """Send the signal to a run that is at the reply in its middle; return its exit status."""
    os.mkfifo("arrived")
    os.mkfifo("go_on")
    # A job in the background ignores interrupts, and so would its children.
    default = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    with start(*READ, "--output", "results.jsonl", *more, preexec_fn=default) as process:
        Path("arrived").read_text("utf-8")
        process.send_signal(number)
        process.wait(timeout=TIMEOUT_S)
        descriptor = os.open("go_on", os.O_RDWR)
        os.write(descriptor, b"!")  # a worker that outlived its parent goes on
        _, errors = process.communicate(timeout=TIMEOUT_S)  # ends when the last process has closed it
        os.close(descriptor)
    Path("arrived").unlink()
    Path("go_on").unlink()
    assert set(errors.splitlines()) <= {b"imported"}
    return process.returncode


@pytest.mark.parametrize("count", ["1", "2"])
@pytest.mark.parametrize(
    ("number", "status", "at"),
    [
        (signal.SIGKILL, -9, 3),
        (signal.SIGKILL, -9, LINES // 2),
        (signal.SIGKILL, -9, LINES - 3),
        (signal.SIGTERM, 143, LINES // 2),
        (signal.SIGINT, 130, LINES // 2),
    ],
    ids=str,
)
def test_a_stopped_run_is_resumed_to_the_bytes_of_one_that_was_not(number, status, count, at):
    """Killed, terminated or interrupted: no process stays behind, whole lines do, and no line is lost."""
    Path("replies.jsonl").write_bytes(replies(special="gate", at=at))

    assert stop(number, "--workers", count) == status
    part = Path("results.jsonl").read_bytes()
    assert main([*READ, "--output", "results.jsonl", "--workers", count, "--resume"]) == 1

    whole = results()
    assert part == b"" or part.endswith(b"\n")
    assert whole.startswith(part)
    assert len(part) < len(whole)
    assert Path("results.jsonl").read_bytes() == whole


def test_a_signal_waits_for_the_end_of_a_line_and_a_second_one_does_not():
    """A line is written whole, unless whoever reads it does not take it."""

    def write(*numbers):
        with signals.received_interrupts() as interrupts, interrupts.held():
            for number in numbers:
                signal.raise_signal(number)
            written.append(numbers)

    written = []
    with pytest.raises(signals.Terminated):
        write(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        write(signal.SIGTERM, signal.SIGINT)
    assert written == [(signal.SIGTERM,)]


def test_a_signal_that_is_ignored_stays_ignored():
    """A job in the background is not interrupted by Ctrl-C, and what was there before comes back."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with signals.received_interrupts():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


# --- memory -------------------------------------------------------------------------------------------------

MEASURED = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-m", "nucleo_schema", *sys.argv[1:]], check=False, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss is that of Linux")
@pytest.mark.parametrize("count", ["1", "2"])
def test_memory_does_not_grow_with_the_batch(count):
    """The largest process of a batch is as large after 30,000 lines as after 3,000."""
    line = json.dumps({"title": "a" * 1000}).encode() + b"\n"
    peaks_kib = []
    for size in (3_000, 30_000):
        Path("replies.jsonl").write_bytes(line * size)
        command = [sys.executable, "-c", MEASURED, *READ, "--output", f"{size}.jsonl", "--workers", count]
        environment = {**os.environ, "PYTHONPATH": str(Path(nucleo_schema.__file__).parents[1])}
        done = subprocess.run(command, env=environment, capture_output=True, timeout=TIMEOUT_S, check=True)
        peaks_kib.append(int(done.stdout.split()[-1]))

    assert Path("30000.jsonl").stat().st_size > 30_000_000
    assert peaks_kib[1] - peaks_kib[0] < 4_000


def test_a_tally_says_how_many():
    """One reply, several replies, and those of earlier runs."""
    assert str(lines.Tally(1, 0)) == "1 reply: 1 accepted, 0 refused"
    assert str(lines.Tally(1, 2, 3)) == "3 replies: 1 accepted, 2 refused (3 of them in earlier runs)"
