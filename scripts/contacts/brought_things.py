"""How flat things in a hand are read, and how they come to mouth and ear.

python -m scripts.contacts.brought_things [THING…] [--bodies neutral,female,…,child] [--solvers dls,smplik]
    [--holds read,mouth,ear] [--each]

Somebody new takes a thing as in `flat_things`, and brings it there by the hold of that name. Refused: where a message
says so and nothing moves. Off: mm that a contact is missed. Far: cm from the eyes to the thing's middle, in the mean,
at least and at most. Faces: degrees that its face is turned from the eyes. Looks: degrees that the head is turned from
its middle. Deep: mm that skin of the hand is within it. Wrist: degrees between forearm and hand. Chest: cm that it
goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.brought.at_face import stays_while_brought
from app.document.posing.brought.to_read import eyes_at
from scripts.arguments import add_list, add_parts, with_part
from scripts.contacts.flat_things import EDGES, THINGS, before, depths, take
from scripts.contacts.low_grips import ARM, CHILD
from scripts.drags.contact_depths import BODIES, COMMON, FIRST, solved
from scripts.drags.drag_measures import ALL_SOLVERS
from scripts.drags.drag_study import Row, drag_parser
from scripts.drags.drag_tables import mean_and_worst, print_row
from solver.errors import PoserError
from solver.ik.memory import Memory
from solver.rig.rig import rig_of
from solver.rig.roles import Role

HOLDS = ("read", "mouth", "ear")
COLUMNS = (
    "brought", "refused", "off mm", "worst", "far cm", "least", "most", "faces °", "worst", "looks °", "worst",
    "deep mm", "worst", "wrist °", "worst", "chest cm", "worst",
)  # fmt: skip


@dataclass
class Brought(Row):
    """Metres and degrees."""

    refused: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    far: list[float] = field(default_factory=list)
    faces: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    deep: list[float] = field(default_factory=list)
    wrist: list[float] = field(default_factory=list)
    chest: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        if not self.off:
            return ["0", f"{len(self.refused)}"]
        far = 100 * np.array(self.far)
        return [
            f"{len(self.off)}", f"{len(self.refused)}", *mean_and_worst(1e3 * np.array(self.off)),
            *(f"{each:.0f}" for each in (far.mean(), far.min(), far.max())), *mean_and_worst(self.faces, digits=0),
            *mean_and_worst(self.looks, digits=0), *mean_and_worst(1e3 * np.array(self.deep)),
            *mean_and_worst(self.wrist, digits=0), *mean_and_worst(100 * np.array(self.chest)),
        ]  # fmt: skip


def brought(taken: Document, name: str) -> Brought:
    """What a hold does with what is in the hand."""
    hold, person = COMMON[name], taken.character(FIRST)
    stays = {FIRST: stays_while_brought(taken, person, hold)}
    try:
        there = edits.take_hold(FIRST, hold)(taken)
    except PoserError:
        return Brought(refused=[1.0])
    after, off, _ = solved(there, {}, stays)
    return measured(taken, after, off)


def measured(taken: Document, after: Document, off: float) -> Brought:
    """How a thing is held then. taken: the document before."""
    (prop,), person = after.props, after.character(FIRST)
    rig, world, was = rig_of(skeleton_of(person)), joints_of(person), joints_of(taken.character(FIRST))
    eyes, head = eyes_at(person)
    way = (prop.middle - eyes) / np.linalg.norm(prop.middle - eyes)
    chest = rig.joint(Role.SPINE3)
    elbow, wrist, knuckles = (world.positions[rig.joint(role)] for role in (ARM.hinge, ARM.end, ARM.tip))
    fingers, palm, _ = depths(person, prop)
    face = prop.turn[:, int(np.argmin(prop.size))]
    return Brought(
        [], [off], [float(np.linalg.norm(prop.middle - eyes))], [_angle(face, way, True)],
        [_angle(head[:, 2], way)], [max(fingers, palm)], [_angle(wrist - elbow, knuckles - wrist)],
        [float(np.linalg.norm(world.positions[chest] - was.positions[chest]))],
    )  # fmt: skip


def _angle(one: np.ndarray, other: np.ndarray, either: bool = False) -> float:
    """Degrees between two ways, (3,); either: or the opposite of one."""
    along = float(one @ other) / float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.degrees(np.arccos(np.clip(abs(along) if either else along, -1.0, 1.0))))


def measures(thing: str, body: str, solver: str, hold: str) -> Iterator[Brought]:
    """Of a thing that one body takes by each edge."""
    for edge in EDGES:
        taken = take(before(thing, body, solver), edge, dict[str, Memory]())
        if taken is not None:
            yield brought(taken[0], hold)


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each hold, thing and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="take", bodies=(*BODIES, CHILD))
    add_parts(parser, "things", THINGS)
    add_list(parser, "--holds", HOLDS)
    given = parser.parse_args(arguments)
    print_row("hold", "thing", "solver", *COLUMNS)
    for hold in given.holds:
        for solver in given.solvers:
            for thing in with_part(THINGS, given.things):
                row = Brought()
                for body in given.bodies:
                    for one in measures(thing, body, solver, hold):
                        row.add(one)
                        if given.each:
                            print_row(f"  {hold}", f"{thing}, {body}", solver, *one.cells)
                if not row.is_empty:
                    print_row(hold, thing, solver, *row.cells)


if __name__ == "__main__":
    main()
