"""What a run found: records, a table for people, and JSON for programs."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from .peers import OURS, version_of
from .runner import Measure, Ratio, ratio_of
from .subjects import Target

__all__ = ["Environment", "Outcome", "Verdict", "as_json", "table", "this_environment", "verdicts_of"]


@frozen
class Outcome:
    """The measures of one subject, by who did the work."""

    name: str
    measures: Mapping[str, Measure]
    targets: tuple[Target, ...]
    unit: str = "s"


@frozen
class Verdict:
    """Whether a target is reached: *reached* is in the target's own terms."""

    target: Target
    reached: Ratio

    @property
    def passed(self) -> bool:
        """Whether the median of the ratios is what was asked for."""
        if self.target.at_least is not None:
            return self.reached.median >= self.target.at_least
        return self.target.at_most is None or self.reached.median <= self.target.at_most

    @property
    def text(self) -> str:
        """The target, what was reached, and PASS or miss."""
        word, bound = (
            ("at least", self.target.at_least)
            if self.target.at_least is not None
            else (
                "at most",
                self.target.at_most,
            )
        )
        over, under = ("theirs", "ours") if word == "at least" else ("ours", "theirs")
        verdict = "PASS" if self.passed else "miss"
        return f"{over}/{under} {self.reached.median:.2f}, {word} {bound:g}: {verdict}"


@frozen
class Environment:
    """Where a run took place."""

    python: str
    system: str
    cpus: int
    packages: dict[str, str]


def this_environment(packages: Sequence[str]) -> Environment:
    """Return this place, with the versions of *packages*."""
    return Environment(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        system=f"{platform.system()} {platform.machine()}",
        cpus=os.cpu_count() or 1,
        packages={package: version_of(package) for package in packages},
    )


def verdicts_of(outcome: Outcome) -> dict[str, Verdict]:
    """Return the verdict of each target whose competitor took part, by competitor."""
    ours = outcome.measures[OURS]
    verdicts = {}
    for target in outcome.targets:
        theirs = outcome.measures.get(target.against)
        if theirs is not None:
            pair = (theirs, ours) if target.at_least is not None else (ours, theirs)
            verdicts[target.against] = Verdict(target, ratio_of(*pair))
    return verdicts


def table(environment: Environment, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"{environment.python}, {environment.system}, {environment.cpus} CPUs"
    yield ", ".join(f"{package} {version}" for package, version in environment.packages.items())
    yield "Medians of processor time; theirs/ours is the median of all rounds' ratios, with the quartiles."
    for outcome in outcomes:
        yield ""
        yield outcome.name
        yield from _rows(outcome)


def _rows(outcome: Outcome) -> Iterator[str]:
    verdicts = verdicts_of(outcome)
    ours = outcome.measures[OURS]
    for name, measure in outcome.measures.items():
        row = f"  {name:<24} {amount(measure.median, outcome.unit):>10}"
        if name != OURS:
            ratio = ratio_of(measure, ours)
            row += f"   theirs/ours {ratio.median:6.2f} [{ratio.low:.2f} .. {ratio.high:.2f}]"
        if name in verdicts:
            row += f"   {verdicts[name].text}"
        yield row
    for target in outcome.targets:
        if target.against not in outcome.measures:
            yield f"  {target.against:<24} {'not installed':>10}"


def amount(value: float, unit: str) -> str:
    """Return a number with its unit, in three digits or so."""
    if unit != "s":
        return f"{value:.1f} {unit}"
    for scale, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= scale:
            return f"{value / scale:.3g} {name}" if value < 1000 * scale else f"{value / scale:.0f} {name}"
    return f"{value * 1e9:.0f} ns"


def as_json(environment: Environment, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the report as a JSON tree."""
    return {
        "python": environment.python,
        "system": environment.system,
        "cpus": environment.cpus,
        "packages": environment.packages,
        "subjects": [_subject(outcome) for outcome in outcomes],
    }


def _subject(outcome: Outcome) -> dict[str, Any]:
    ours = outcome.measures[OURS]
    return {
        "name": outcome.name,
        "unit": outcome.unit,
        "measures": {
            name: {
                "median": measure.median,
                "minimum": min(measure.values),
                "rounds": len(measure.values),
                "theirs_over_ours": _ratio(ratio_of(measure, ours)),
            }
            for name, measure in outcome.measures.items()
        },
        "targets": [
            {
                "against": against,
                "at_least": verdict.target.at_least,
                "at_most": verdict.target.at_most,
                "reached": _ratio(verdict.reached),
                "passed": verdict.passed,
            }
            for against, verdict in verdicts_of(outcome).items()
        ],
    }


def _ratio(ratio: Ratio) -> dict[str, float]:
    return {"median": ratio.median, "low": ratio.low, "high": ratio.high}
