"""Where several processes share the tests, whole files go to them, the longest first."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Generator

import pytest
from longest_first import KEPT, file_of, longest_first, read_seconds, seconds_text
from sweeps import mark_sweeps

from app.window.fast_import import remove_import_hook

# Before numpy and torch are imported, here and in programs that tests start: a second thread for small products waits
# for its next one by turning in circles, and the processes of the tests have no core to spare for that.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

ROOT = KEPT.parent.parent
_measured: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`make test ARGS=--record-seconds` keeps how long each file took."""
    parser.addoption("--record-seconds", action="store_true", help=f"keep how long each file took in {KEPT.name}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: what tests wait for, timers and threads, left each idle for a sixth."""
    return 1 + (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)  # before tests are left out by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what of a sweep is slow; put the longest first in each process that is given a share.

    A run of one process keeps its order.
    """
    mark_sweeps(items, whole=not any("::" in asked for asked in config.args))
    if hasattr(config, "workerinput"):
        items[:] = longest_first([(item.nodeid, item) for item in items], read_seconds(KEPT.read_text()))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing that is imported and found here is garbage: the collector would look through all of it in vain.

    PySide, which pytest-qt has loaded, would look at each import as well, a ninth of what collecting takes.
    """
    remove_import_hook()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Have the collector look no more through what stays until the end: all tests, and the modules they import."""
    gc.collect()
    gc.freeze()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count what a test took, its fixtures too."""
    _measured[file_of(report.nodeid)] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep it, where that is asked for."""
    if session.config.getoption("record_seconds") and not hasattr(session.config, "workerinput"):
        there = (path.relative_to(ROOT).as_posix() for path in KEPT.parent.rglob("*_test.py"))
        KEPT.write_text(seconds_text(read_seconds(KEPT.read_text()), _measured, there))
