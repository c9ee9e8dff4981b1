"""How adults stand in pictures with children, and who is taken for a child.

python -m scripts.photo.children_study --renderings DIR [DIR ...] [--half report] [--kind KIND ...]

DIR is from `scripts.photo.photo_renderings --young 0.45 --only "group near" "group far" "group near"`, for instance.
Printed for adults, children and teenagers, without → with children's bodies: how high above the floor (cm) they hang in
the mean, how many by more than 3 cm and how many sink in by as much, and how many are taken for children; in how many
of the pictures with somebody young an adult hangs so; and how well the size of face and head tells children from
adults, as the area under the curve, by the side that is seen, the size in the picture and whether a face is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts.arguments import script_parser
from scripts.photo.face_and_hand_study import paired
from scripts.photo.read_pictures import add_pictures, pictures_of, read_at_first_and_again
from scripts.photo.rendered_ages import CHILD, GROWN, YOUTH
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.floor import lowest_point
from solver.photo.estimate import may_be_children
from solver.photo.fit.fit import shape_of
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.floor.common_floor import PlacedPeople, place_people
from solver.photo.measuring.truth import TruePerson, TruePicture

HANGS_CM = 3.0
NAMES = {GROWN: "adults", CHILD: "children", YOUTH: "teenagers"}
SIDE = np.cos(np.radians(60))  # a pelvis that faces camera or back less than this shows its side
SIZES = {"below 150 pixels": (0, 150), "150 to 250 pixels": (150, 250), "above 250 pixels": (250, 1e9)}


@dataclass(frozen=True)
class Row:
    """Somebody read. above: cm over the floor, more than in truth, without and with children's bodies. as_child:
    whether taken for a child. odds: of `child_odds`; None where somebody is alone in the picture. towards: how far the
    pelvis faces the camera, 1 to -1. height: pixels. face: whether one was seen."""

    picture: str
    body: str
    above: tuple[float, float]
    as_child: bool
    odds: float | None
    towards: float
    height: float
    face: bool


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = script_parser(__file__, __doc__)
    add_pictures(parser)
    adult = load_body(DEFAULT_BODY)
    pictures = pictures_of(parser.parse_args(arguments))
    rows = [row for folder, picture in pictures for row in rows_of(folder, picture, adult)]
    print("\n".join([*standing(rows), "", *told_apart(rows)]))


def rows_of(folder: Path, picture: TruePicture, adult: Body) -> Iterator[Row]:
    """Everybody in a rendering who was read."""
    camera, _, known = read_at_first_and_again(folder / picture.name)
    if not known:
        return
    fits = [fit_landmarks(adult, person, camera.focal_px, camera.principal_px) for person in known]
    seen, bodies = [each[1] for each in fits], [each[2] for each in fits]
    children = may_be_children(adult, fits, camera.principal_px)
    plain, placed = (place_people(adult, bodies, seen, may) for may in (None, children))
    for true, marks in paired(picture, known):
        number = known.index(marks)
        to_camera = picture.camera.position - true.joints[0]
        ahead = true.pose.rotations[0][:, 2]
        yield Row(
            f"{folder}/{picture.name}",
            true.body,
            (above(adult, plain, number, true), above(adult, placed, number, true)),
            number in placed.children,
            None if children is None else children.odds[number],
            float(ahead @ to_camera / np.linalg.norm(to_camera)),
            float(np.ptp(true.pixels[:, 1])),
            marks.face is not None,
        )


def above(adult: Body, placed: PlacedPeople, number: int, true: TruePerson) -> float:
    """How much higher above the floor somebody's lowest point is than in truth, cm."""
    body = placed.children[number][0] if number in placed.children else adult
    read = lowest_point(body, shape_of(placed.fits[number]), placed.poses[number])
    return 100.0 * (read - lowest_point(load_body(true.body), true.shape, true.pose))


def standing(rows: Sequence[Row]) -> Iterator[str]:
    """Who hangs above the floor, and who is taken for a child."""
    columns = "people", "cm above the floor", f"more than {HANGS_CM:g} cm", "sunk in", "taken for children"
    yield f"| without → with children's bodies | {' | '.join(columns)} |"
    yield "|--|--:|--|--|--|--:|"
    for body, name in NAMES.items():
        some = [row for row in rows if row.body == body]
        if some:
            heights = np.array([row.above for row in some])
            mean, hang, sunk = heights.mean(axis=0), (heights > HANGS_CM).sum(axis=0), (heights < -HANGS_CM).sum(axis=0)
            yield (
                f"| {name} | {len(some)} | {mean[0]:.1f} → {mean[1]:.1f} | {hang[0]} → {hang[1]} | "
                f"{sunk[0]} → {sunk[1]} | {sum(row.as_child for row in some)} |"
            )
    mixed = {row.picture for row in rows if row.body != GROWN}
    hung = [
        {row.picture for row in rows if row.body == GROWN and row.above[k] > HANGS_CM and row.picture in mixed}
        for k in (0, 1)
    ]
    pictures = len({row.picture for row in rows})
    yield f"Of {pictures} pictures {len(mixed)} show somebody young; an adult hangs in {len(hung[0])} → {len(hung[1])}."


def told_apart(rows: Sequence[Row]) -> Iterator[str]:
    """How well face and head tell children from adults, by what is seen."""
    groups: Mapping[str, list[Row]] = {
        "all": [*rows],
        "from the front": [row for row in rows if row.towards > SIDE],
        "from the side": [row for row in rows if abs(row.towards) <= SIDE],
        "from behind": [row for row in rows if row.towards < -SIDE],
        **{name: [row for row in rows if low <= row.height < high] for name, (low, high) in SIZES.items()},
        "with a face": [row for row in rows if row.face],
    }
    yield "| face and head | children | adults | area under the curve |\n|--|--:|--:|--:|"
    for name, group in groups.items():
        young, grown = (
            np.array([row.odds for row in group if row.body == body and row.odds is not None])
            for body in (CHILD, GROWN)
        )
        if len(young) and len(grown):
            yield f"| {name} | {len(young)} | {len(grown)} | {area(young, grown):.2f} |"


def area(above: np.ndarray, below: np.ndarray) -> float:
    """How often one of `above` is larger than one of `below`; 0.5 if that is chance."""
    larger, equal = above[:, None] > below, above[:, None] == below
    return float((larger + 0.5 * equal).mean())


if __name__ == "__main__":
    main()
