"""Where hands go of which nothing is asked, and how far the trunk leans, as other parts are dragged or laid on things.

python -m scripts.contacts.unasked_hands [CASE…] [--bodies neutral,female,…] [--solvers dls,smplik] [--each]
    [--pictures FOLDER]

Somebody new stands. A part comes onto a surface at once, as under the pointer with S held, and wanders on by a
centimetre in each of ten steps, up to where it would come onto another limb; or it is dragged there and back in steps
of a centimetre. Hands: how many cm each hand of which nothing is asked is in the end, or where the drag turns back,
from where the chest had it, in the mean and at worst. World: likewise, from where it began in the world. Up: degrees
that its arm, from shoulder to wrist, is from hanging straight down there. Steps: cm that it goes in a centimetre of the
drag, after the first. Lean: degrees that the way from pelvis to neck leans further than at the start, to the front,
back or a side; hunch: that the chest bends ahead of the pelvis. Off: cm by which the worst strict place is missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import patches_of
from app.document.posing.fitting_effectors import new_effector
from app.viewport.picture import save_picture
from app.viewport.tools.surface_drag import Spot, landing
from scripts.arguments import add_parts, with_part
from scripts.contacts.surface_drags import scene, solved, spot_at
from scripts.drags.contact_depths import FIRST, Hold, before
from scripts.drags.drag_measures import ALL_SOLVERS, FAR, Array
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import Row, drag_parser
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles, print_row
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.ik.memory import Memory
from solver.ik.multi_solve.only_limb import LimbHold
from solver.kinematics.fk import WorldJoints
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, Limb, Role

STEP, WANDERS = 0.01, 10  # metres; steps
LEAPS = 0.1  # metres that a spot is from the one before: it is on another limb
ONTO = {  # the patch, what it comes onto
    "chest on knee": ("chest", "knee"),
    "sole on box": ("left_sole", "box"),
    "shoulder on wall": ("left_upper_arm", "beside"),
    "seat on box": ("seat", "box"),
    "knee on box": (Role.LEFT_KNEE, "box"),
    "belly on wall": ("belly", "wall"),
    "back on wall": ("back", "wall"),
    "sole on wall": ("left_sole", "wall"),
    "palm on box": ("left_palm", "box"),
}
PULLS = {  # the joint, and its way, (3,) metres
    "ankle up": (Role.LEFT_ANKLE, (0.0, 0.4, 0.1)),
    "ankle ahead": (Role.LEFT_ANKLE, (0.0, 0.4, 0.3)),
    "ankle aside": (Role.LEFT_ANKLE, (0.4, 0.3, 0.0)),
    "ankle back": (Role.LEFT_ANKLE, (0.0, 0.35, -0.4)),
    "knee up": (Role.LEFT_KNEE, (0.0, 0.4, 0.35)),
    "chest ahead": (Role.SPINE3, (0.0, -0.3, 0.4)),
    "chest down": (Role.SPINE3, (0.0, -0.5, 0.2)),
    "chest aside": (Role.SPINE3, (0.3, -0.1, 0.0)),
    "neck ahead": (Role.NECK, (0.0, -0.2, 0.4)),
    "shoulder aside": (Role.LEFT_SHOULDER, (0.3, -0.1, 0.0)),
    "shoulder ahead": (Role.LEFT_SHOULDER, (0.0, -0.2, 0.4)),
    "hip aside": (Role.LEFT_HIP, (0.2, 0.0, 0.0)),
    "head ahead": (Role.HEAD, (0.0, -0.3, 0.4)),
    "pelvis down": (Role.PELVIS, (0.0, -0.4, 0.0)),
}
CUPS = {"cup beside foot": (0.3, 0.0), "cup ahead of foot": (0.1, 0.3)}  # metres from the left ankle over the floor
CASES = (*ONTO, *PULLS, *CUPS)
COLUMNS = (
    "drags", "hands cm", "worst", "world cm", "worst", "up °", "worst", "first cm", "worst", "steps p95", "worst",
    "over 5 cm %", "lean °", "worst", "hunch °", "worst", "off cm", "ms", "p95",
)  # fmt: skip


@dataclass
class Unasked(Row):
    """Metres, degrees and milliseconds; each hand adds one number to hands, world, up and first, and each step to
    steps."""

    hands: list[float] = field(default_factory=list)
    world: list[float] = field(default_factory=list)
    up: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    lean: list[float] = field(default_factory=list)
    hunch: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        metres = (100 * np.array(each) for each in (self.hands, self.world, self.first, self.steps))
        hands, world, first, steps = metres
        return [
            f"{len(self.lean)}", *mean_and_worst(hands, digits=0), *mean_and_worst(world, digits=0),
            *mean_and_worst(self.up, digits=0), *mean_and_worst(first), *percentiles(steps, 95, 100),
            percent_over(self.steps, FAR, digits=1), *mean_and_worst(self.lean, digits=0),
            *mean_and_worst(self.hunch, digits=0), f"{100 * np.max(self.off):.1f}", *percentiles(self.took, 50, 95),
        ]  # fmt: skip


@dataclass(frozen=True)
class Step:
    """A document, metres by which the worst strict place is missed there, and milliseconds that it took."""

    document: Document
    off: float
    took: float


def onto(case: str, body: str, solver: str) -> Iterator[Step]:
    """As somebody stands, and as the patch comes onto its surface and wanders there."""
    (patch, surface), memories = ONTO[case], dict[str, Memory]()
    document = scene(surface, patch, body, solver, memories, seated=False)
    spots = _without_leaps([spot_at(document, surface, patch, n * STEP) for n in range(1 + WANDERS)])
    joint = patches_of(document.character(FIRST))[patch].joint
    yield from _landed(document, joint, patch, spots, memories)


def _without_leaps(spots: list[Spot | None]) -> list[Spot | None]:
    """The spots up to where they leap: 10 cm beside a knee, the other one may be nearer."""
    ways = [0.0 if a is None or b is None else float(np.linalg.norm(b.place - a.place)) for a, b in pairwise(spots)]
    return spots[: next((n for n, way in enumerate(ways, 1) if way > LEAPS), len(spots))]


def to_cup(case: str, body: str, solver: str) -> Iterator[Step]:
    """As somebody stands before a cup, and as the left hand is put around it and goes up it."""
    memories, document = dict[str, Memory](), before(Hold(()), body, solver)
    rig, world = rig_of(skeleton_of(document.character(FIRST))), joints_of(document.character(FIRST))
    ankle, (aside, ahead) = world.positions[rig.index(Role.LEFT_ANKLE)], CUPS[case]
    place = np.array([ankle[0] + aside, 0.0, ankle[2] + ahead], np.float32)
    cup = replace(new_prop(document, "cup"), place=place)
    document = add_prop(cup)(document)
    spots = list[Spot | None]()
    for n in range(1 + WANDERS):
        on_thing, at, normal = nearest_on(cup, place + [0.2, 0.05 + 0.002 * n, 0.0])
        spots.append(Spot(at, normal, on_thing))
    yield from _landed(document, rig.name(Role.LEFT_WRIST), "", spots, memories)


def _landed(
    document: Document, joint: str, patch: str, spots: list[Spot | None], memories: dict[str, Memory]
) -> Iterator[Step]:
    yield Step(document, 0.0, 0.0)
    held = [e for e in document.character(FIRST).effectors if e.joint == joint and isinstance(e, Position)]
    lead = held[0] if held else new_effector(document.character(FIRST), Position.kind, joint)
    first = () if held else (edits.add_effector(FIRST, lead),)
    hold: LimbHold | None = None
    for spot in spots:
        person = document.character(FIRST)
        lands = None if spot is None else landing(document, person, lead, spot, patch, first)
        assert lands is not None, "it has that patch"
        hold = lands.hold and lands.hold.of(hold.base if hold else person.pose)
        document, answer, took = solved(lands.edit(document), memories, hold)
        told = zip(answer.effectors, answer.solution.residuals, strict=True)
        off = max(left.value for e, left in told if e.is_active and e.is_strict and isinstance(e, Position | Contact))
        yield Step(document, off, took)
        first = ()


def pulled(case: str, body: str, solver: str) -> Iterator[Step]:
    """As somebody stands, as the joint is dragged, and on its way back."""
    role, way = PULLS[case]
    document = before(Hold(()), body, solver)
    yield Step(document, 0.0, 0.0)
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), role)
    for step in drag_steps(document, id, straight(np.array(way), STEP, back=True)):
        yield Step(step.document, max(step.lost, step.other), step.took)


def measured(case: str, body: str, solver: str) -> tuple[Unasked, Document]:
    """What is measured of a case, and the document in the end or where the drag turns back."""
    make = onto if case in ONTO else pulled if case in PULLS else to_cup
    steps = list(make(case, body, solver))
    rig = rig_of(skeleton_of(steps[0].document.character(FIRST)))
    worlds = [joints_of(step.document.character(FIRST)) for step in steps]
    end = (len(steps) - 1) // 2 if case in PULLS else len(steps) - 1
    found, idle = Unasked(), _idle(case)
    for arm in idle:
        wrist, shoulder = rig.index(arm.end), rig.index(arm.joints[-4])
        places = np.array([world.positions[wrist] for world in worlds], np.float64)
        seen = [_seen(rig, worlds[i], places[i]) for i in (0, end)]
        found.hands.append(float(np.linalg.norm(seen[1] - seen[0])))
        found.world.append(float(np.linalg.norm(places[end] - places[0])))
        way = places[end] - worlds[end].positions[shoulder]
        found.up.append(float(np.degrees(np.arccos(-way[1] / np.linalg.norm(way)))))
        gone = np.linalg.norm(np.diff(places, axis=0), axis=1)
        found.first.append(float(gone[0]))
        found.steps.extend(gone[1:].tolist())
    found.lean.append(_lean(rig, worlds[0], worlds[end]))
    found.hunch.append(_bend(rig, worlds[end]) - _bend(rig, worlds[0]))
    found.off.append(max(step.off for step in steps))
    found.took.extend(step.took for step in steps[1:])
    return found, steps[end].document


def _idle(case: str) -> list[Limb]:
    """The arms of whose hands nothing is asked."""
    asked = (case in CUPS or case == "palm on box") and ARMS[:1]
    return [arm for arm in ARMS if arm not in (asked or ())]


def _seen(rig: Rig, world: WorldJoints, place: Array) -> Array:
    chest = rig.index(Role.SPINE3)
    return (place - world.positions[chest]) @ world.rotations[chest]


def _up(rig: Rig, world: WorldJoints) -> Array:
    way = world.positions[rig.index(Role.NECK)] - world.positions[rig.index(Role.PELVIS)]
    return (way / np.linalg.norm(way)).astype(np.float64)


def _lean(rig: Rig, was: WorldJoints, now: WorldJoints) -> float:
    """Degrees that the trunk leans further from upright."""
    first, then = (np.degrees(np.arccos(_up(rig, world)[1])) for world in (was, now))
    return float(then - first)


def _bend(rig: Rig, world: WorldJoints) -> float:
    """Degrees that the chest is bent ahead of the pelvis."""
    turn = world.rotations[0].T @ world.rotations[rig.index(Role.SPINE3)]
    return float(np.degrees(np.arctan2(-turn[1, 2], turn[1, 1])))


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each case and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="body")
    add_parts(parser, "cases", CASES)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="where to draw how each ends")
    given = parser.parse_args(arguments)
    print_row("case", "solver", *COLUMNS)
    for solver in given.solvers:
        every = Unasked()
        for case in with_part(dict.fromkeys(CASES), given.cases):
            row = Unasked()
            for body in given.bodies:
                one, document = measured(case, body, solver)
                row.add(one)
                if given.each:
                    print_row(f"  {case}, {body}", solver, *one.cells)
                if given.pictures:
                    name = f"{case.replace(' ', '-')}-{body}-{solver}.png"
                    save_picture(given.pictures / name, document, (480, 560), "angle")
            print_row(case, solver, *row.cells)
            every.add(row)
        print_row("all", solver, *every.cells)


if __name__ == "__main__":
    main()
