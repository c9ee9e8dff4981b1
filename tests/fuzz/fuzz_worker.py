"""Runs a row of cases of one kind in this process, each with a bound on memory and time; one line of JSON for each.

`python tests/fuzz/fuzz_worker.py KIND:FIRST:LAST …`
"""

from __future__ import annotations

import gc
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

from fuzz_uses import KINDS, Kind, run_case

from solver.errors import PoserError

MEMORY_MB = 500  # above what the process held before the case
SECONDS = 5.0  # of the process's own time on the processor
ROOM_MB = 3000  # of addresses; what asks for more is refused by the system


REPORT = sys.stdout


class TooSlow(BaseException):
    """The time of a case is over; no handler for errors may catch it."""


def main(places: list[str]) -> None:
    """Run the cases of every KIND:FIRST:LAST, after a sound file of that kind, which has to be read."""
    signal.signal(signal.SIGPROF, _too_slow)
    limit = None
    for place in places:
        kind, first, last = place.split(":")
        chosen = KINDS[kind]
        with tempfile.TemporaryDirectory() as folder:
            try:
                chosen.use(chosen.sound(Path(folder)))
            except (ImportError, PoserError) as missing:
                if not isinstance(missing, ImportError) and "pip install" not in str(missing):
                    raise
                tell(kind, int(last) - 1, skipped=str(missing))
                continue
        gc.collect()
        gc.freeze()  # what modules made stays: each case's collection would look through all of it
        if limit is None:
            limit = int((_status()["VmSize"] + ROOM_MB) * 1024 * 1024)
            resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
        for number in range(int(first), int(last)):
            tell(kind, number, start=True)
            tell(kind, number, **run_bounded(chosen, kind, number))


def tell(kind: str, case: int, **what: Any) -> None:
    """A line for whoever started this process."""
    print(json.dumps({"kind": kind, "case": case, **what}), flush=True, file=REPORT)


def run_bounded(chosen: Kind, kind: str, number: int) -> dict[str, Any]:
    """What became of one case: outcome “read”, “refused” or “failed” with the reason; megabytes and seconds."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    path = chosen.make(random.Random(f"{kind}:{number}"), folder)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the high-water mark starts anew
    before, started, detail = _status()["VmRSS"], time.process_time(), ""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        outcome = run_case(chosen, path)
    except TooSlow:
        outcome, detail = "failed", f"took more than {SECONDS:g} s\n{traceback.format_exc()[-1500:]}"
    except BaseException as error:
        outcome, detail = "failed", f"{type(error).__name__}: {error}\n{traceback.format_exc()[-2500:]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds, memory = time.process_time() - started, _status()["VmHWM"] - before
    if outcome != "failed" and memory > MEMORY_MB:
        outcome, detail = "failed", f"took {memory:.0f} MB"
    shutil.rmtree(folder, ignore_errors=True)
    return {"outcome": outcome, "detail": detail, "mb": round(memory), "s": round(seconds, 2)}


def _too_slow(*_: object) -> None:
    raise TooSlow


def _status() -> dict[str, float]:
    """The process's own figures in megabytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    return {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.startswith("Vm")}


if __name__ == "__main__":
    REPORT = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # libraries print what they like
    main(sys.argv[1:])
