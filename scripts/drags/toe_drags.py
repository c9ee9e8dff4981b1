"""How a foot turns its toes up while the ball of the foot is dragged.

python -m scripts.drags.toe_drags [--bodies neutral,female,…] [--solvers dls,smplik,…] [--step METRES] [--each]
    [--squat]

The ball of the left foot of somebody new is dragged up in even steps and back: straight up, in the plane of a camera
that looks down or from beside, aside, and after the foot was taken a step ahead. Red is the share of steps in which an
effector is shown as not reachable, of those in which the ball is less than 8 cm up, and of those beyond. Missed is how
far the ball is off, at most, up to there. Heel is how high the lowest skin of that foot is above the floor, and slid
how far its heel's middle goes along the floor, at most. Steps are those of the joint that moves most, others those of
joints that are not of that leg. Left is how far the joint that went furthest is off where the drag began once it came
back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.solving import residuals_of
from scripts.drags.contact_depths import FIRST, new_person
from scripts.drags.drag_measures import ALL_SOLVERS, FAR, Array, Samples, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import percent_over, percentiles, print_row
from solver.contact.floor_points import floor_points
from solver.kinematics.fk import WorldJoints
from solver.rig.rig import rig_of
from solver.rig.roles import Role

SEEN_M = 0.08  # up to there an artist turns toes up; beyond, most feet turn no further
PULLS = {
    "straight up": (0.0, 0.12, 0.0),
    "up and back": (0.0, 0.12, -0.03),
    "seen from above": (0.0, 0.12, -0.06),
    "up and aside": (0.04, 0.12, 0.0),
    "up and ahead": (0.0, 0.12, 0.02),
}  # the way of the left ball, (3,) metres
HELD_UP, SQUAT = (0.03, 0.06, 0.08), (0.0, -0.3, 0.0)  # metres of the ball, and the way of the pelvis then
STEP_AHEAD = (0.0, 0.0, 0.3)  # of the ankle, before, in a drag of its own
COLUMNS = (
    "drags", "red %", "beyond %", "missed mm", "heel mm", "slid mm", "steps cm", "p95", "worst", "over 5 cm %",
    "others cm", "left mm", "ms", "p95",
)  # fmt: skip


@dataclass
class Turned(Samples):
    """Metres and milliseconds; each step adds a number to all but `left`, to which each drag does."""

    red: list[float] = field(default_factory=list)
    beyond: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    heel: list[float] = field(default_factory=list)
    slid: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    left: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        return [
            f"{len(self.left)}", f"{100 * np.mean(self.red):.0f}", f"{100 * np.mean(self.beyond):.0f}",
            *(f"{1e3 * np.max(each):.1f}" for each in (self.missed, self.heel, self.slid)),
            *percentiles(100 * np.array(self.steps), 50, 95, 100), percent_over(self.steps, FAR, digits=1),
            f"{100 * np.max(self.others):.1f}", f"{1e3 * np.max(self.left):.0f}", *percentiles(self.took, 50, 95),
        ]  # fmt: skip


def drag(body: str, solver: str, way: tuple[float, ...], step: float, ahead: bool) -> Turned:
    """Drag the ball of the left foot of somebody new there and back, and measure each step."""
    person = new_person(body, solver)
    document, rig, found = Document().with_characters((person,)), rig_of(skeleton_of(person)), Turned()
    if ahead:
        document, id = handle(document, rig, Role.LEFT_ANKLE)
        for reached in drag_steps(document, id, straight(np.array(STEP_AHEAD), step)):
            document = reached.document
    document, id = handle(document, rig, Role.LEFT_FOOT)
    document = edits.make_strict(FIRST, [id])(document)
    leg = [rig.index(role) for role in (Role.LEFT_HIP, Role.LEFT_KNEE, Role.LEFT_ANKLE, Role.LEFT_FOOT)]
    others = np.setdiff1d(np.arange(len(rig)), leg)
    heel = _Heel(document, rig.index(Role.LEFT_ANKLE), rig.index(Role.LEFT_FOOT))
    began, was = places_of(document), places_of(document)
    stood = heel.place(document)
    ways = straight(np.array(way), step, back=True)
    for by, reached in zip(ways, drag_steps(document, id, ways), strict=True):
        document, now = reached.document, places_of(reached.document)
        ball, red = _told(document, id)
        (found.red if by[1] <= SEEN_M else found.beyond).append(float(red))
        if by[1] <= SEEN_M:
            found.missed.append(ball)
            found.heel.append(heel.height(document))
            found.slid.append(float(np.linalg.norm((heel.place(document) - stood)[[0, 2]])))
        found.steps.append(apart(now, was))
        found.others.append(float(np.linalg.norm((now[0] - was[0])[others], axis=1).max()))
        found.took.append(reached.took)
        was = now
    found.left.append(apart(was, began))
    return found


def squat(body: str, solver: str, up: float, step: float) -> Turned:
    """Drag the pelvis of somebody new down whose left ball is held so many metres up, and measure each step."""
    person = new_person(body, solver)
    document, rig, found = Document().with_characters((person,)), rig_of(skeleton_of(person)), Turned()
    for role, way in ((Role.LEFT_FOOT, (0.0, up, -0.02)), (Role.PELVIS, SQUAT)):
        document, id = handle(document, rig, role)
        document, was = edits.make_strict(FIRST, [id])(document), places_of(document)
        found = Turned()
        for reached in drag_steps(document, id, straight(np.array(way), step)):
            document, now = reached.document, places_of(reached.document)
            found.red.append(float(_told(document, id)[1]))
            found.steps.append(apart(now, was))
            found.took.append(reached.took)
            was = now
    return found


class _Heel:
    """The skin of a foot, and the middle of its heel."""

    def __init__(self, document: Document, ankle: int, ball: int) -> None:
        person = document.character(FIRST)
        self._points = floor_points(body_of(person), person.shape)
        self._ankle, self._on_foot = ankle, np.isin(self._points.carriers, [ankle, ball])
        world = joints_of(person)
        lowest = self._points.places(_doubled(world))[self._on_foot]
        behind = lowest[lowest[:, 1] < lowest[:, 1].min() + 0.02]
        middle = behind[np.argsort(behind[:, 2])[: len(behind) // 8 + 1]].mean(0)
        self._heel = world.rotations[ankle].T.astype(np.float64) @ (middle - world.positions[ankle])

    def place(self, document: Document) -> Array:
        world = _doubled(joints_of(document.character(FIRST)))
        return np.asarray(world.positions[self._ankle] + world.rotations[self._ankle] @ self._heel)

    def height(self, document: Document) -> float:
        world = _doubled(joints_of(document.character(FIRST)))
        return float(self._points.places(world)[self._on_foot, 1].min())


def _doubled(world: WorldJoints) -> WorldJoints:
    return WorldJoints(world.positions.astype(np.float64), world.rotations.astype(np.float64))


def _told(document: Document, id: str) -> tuple[float, bool]:
    """Metres by which the ball is off, and whether any effector of its foot is shown as not reachable."""
    person = document.character(FIRST)
    told = residuals_of(person)
    ball = next(one.value for e, one in zip(person.effectors, told, strict=True) if e.id == id)
    return ball, any(one.state == "unreachable" for one in told)


def squats(bodies: Sequence[str], solvers: Sequence[str], step: float) -> None:
    """Print a table: a row for each solver and height of the ball."""
    print_row(
        "solver", "ball cm", "drags", "red %", "steps cm", "p95", "worst", "over 5 cm %", "over 10 cm %", "ms", "p95"
    )
    for solver in solvers:
        for up in HELD_UP:
            found = Turned()
            for body in bodies:
                found.add(squat(body, solver, up, step))
            print_row(
                solver, f"{100 * up:.0f}", f"{len(bodies)}", f"{100 * np.mean(found.red):.0f}",
                *percentiles(100 * np.array(found.steps), 50, 95, 100), percent_over(found.steps, FAR, digits=1),
                percent_over(found.steps, 2 * FAR, digits=1), *percentiles(found.took, 50, 95),
            )  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    """Print a table: a row for each solver, and with --each for each drag."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="drag")
    parser.add_argument("--step", type=float, default=0.01, metavar="METRES", help="of the ball (default: %(default)s)")
    parser.add_argument("--squat", action="store_true", help="the pelvis, with the ball held up")
    given = parser.parse_args(arguments)
    if given.squat:
        squats(given.bodies, given.solvers, given.step)
        return
    print_row("solver", "drag", *COLUMNS)
    for solver in given.solvers:
        everything = Turned()
        for pull, way in PULLS.items():
            for ahead in (False, True):
                found = Turned()
                for body in given.bodies:
                    found.add(drag(body, solver, way, given.step, ahead))
                everything.add(found)
                if given.each:
                    print_row(solver, pull + (", a step ahead" if ahead else ""), *found.cells)
        print_row(solver, "all", *everything.cells)


if __name__ == "__main__":
    main()
