"""How people stand who take things that stand low or high, and how these lie in their hands.

python -m scripts.contacts.low_grips [THING…] [--bodies neutral,female,…,child] [--solvers dls,smplik]
    [--heights 0,0.6,…] [--each] [--drags]

Somebody new stands, and takes a thing with the right hand that stands a forearm ahead of the shoulder, its foot at each
height; a stick stands on the floor, and is taken there. Knees: degrees that the knee bends that bends more, in the mean
and at worst. Down: cm that the pelvis goes down. Lean: degrees that the trunk is from upright. Forearm: degrees that it
slopes down to the hand. Tilt: degrees that the thing leans in the hand. Askew: by which it is turned otherwise than
that. Off: mm that the grip is missed. Gap: mm from the thing to the finger that is furthest from it. Deep: mm that skin
of the hand is within it.

With --drags the thing is then taken up, down and aside by 30 cm and back, in steps of a centimetre: cm of the joint
that moves most in each, and cm that the joint is off in the end that is off most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import process_time

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import patches_of
from app.document.posing.holds.grasping import hand_around
from scripts.arguments import add_list, add_parts, with_part
from scripts.drags.contact_depths import BODIES, FIRST, Hold, before, solved
from scripts.drags.drag_measures import ALL_SOLVERS, FAR, Array, apart, places_of
from scripts.drags.drag_steps import straight
from scripts.drags.drag_study import Row, drag_parser
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles, print_row
from solver.body.finger_skin import finger_skins
from solver.body.hands import hands_at_rest, skin_with
from solver.effectors.contact import Contact
from solver.ik.memory import Memory
from solver.kinematics.fk import skinning_matrices
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

CHILD = "child"
THINGS = {"cup": (0.075, 0.105, 0.075), "cylinder": (0.05, 0.2, 0.05), "stick": (0.03, 2.2, 0.03)}  # metres
SMALL = 0.7  # of these, how large they are for a child
HEIGHTS = (0.0, 0.6, 0.74, 0.9, 1.1, 1.5, 1.8)  # metres
AHEAD, BESIDE = 0.2, 0.6  # ahead of the shoulder, times its height; of how far it is aside
ON_STICK = 0.05  # metres above that height
WAYS = {"up": (0.0, 0.3, 0.0), "down": (0.0, -0.3, 0.0), "aside": (-0.3, 0.0, 0.0)}  # metres
STEP, ARM, HELD = 0.01, ARMS[1], 0.5  # metres; the right one; of a vertex's weight
COLUMNS = (
    "takes", "knees °", "worst", "down cm", "worst", "lean °", "worst", "forearm °", "tilt °", "worst", "askew °",
    "worst", "off mm", "gap mm", "worst", "deep mm", "worst", "ms",
)  # fmt: skip
DRAG_COLUMNS = ("drags", "step p95 cm", "worst", "over 5 cm %", "off mm", "back cm", "worst", "ms", "p95")


@dataclass
class Taken(Row):
    """Degrees, metres and milliseconds."""

    knees: list[float] = field(default_factory=list)
    down: list[float] = field(default_factory=list)
    lean: list[float] = field(default_factory=list)
    forearm: list[float] = field(default_factory=list)
    tilt: list[float] = field(default_factory=list)
    askew: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    gap: list[float] = field(default_factory=list)
    deep: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        down, gap, deep = (np.array(each) for each in (self.down, self.gap, self.deep))
        return [
            f"{len(self.knees)}", *mean_and_worst(self.knees, digits=0), *mean_and_worst(100 * down),
            *mean_and_worst(self.lean, digits=0), f"{np.mean(self.forearm):.0f}", *mean_and_worst(self.tilt, digits=0),
            *mean_and_worst(self.askew, digits=0), f"{1e3 * np.max(self.off):.1f}", *mean_and_worst(1e3 * gap),
            *mean_and_worst(1e3 * deep), f"{np.median(self.took):.0f}",
        ]  # fmt: skip


@dataclass
class Carried(Row):
    """Metres and milliseconds."""

    steps: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `DRAG_COLUMNS`."""
        steps = 100 * np.array(self.steps)
        return [
            f"{len(self.back)}", *percentiles(steps, 95, 100), percent_over(self.steps, FAR, digits=1),
            f"{1e3 * np.max(self.off):.1f}", *mean_and_worst(100 * np.array(self.back)),
            *percentiles(self.took, 50, 95, digits=0),
        ]  # fmt: skip


@dataclass(frozen=True)
class Take:
    """Somebody with a thing in the hand, and as they were before."""

    before: Document
    document: Document
    memories: dict[str, Memory]
    off: float
    took: float

    @property
    def thing(self) -> Prop:
        """What is held."""
        return self.document.props[0]

    @property
    def contact(self) -> Contact:
        """The hand around it."""
        return next(e for e in self.document.character(FIRST).effectors if isinstance(e, Contact))


def take(kind: str, body: str, solver: str, height: float) -> Take | None:
    """Somebody new who takes the thing there; None if their hand does not go around it."""
    document = standing(body, solver)
    person = document.character(FIRST)
    shoulder = joints_of(person).positions[rig_of(skeleton_of(person)).index(ARM.root)]
    thing = new_prop(document, kind).sized(np.array(THINGS[kind]) * (SMALL if body == CHILD else 1.0))
    low = 0.0 if kind == "stick" else height
    thing = replace(thing, place=np.array([BESIDE * shoulder[0], low, shoulder[2] + AHEAD * shoulder[1]], np.float32))
    at = thing.middle if kind != "stick" else thing.place + [0.0, height + ON_STICK, 0.0]
    contact = hand_around(person, thing, ARM.end, nearest_on(thing, at - [0.0, 0.0, 0.5])[0])
    if contact is None:
        return None
    taking = edits.chain(add_prop(thing), edits.hold(FIRST, contact), edits.close_hand(FIRST, contact))(document)
    memories, started = dict[str, Memory](), process_time()
    taken, off, _ = solved(taking, memories)
    return Take(document, taken, memories, off, 1e3 * (process_time() - started))


def measured(taken: Take) -> Taken:
    """How the body stands then, and how the thing lies in the hand."""
    person, contact = taken.document.character(FIRST), taken.contact
    rig, world, was = rig_of(skeleton_of(person)), joints_of(person), joints_of(taken.before.character(FIRST))

    def way(start: Role, end: Role) -> Array:
        there = (world.positions[rig.index(end)] - world.positions[rig.index(start)]).astype(np.float64)
        return np.asarray(there / np.linalg.norm(there), np.float64)

    knees = [np.arccos(np.clip(way(leg.root, leg.hinge) @ way(leg.hinge, leg.end), -1.0, 1.0)) for leg in LEGS]
    turn = world.rotations[rig.index(ARM.end)]
    through = patches_of(person)[contact.patch].normal
    gap, deep = _around(person, taken.thing)
    return Taken(
        [float(np.degrees(max(knees)))], [float(was.positions[0, 1] - world.positions[0, 1])],
        [float(np.degrees(np.arccos(way(Role.PELVIS, Role.NECK)[1])))],
        [float(np.degrees(np.arcsin(-way(ARM.hinge, ARM.end)[1])))], [_between(turn @ through, -contact.facing)],
        [_between(turn @ contact.normal, -contact.facing)], [taken.off], [gap], [deep], [taken.took],
    )  # fmt: skip


def carried(taken: Take) -> Iterator[Carried]:
    """What dragging the hand with what it holds does, one way after the other."""
    for way in WAYS.values():
        document, memories, thing = taken.document, dict(taken.memories), taken.thing
        began = was = places_of(document)
        one = Carried()
        for there in straight(np.array(way), STEP, back=True):
            started = process_time()
            document, off, _ = solved(edits.put_prop(thing.moved(there))(document), memories)
            one.took.append(1e3 * (process_time() - started))
            now = places_of(document)
            one.steps.append(apart(now, was))
            one.off.append(off)
            was = now
        one.back.append(apart(was, began))
        yield one


def standing(body: str, solver: str) -> Document:
    """Somebody new, with one of the bodies and solvers."""
    document = before(Hold(()), "neutral" if body == CHILD else body, solver)
    if body != CHILD:
        return document
    return edits.set_body(FIRST, "anny:child", document.character(FIRST).shape)(document)


def _around(person: Character, thing: Prop) -> tuple[float, float]:
    """Metres from the thing to the finger that is furthest from it, and how deep skin of the hand is within it."""
    body, hands, side = body_of(person), person.hands or hands_at_rest(), ARMS.index(ARM)
    matrices = skinning_matrices(skeleton_of(person), person.pose)[:, :3]
    skin = skin_with(body, person.shape, hands)
    posed = np.einsum("vj,jab,vb->va", body.weights, matrices, np.column_stack([skin, np.ones(len(skin))]))
    away = thing.solids()[0].distances(posed)
    fingers = [float(away[each.vertices].min()) for each in finger_skins(body, person.shape, person.pose, side)]
    rig = rig_of(skeleton_of(person))
    of_hand = body.weights[:, [rig.index(ARM.end), rig.index(ARM.tip)]].sum(axis=1) > HELD
    return max(fingers), max(0.0, -float(away[of_hand].min()))


def _between(one: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    """Degrees between two unit directions."""
    return float(np.degrees(np.arccos(np.clip(one @ other, -1.0, 1.0))))


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each thing, height and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="take", bodies=(*BODIES, CHILD))
    add_parts(parser, "things", THINGS)
    add_list(parser, "--heights", [f"{height:g}" for height in HEIGHTS])
    parser.add_argument("--drags", action="store_true", help="drag the hand with what it holds")
    given = parser.parse_args(arguments)
    print_row("thing", "m", "solver", *(DRAG_COLUMNS if given.drags else COLUMNS))
    for kind in with_part(THINGS, given.things):
        for height in given.heights:
            for solver in given.solvers:
                row: Row = Carried() if given.drags else Taken()
                for body in given.bodies:
                    taken = take(kind, body, solver, float(height))
                    if taken is None:
                        continue
                    found = list(carried(taken)) if given.drags else [measured(taken)]
                    for one in found:
                        row.add(one)
                        if given.each:
                            print_row(f"  {kind}, {body}", height, solver, *one.cells)
                if not row.is_empty:
                    print_row(kind, height, solver, *row.cells)


if __name__ == "__main__":
    main()
