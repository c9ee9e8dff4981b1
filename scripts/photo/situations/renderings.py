"""Draw people of the pose library in situations that recordings lack, to measure how they are read from photos.

python -m scripts.photo.situations.renderings -o DIR [--count 72] [--seed 0] [--only KIND ...] [--library FOLDER]

Seen from high above and from low down, behind a counter or half behind a wardrobe, cut by the picture's border at the
waist or the neck, sitting at a table, from behind, with crossed arms, a hand before the face, hugging, one carried by
another, five or six in a row far away, through lenses of 15 to 20 and 135 to 300 mm, in a phone's upright format, dark
against the light, jumping and kicking; with --only also "on the floor". DIR gets the pictures, a truth.json as of
`scripts.photo.photo_renderings`, and a seen.json: for each picture and person which of the twelve limb joints neither
the border nor a thing or somebody else hides. A kind's pictures belong to the halves in turn. The same seed gives the
same pictures.
`python -m scripts.photo.situations.study --renderings DIR` measures on them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.document.model.prop_frame import PropFrame
from app.document.model.prop_shapes import surface_of
from app.services.screen import drawing
from rendering.scene.props import DrawnProp, PropSurface
from scripts.arguments import script_parser
from scripts.photo.photo_renderings import NOTED, jpeg, known_people, photographed
from scripts.photo.rendered_people import Held
from scripts.photo.rendered_scenes import NoPlace
from scripts.photo.situations.cast import BY_DEFAULT, KINDS, Kind, cast
from scripts.photo.situations.places import Place, Thing, placed
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.files.atomic import write_bytes, write_text
from solver.files.json_text import json_text
from solver.focal_length import equivalent_mm
from solver.kinematics.fk import forward_kinematics
from solver.photo.accuracy import shared_indices
from solver.photo.measuring.limb_errors import hidden_joints
from solver.photo.measuring.truth import FILE, HALVES, TruePicture, truth_text

SEEN = "seen.json"
DRAWS = 400


def picture(
    index: int, seed: int, poses: dict[str, list[list[Held]]], kinds: list[str], body: Body, long_side: int
) -> tuple[TruePicture, list[list[bool]], NDArray[np.uint8]]:
    """The truth of the index-th picture of a seed, which of everybody's joints show, and its pixels (H, W, 3)."""
    rng = np.random.default_rng([seed, 4, index])
    name = kinds[index % len(kinds)]
    kind = KINDS[name]
    for _ in range(DRAWS):
        try:
            place = placed(name, _drawn(kind, poses[name], index // len(kinds), rng), body, long_side, rng)
            break
        except NoPlace:
            continue
    else:
        raise SystemExit(f"no place was found for picture {index}, “{name}”")
    people = place.people
    joints = [forward_kinematics(p.body.skeleton(p.shape), p.pose).positions.astype(np.float64) for p in people]
    depth = max(float(np.linalg.norm(person.skin[:, [0, 2]], axis=1).max()) for person in people)
    pixels = photographed(
        place.camera, place.ground, people, joints, depth, False, rng,
        props=tuple(_prop(thing, number, rng) for number, thing in enumerate(place.things)), against=kind.against,
    )  # fmt: skip
    true = TruePicture(
        f"{index:04d}.jpg", HALVES[index // len(kinds) % 2], name, place.camera,
        known_people(people, joints, place.camera),
    )  # fmt: skip
    return true, _seen(true, place), pixels


def _drawn(kind: Kind, files: list[list[Held]], turn: int, rng: np.random.Generator) -> list[Held]:
    if kind.together:
        return files[turn % len(files)]
    count = int(rng.integers(kind.people[0], kind.people[1] + 1))
    return [files[int(i)][0] for i in rng.integers(len(files), size=count)]


def _prop(thing: Thing, number: int, rng: np.random.Generator) -> DrawnProp:
    low, size = thing.low, thing.high - thing.low
    place = (low + size * [0.5, 0.0, 0.5]).astype(np.float32)
    frame = PropFrame(place, np.eye(3, dtype=np.float32), size.astype(np.float32))
    vertices, faces, normals, _ = surface_of("box")
    surface = PropSurface(vertices, faces, normals, np.zeros((0, 2, 3)))
    color = "#" + "".join(f"{int(level):02x}" for level in rng.uniform(40, 220) + rng.uniform(-30, 30, 3))
    return DrawnProp(number, surface, frame.matrix, color)


def _seen(true: TruePicture, place: Place) -> list[list[bool]]:
    """Which of the twelve limb joints show, of each person; a joint hidden by their own limbs counts as seen."""
    shared, size = shared_indices(), np.array(place.camera.image_size)
    eye, rows = place.camera.position.astype(np.float64), []
    for number, person in enumerate(true.people):
        others = [other for at, other in enumerate(true.people) if at != number]
        pixels = person.pixels[shared]
        seen = ((pixels >= 0) & (pixels < size)).all(axis=1)
        seen &= ~hidden_joints(person, others, place.camera)
        for thing in place.things:
            seen &= ~thing.hides(eye, person.joints[shared])
        rows.append([bool(one) for one in seen])
    return rows


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="DIR", help="where pictures and truth go")
    parser.add_argument("--library", type=Path, default=Path("assets/poses"), metavar="FOLDER", help="of pose files")
    parser.add_argument("--count", type=int, default=72, help="pictures (default: 72)")
    parser.add_argument("--seed", type=int, default=0, help="for all random choices (default: 0)")
    parser.add_argument("--long-side", type=int, default=960, metavar="PX", help="of each picture (default: 960)")
    parser.add_argument("--only", choices=tuple(KINDS), nargs="+", metavar="KIND", help=f"of: {', '.join(KINDS)}")
    given = parser.parse_args(arguments)
    body, kinds = load_body(DEFAULT_BODY), given.only or [*BY_DEFAULT]
    poses, pictures, seen = cast(given.library, body), [], {}
    given.out.mkdir(parents=True, exist_ok=True)
    with drawing():
        for index in range(given.count):
            true, shows, pixels = picture(index, given.seed, poses, kinds, body, given.long_side)
            noted = np.random.default_rng([given.seed, 2, index]).uniform() < NOTED
            mm = equivalent_mm(true.camera.focal_px, true.camera.image_size) if noted else None
            write_bytes(given.out / true.name, jpeg(pixels, mm))
            pictures.append(true)
            seen[true.name] = shows
    write_text(given.out / FILE, truth_text(pictures))
    write_text(given.out / SEEN, json_text(seen))


if __name__ == "__main__":
    main()
