"""How the feet of new people are held while a leg is dragged high.

python -m scripts.drags.foot_drags [--bodies neutral,female,…] [--solvers dls,smplik,…] [--step METRES]
    [--box METRES] [--each]

An ankle is dragged in even steps from where it stands to where nobody's sole can stay level, and back. Towards is how
far the toes are from a right angle with the shin, towards it, at most in a drag, and there where it turns back: the
mean over drags, and the worst. Steps are those of the joint that moves most. Red is the share of steps in which the
turn of that foot is shown as not reachable. Left is how far the joint that went furthest is off where the drag began
once it came back. --box: with a box of that height, 10 cm ahead of the pelvis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solving import residuals_of
from app.document.posing.surroundings import solid_surroundings
from scripts.drags.contact_depths import FIRST, new_person
from scripts.drags.drag_measures import ALL_SOLVERS, FAR, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles
from solver.contact.feet import stretch
from solver.effectors.form_ids import TURN
from solver.rig.rig import rig_of
from solver.rig.roles import Role

PULLS = {
    "thrown back": (0.0, 0.50, -0.45),
    "thrown back, low": (0.05, 0.32, -0.50),
    "up behind": (0.0, 0.75, -0.30),
    "kicked ahead": (0.0, 0.85, 0.70),
    "kicked aside": (0.75, 0.80, 0.0),
    "onto a step": (0.0, 0.40, 0.25),
}  # the way of the left ankle, (3,) metres
BEFORE = 0.1  # metres from below the pelvis to a box
COLUMNS = (
    "drags", "towards °", "worst", "there °", "worst", "steps cm", "p95", "worst", "over 5 cm %", "red %", "left mm",
    "ms", "p95",
)  # fmt: skip


@dataclass
class Held(Row):
    """Degrees, metres and milliseconds; each drag adds one number, and to steps, red and took many."""

    towards: list[float] = field(default_factory=list)
    there: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    red: list[float] = field(default_factory=list)
    left: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        return [
            f"{len(self.left)}", *mean_and_worst(self.towards, digits=0), *mean_and_worst(self.there, digits=0),
            *percentiles(100 * np.array(self.steps), 50, 95, 100), percent_over(self.steps, FAR, digits=1),
            f"{100 * np.mean(self.red):.0f}", f"{1e3 * np.max(self.left):.0f}", *percentiles(self.took, 50, 95),
        ]  # fmt: skip


def drag(body: str, solver: str, pull: str, step: float, box: float = 0.0) -> Held:
    """Drag the left ankle of somebody new there and back, and measure each step. box: metres, its height."""
    person = new_person(body, solver)
    document, rig, held = Document().with_characters((person,)), rig_of(skeleton_of(person)), Held()
    if box:
        size, place = np.array([1.0, box, 1.0], np.float32), np.array([0.0, 0.0, 0.5 + BEFORE], np.float32)
        place += person.pose.root_position * [1.0, 0.0, 1.0]
        document = add_prop(replace(new_prop(document, "box"), size=size, place=place))(document)
    document, id = handle(document, rig, Role.LEFT_ANKLE)
    ankle, knee, scale = rig.index(Role.LEFT_ANKLE), rig.index(Role.LEFT_KNEE), leg_scale(person)
    began, was, bent = places_of(document), places_of(document), []
    for reached in drag_steps(document, id, straight(scale * np.array(PULLS[pull]), step, back=True)):
        document, now = reached.document, places_of(reached.document)
        world = joints_of(document.character(FIRST))
        held.steps.append(apart(now, was))
        held.took.append(reached.took)
        held.red.append(float(_is_red(document, rig.names[ankle])))
        shin = (world.positions[ankle] - world.positions[knee]).astype(np.float64)
        bent.append(np.degrees(stretch(world.rotations[ankle].astype(np.float64), shin)))
        was = now
    held.towards.append(float(-min(bent)))
    held.there.append(float(-bent[len(bent) // 2 - 1]))
    held.left.append(apart(was, began))
    return held


def leg_scale(person: Character) -> float:
    """How long the legs are of somebody who stands, by those of the average body."""
    rig, places = rig_of(skeleton_of(person)), joints_of(person).positions
    return float(places[rig.index(Role.LEFT_HIP), 1] / 0.88)


def _is_red(document: Document, joint: str) -> bool:
    person = document.character(FIRST)
    told = zip(person.effectors, residuals_of(person, solid_surroundings(document, person)), strict=True)
    return any(one.state == "unreachable" for e, one in told if e.joint == joint and e.form == TURN)


def main(arguments: list[str] | None = None) -> None:
    """Print a table: a row for each drag and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="person")
    parser.add_argument(
        "--step", type=float, default=0.02, metavar="METRES", help="of the ankle (default: %(default)s)"
    )
    parser.add_argument("--box", type=float, default=0.0, metavar="METRES", help="height of a box (default: none)")
    given = parser.parse_args(arguments)

    def measured(pull: str, solver: str) -> Iterator[tuple[str, Held]]:
        for body in given.bodies:
            yield body, drag(body, solver, pull, given.step, given.box)

    print_drags(Held, COLUMNS, given.solvers, list(PULLS), measured, given.each)


if __name__ == "__main__":
    main()
