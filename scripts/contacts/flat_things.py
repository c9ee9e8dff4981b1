"""How hands hold flat things: how deep skin is in them, and how far hands are turned from square to their edges.

python -m scripts.contacts.flat_things [THING…] [--bodies neutral,female,…,child] [--solvers dls,smplik] [--each]

Somebody new stands, and takes a thing that lies in the air before the right shoulder, by its near edge and by its right
one; then it is carried up, down, aside and away. Deep: mm that skin of the hand is within it, in the mean and at worst,
of the fingers and thumb and of all else. Skew: degrees between the fingers' way and square to the edge. Gap: mm from
the thing to thumb or index finger, whichever is further away. Off: mm that the grip is missed. Head: cm that the head
has gone since it was taken, or before. Step: cm that a joint goes at most as it is carried on by 2 cm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.holds.arms_first import arms_on_props
from app.document.posing.holds.flat_grips import held_edge
from app.document.posing.holds.grasping import hand_around
from scripts.arguments import add_parts, with_part
from scripts.contacts.low_grips import ARM, CHILD, HELD, standing
from scripts.drags.contact_depths import BODIES, FIRST, solved
from scripts.drags.drag_measures import ALL_SOLVERS, apart, places_of
from scripts.drags.drag_steps import straight
from scripts.drags.drag_study import Row, drag_parser
from scripts.drags.drag_tables import mean_and_worst, print_row
from solver.body.finger_skin import finger_skins
from solver.body.hands import hands_at_rest, skin_with
from solver.effectors.contact import Contact
from solver.ik.memory import Memory
from solver.kinematics.fk import skinning_matrices
from solver.rig.rig import rig_of
from solver.rig.roles import Role

THINGS = {  # kind, and metres
    "paper": ("box", (0.21, 0.002, 0.297)), "tablet": ("box", (0.17, 0.008, 0.24)), "book": ("box", (0.15, 0.03, 0.21)),
    "thick book": ("box", (0.16, 0.045, 0.23)), "plate": ("cylinder", (0.25, 0.02, 0.25)),
    "large plate": ("cylinder", (0.3, 0.035, 0.3)), "phone": ("box", (0.075, 0.009, 0.15)),
}  # fmt: skip
EDGES = {"near": (0.0, 0.1, -1.0), "right": (-1.0, 0.1, 0.0)}  # halves of its size from the middle
CARRIED = ((0.0, 0.3, 0.0), (0.0, -0.2, 0.0), (0.3, 0.0, 0.0), (-0.2, 0.0, 0.0), (0.0, 0.0, 0.15), (0.0, 0.1, -0.15))
PLACE = np.array([-0.15, 1.0, 0.3])  # metres, of a body of 1.6 m: of the thing's middle
STEP = 0.02  # metres
COLUMNS = (
    "takes", "fingers mm", "worst", "palm mm", "worst", "skew °", "worst", "gap mm", "worst", "off mm", "worst",
    "head cm", "worst", "step cm", "worst",
)  # fmt: skip


@dataclass
class Held(Row):
    """Metres and degrees."""

    fingers: list[float] = field(default_factory=list)
    palm: list[float] = field(default_factory=list)
    skew: list[float] = field(default_factory=list)
    gap: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    head: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        fingers, palm, gap, off = (1e3 * np.array(each) for each in (self.fingers, self.palm, self.gap, self.off))
        return [
            f"{len(self.off)}", *mean_and_worst(fingers), *mean_and_worst(palm), *mean_and_worst(self.skew, digits=0),
            *mean_and_worst(gap), *mean_and_worst(off), *mean_and_worst(100 * np.array(self.head)),
            *mean_and_worst(100 * np.array(self.step)),
        ]  # fmt: skip


def before(thing: str, body: str, solver: str) -> Document:
    """Somebody new with a thing that lies in the air before their right shoulder."""
    document = standing(body, solver)
    person = document.character(FIRST)
    tall = float(joints_of(person).positions[:, 1].max()) / 1.6
    kind, size = THINGS[thing]
    prop = new_prop(document, kind).sized(np.array(size))
    return add_prop(prop.moved(tall * PLACE - prop.middle))(document)


def take(document: Document, edge: str, memories: dict[str, Memory]) -> tuple[Document, float] | None:
    """That person with the thing in the right hand, and the metres by which the grip is missed; None if the hand does
    not hold it there."""
    (prop,), person = document.props, document.character(FIRST)
    touched = prop.middle + np.array(EDGES[edge]) * prop.size / 2.0
    contact = hand_around(person, prop, ARM.end, nearest_on(prop, touched)[0])
    if contact is None:
        return None
    taken, off, _ = solved(
        edits.chain(edits.hold(FIRST, contact), edits.close_hand(FIRST, contact))(document), memories
    )
    return taken, off


def measured(document: Document, off: float, began: Document, step: float = 0.0) -> Held:
    """How the thing lies in the hand. began: the document as that was taken, or before."""
    (prop,), person = document.props, document.character(FIRST)
    contact = next(e for e in person.effectors if isinstance(e, Contact) and e.around)
    fingers, palm, gap = depths(person, prop)
    head = rig_of(skeleton_of(person)).index(Role.HEAD)
    was, now = (joints_of(each.character(FIRST)).positions[head] for each in (began, document))
    went = float(np.linalg.norm(now - was))
    return Held([fingers], [palm], [skew(person, prop, contact)], [gap], [off], [went], [step])


def skew(person: Character, prop: Prop, contact: Contact) -> float:
    """Degrees by which the hand is turned, about the way across the thing, from square to its edge."""
    turn = joints_of(person).rotations[skeleton_of(person).index(contact.joint)].astype(np.float64)
    rig = rig_of(skeleton_of(person))
    ahead = rig.rest_positions[rig.joint(ARM.tip)] - rig.rest_positions[rig.joint(ARM.end)]
    along = turn @ ahead.astype(np.float64)
    along -= float(along @ contact.facing) * contact.facing
    inward = prop.turn.astype(np.float64) @ held_edge(prop, contact)
    return float(np.degrees(np.arccos(np.clip(inward @ along / np.linalg.norm(along), -1.0, 1.0))))


def depths(person: Character, prop: Prop) -> tuple[float, float, float]:
    """Metres that fingers and all else of the hand are within a thing, and from it to thumb or index finger."""
    body, hands, side = body_of(person), person.hands or hands_at_rest(), 1
    matrices = skinning_matrices(skeleton_of(person), person.pose)[:, :3]
    skin = skin_with(body, person.shape, hands)
    posed = np.einsum("vj,jab,vb->va", body.weights, matrices, np.column_stack([skin, np.ones(len(skin))]))
    away: NDArray[np.float64] = prop.solids()[0].distances(posed)
    rig = rig_of(skeleton_of(person))
    of_hand = body.weights[:, [rig.index(ARM.end), rig.index(ARM.tip)]].sum(axis=1) > HELD
    each = [finger.vertices for finger in finger_skins(body, person.shape, person.pose, side)]
    bent = np.zeros(len(away), bool)
    bent[np.concatenate(each)] = True
    fingers, palm = (max(0.0, -float(away[of_hand & part].min())) for part in (bent, ~bent))
    return fingers, palm, max(float(away[each[0]].min()), float(away[each[1]].min()))


def measures(thing: str, body: str, solver: str) -> Iterator[tuple[str, Held]]:
    """Of a thing that one body takes and carries, each with what was done."""
    for edge in EDGES:
        memories = dict[str, Memory]()
        start = before(thing, body, solver)
        taken = take(start, edge, memories)
        if taken is None:
            continue
        yield f"taken, {edge}", measured(*taken, start)
        for way in CARRIED:
            document, kept, (prop,) = taken[0], dict(memories), taken[0].props
            arms, was, step = arms_on_props(document, [prop.id]), places_of(document), 0.0
            for shift in straight(np.array(way), STEP):
                document, off, _ = solved(edits.put_prop(prop.moved(shift))(document), kept, arms)
                step, was = max(step, apart(places_of(document), was)), places_of(document)
            yield f"carried, {edge}", measured(document, off, taken[0], step)


def main(arguments: list[str] | None = None) -> None:
    """Print a table, two rows for each thing and solver: as it is taken, and as it is carried."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="take", bodies=(*BODIES, CHILD))
    add_parts(parser, "things", THINGS)
    given = parser.parse_args(arguments)
    print_row("thing", "done", "solver", *COLUMNS)
    for solver in given.solvers:
        everything = {"taken": Held(), "carried": Held()}
        for thing in with_part(THINGS, given.things):
            rows = {done: Held() for done in everything}
            for body in given.bodies:
                for done, one in measures(thing, body, solver):
                    rows[done.partition(",")[0]].add(one)
                    if given.each:
                        print_row(f"  {thing}, {body}", done, solver, *one.cells)
            for done, row in rows.items():
                if not row.is_empty:
                    print_row(thing, done, solver, *row.cells)
                    everything[done].add(row)
        for done, row in everything.items():
            if not row.is_empty:
                print_row("all", done, solver, *row.cells)


if __name__ == "__main__":
    main()
