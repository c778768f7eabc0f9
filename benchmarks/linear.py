"""
The command ``python -m benchmarks.linear``: processor time for ten times as much of a hostile text.

A search in compiled code is one call however far it looks, so the work that the tests count does not show it.
Here its time does: a scanner that starts over from every bracket takes a hundred times as long.
"""

from __future__ import annotations

import contextlib
import gc
import time
from typing import Any

import nucleo_schema
from tests.hostile_texts import FAMILIES

REPETITIONS = 20_000
#: Ten times the text, and the caches of the processor outgrown.
MOST = 20


def main() -> int:
    """Print the families of texts from the worst to the best; returns 1 when one of them is not linear."""
    ratios = sorted(((_ratio(text_of), name) for name, text_of in FAMILIES.items()), reverse=True)
    for ratio, name in ratios:
        print(f"{ratio:6.1f}  {name}")
    return int(ratios[0][0] > MOST)


def _ratio(text_of: Any) -> float:
    small, large = text_of(REPETITIONS), text_of(10 * REPETITIONS)
    return min(_seconds(large) for _ in range(2)) / max(min(_seconds(small) for _ in range(3)), 1e-4)


def _seconds(text: str) -> float:
    gc.collect()
    gc.disable()
    start = time.process_time()
    with contextlib.suppress(nucleo_schema.NucleoError):
        nucleo_schema.parse_llm_response(text, Any)
    stop = time.process_time()
    gc.enable()
    return stop - start


if __name__ == "__main__":
    raise SystemExit(main())
