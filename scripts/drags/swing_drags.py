"""How evenly people with a solid body are drawn when a hand is dragged straight through their trunk: they swing over.

python -m scripts.drags.swing_drags [--bodies neutral,female,…] [--solvers dls,smplik] [--held all,feet] [--drags N]
    [--seed N] [--step MM] [--rate N]

The drags are those of scripts.drags.trunk_drags. Each step is solved, and drawn once, at that rate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import process_time
from typing import cast

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.solving import solution_of, with_solution
from app.viewport.swings.drawn import drawn_next
from scripts.arguments import add_list
from scripts.drags.drag_measures import FAR, Array, Samples
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles, print_row
from scripts.drags.trunk_drags import HOLDS, LOOKED_AT, lines, reaching, there_and_back
from solver.effectors.kinds import Position
from solver.evaluation.standing.skin_intersection import self_intersection_depth
from solver.ik.memory import FRESH, Memory
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart
from solver.rig.roles import Role


@dataclass
class Steps(Samples):
    """Measures of steps, in metres and milliseconds.

    solved, drawn: of the joint that moves most, as solved and as drawn. held, held_solved: how far the worst of what is
    held is off in what is drawn on the way, and in the answers to those steps. depths, depths_solved: likewise how deep
    skin is in skin at each tenth of them. took: processor time of drawing on the way.
    """

    solved: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    held_solved: list[float] = field(default_factory=list)
    depths: list[float] = field(default_factory=list)
    depths_solved: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def rows(self) -> tuple[list[str], list[str]]:
        """Cells of a table, in the order of `COLUMNS`: as solved, and as drawn."""
        way = f"{100 * len(self.held) / len(self.drawn):.0f}"
        took = percentiles(self.took or [0.0], 50, 95)
        return (
            ["solved", *_moves(self.solved), "", *_worst(self.held_solved), *_depth(self.depths_solved), "", ""],
            ["drawn", *_moves(self.drawn), way, *_worst(self.held), *_depth(self.depths), *took],
        )


COLUMNS = (
    "steps, p95 cm", "p99", "worst", "over 5 cm %", "over 10", "over 20", "on the way %", "held p95 mm", "worst",
    "depth mm", "worst", "ms", "p95",
)  # fmt: skip


def _moves(moves: list[float]) -> list[str]:
    far = [percent_over(moves, most, digits=1) for most in (FAR, 2 * FAR, 4 * FAR)]
    return [*percentiles(100 * np.array(moves), 95, 99, 100), *far]


def _worst(offs: list[float]) -> list[str]:
    return percentiles(1e3 * np.array(offs or [0.0]), 95, 100)


def _depth(depths: list[float]) -> list[str]:
    return mean_and_worst(1e3 * np.array(depths or [0.0]))


def drag(character: Character, hand: int, ends: Array, step: float, rate: float) -> Steps:
    """Drag that effector from the first end to the other and back, and measure each step after the first place."""
    steps, memory, drawn = Steps(), cast(Memory, FRESH), None
    for number, place in enumerate(there_and_back(ends, step)):
        before = character.pose
        character = reaching(character, hand, place)
        solution = solution_of(character, memory)
        character, memory = with_solution(character, solution), solution.memory
        started, was = process_time(), drawn
        drawn = drawn_next(was, character, number / rate, in_drag=True)
        took = 1e3 * (process_time() - started)
        if was is None:
            continue
        steps.solved.append(_apart(character, before, character.pose))
        steps.drawn.append(_apart(character, was.pose, drawn.pose))
        if drawn.ends_s is not None:
            steps.took.append(took)
            steps.held.append(_held_off(character, hand, drawn.pose))
            steps.held_solved.append(_held_off(character, hand, character.pose))
            if not len(steps.took) % LOOKED_AT:
                steps.depths.append(_depth_of(character, drawn.pose))
                steps.depths_solved.append(_depth_of(character, character.pose))
    return steps


def _apart(character: Character, one: Pose, other: Pose) -> float:
    return float(apart(skeleton_of(character), one, other).max())


def _held_off(character: Character, hand: int, pose: Pose) -> float:
    world = forward_kinematics(skeleton_of(character), pose)
    held = [e for i, e in enumerate(character.effectors) if e.is_active and isinstance(e, Position) and i != hand]
    return max(e.residual(skeleton_of(character), world) for e in held)


def _depth_of(character: Character, pose: Pose) -> float:
    return self_intersection_depth(body_of(character), character.shape, pose, character.hands)


def drags(body: str, solver: str, held: tuple[Role, ...], number: int, seed: int, step: float, rate: float) -> Steps:
    """A number of drags of one body, along the lines of scripts.drags.trunk_drags."""
    steps = Steps()
    for character, hand, ends in lines(body, solver, True, held, number, seed):
        steps.add(drag(character, hand, ends, step, rate))
    return steps


def main(arguments: list[str] | None = None) -> None:
    """Print a table, two rows for each solver and for what is held: as solved, and as drawn."""
    parser = drag_parser(__file__, __doc__)
    add_list(parser, "--held", HOLDS)
    parser.add_argument("--drags", type=int, default=2, metavar="N", help="for each body (default: 2)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for the lines (default: 0)")
    parser.add_argument("--step", type=float, default=10.0, metavar="MM", help="between two places (default: 10)")
    parser.add_argument("--rate", type=float, default=60.0, metavar="N", help="pictures a second (default: 60)")
    given = parser.parse_args(arguments)
    print_row("solver", "held", "pose", *COLUMNS)
    for solver in given.solvers:
        for held in given.held:
            steps = Steps()
            for body in given.bodies:
                steps.add(drags(body, solver, HOLDS[held], given.drags, given.seed, given.step / 1e3, given.rate))
            for row in steps.rows:
                print_row(solver, held, *row)


if __name__ == "__main__":
    main()
