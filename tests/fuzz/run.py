"""
Run the fuzz targets: ``python tests/fuzz/run.py --seconds 60``.

Every target runs in a process of its own and has its share of the time. Inputs that lead to new lines of the
library are kept in a working corpus, beside the seeds that stand here; inputs on which a target fails are
written to a folder, one for each place where one fails, and the run goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
REPLIES = HERE.parent / "cases" / "replies.jsonl"
NAMES = ("parse_llm_response", "extract_json", "for_model", "from_snapshot")

#: One input that takes longer than this, in seconds, is a finding.
INPUT_SECONDS = 20
MEMORY_MB = 4_000

#: What the process of a target says of an input that it has kept.
FINDING = "finding kept: "


def main() -> int:
    """Run what the command line says, and return 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="target", help=f"of {', '.join(NAMES)}; all by default")
    parser.add_argument("--seconds", type=int, default=60, help="for all of them together")
    parser.add_argument("--runs", type=int, default=-1, help="executions of each, if the time allows")
    parser.add_argument("--seed", type=int, default=0, help="of the fuzzer; 0 for a new one")
    parser.add_argument("--max-bytes", type=int, default=2_048, help="of one input")
    parser.add_argument("--corpus", type=Path, help="the working corpus; it is forgotten by default")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    options = parser.parse_args()
    names = options.targets or NAMES
    with tempfile.TemporaryDirectory() as scratch:
        working = options.corpus or Path(scratch)
        failed = [name for name in names if not run(name, len(names), working, options)]
    if failed:
        sys.stdout.write(f"findings of {', '.join(failed)} in {options.findings}\n")
    return 1 if failed else 0


def run(name: str, share: int, working: Path, options: argparse.Namespace) -> bool:
    """Run one target in a process of its own; return whether nothing was found."""
    corpus, findings = working / name, options.findings / name
    corpus.mkdir(parents=True, exist_ok=True)
    write_replies(corpus, {"extract_json": [""], "parse_llm_response": ["0", "1"]}.get(name, []))
    findings.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, __file__, "--within", name, str(findings)),
        f"-max_total_time={max(1, options.seconds // share)}",
        f"-runs={options.runs}",
        f"-seed={options.seed}",
        f"-max_len={options.max_bytes}",
        f"-timeout={INPUT_SECONDS}",
        f"-rss_limit_mb={MEMORY_MB}",
        f"-dict={HERE / 'dictionary.txt'}",
        f"-artifact_prefix={findings}/",
        *("-print_final_stats=1", "-reload=0", "-close_fd_mask=0"),
        *(str(corpus), str(HERE / "corpus" / name)),
    ]
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True, errors="replace")
    executions = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    count = executions[1] if executions else "an unknown number of"
    found = re.findall(rf"^{FINDING}(.+)$", done.stderr, re.MULTILINE)
    sys.stdout.write(f"{name}: {count} executions, {len(found)} findings\n")
    for path in found:
        sys.stdout.write(f"  {path}\n")
    if done.returncode:
        sys.stdout.write(done.stderr[-4_000:])
    sys.stdout.flush()
    return not found and done.returncode == 0


def write_replies(folder: Path, beginnings: list[str]) -> None:
    """Write the replies of the cases into a folder, each after each of *beginnings*."""
    raws = [json.loads(line)["raw"] for line in REPLIES.read_text("utf-8").splitlines()]
    for beginning in beginnings:
        for number, raw in enumerate(raw for raw in raws if isinstance(raw, str)):
            path = folder / f"reply-{beginning}{number}"
            path.write_bytes((beginning + raw).encode("utf-8", "surrogatepass"))


def fuzz(name: str, findings: Path, arguments: list[str]) -> None:
    """Run one target in this process, which ends here."""
    import atheris  # noqa: PLC0415  only the fuzzer's own process has it

    sys.path[:0] = [str(HERE.parent.parent), str(HERE)]
    with atheris.instrument_imports(include=["nucleo_schema"]):
        import targets  # noqa: PLC0415  importing is what instruments

    # The name of a process, not of a file: libFuzzer starts nothing.
    atheris.Setup([name, *arguments], keeping(targets.TARGETS[name], findings))
    atheris.Fuzz()


def keeping(target: Callable[[bytes], None], findings: Path) -> Callable[[bytes], None]:
    """Return *target*, but where it fails the input is written down, once for each place of failure."""
    seen: set[str] = set()

    def kept(data: bytes) -> None:
        try:
            target(data)
        except Exception as error:  # noqa: BLE001  whatever it is, it is a finding
            trace = traceback.extract_tb(error.__traceback__)
            place = "\n".join(
                [type(error).__name__, *(f"{frame.name}:{frame.lineno}" for frame in trace[-6:])]
            )
            mark = hashlib.sha256(place.encode()).hexdigest()[:12]
            if mark not in seen:
                seen.add(mark)
                (findings / mark).write_bytes(data)
                (findings / f"{mark}.txt").write_text(traceback.format_exc()[-20_000:], "utf-8", "replace")
                sys.stderr.write(f"{FINDING}{findings / mark}\n")

    return kept


if __name__ == "__main__":
    if sys.argv[1:2] == ["--within"]:
        fuzz(sys.argv[2], Path(sys.argv[3]), sys.argv[4:])
    else:
        sys.exit(main())
