"""
Timing: competitors taken in turn, round after round, so that a slow moment of the machine meets them all.

A round times one short block of calls of each, in processor time, which leaves out what other processes
take. The garbage collector runs between blocks and not inside them, as in ``timeit``: whose turn it is to
collect what others left would be chance. Ratios are taken within a round and their median is reported, so
that a machine that grows slower changes neither.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

__all__ = ["FULL", "QUICK", "Effort", "Measure", "Ratio", "measure_in_turn", "ratio_of"]

Work = Callable[[], object]


@frozen
class Effort:
    """
    How long to measure.

    Attributes:
        rounds: How often everyone has a turn.
        block_s: How long one turn takes, about; a single call may take longer.
        budget_s: How long one subject may take; slow ones have fewer rounds, and no fewer than five.
        processes: How often everyone has a process of their own, where one is needed.
    """

    rounds: int
    block_s: float
    budget_s: float
    processes: int


FULL = Effort(rounds=151, block_s=0.005, budget_s=15.0, processes=11)
QUICK = Effort(rounds=31, block_s=0.002, budget_s=3.0, processes=3)
_FEWEST_ROUNDS = 5


@frozen
class Measure:
    """What each round measured for one competitor: seconds of a call, or whatever the unit is."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.values)


@frozen
class Ratio:
    """The median of the ratios of all rounds, with the quartiles around it."""

    median: float
    low: float
    high: float


def ratio_of(over: Measure, under: Measure) -> Ratio:
    """Return by how much *over* exceeds *under*, round by round."""
    ratios = [a / b for a, b in zip(over.values, under.values, strict=True)]
    if len(ratios) == 1:
        return Ratio(ratios[0], ratios[0], ratios[0])
    low, median, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return Ratio(median, low, high)


def measure_in_turn(works: Mapping[str, Work], effort: Effort) -> dict[str, Measure]:
    """Return the seconds that a call of each work takes, warm, in each round."""
    gc.collect()
    gc.freeze()  # what is there now need not be looked at between blocks
    calls = {name: _calls_in_block(work, effort.block_s) for name, work in works.items()}
    round_s = sum(_time_block(work, calls[name]) for name, work in works.items())
    rounds = max(_FEWEST_ROUNDS, min(effort.rounds, int(effort.budget_s / round_s)))
    seconds: dict[str, list[float]] = {name: [] for name in works}
    names = list(works)
    for number in range(rounds):
        for name in _turned(names, number):
            seconds[name].append(_time_block(works[name], calls[name]) / calls[name])
    gc.unfreeze()
    return {name: Measure(tuple(values)) for name, values in seconds.items()}


def _turned(names: Sequence[str], number: int) -> list[str]:
    """Return *names* from another one on in each round, so that nobody always follows the same one."""
    first = number % len(names)
    return [*names[first:], *names[:first]]


def _calls_in_block(work: Work, block_s: float) -> int:
    calls = 1
    work()  # builds what is built once
    while (seconds := _time_block(work, calls)) < block_s / 4:
        calls *= 2
    return max(1, round(calls * block_s / seconds))


def _time_block(work: Work, calls: int) -> float:
    """Return the seconds of a block of calls."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        for _ in range(calls):
            work()
        return time.process_time() - start
    finally:
        gc.enable()
