"""The batch on a cluster, by the modules of the how-to: two processes give the bytes of one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import nucleo_schema
from nucleo_schema._cli.main import main

from ..test_docs import ROOT, blocks

pytest.importorskip("distributed", reason="needs tests/batch/requirements.txt")

from dask.distributed import Client, LocalCluster

PAGE = ROOT / "docs" / "how-to" / "batch-reading.md"
TIMEOUT_S = 120
#: Replies of the page, so often that there are partitions for both workers.
COPIES = 500


@pytest.fixture(autouse=True)
def expected(tmp_path, monkeypatch):
    """Work beside the files of the page, with many replies; return the output of a single process over them."""
    for _, _, title, code in blocks(PAGE):
        if title:
            (tmp_path / title).write_text(code, "utf-8")
    replies = tmp_path / "replies.jsonl"
    replies.write_bytes(replies.read_bytes() * COPIES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert main(["read", "notes:Note", "--jsonl", "replies.jsonl", "--output", "expected.jsonl"]) == 1
    yield (tmp_path / "expected.jsonl").read_bytes()
    for name in ("notes", "partitions", "on_dask"):
        sys.modules.pop(name, None)


def test_two_processes_of_a_cluster_give_the_bytes_of_one(expected):
    """Each reads every other partition, and the files one behind the other are the output."""
    from on_dask import partitions, read_partition  # noqa: PLC0415  the fixture wrote it

    Path("results").mkdir()
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        processes = client.run(os.getpid)
        futures = [
            client.submit(read_partition, part, "results", workers=list(processes)[number % 2])
            for number, part in enumerate(partitions("replies.jsonl", lines=200))
        ]
        files = client.gather(futures)

    assert len({*processes.values(), os.getpid()}) == 3
    assert len(files) == 15
    assert b"".join(file.read_bytes() for file in files) == expected


def test_the_program_of_the_page_gives_the_bytes_of_one(expected):
    """Started again, it reads no partition whose results are there."""
    environment = {**os.environ, "PYTHONPATH": str(Path(nucleo_schema.__file__).parents[1])}
    written = set()
    for _ in range(2):
        command = [sys.executable, "on_dask.py"]
        subprocess.run(command, env=environment, timeout=TIMEOUT_S, check=True)
        written |= {(file.name, file.stat().st_ino) for file in Path("results").iterdir()}
        assert Path("results.jsonl").read_bytes() == expected

    assert len(written) == 1
