"""Deals cases to worker processes; one that dies or hangs costs its case alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ROW = 250  # cases of one worker
HANGS_S = 180  # without a word
HEADER = f"{'kind':<10} {'read':>6} {'refused':>8} {'failed':>7} {'most MB':>8} {'most s':>8}"


class Row(NamedTuple):
    """Cases of one kind, `last` not among them."""

    kind: str
    first: int
    last: int


@dataclass
class Tally:
    """What became of the cases of one kind. failed: by number, why."""

    kind: str
    read: int = 0
    refused: int = 0
    failed: dict[int, str] = field(default_factory=dict)
    skipped: str = ""
    most_mb: float = 0.0
    most_s: float = 0.0

    def add(self, result: Mapping[str, Any]) -> None:
        """One case more."""
        if result["outcome"] == "failed":
            self.failed[result["case"]] = result["detail"]
        else:
            self.read += result["outcome"] == "read"
            self.refused += result["outcome"] == "refused"
        self.most_mb, self.most_s = max(self.most_mb, result["mb"]), max(self.most_s, result["s"])

    def row(self) -> str:
        """Its line of the table."""
        if self.skipped:
            return f"{self.kind:<10} skipped: {self.skipped}"
        figures = f"{self.most_mb:8.0f} {self.most_s:8.1f}"
        return f"{self.kind:<10} {self.read:6} {self.refused:8} {len(self.failed):7} {figures}"


def run_all(kinds: list[str], first: int, count: int, jobs: int) -> dict[str, Tally]:
    """Run cases first … first + count of each kind on `jobs` processes at once."""
    rows = [Row(kind, at, min(at + ROW, first + count)) for at in range(first, first + count, ROW) for kind in kinds]
    tallies = {kind: Tally(kind) for kind in kinds}
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda row: run_rows(tallies, [row]), rows))
    return tallies


def run_rows(tallies: dict[str, Tally], rows: list[Row]) -> None:
    """Run the rows one after another in one worker, and in another from the next case on where it dies."""
    while rows:
        rows = _after(rows, *_run_worker(tallies, rows))


def _run_worker(tallies: dict[str, Tally], rows: list[Row]) -> tuple[str, int]:
    """Run one worker; returns the last case that it ran or died in."""
    places = [f"{row.kind}:{row.first}:{row.last}" for row in rows]
    command = [sys.executable, str(HERE / "fuzz_worker.py"), *places]
    kind, case, under_way = rows[0].kind, rows[0].first - 1, False
    alone = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    environment = {**os.environ, **alone, "PYTHONPATH": str(ROOT)}
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as worker,
    ):
        for line in _watched(worker):
            said = json.loads(line)
            kind, case, under_way = said["kind"], said["case"], "start" in said
            if "skipped" in said:
                tallies[kind].skipped = said["skipped"]
            elif not under_way:
                tallies[kind].add(said)
        code = worker.wait()
        errors.seek(0)
        said_last = errors.read()[-3000:]
    if under_way:
        tallies[kind].failed[case] = f"the process died ({code})\n{said_last}"
    elif code != 0:
        raise RuntimeError(f"the worker for {places} ended with {code}:\n{said_last}")
    return kind, case


def _watched(process: subprocess.Popen[str]) -> Iterator[str]:
    """The lines that it says; it is killed where none comes for long."""
    assert process.stdout is not None
    while True:
        with _timer(process):
            line = process.stdout.readline()
        if not line:
            return
        yield line


@contextmanager
def _timer(process: subprocess.Popen[str]) -> Iterator[None]:
    watch = threading.Timer(HANGS_S, process.kill)
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def _after(rows: list[Row], kind: str, case: int) -> list[Row]:
    """What is left of the rows behind a case."""
    at = next(i for i, row in enumerate(rows) if row.kind == kind and row.first - 1 <= case < row.last)
    rest = rows[at]._replace(first=case + 1)
    return [rest, *rows[at + 1 :]] if rest.first < rest.last else rows[at + 1 :]
