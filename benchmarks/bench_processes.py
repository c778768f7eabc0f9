"""
What needs a process of its own: importing, the first answer, and memory.

- Import: the seconds of the import statement, in a fresh interpreter with compiled bytecode. Both this
  library and Pydantic load little before a name is asked for, so the names of usual work are measured too.
- Cold: everything from the definition of the classes to the first small answer read and written, the
  library itself imported before; hooks, validators and codecs are built in that time.
- Memory: by how much reading the 5 MB document raises the peak of the process's resident memory, the
  result held. That counts what compiled decoders allocate too, which ``tracemalloc`` does not see. The
  readers are warm, and the text was there before.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from .data import LARGE_CITATIONS, answer_tree, compact, page_tree
from .peers import ANSWER, OURS, PAGE
from .runner import Effort, Measure
from .subjects import Competitors, Target, installed

__all__ = ["ProcessSubject", "measure_processes", "process_subjects"]

_ROOT = Path(__file__).resolve().parent.parent


@frozen
class ProcessSubject:
    """
    Work that is measured once in each of several processes.

    Attributes:
        name: What it is.
        commands: The worker's arguments, by who does the work.
        targets: What must be reached.
        unit: ``s``, or ``MB`` for memory.
    """

    name: str
    commands: Mapping[str, tuple[str, ...]]
    targets: tuple[Target, ...] = ()
    unit: str = "s"


def process_subjects(competitors: Competitors) -> Iterator[ProcessSubject]:
    """Yield the subjects; those of reading name a document that `measure_processes` provides."""
    names = [name for name, _ in installed(competitors)]
    imports = {
        OURS: ("import", "import nucleo_schema"),
        "own parse, write_compact": ("import", "from nucleo_schema import parse, write_compact"),
    }
    if "pydantic" in names:
        imports["pydantic"] = ("import", "import pydantic")
        imports["pydantic's BaseModel"] = ("import", "from pydantic import BaseModel")
    yield ProcessSubject("import", imports, (Target("pydantic", at_most=1.0),))
    readers = [name for name, competitor in installed(competitors) if ANSWER in competitor.read]
    yield ProcessSubject(
        "cold: classes, then the first small answer", {n: ("cold", n, ANSWER) for n in readers}
    )
    memory = {name: ("memory", name, PAGE) for name in readers}
    yield ProcessSubject("memory of parse, 5 MB", memory, (Target("pydantic", at_most=1.3),), "MB")


def measure_processes(subject: ProcessSubject, effort: Effort) -> dict[str, Measure]:
    """Return what each round measured, everyone in turn, each in a new process."""
    values: dict[str, list[float]] = {name: [] for name in subject.commands}
    with tempfile.TemporaryDirectory() as directory:
        documents = {ANSWER: Path(directory, "answer.json"), PAGE: Path(directory, "page.json")}
        documents[ANSWER].write_text(compact(answer_tree()), encoding="utf-8")
        documents[PAGE].write_text(compact(page_tree(LARGE_CITATIONS)), encoding="utf-8")
        for number in range(effort.processes + 1):
            for name, command in subject.commands.items():
                arguments = [str(documents[kind]) for kind in command[2:]]
                value = _run([*command, *arguments], directory)
                if number:  # the first round compiles bytecode and fills the disk cache
                    values[name].append(value)
    return {name: Measure(tuple(found)) for name, found in values.items()}


def _run(arguments: list[str], bytecode: str) -> float:
    """Return what a worker measured; *bytecode* keeps what was compiled, whatever the user's settings."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode}
    command = [sys.executable, "-m", "benchmarks.worker", *arguments]
    done = subprocess.run(command, cwd=_ROOT, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout)
