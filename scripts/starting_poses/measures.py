"""How the starting poses come out on several bodies, each put on a body as the library does.

python -m scripts.starting_poses.measures [WORD…] [--bodies neutral,heavy,…] [--folders]

One row for each pose that has one of the words in name or class. Under each body: how many millimetres skin is in skin
of the same person at the deepest (after a +, in that of the other person), as the view tints it. At: the joint whose
skin that is, on the body where it is deepest. Below: millimetres that skin is below the floor, on the worst body. Off:
how many millimetres what is on the floor is above it at most: parts that the record lays there, and hands and feet that
are there on the neutral body. Balance: of people on their feet alone, centimetres from the centre of mass to the edge
of what bears it, on the neutral and on the worst body; negative for those who would fall, as in a step. The last rows
count poses on each body.

With --folders a row for each folder instead. Under each body, in millimetres: skin in skin in the mean and at the
deepest; then the worst below, the worst off, and of people who hold each other how far a contact is from its place.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import Entry, poses_of, shelf_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import new_character
from scripts.arguments import add_list, script_parser
from scripts.drags.drag_tables import mean_and_worst, print_row
from scripts.starting_poses.__main__ import BODIES, POSES, RECORDS, in_order
from scripts.starting_poses.record import FLOOR, Figure, Record
from scripts.starting_poses.sitting import BOX, CHAIR
from scripts.starting_poses.solve import PARTS, lowest_of
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.shape_presets import SHAPE_PRESETS
from solver.contact.balance import balance
from solver.contact.intersections import Skinned, intersections
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.rig.roles import LEGS, LIMBS

BROADER = ("Child", "Chibi", "Heavy", "Elder")
LIES = 0.01  # metres above the floor up to which a part lies on it
COUNTED = (10, 20)  # millimetres
Build = tuple[str, BodyShape]


@dataclass(frozen=True)
class Measures:
    """Of a pose on a body, in metres. own, other: skin in the person's own skin and in that of another, at the deepest.

    at: the joint whose own skin that is. below: the floor. heights: above it, of the skin of each part of each person.
    balance: the least margin of those whose feet alone are on the floor; None where there is nobody. missed: by the
    contact that is missed most; 0 without any.
    """

    own: float
    other: float
    at: str
    below: float
    heights: tuple[dict[str, float], ...]
    balance: float | None
    missed: float


def builds() -> dict[str, Build]:
    """The bodies of the contact sheets and some presets by name, each as a body's id and its shape."""
    found: dict[str, Build] = {name: (DEFAULT_BODY, shape) for name, shape in BODIES.items()}
    for preset in SHAPE_PRESETS:
        name = preset.name.partition(",")[0]
        shape = preset.shape(load_body(preset.body).component_names, "neutral")
        if name in BROADER and shape is not None:
            found[name.lower()] = (preset.body, shape)
    return found


def put_on(entry: Entry, build: Build) -> tuple[Character, ...]:
    """The people of a pose of the library, on that body and at their places in the file."""
    content, document = poses_of(entry), Document()
    for person in content.people:
        made = new_character(document, body=build[0], pose=person.pose, shape=build[1])
        document = document.with_characters((*document.characters, made))
    return take_pose(document.characters[0].id, content, Taking(place=True))(document).characters


def measured(people: Sequence[Character]) -> Measures:
    """What is measured of posed people."""
    skinned = [Skinned(body_of(one), one.shape, one.pose, one.hands) for one in people]
    alone = [intersections([one], floor=False)[0] for one in skinned]
    together = intersections(skinned, floor=False) if len(skinned) > 1 else alone
    worst = max(range(len(people)), key=lambda number: float(alone[number][1].max()))
    depths = alone[worst][1]
    own, other = float(depths.max()), max(float(depth.max()) for _, depth in together)
    body = body_of(people[worst])
    carrier = body.skeleton(people[worst].shape).names[body.weights[depths.argmax()].argmax()]
    heights = tuple(_heights(one, skin) for one, (skin, _) in zip(people, alone, strict=True))
    stand = [one for one, over in zip(people, heights, strict=True) if _stands(over)]
    margins = [balance(body_of(one), one.shape, joints_of(one), one.hands).margin for one in stand]
    return Measures(
        own,
        other if other > own else 0.0,
        carrier if own else "",
        max(0.0, *(-float(skin[:, 1].min()) for skin, _ in alone)),
        heights,
        min((margin for margin in margins if margin is not None), default=None),
        max((_missed(one, effector) for one in people for effector in one.effectors), default=0.0),
    )


def off_floor(record: Record, on_neutral: Measures, here: Measures) -> float:
    """Metres above the floor of what is on it in the record or on the neutral body, at the highest; 0 without any."""
    return max(
        (
            heights[part]
            for figure, neutral, heights in zip(record.figures, on_neutral.heights, here.heights, strict=True)
            for part in _on_floor(figure, neutral)
        ),
        default=0.0,
    )


def main() -> None:
    """Print the table of what the arguments ask for."""
    named = builds()
    parser = script_parser(__file__, __doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="in a pose's name or class (default: all poses)")
    add_list(parser, "--bodies", named)
    parser.add_argument("--folders", action="store_true", help="a row for each folder")
    args = parser.parse_args()
    names, rows = args.bodies, list[list[Measures]]()
    if args.folders:
        print_folders(_chosen(args), {name: named[name] for name in names}, named["neutral"])
        return
    print_row("pose", *names, "at", "below", "off", "balance cm")
    print_row(*["--"] * (5 + len(names)))
    for entry, record in _chosen(args):
        neutral = measured(put_on(entry, named["neutral"]))
        found = [neutral if name == "neutral" else measured(put_on(entry, named[name])) for name in names]
        print_row(f"*{entry.name}*", *_cells(record, neutral, found))
        rows.append(found)
    owns = [1e3 * np.array([found[number].own for found in rows]) for number in range(len(names))]
    print_row("mean, worst", *(", ".join(mean_and_worst(own)) for own in owns))
    for most in COUNTED:
        print_row(f"over {most} mm", *(str((own > most).sum()) for own in owns))


def print_folders(chosen: Sequence[tuple[Entry, Record]], bodies: Mapping[str, Build], neutral: Build) -> None:
    """Print a table of poses by folder on those bodies. neutral: the build that says what is on the floor."""
    print_row("folder", "poses", *bodies)
    print_row(*["--"] * (2 + len(bodies)))
    for folder, poses in groupby(chosen, lambda each: each[1].folder):
        rows = [
            (record, measured(put_on(entry, neutral)), [measured(put_on(entry, body)) for body in bodies.values()])
            for entry, record in poses
        ]
        cells = []
        for number in range(len(bodies)):
            here = [found[number] for *_, found in rows]
            off = [off_floor(record, on_neutral, found[number]) for record, on_neutral, found in rows]
            worst = max(one.below for one in here), max(off), max(one.missed for one in here)
            own = ", ".join(mean_and_worst([1e3 * one.own for one in here]))
            cells.append(f"{own}; " + ", ".join(f"{1e3 * each:.0f}" for each in worst))
        print_row(folder, str(len(rows)), *cells)


def _missed(person: Character, effector: Effector) -> float:
    if not (isinstance(effector, Contact) and effector.is_active):
        return 0.0
    return float(effector.residual(skeleton_of(person), joints_of(person)))


def _chosen(args: argparse.Namespace) -> list[tuple[Entry, Record]]:
    records = {(record.folder, record.name): record for record in RECORDS}
    words = [word.lower() for word in args.words] or [""]
    return [
        (entry, records[entry.folder, entry.name])
        for entry in in_order(shelf_of(POSES).entries)
        if any(word in f"{entry.name} {entry.folder}".lower() for word in words)
    ]


def _cells(record: Record, neutral: Measures, found: Sequence[Measures]) -> list[str]:
    depths = [f"{1e3 * one.own:.0f}" + (f" + {1e3 * one.other:.0f}" if one.other else "") for one in found]
    stands = neutral.balance is not None and record.folder not in (CHAIR, BOX)
    margins = [one.balance for one in (neutral, *found) if one.balance is not None and stands]
    return [
        *depths,
        max(found, key=lambda one: one.own).at,
        f"{1e3 * max(one.below for one in found):.0f}",
        f"{1e3 * max(off_floor(record, neutral, one) for one in found):.0f}",
        f"{1e2 * margins[0]:.0f}, {1e2 * min(margins):.0f}" if margins else "–",
    ]


def _heights(person: Character, skin: NDArray[np.float64]) -> dict[str, float]:
    world = joints_of(person)
    return {part: lowest_of(body_of(person), skin, world.positions, role) for part, role in PARTS.items()}


def _stands(heights: dict[str, float]) -> bool:
    """Whether feet are on the floor and nothing else is."""
    low = {PARTS[part] for part, height in heights.items() if height < LIES}
    return bool(low) and low <= {leg.end for leg in LEGS}


def _on_floor(figure: Figure, neutral: dict[str, float]) -> set[str]:
    """Parts of a figure that lie on the floor: those of which the record says so, and ends of limbs that do."""
    said = {part for part, held in figure.parts.items() if held.y is FLOOR}
    ends = {limb.end for limb in LIMBS}
    return said | {part for part, role in PARTS.items() if role in ends and neutral[part] < LIES}


if __name__ == "__main__":
    main()
