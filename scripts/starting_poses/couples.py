"""How two people of a starting pose touch, each put on bodies as the library does.

python -m scripts.starting_poses.couples [WORD…] [--bodies neutral,male+female,…] [--poses FOLDER]

One row for each pose of two that has one of the words in its name. Under each pair of bodies (one name: both have it):
how many millimetres the two are in each other at the deepest, and after a colon how far each palm that the record lays
on the other is from the nearest skin there, negative within it. Deepest: whose skin that is, on the worst pair. Bends:
how many degrees a joint is turned away from the pose as it was made, at most. Balance: as in `measures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import Entry, poses_of, shelf_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.document.posing.create import new_character
from scripts.arguments import script_parser
from scripts.drags.drag_tables import mean_and_worst, print_row
from scripts.starting_poses.__main__ import POSES, in_order
from scripts.starting_poses.measures import Build, builds, measured
from scripts.starting_poses.record import Record
from scripts.starting_poses.together import CLASS
from scripts.starting_poses.together import POSES as RECORDS
from solver.contact.intersections import Skinned, intersections
from solver.contact.skins import nearest_point, skin
from solver.kinematics.rotations import geodesic_angle

PAIRS = (
    "neutral", "female", "male", "short", "tall", "child", "male+female", "tall+short", "short+tall", "female+child",
    "child+male",
)  # fmt: skip
SAME = 1e-6  # metres


@dataclass(frozen=True)
class Touch:
    """Of a pose of two on a pair of bodies, in metres and degrees. depth: of each in the other, and at: which joint's
    skin that is. palms: from each to the nearest skin of the other, negative within it. bends: from the file's pose."""

    depth: float
    at: str
    palms: tuple[float, ...]
    bends: float
    balance: float | None
    below: float


def put_on_two(entry: Entry, pair: Sequence[Build]) -> tuple[Character, ...]:
    """The people of a pose of the library on those bodies, at their places in the file."""
    content, document = poses_of(entry), Document()
    for person, (body, shape) in zip(content.people, pair, strict=True):
        made = new_character(document, body=body, pose=person.pose, shape=shape)
        document = document.with_characters((*document.characters, made))
    return take_pose(document.characters[0].id, content, Taking(place=True))(document).characters


def touch_of(entry: Entry, record: Record, pair: Sequence[Build]) -> Touch:
    """What is measured of a pose on a pair of bodies."""
    people = put_on_two(entry, pair)
    skinned = [Skinned(body_of(one), one.shape, one.pose, one.hands) for one in people]
    alone = [intersections([one], floor=False)[0][1] for one in skinned]
    between = [
        np.where(depths > own + SAME, depths, 0.0)
        for (_, depths), own in zip(intersections(skinned, floor=False), alone, strict=True)
    ]
    whose = int(between[1].max() > between[0].max())
    body, depths = body_of(people[whose]), between[whose]
    names = body.skeleton(people[whose].shape).names
    palms = [
        _from_skin(people[number], hold.patch, people[1 - number])
        for number, figure in enumerate(record.figures)
        for hold in figure.holds
    ]
    turned = [
        np.degrees(geodesic_angle(was.pose.rotations, now.pose.rotations)[1:].max())
        for was, now in zip(poses_of(entry).people, people, strict=True)
    ]
    found = measured(people)
    return Touch(
        float(depths.max()),
        f"{whose + 1} {names[body.weights[depths.argmax()].argmax()]}" if depths.any() else "",
        tuple(palms),
        float(max(turned)),
        found.balance,
        found.below,
    )


def main() -> None:
    """Print the table of what the arguments ask for."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="in a pose's name (default: all poses of two)")
    parser.add_argument("--bodies", default=",".join(PAIRS))
    parser.add_argument("--poses", type=Path, default=POSES, help="the library's folder")
    args = parser.parse_args()
    named, pairs = builds(), args.bodies.split(",")
    records = {record.name: record for record in RECORDS}
    words = [word.lower() for word in args.words] or [""]
    print_row("pose", *pairs, "deepest", "bends", "balance cm")
    print_row(*["--"] * (4 + len(pairs)))
    rows = []
    for entry in in_order(tuple(each for each in shelf_of(args.poses).entries if each.folder == CLASS)):
        if not any(word in entry.name.lower() for word in words):
            continue
        found = [touch_of(entry, records[entry.name], [named[name] for name in _two(pair)]) for pair in pairs]
        margins = [one.balance for one in found if one.balance is not None]
        print_row(
            f"*{entry.name}*",
            *(_cell(one) for one in found),
            max(found, key=lambda one: one.depth).at,
            f"{max(one.bends for one in found):.0f}",
            f"{1e2 * margins[0]:.0f}, {1e2 * min(margins):.0f}" if margins else "–",
        )
        rows.append(found)
    columns = list(zip(*rows, strict=True))
    print_row("depth: mean, worst", *(", ".join(mean_and_worst([1e3 * o.depth for o in column])) for column in columns))
    palms = [[1e3 * abs(palm) for one in column for palm in one.palms] for column in columns]
    print_row("palms: mean, worst", *(", ".join(mean_and_worst(each)) if each else "–" for each in palms))


def _two(pair: str) -> tuple[str, str]:
    first, _, second = pair.partition("+")
    return first, second or first


def _cell(one: Touch) -> str:
    palms = " ".join(f"{1e3 * palm:.0f}" for palm in one.palms)
    return f"{1e3 * one.depth:.0f}" + (f": {palms}" if palms else "")


def _from_skin(holder: Character, patch: str, owner: Character) -> float:
    place, world = place_of_patch(holder, patches_of(holder)[patch]), joints_of(owner)
    touched = skin(body_of(owner), owner.shape, owner.hands)
    point = nearest_point(touched, world, place)
    at, normal = touched.point_at(point.triangle, point.shares, world)
    away = place - at
    return float(np.linalg.norm(away) * (1.0 if away @ normal >= 0.0 else -1.0))


if __name__ == "__main__":
    main()
