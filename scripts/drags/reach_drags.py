"""What it costs, and saves, that a search out of reach does not begin anew at each step of a drag.

python -m scripts.drags.reach_drags --bvh FOLDER [--split test] [--solver dls] [--drags N] [--seed N] [--gaps M,M]

People of recorded poses with five or twelve joints held where they are; one of these is pulled 25 to 90 cm away and
back, or away and around, in steps of 5 or 20 mm. A gap is how far effectors go before another start is tried again,
in metres. With the first gap, 0, every step out of reach tries one; the others are compared with it, step by step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.poses import TruePose, read_poses
from solver.evaluation.speed import FIVE, TWELVE, free_problem, positions_of
from solver.ik import continuity, continuity_kinds
from solver.ik.exact import Refined, refine
from solver.ik.memory import FRESH, Memory
from solver.solvers.catalog import load_solver

Array = NDArray[np.float64]
PULLED = (0.25, 0.9)  # metres, at least and at most
STEPS = (0.005, 0.02)  # metres
WORSE = 0.01  # metres that the strict effectors of a step are further off in all


class DragRun(NamedTuple):
    """All drags with one gap. off: of each drag, metres that its effectors are off in all, step by step. anew: searches
    that began anew. seconds: processor time."""

    off: list[Array]
    anew: int
    seconds: float


def main(args: Sequence[str] | None = None) -> None:
    """Print a row for each gap."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bvh", type=Path, required=True, metavar="FOLDER", help="recorded motion")
    parser.add_argument("--split", default="test", help="the split of it to draw poses from (default: test)")
    parser.add_argument("--solver", default="dls", help="a solver's id (default: dls)")
    parser.add_argument("--drags", type=int, default=60, metavar="N", help="how many drags (default: 60)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which poses and drags (default: 0)")
    parser.add_argument("--gaps", default=f"0,{continuity.TRIED_M}", help="metres, separated by commas")
    given = parser.parse_args(args)
    poses = read_poses(given.bvh, load_body(DEFAULT_BODY), given.split, "random", given.drags, given.seed).poses
    print("| gap cm | steps | begun anew | time, share of the first | steps worse | in a row | drags that end worse |")
    first: DragRun | None = None
    for gap in map(float, given.gaps.split(",")):
        run = drags_with(gap, given.solver, poses, given.seed)
        first = first or run
        print(f"| {100 * gap:g} | {compared(run, first)} |", flush=True)


def drags_with(gap: float, solver_id: str, poses: Sequence[TruePose], seed: int) -> DragRun:
    """Drag each of these people once. gap: metres before another start is tried again."""
    solver, off, anew = load_solver(solver_id), [], 0

    def counted(*each: object) -> Refined:
        nonlocal anew
        anew += len(each) == 2  # a problem and a proposal: nothing that the search goes on from
        return refine(*each)  # type: ignore[arg-type]

    started = process_time()
    with patch.object(continuity, "TRIED_M", gap), patch.object(continuity_kinds, "refine", counted):
        for number, person in enumerate(poses):
            memory: Memory = FRESH
            joints = FIVE if number % 3 == 0 else TWELVE
            effectors = list(positions_of(person.skeleton, person.pose, joints))
            rng = np.random.default_rng([seed, number])
            pulled, steps = int(rng.integers(len(joints))), []
            at = effectors[pulled].target
            for way in ways(rng, STEPS[number % 2], around=number % 4 == 3):
                effectors[pulled] = replace(effectors[pulled], target=(at + way).astype(np.float32))
                solution = solver.solve(free_problem(person.skeleton, effectors, person.pose), memory)
                memory = solution.memory
                steps.append(sum(left.value for left in solution.residuals))
            off.append(np.array(steps))
    return DragRun(off, anew, process_time() - started)


def ways(rng: np.random.Generator, step: float, around: bool) -> Iterator[Array]:
    """(3,) metres from where a joint is, step by step: away and back, or away and around."""
    out, side = (way / np.linalg.norm(way) for way in rng.standard_normal((2, 3)))
    reach = rng.uniform(*PULLED)
    away = [part * out for part in np.arange(0.0, reach, step)]
    yield from away
    if not around:
        yield from reversed(away)
        return
    across = side - (side @ out) * out
    across /= np.linalg.norm(across)
    for angle in np.arange(0.0, np.pi, step / reach):
        yield reach * (np.cos(angle) * out + np.sin(angle) * across)


def compared(run: DragRun, first: DragRun) -> str:
    """The rest of the row of a gap."""
    worse = [mine - theirs > WORSE for mine, theirs in zip(run.off, first.off, strict=True)]
    return " | ".join(
        [
            f"{sum(map(len, worse))} | {run.anew} | {run.seconds / first.seconds:.2f}",
            f"{sum(int(steps.sum()) for steps in worse)} | {max(map(longest_run, worse))}",
            f"{sum(bool(steps[-1]) for steps in worse)}",
        ]
    )


def longest_run(steps: NDArray[np.bool_]) -> int:
    """How many in a row are true, at most."""
    longest = now = 0
    for step in steps:
        now = now + 1 if step else 0
        longest = max(longest, now)
    return longest


if __name__ == "__main__":
    main()
