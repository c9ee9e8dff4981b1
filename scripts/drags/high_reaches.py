"""Whether the arm of which nothing is asked stays out of the body as people reach high, or bend over to its side.

python -m scripts.drags.high_reaches [--drags NAME,…] [--bodies neutral,female,…] [--solvers dls,smplik,…] [--each]

New people stand, and the left hand or the head is dragged in even steps of 2 cm, by shares of the stature. Within is
how deep skin is within skin, in mm, the worst of a drag; steps are those of the right hand, in cm, the worst of a drag:
means over the bodies, and the worst. Below is the skin below the floor in the end, in mm, the worst of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from app.document.model.document import Document
from app.document.model.figure import body_of, skeleton_of
from scripts.arguments import add_list
from scripts.drags.contact_depths import FIRST, depth_of, new_person
from scripts.drags.drag_measures import ALL_SOLVERS, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst
from solver.body.floor import lowest_point
from solver.body.measures import stature
from solver.rig.rig import rig_of
from solver.rig.roles import Role

STEP_M, LOOKED_AT = 0.02, 6  # metres; steps from one look at the skin to the next
DRAGS = {
    "up": (Role.LEFT_WRIST, (0.0, 0.62, 0.0)),
    "far up": (Role.LEFT_WRIST, (0.0, 0.75, 0.0)),
    "up over the head": (Role.LEFT_WRIST, (-0.2, 0.62, 0.0)),
    "up ahead": (Role.LEFT_WRIST, (0.0, 0.6, 0.2)),
    "up aside": (Role.LEFT_WRIST, (0.25, 0.55, 0.0)),
    "head to the right": (Role.HEAD, (-0.22, -0.06, 0.0)),
    "head to the right and ahead": (Role.HEAD, (-0.16, -0.06, 0.16)),
}  # what is dragged, and its way in statures
COLUMNS = ("drags", "within mm", "worst", "steps cm", "worst", "below mm")


@dataclass
class Reach(Row):
    """Metres; each drag adds one number."""

    within: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    below: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        found = (*mean_and_worst(1e3 * np.array(self.within)), *mean_and_worst(100 * np.array(self.steps)))
        return [f"{len(self.steps)}", *found, f"{1e3 * max(self.below):.1f}"]


def new(body: str, solver: str) -> Document:
    """A new person."""
    return Document().with_characters((new_person(body, solver),))


def drag(document: Document, name: str) -> Reach:
    """Drag the first one's hand or head, and measure the way."""
    person = document.character(FIRST)
    rig, body = rig_of(skeleton_of(person)), body_of(person)
    role, way = DRAGS[name]
    document, id = handle(document, rig, role)
    wrist, was, worst, within = rig.index(Role.RIGHT_WRIST), places_of(document)[0], 0.0, 0.0
    ways = straight(np.array(way) * stature(body, person.shape), STEP_M)
    for number, reached in enumerate(drag_steps(document, id, ways), 1):
        document, now = reached.document, places_of(reached.document)[0]
        worst, was = max(worst, float(np.linalg.norm(now[wrist] - was[wrist]))), now
        if number % LOOKED_AT == 0 or number == len(ways):
            within = max(within, depth_of(document))
    return Reach([within], [worst], [-lowest_point(body, person.shape, document.character(FIRST).pose)])


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each drag and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="person as well")
    add_list(parser, "--drags", tuple(DRAGS))
    given = parser.parse_args(arguments)

    def measured(name: str, solver: str) -> Iterator[tuple[str, Reach]]:
        for body in given.bodies:
            yield body, drag(new(body, solver), name)

    print_drags(Reach, COLUMNS, given.solvers, given.drags, measured, given.each)


if __name__ == "__main__":
    main()
