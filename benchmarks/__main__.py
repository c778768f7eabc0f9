"""The command: ``python -m benchmarks``, from the root of a clone with the peers installed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from .bench_documents import document_subjects, large_subjects
from .bench_modes import mode_subjects
from .bench_processes import measure_processes, process_subjects
from .bench_replies import reply_subjects
from .bench_schemas import schema_subjects
from .calls import compare_calls, update_expected_calls
from .chart import chart
from .peers import load_competitors, packages_of
from .report import Outcome, as_json, table, this_environment, verdicts_of
from .runner import FULL, QUICK, Effort, measure_in_turn
from .subjects import Competitors, Subject, assert_equal_results


def main(arguments: list[str] | None = None) -> int:
    """Run what the command line asks for; returns 1 when counted calls are not what is expected."""
    options = _parser().parse_args(arguments)
    if options.calls or options.update_calls:
        return _calls(update=options.update_calls)
    competitors = load_competitors()
    for name, competitor in competitors.items():
        if competitor is None:
            _say(f"{name}: not installed, left out (see benchmarks/requirements.txt)")
    environment = this_environment(list(packages_of(competitors)))
    outcomes = list(_outcomes(competitors, QUICK if options.quick else FULL))
    print("\n".join(table(environment, outcomes)))
    if options.json is not None:
        text = json.dumps(as_json(environment, outcomes), indent=2)
        options.json.write_text(f"{text}\n", encoding="utf-8")
    if options.svg is not None:
        options.svg.write_text(chart(environment, outcomes), encoding="utf-8")
    verdicts = [v for outcome in outcomes for v in verdicts_of(outcome).values()]
    print(f"\nTargets reached: {sum(verdict.passed for verdict in verdicts)} of {len(verdicts)}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the measures here as JSON")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a bar chart here")
    parser.add_argument("--calls", action="store_true", help="count calls instead of seconds, and compare")
    parser.add_argument(
        "--update-calls", action="store_true", help="count calls and make them the expected ones"
    )
    return parser


def _outcomes(competitors: Competitors, effort: Effort) -> Iterator[Outcome]:
    sources: tuple[Callable[[], Iterator[Subject]], ...] = (
        lambda: document_subjects(competitors),
        lambda: reply_subjects(competitors),
        mode_subjects,
        lambda: schema_subjects(competitors),
        lambda: large_subjects(competitors),
    )
    for source in sources:
        for subject in source():
            _say(subject.name)
            yield _outcome(subject, effort)
    for processes in process_subjects(competitors):
        _say(processes.name)
        measures = measure_processes(processes, effort)
        yield Outcome(processes.name, measures, processes.targets, processes.unit)


def _outcome(subject: Subject, effort: Effort) -> Outcome:
    assert_equal_results(subject)
    return Outcome(subject.name, measure_in_turn(subject.works, effort), subject.targets)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _calls(*, update: bool) -> int:
    counts = compare_calls()
    for count in counts:
        expected = "nothing expected" if count.expected is None else f"expected {count.expected}"
        print(f"{count.name:<62} {count.calls:>7} calls, {expected}{'' if count.fits or update else '  <--'}")
    if update:
        update_expected_calls(counts)
        return 0
    return 0 if all(count.fits for count in counts) else 1


if __name__ == "__main__":
    sys.exit(main())
