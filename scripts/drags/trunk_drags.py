"""How evenly people move when a hand is dragged straight through their trunk, without a solid body and with one.

python -m scripts.drags.trunk_drags [--bodies neutral,female,…] [--solvers dls,smplik] [--drags N] [--seed N]

Each drag takes a hand along a random line through the trunk, from one side of it to the other and back. The person is
new, with the feet held, or has pelvis and head held as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import process_time
from typing import cast

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.fitting_effectors import new_effectors
from app.document.posing.solving import solution_of, with_solution
from app.document.posing.surroundings import balls_of
from scripts.arguments import add_list
from scripts.drags.contact_depths import BODIES, new_person
from scripts.drags.drag_measures import FAR, MET, Array, Samples
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import percent_over, percentiles, print_row
from solver.contact.obstacles import body_alone
from solver.effectors.kinds import Position
from solver.evaluation.standing.skin_intersection import self_intersection_depth
from solver.ik.kernel_arrays import rows_of, strengths_of
from solver.ik.memory import FRESH, Memory
from solver.ik.options import SOLID_BODY, with_option
from solver.kinematics.pose_distance import places_apart
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, Role

HOLDS = {"feet": (), "all": (Role.PELVIS, Role.HEAD)}  # what is held besides the feet
BEYOND = 0.35  # metres of a line on either side of its point in the trunk
SIDEWAYS, SLOPE = 0.08, 0.3  # metres of that point off the middle; rise per metre along the line
LOOKED_AT = 10  # steps between checks of the skin


@dataclass
class Steps(Samples):
    """Measures of the steps of drags, in metres and milliseconds.

    moves: of the joint that moves most. hands: how far the hand is off where the trunk leaves it room. held: how far
    the worst of what is held is off. depths: how deep skin is in skin. ends: how far the hand is off where a drag turns
    or ends. stays: of the joint that moves most when that place is solved once more. took: processor time.
    """

    moves: list[float] = field(default_factory=list)
    hands: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    depths: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    stays: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Cells of a table, in the order of `COLUMNS`."""
        moves, held = (1e3 * np.array(metres) for metres in (self.moves, self.held))
        missed = sum(off > MET for off in self.hands)
        return [
            f"{len(moves)}", *percentiles(moves, 50, 95, 99, 100, digits=0), percent_over(self.moves, FAR, digits=1),
            f"{100 * missed / max(len(self.hands), 1):.0f}", *percentiles(held, 95),
            f"{1e3 * np.mean(self.depths):.1f}", f"{sum(off > MET for off in self.ends)} of {len(self.ends)}",
            f"{1e3 * max(self.stays):.0f}", *percentiles(self.took, 50, 95),
        ]  # fmt: skip


COLUMNS = (
    "steps", "moved mm", "p95", "p99", "worst", "over 5 cm %", "hand missed %", "held p95 mm", "depth mm",
    "ends missed", "again mm", "ms", "p95",
)  # fmt: skip


def person(body: str, solver: str, solid: bool, held: tuple[Role, ...], wrist: Role) -> tuple[Character, int]:
    """A new person, joints of these roles held where they are, and the index of that wrist's effector, now strict."""
    made = new_person(body, solver)
    made = replace(made, solver_options=with_option(made.solver_options, SOLID_BODY.id, solid))
    rig = rig_of(skeleton_of(made))
    more = new_effectors(made, Position.kind, [rig.name(role) for role in held])
    made = replace(made, effectors=(*made.effectors, *more))
    hand = next(i for i, e in enumerate(made.effectors) if e.joint == rig.name(wrist))
    strict = replace(made.effectors[hand], loose=False)
    return replace(made, effectors=(*made.effectors[:hand], strict, *made.effectors[hand + 1 :])), hand


def line(rng: np.random.Generator, character: Character) -> Array:
    """(2, 3) metres, the ends of a line through the trunk, past its middle between belly and chest."""
    joints, rig = joints_of(character).positions.astype(np.float64), rig_of(skeleton_of(character))
    low, high = joints[rig.index(Role.SPINE1)], joints[rig.index(Role.SPINE3)]
    through = low + rng.uniform() * (high - low) + [rng.uniform(-SIDEWAYS, SIDEWAYS), 0.0, 0.0]
    turn = rng.uniform(0.0, 2.0 * np.pi)
    way = np.array([np.sin(turn), rng.uniform(-SLOPE, SLOPE), np.cos(turn)])
    ends = np.array([through + BEYOND * way, through - BEYOND * way])
    return ends if ends[0, 2] > ends[1, 2] else ends[::-1]  # hands come from the front


def there_and_back(ends: Array, step: float) -> list[Array]:
    """Places (3,) in metres from one end to the other and back, at most that far apart."""
    count = int(np.ceil(np.linalg.norm(ends[1] - ends[0]) / step))
    there = ends[0] + np.linspace(0.0, 1.0, count + 1)[:, None] * (ends[1] - ends[0])
    return [*there, *there[-2::-1]]


def reaching(character: Character, hand: int, place: Array) -> Character:
    """The character with that effector asked to be at a place; not solved yet."""
    aimed = replace(character.effectors[hand], target=place.astype(np.float32))
    return replace(character, effectors=(*character.effectors[:hand], aimed, *character.effectors[hand + 1 :]))


def lines(
    body: str, solver: str, solid: bool, held: tuple[Role, ...], number: int, seed: int
) -> Iterator[tuple[Character, int, Array]]:
    """A number of people of one body, each with the effector to drag and the ends of its line; lines are the same for
    every solver."""
    for each in range(number):
        rng = np.random.default_rng([seed, BODIES.index(body), each])
        arm = ARMS[int(rng.integers(len(ARMS)))]
        character, hand = person(body, solver, solid, held, arm.end)
        yield character, hand, line(rng, character)


def drag(character: Character, hand: int, ends: Array, step: float) -> Steps:
    """Drag that effector from the first end to the other and back, and measure each step after the first place."""
    places = there_and_back(ends, step)
    turns = (len(places) // 2, len(places) - 1)
    skeleton, solid = skeleton_of(character), body_alone(balls_of(character))
    held = [i for i, e in enumerate(character.effectors) if e.is_active and isinstance(e, Position) and i != hand]
    steps, memory = Steps(), cast(Memory, FRESH)
    for number, place in enumerate(places):
        before = joints_of(character).positions.astype(np.float64)
        character = reaching(character, hand, place)
        aimed = character.effectors[hand]
        started = process_time()
        solution = solution_of(character, memory)
        took = 1e3 * (process_time() - started)
        character, memory = with_solution(character, solution), solution.memory
        if not number:
            continue
        after = joints_of(character).positions.astype(np.float64)
        steps.took.append(took)
        steps.moves.append(float(places_apart(after, before).max()))
        off = float(np.linalg.norm(after[skeleton.index(aimed.joint)] - place))
        rows = rows_of(skeleton, [aimed])
        if not solid.raised(rows, strengths_of([aimed]), skeleton, character.pose).which:
            steps.hands.append(off)
        steps.held.append(max(solution.residuals[i].value for i in held))
        if not number % LOOKED_AT:
            steps.depths.append(
                self_intersection_depth(body_of(character), character.shape, character.pose, character.hands)
            )
        if number in turns:
            steps.ends.append(off)
            again = with_solution(character, solution_of(character, memory))
            steps.stays.append(float(places_apart(joints_of(again).positions, after).max()))
    return steps


def drags(body: str, solver: str, solid: bool, held: tuple[Role, ...], number: int, seed: int, step: float) -> Steps:
    """A number of drags of one body, along the same lines for every solver."""
    steps = Steps()
    for character, hand, ends in lines(body, solver, solid, held, number, seed):
        steps.add(drag(character, hand, ends, step))
    return steps


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each solver and for what is held, without a solid body and with one."""
    parser = drag_parser(__file__, __doc__)
    add_list(parser, "--held", HOLDS)
    parser.add_argument("--drags", type=int, default=4, metavar="N", help="for each body (default: 4)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for the lines (default: 0)")
    parser.add_argument("--step", type=float, default=10.0, metavar="MM", help="between two places (default: 10)")
    parser.add_argument("--solid-alone", action="store_true", help="measure only with a solid body")
    given = parser.parse_args(arguments)
    print_row("solver", "held", "solid", *COLUMNS)
    for solver in given.solvers:
        for held in given.held:
            for solid in (True,) if given.solid_alone else (False, True):
                steps = Steps()
                for body in given.bodies:
                    steps.add(drags(body, solver, solid, HOLDS[held], given.drags, given.seed, given.step / 1e3))
                print_row(solver, held, "yes" if solid else "no", *steps.cells)


if __name__ == "__main__":
    main()
