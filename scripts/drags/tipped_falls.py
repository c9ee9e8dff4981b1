"""How people who were tipped over lie on the floor: stiffly, and once they have come to rest.

python -m scripts.drags.tipped_falls [--bodies neutral,female,…] [--ways back,…] [--solvers dls,smplik]
python -m scripts.drags.tipped_falls --drags [--bodies …] [--ways …] [--solvers …]

Centimetres from the floor to the lowest skin of the part that is highest of each kind, the mean over
people and the worst. Lowest: of all skin. The
last columns are of a hand that is dragged up by 20 cm in steps of 2 cm afterwards: how far the
pelvis, the feet and the other hand go along.

--drags: instead, people who were tipped by 0 to 180°, with ankles held and with loose ones, and people
in the library's tumbling poses and in its lying ones, on a box as a bed, have a handle dragged up, aside
and ahead by 10 cm in steps of 2 cm; those on the bed are also pulled up by the pelvis, by 70 cm.
How far pelvis and head go in the first step, the worst step of any joint, and by how many degrees the
pelvis has turned over in the end.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from app.document.edits.props import add_prop, new_prop
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.fitting_effectors import with_ankles
from app.document.posing.placing import lowest_skin, moved, skin_of, tipped
from app.document.posing.rest.settling import come_to_rest
from scripts.arguments import add_list
from scripts.drags.contact_depths import FIRST, new_person
from scripts.drags.drag_measures import ALL_SOLVERS, SOLVERS, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst, percentiles
from solver.kinematics.rotations import from_rotation_vector
from solver.resources import resource_folder
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

TUMBLING, LYING = (resource_folder("assets", "poses") / name for name in ("Tumbling", "Lying"))
QUARTER = np.pi / 2
WAYS = {
    "back": (-QUARTER, 0.0, 0.0), "front": (QUARTER, 0.0, 0.0), "left": (0.0, 0.0, QUARTER),
    "right": (0.0, 0.0, -QUARTER),
}  # fmt: skip
PARTS: dict[str, list[tuple[Role, ...]]] = {
    "hands": [(arm.end, arm.tip) for arm in ARMS],
    "feet": [(leg.end, leg.tip) for leg in LEGS],
    "skull": [(Role.HEAD,)],
    "seat": [(Role.PELVIS, *(leg.root for leg in LEGS))],
    "chest": [(Role.SPINE2, Role.SPINE3)],
}
UP, STEP = 0.2, 0.02  # metres


@dataclass
class Lies(Row):
    """Centimetres, one number for each person."""

    hands: list[float] = field(default_factory=list)
    feet: list[float] = field(default_factory=list)
    skull: list[float] = field(default_factory=list)
    seat: list[float] = field(default_factory=list)
    chest: list[float] = field(default_factory=list)
    lowest: list[float] = field(default_factory=list)
    hips_along: list[float] = field(default_factory=list)
    feet_along: list[float] = field(default_factory=list)
    hand_along: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        heights = (self.hands, self.feet, self.skull, self.seat, self.chest)
        along = (self.hips_along, self.feet_along, self.hand_along)
        moved = [cell for each in along for cell in (mean_and_worst(each) if each else ["", ""])]
        return [cell for each in heights for cell in mean_and_worst(each)] + [f"{min(self.lowest):.1f}", *moved]


COLUMNS = (
    *(cell for part in PARTS for cell in (f"{part} cm", "worst")), "lowest",
    *(cell for part in ("hips", "feet", "hand") for cell in (f"{part} along cm", "worst")),
)  # fmt: skip


def measured(person: Character) -> Lies:
    """How somebody lies."""
    body, rig = body_of(person), rig_of(skeleton_of(person))
    skin = 100.0 * skin_of(person)[:, 1].astype(np.float64)
    carrier = body.weights.argmax(axis=1)

    def height(roles: tuple[Role, ...]) -> float:
        return float(skin[np.isin(carrier, [rig.index(role) for role in roles])].min())

    highest = {part: [max(height(roles) for roles in groups)] for part, groups in PARTS.items()}
    return Lies(**highest, lowest=[float(skin.min())])


def drag_hand(person: Character, lies: Lies) -> None:
    """Lift the left hand, and add how far the rest goes along."""
    rig = rig_of(skeleton_of(person))
    document, id = handle(Document().with_characters((person,)), rig, ARMS[0].end)
    before = after = places_of(document)[0]
    for step in drag_steps(document, id, straight(np.array([0.0, UP, 0.0]), STEP)):
        after = places_of(step.document)[0]
    moved = 100.0 * np.linalg.norm(after - before, axis=1)
    lies.hips_along.append(float(moved[rig.index(Role.PELVIS)]))
    lies.feet_along.append(float(max(moved[rig.index(leg.end)] for leg in LEGS)))
    lies.hand_along.append(float(moved[rig.index(ARMS[1].end)]))


@dataclass
class Turns(Row):
    """Metres, degrees and milliseconds; each drag adds one number to the first step's and to turned, several to the
    others."""

    first_pelvis: list[float] = field(default_factory=list)
    first_head: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    turned: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `TURN_COLUMNS`."""
        first = [cell for each in (self.first_pelvis, self.first_head) for cell in mean_and_worst(100 * np.array(each))]
        return [
            f"{len(self.turned)}", *first, f"{100 * max(self.steps):.1f}", *mean_and_worst(self.turned, digits=0),
            f"{1e3 * max(self.off):.0f}", *percentiles(self.took, 50, 95),
        ]  # fmt: skip


TURN_COLUMNS = (
    "drags", "pelvis, first step cm", "worst", "head, first step cm", "worst", "worst step cm", "turned over °",
    "worst", "missed mm", "ms", "p95",
)  # fmt: skip
TOWARDS = ((0.0, 0.1, 0.0), (0.1, 0.0, 0.0), (0.0, 0.0, 0.1))  # metres
DRAGGED = tuple(
    (role, way) for role in (Role.LEFT_WRIST, Role.RIGHT_ANKLE, Role.LEFT_KNEE, Role.HEAD) for way in TOWARDS
)
TIPS = (0, 30, 45, 60, 75, 90, 105, 120, 135, 150, 180)
PULLED = ((Role.PELVIS, (0.0, 0.7, 0.0)),)
LOOSE, POSED, ON_BED, FROM_BED = "loose, ", "pose, ", "on a bed, ", "pulled up from a bed, "
HANDLES = {LOOSE: DRAGGED, POSED: DRAGGED, ON_BED: DRAGGED, FROM_BED: PULLED}
BED = np.array([2.0, 0.5, 2.4], np.float32)


def tipped_or_posed(name: str, body: str, solver: str) -> Document:
    """Somebody tipped some way, by some degrees, or in a pose of the library, there or on a bed."""
    person = new_person(body, solver)
    kind = next((each for each in HANDLES if name.startswith(each)), "")
    stem = name.removeprefix(kind)
    if kind in ("", LOOSE):
        way, _, degrees = stem.partition(" ")
        person = tipped(person, from_rotation_vector(float(degrees) / 90.0 * np.array(WAYS[way])))
        return Document().with_characters((with_ankles(person, loose=True) if kind else person,))
    taken = poses_of(entry_of((TUMBLING if kind == POSED else LYING) / f"{stem}.json"))
    document = take_pose(person.id, taken, Taking())(Document().with_characters((person,)))
    if kind == POSED:
        return document
    document = add_prop(replace(new_prop(document, "box"), size=BED, place=np.zeros(3, np.float32)))(document)
    person = document.characters[0]
    return document.with_character(moved(person, (0.0, BED[1] - lowest_skin(person), 0.0)))


def drag_tipped(document: Document, role: Role, towards: tuple[float, float, float]) -> Turns:
    """Drag a handle of theirs, and measure how far they are turned over."""
    person, turns = document.characters[0], Turns()
    rig = rig_of(skeleton_of(person))
    document, id = handle(document, rig, role)
    was = places_of(document)
    for reached in drag_steps(document, id, straight(np.array(towards), STEP)):
        document, now = reached.document, places_of(reached.document)
        if not turns.steps:
            gone = np.linalg.norm(now[0] - was[0], axis=1)
            turns.first_pelvis.append(float(gone[rig.index(Role.PELVIS)]))
            turns.first_head.append(float(gone[rig.index(Role.HEAD)]))
        turns.steps.append(apart(now, was))
        turns.off.append(reached.other)
        turns.took.append(reached.took)
        was = now
    up = (each.pose.rotations[0, :, 1] for each in (person, document.character(FIRST)))
    turns.turned.append(float(np.degrees(np.arccos(np.clip(np.dot(*up), -1.0, 1.0)))))
    return turns


def print_turns(given: Namespace) -> None:
    """Print the table of drags of tipped people."""
    tips = [f"{way} {degrees}" for degrees in TIPS for way in given.ways]
    tumbling, lying = (sorted(path.stem for path in folder.glob("*.json")) for folder in (TUMBLING, LYING))

    def rows(name: str, solver: str) -> Iterator[tuple[str, Turns]]:
        for body in given.bodies:
            document = tipped_or_posed(name, body, solver)
            for role, towards in next((HANDLES[each] for each in HANDLES if name.startswith(each)), DRAGGED):
                yield f"{body}, {role.words}, {towards}", drag_tipped(document, role, towards)

    kinds = ((POSED, tumbling), (ON_BED, lying), (FROM_BED, lying))
    posed = (f"{kind}{stem}" for kind, stems in kinds for stem in stems)
    names = [*tips, *(f"{LOOSE}{tip}" for tip in tips), *posed]
    chosen = [name for name in names if not given.only or any(part in name for part in given.only)]
    print_drags(Turns, TURN_COLUMNS, given.solvers, chosen, rows, given.each)


def main(arguments: list[str] | None = None) -> None:
    """Print a table, two rows for each way and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="person as well")
    parser.set_defaults(solvers=list(SOLVERS))
    add_list(parser, "--ways", tuple(WAYS))
    parser.add_argument("--drags", action="store_true", help="drags of people who are tipped by 0 to 180°")
    parser.add_argument("--only", nargs="+", default=(), metavar="PART", help="of these drags, by part of a name")
    given = parser.parse_args(arguments)
    if given.drags:
        print_turns(given)
        return

    def rows(name: str, solver: str) -> Iterator[tuple[str, Lies]]:
        way, _, rests = name.partition(", ")
        for body in given.bodies:
            person = tipped(new_person(body, solver), from_rotation_vector(WAYS[way]))
            person = come_to_rest(person) if rests else person
            lies = measured(person)
            if rests:
                drag_hand(person, lies)
            yield body, lies

    names = [f"{way}{rests}" for rests in ("", ", at rest") for way in given.ways]
    print_drags(Lies, COLUMNS, given.solvers, names, rows, given.each)


if __name__ == "__main__":
    main()
