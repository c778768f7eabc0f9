"""
One measurement in a process of its own; prints the number. `bench_processes` starts it.

It imports nothing that it does not need: what is imported already would not be measured.
"""

import sys
import time

#: What is imported before the clock starts. The attrs classes need this library whoever reads them.
_LIBRARIES = {
    "nucleo_schema": "from nucleo_schema import *",
    "pydantic": "from pydantic import BaseModel, Field, ValidationError",
    "msgspec": "import msgspec.json",
    "mashumaro": "import mashumaro.config, mashumaro.mixins.orjson",
    "cattrs": "import cattrs.preconf.orjson",
    "orjson alone": "import orjson",
}


def _seconds_of_import(statement: str) -> float:
    code = compile(statement, "<benchmark>", "exec")
    start = time.process_time()
    exec(code, {})  # noqa: S102  one of the statements in bench_processes
    return time.process_time() - start


def _seconds_of_first_answer(name: str, kind: str, path: str) -> float:
    from pathlib import Path  # noqa: PLC0415

    from benchmarks import peers, vocabulary  # noqa: F401, PLC0415

    for library in ("nucleo_schema", name):
        exec(_LIBRARIES[library], {})  # noqa: S102  one of the statements above
    text = Path(path).read_text(encoding="utf-8")
    start = time.process_time()
    competitor = peers.find_competitor(name)
    if competitor is None:
        raise RuntimeError(name)
    competitor.write(competitor.read[kind](text))
    return time.process_time() - start


def _megabytes_of_reading(name: str, kind: str, path: str) -> float:
    from pathlib import Path  # noqa: PLC0415

    from benchmarks import data, peers  # noqa: PLC0415

    competitor = peers.find_competitor(name)
    if competitor is None:
        raise RuntimeError(name)
    read = competitor.read[kind]
    read(data.compact(data.page_tree(1)))
    text = Path(path).read_text(encoding="utf-8")
    before = _peak_bytes()
    held = read(text)
    after = _peak_bytes()
    del held
    return (after - before) / 1e6


def _peak_bytes() -> int:
    """Return the peak of this process's resident memory."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123
            peak_kib = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
            return int(peak_kib) * 1024
    except OSError:
        import resource  # noqa: PLC0415  where it is all there is; it may count the parent's peak

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main() -> None:
    """Measure what the command line names."""
    what, name, *rest = sys.argv[1:]
    if what == "import":
        value = _seconds_of_import(name)
    elif what == "cold":
        value = _seconds_of_first_answer(name, *rest)
    else:
        value = _megabytes_of_reading(name, *rest)
    sys.stdout.write(repr(value))


if __name__ == "__main__":
    main()
