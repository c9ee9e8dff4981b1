"""How people bend to put flat things down.

python -m scripts.contacts.put_down_things [THING…] [--bodies neutral,female,…] [--solvers dls,smplik]
    [--heights 0,0.45,0.74] [--each]

Somebody new takes a thing as in `flat_things`, carries it to four places about them, and puts it down there on a box of
each height, or on the floor. Refused: where a message says so and nothing moves. Lean: degrees that the trunk is from
upright, in the mean and at worst. Knees: degrees that the knee bends that bends more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.edits.putting_down import put_down
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.holds.arms_first import arms_on_props
from scripts.arguments import add_list, add_parts, with_part
from scripts.contacts.flat_things import THINGS, before, take
from scripts.contacts.low_grips import CHILD
from scripts.drags.contact_depths import BODIES, FIRST, solved
from scripts.drags.drag_measures import ALL_SOLVERS
from scripts.drags.drag_study import Row, drag_parser
from scripts.drags.drag_tables import mean_and_worst, print_row
from solver.errors import PoserError
from solver.ik.memory import Memory
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

PLACES = ((0.0, 0.0, 0.0), (-0.35, -0.1, -0.2), (-0.2, 0.0, 0.2), (0.35, 0.0, 0.05))  # metres from where it is taken
HEIGHTS = (0.0, 0.45, 0.74)  # metres
STEPS = 8
BOX, BEYOND = (0.6, 0.5), 0.1  # metres: wide and deep; that its middle is farther from the body than the thing's
COLUMNS = ("put down", "refused", "lean °", "worst", "knees °", "worst")


@dataclass
class Put(Row):
    """Degrees."""

    refused: list[float] = field(default_factory=list)
    lean: list[float] = field(default_factory=list)
    knees: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        if not self.lean:
            return ["0", f"{len(self.refused)}"]
        both = *mean_and_worst(self.lean, digits=0), *mean_and_worst(self.knees, digits=0)
        return [f"{len(self.lean)}", f"{len(self.refused)}", *both]


def measures(thing: str, body: str, solver: str, height: float) -> Iterator[Put]:
    """Of a thing that one body takes, and puts down in each of the places."""
    memories = dict[str, Memory]()
    taken = take(before(thing, body, solver), "near", memories)
    for way in PLACES if taken is not None else ():
        assert taken is not None
        document, kept, (prop,) = taken[0], dict(memories), taken[0].props
        arms = arms_on_props(document, [prop.id])
        for share in np.arange(1, STEPS + 1) / STEPS:
            document, _, _ = solved(edits.put_prop(prop.moved(share * np.array(way)))(document), kept, arms)
        try:
            yield measured(put_down(FIRST, [prop.id])(_over_box(document, height)).character(FIRST))
        except PoserError:
            yield Put(refused=[1.0])


def measured(person: Character) -> Put:
    """How somebody is bent."""
    rig, places = rig_of(skeleton_of(person)), joints_of(person).positions.astype(np.float64)

    def way(start: Role, end: Role) -> np.ndarray:
        there = places[rig.index(end)] - places[rig.index(start)]
        return np.asarray(there / np.linalg.norm(there))

    knees = [float(way(leg.root, leg.hinge) @ way(leg.hinge, leg.end)) for leg in LEGS]
    lean = float(way(Role.PELVIS, Role.NECK)[1])
    return Put([], [float(np.degrees(np.arccos(lean)))], [float(np.degrees(np.arccos(min(knees))))])


def _over_box(document: Document, height: float) -> Document:
    """The document with a box beneath the thing, a little farther from the person; without one for the floor."""
    if height <= 0.0:
        return document
    (prop,), level = document.props, np.array([1.0, 0.0, 1.0])
    away = (prop.middle - joints_of(document.character(FIRST)).positions[0]) * level
    box = new_prop(document, "box").sized(np.array([BOX[0], height, BOX[1]]))
    at = prop.middle * level + BEYOND * away / np.linalg.norm(away)
    return add_prop(box.moved(at - box.middle * level))(document)


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each thing, height and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="body", bodies=(*BODIES, CHILD))
    add_parts(parser, "things", THINGS)
    add_list(parser, "--heights", [f"{height:g}" for height in HEIGHTS])
    given = parser.parse_args(arguments)
    print_row("thing", "m", "solver", *COLUMNS)
    for solver in given.solvers:
        for height in given.heights:
            every = Put()
            for thing in with_part(THINGS, given.things):
                row = Put()
                for body in given.bodies:
                    for one in measures(thing, body, solver, float(height)):
                        row.add(one)
                        if given.each:
                            print_row(f"  {thing}, {body}", height, solver, *one.cells)
                if not row.is_empty:
                    print_row(thing, height, solver, *row.cells)
                    every.add(row)
            if not every.is_empty:
                print_row("all", height, solver, *every.cells)


if __name__ == "__main__":
    main()
