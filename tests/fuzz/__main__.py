"""Fuzz of everything that reads files: `python tests/fuzz [--count 2000] [--kind bvh] [--case bvh:17]`.

Every case is a sound file, made by our own writers and damaged by a seeded generator. It must be refused in one line
that names it, or be solved, saved, read again and exported; in 5 seconds and 500 MB either way. Needs Linux.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

from fuzz_runner import HEADER, run_all

KINDS = ("bvh", "gltf", "motion", "pose", "scene", "picture", "body", "weights")


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns 1 where a case failed."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, metavar="N", help="cases of each kind (2000)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first case (0)")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this kind; may be given again")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once")
    parser.add_argument("--case", metavar="KIND:N", help="one case alone, here and now, with its traceback")
    given = parser.parse_args(arguments)
    if given.case:
        return repeat(given.case)
    tallies = list(run_all(given.kind or list(KINDS), given.first, given.count, given.jobs).values())
    print(HEADER)
    for tally in tallies:
        print(tally.row())
    for tally in tallies:
        for number, detail in sorted(tally.failed.items())[:20]:
            print(f"\n{tally.kind}:{number} — repeat with: python tests/fuzz --case {tally.kind}:{number}\n{detail}")
    return int(any(tally.failed for tally in tallies))


def repeat(case: str) -> int:
    """Run one case without bounds and leave its files in a folder."""
    sys.path.insert(1, str(Path(__file__).resolve().parents[2]))  # the checkout's own packages
    from fuzz_uses import KINDS as USES
    from fuzz_uses import run_case

    kind, _, number = case.partition(":")
    folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{kind}-{number}-"))
    print(f"Its files are in {folder}")
    path = USES[kind].make(random.Random(f"{kind}:{int(number)}"), folder)
    print(run_case(USES[kind], path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
