"""How many of the people in renderings are of one colour from head to foot, as statues are; no network is asked.

python -m scripts.photo.statue_colours --renderings DIR [--half report]

DIR is from `scripts.photo.photo_renderings`, with --white or --statues for instance. The marks are where the truth has
them, with eyes and mouth at the same places of every face. Printed for each picture's kind: people whose colours say
something, those of them whose spread is too small for a tick, and people whose colours say nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from scripts.arguments import script_parser
from solver.body.catalog import load_body
from solver.kinematics.fk import forward_kinematics
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import NOSE, visible_points
from solver.photo.image_file import load_image
from solver.photo.likeness.body_pixels import body_pixels
from solver.photo.likeness.statue_cues import colour_spread, is_colour_picture
from solver.photo.measuring.truth import HALVES, TruePerson, TruePicture, read_renderings
from solver.photo.person_in_box import as_landmarks
from solver.rig.roles import SMPL_ROLES, Role

TICKED = 0.125  # spread from which somebody may have a tick
SMALL = 128  # pixels a side of the picture whose tint is asked for
EYES, MOUTH = (0.035, 0.035, -0.025), (0.022, -0.04, -0.012)  # metres from the tip of the nose, of the left side
MARKS = {1: EYES, 2: EYES, 3: EYES, 9: MOUTH}  # the left ones; the right ones are at the same places, mirrored
_RIGHT = {1: 4, 2: 5, 3: 6, 9: 10}


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR")
    parser.add_argument("--half", choices=HALVES, help="the half to measure (default: both)")
    given = parser.parse_args(arguments)
    spreads = defaultdict[str, list[float | None]](list)
    for picture in read_renderings(given.renderings, given.half):
        for spread in spreads_of(given.renderings, picture):
            spreads[picture.kind].append(spread)
            spreads["all"].append(spread)
    print("| kind | people | of one colour | nothing said |\n|--|--:|--:|--:|")
    for kind, each in spreads.items():
        said = [spread for spread in each if spread is not None]
        print(f"| {kind} | {len(each)} | {sum(spread < TICKED for spread in said)} | {len(each) - len(said)} |")


def spreads_of(folder: Path, picture: TruePicture) -> Iterator[float | None]:
    """`colour_spread` of everybody in a picture; None where colours say nothing."""
    image = Image.fromarray(load_image(folder / picture.name).rgb)
    coloured = is_colour_picture(np.asarray(image.resize((SMALL, SMALL), Image.Resampling.BOX)))
    for person in picture.people:
        seen = body_pixels(image, marks_of(picture, person))
        yield colour_spread(seen) if coloured and seen is not None else None


def marks_of(picture: TruePicture, person: TruePerson) -> Landmarks:
    """Where networks would mark somebody who was drawn, eyes and mouth among the marks."""
    body = load_body(person.body)
    marks, points = as_landmarks(body, person.shape, person.pose, picture.camera), visible_points(body)
    posed = forward_kinematics(body.skeleton(person.shape), person.pose)
    head = SMPL_ROLES.index(Role.HEAD)
    turn, at = posed.rotations[head].astype(np.float64), posed.positions[head].astype(np.float64)
    nose = points.offset[points.landmark.tolist().index(NOSE)]
    pixels = marks.pixels.copy()
    for left, place in MARKS.items():
        for mark, side in ((left, 1.0), (_RIGHT[left], -1.0)):
            pixels[mark] = picture.camera.project((at + turn @ (nose + np.multiply(place, (side, 1.0, 1.0))))[None])[0]
    return replace(marks, pixels=pixels)


if __name__ == "__main__":
    main()
