"""How people move whose handles are dragged below the floor, and who are dragged while they are upside down.

python -m scripts.contacts.floor_drags [DRAG…] [--bodies neutral,female,…] [--solvers dls,smplik,…] [--each]

Somebody new stands, or stands on the head in drags named “turned …”, and one handle is dragged in even steps of two
centimetres. Steps are those of the joint that moves most. Down is how far the pelvis went down, head how far the head
went, in the mean and at worst. In skin is how deep the body is in itself where the drag ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from app.document.model.document import Document
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.placing import tipped
from scripts.arguments import add_parts, with_part
from scripts.drags.contact_depths import FIRST, new_person
from scripts.drags.drag_measures import ALL_SOLVERS, FAR, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles
from scripts.drags.foot_drags import leg_scale
from solver.evaluation.standing.skin_intersection import self_intersection_depth
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import Role

STANDING = {
    "foot 20 cm deep": (Role.LEFT_ANKLE, (0.15, -0.20, 0.20)),
    "foot 35 cm deep": (Role.RIGHT_ANKLE, (-0.10, -0.35, 0.35)),
    "foot back": (Role.LEFT_ANKLE, (0.00, -0.15, -0.30)),
    "hand": (Role.LEFT_WRIST, (0.10, -1.10, 0.30)),
    "knee": (Role.LEFT_KNEE, (0.00, -0.80, 0.10)),
    Role.PELVIS.words: (Role.PELVIS, (0.00, -1.10, 0.00)),
}  # what is dragged, and its way: (3,) metres of the average body
TURNED = {
    "turned foot ahead": (Role.LEFT_ANKLE, (0.10, -0.30, 0.40)),
    "turned foot aside": (Role.LEFT_ANKLE, (0.45, -0.20, 0.00)),
    "turned hand aside": (Role.RIGHT_WRIST, (-0.30, 0.00, 0.10)),
}
DRAGS = STANDING | TURNED
STEP = 0.02  # metres
COLUMNS = (
    "drags", "steps cm", "p95", "worst", "over 5 cm %", "down cm", "worst", "head cm", "worst", "in skin mm", "worst",
    "ms", "p95",
)  # fmt: skip


@dataclass
class Moved(Row):
    """Metres and milliseconds; each drag adds one number, and to steps and took many."""

    steps: list[float] = field(default_factory=list)
    down: list[float] = field(default_factory=list)
    head: list[float] = field(default_factory=list)
    deep: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        return [
            f"{len(self.down)}", *percentiles(100 * np.array(self.steps), 50, 95, 100),
            percent_over(self.steps, FAR, digits=1), *mean_and_worst(100 * np.array(self.down), digits=1),
            *mean_and_worst(100 * np.array(self.head), digits=1), *mean_and_worst(1e3 * np.array(self.deep), digits=0),
            *percentiles(self.took, 50, 95),
        ]  # fmt: skip


def drag(body: str, solver: str, name: str) -> Moved:
    """Drag a handle of somebody new, and measure each step."""
    role, way = DRAGS[name]
    person = new_person(body, solver)
    scale = leg_scale(person)
    if name in TURNED:
        person = tipped(person, from_rotation_vector(np.array([np.pi, 0.0, 0.0])))
    document, rig, moved = Document().with_characters((person,)), rig_of(skeleton_of(person)), Moved()
    document, id = handle(document, rig, role)
    began = was = places_of(document)
    for reached in drag_steps(document, id, straight(scale * np.array(way), STEP)):
        document, now = reached.document, places_of(reached.document)
        moved.steps.append(apart(now, was))
        moved.took.append(reached.took)
        was = now
    pelvis, head = rig.index(Role.PELVIS), rig.index(Role.HEAD)
    moved.down.append(float(began[0][pelvis, 1] - was[0][pelvis, 1]))
    moved.head.append(float(np.linalg.norm(was[0][head] - began[0][head])))
    person = document.character(FIRST)
    moved.deep.append(float(self_intersection_depth(body_of(person), person.shape, person.pose, person.hands)))
    return moved


def main(arguments: list[str] | None = None) -> None:
    """Print a table: a row for each drag and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="person")
    add_parts(parser, "drags", DRAGS)
    given = parser.parse_args(arguments)

    def measured(name: str, solver: str) -> Iterator[tuple[str, Moved]]:
        for body in given.bodies:
            yield body, drag(body, solver, name)

    print_drags(Moved, COLUMNS, given.solvers, list(with_part(DRAGS, given.drags)), measured, given.each)


if __name__ == "__main__":
    main()
