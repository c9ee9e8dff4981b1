"""Holds files at full line and branch coverage: `python -m scripts.check_coverage`, or --record to add to the list.

tests/covered.txt lists them. A listed file below 100% fails, and so does one that was taken off the list: it only
grows. A file at 100% that is not listed yet is named and fails nothing. Compiled kernels are not part of it, since
their lines cannot be traced while they run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scripts.arguments import script_parser

CHECKOUT = Path(__file__).resolve().parent.parent
LIST = CHECKOUT / "tests" / "covered.txt"
ROOMS = ("solver/ik", "solver/kinematics", "solver/effectors", "solver/formats", "app/document")
TESTS = (
    "tests/solver/ik", "tests/solver/contact/solid_body_test.py", "tests/solver/contact/solid_floor_test.py",
    "tests/solver/kinematics", "tests/solver/effectors", "tests/solver/formats", "tests/solver/rig",
    "tests/solver/size_limits_test.py", "tests/solver/estimates", "tests/app/document",
)  # fmt: skip
# A whole test file for each process, and no random examples: what is covered must not depend on luck. Tests with a
# thousand things measure time and memory, which takes minutes here and covers no further line.
HOW = (
    "-q", "-n", "auto", "--maxprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder",
    "-p", "no:cacheprovider", "-m", "not hypothesis", "--timeout=600", "-k", "not thousand",
)  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Run the tests of the rooms and compare; returns the exit code."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--record", action="store_true", help="add to the list what is at full coverage")
    given = parser.parse_args(arguments)
    started = time.monotonic()
    found = measure()
    whole = covered({path: entry["summary"] for path, entry in found.items()})
    if given.record:
        kept = {path for path in listed_in(LIST.read_text()) if (CHECKOUT / path).exists()}
        LIST.write_text("".join(f"{path}\n" for path in sorted(kept | whole)))
    listed = listed_in(LIST.read_text())
    wrong = complaints(whole, listed, known_before(), {path: left_out(entry) for path, entry in found.items()})
    counted = f"{len(whole)} files are fully covered ({time.monotonic() - started:.0f} s)."
    print("\n".join([*invitations(whole, listed), *(wrong or [counted])]))
    return 1 if wrong else 0


def measure() -> dict[str, Any]:
    """What is known of each file, as coverage reports it; ends the program if the tests fail."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        coverage = ("--cov", f"--cov-report=json:{report}", "--cov-report=")
        done = subprocess.run([sys.executable, "-m", "pytest", *HOW, *coverage, *TESTS], cwd=CHECKOUT, check=False)
        if done.returncode:
            raise SystemExit(done.returncode)
        files = json.loads(report.read_text())["files"]
    return {path: entry for path, entry in files.items() if path.startswith(tuple(f"{r}/" for r in ROOMS))}


def left_out(entry: Mapping[str, Any]) -> str:
    """The lines that were not run, and the ways from line to line that were not taken, as "12, 30→33"."""
    ways = [f"{first}→{then}" for first, then in entry["missing_branches"] if first not in entry["missing_lines"]]
    return ", ".join([*map(str, entry["missing_lines"]), *ways])


def covered(summaries: Mapping[str, Mapping[str, int]]) -> set[str]:
    """The files with statements in which every line and branch was covered."""
    return {
        path
        for path, found in summaries.items()
        if found["num_statements"] and not found["missing_lines"] and not found["missing_branches"]
    }


def complaints(
    whole: Iterable[str], listed: Iterable[str], before: Iterable[str], lines: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """What is wrong, a line each. before: what the list held in earlier commits and still exists. lines: what was left
    out of each file."""
    now, held = set(whole), set(listed)
    return [
        *(
            f"{path} is in {LIST.name} and no longer fully covered: test what is new in it ({lines.get(path, '')})"
            for path in sorted(held - now)
        ),
        *(f"{path} was taken off {LIST.name}: the list only grows" for path in sorted(set(before) - held - now)),
    ]


def invitations(whole: Iterable[str], listed: Iterable[str]) -> list[str]:
    """What may be added to the list, a line each."""
    return [
        f"{path} is fully covered now: add it to {LIST.name} (--record does)" for path in sorted({*whole} - {*listed})
    ]


def listed_in(text: str) -> list[str]:
    """The paths of a list's text."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def known_before() -> set[str]:
    """What the list held in this commit and in the one before, as far as the files are still there."""
    paths: set[str] = set()
    for commit in ("HEAD", "HEAD~1"):
        shown = subprocess.run(
            ["git", "show", f"{commit}:tests/{LIST.name}"], cwd=CHECKOUT, capture_output=True, text=True, check=False
        )
        paths.update(listed_in(shown.stdout) if shown.returncode == 0 else ())
    return {path for path in paths if (CHECKOUT / path).exists()}


if __name__ == "__main__":
    sys.exit(main())
