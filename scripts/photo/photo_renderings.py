"""Draw pictures of our own bodies about which everything is known, to measure how people are read from photos.

python -m scripts.photo.photo_renderings --bvh FOLDER -o DIR [--count 120] [--seed 0] [--only KIND ...]
    [--postures CLASS ...] [--young SHARE] [--statues] [--white] [--nobody]

Singles in every posture class; groups of two to six near and far, on a level floor, on a slope, on a platform; people
upside down, in dark clothes in a dark hall, a couple dancing close. With --only also people who are hard to find: lying
down, two of them with one partly behind the other, 20 to 60 pixels high, one or two far away with nobody near (1 to
2.5% of the longest side), and portraits from steep angles that may not show the whole person
(`scripts.photo.rendered_portraits`). With --postures people alone, in these posture classes. With --young that share
of people, but never the first of a picture, are children of about seven (four in five) or teenagers. With --statues the
same people in the same places are of marble, bronze or another material (`scripts.photo.rendered_statues`), and the
kind of a picture is what they are made of; with --white people wear white or light grey. With --nobody only the places
are drawn. Bodies, skins, suits, rooms, light and lenses are chosen at random. DIR gets the pictures and a truth.json:
camera, 2D and 3D joints, pose, body and shape, and posture class of everybody, and the half (“tune” or “report”) that a
picture belongs to by its number. The same seed gives the same pictures, whatever the count. `python main.py evaluate
--protocol P --renderings DIR` measures on them.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image

from app.services.screen import drawing
from rendering.camera.camera import PhotoView
from rendering.drawing.offscreen import render_image
from rendering.scene.props import DrawnProp
from rendering.scene.values import Figure, Mesh, Scene
from scripts.arguments import script_parser
from scripts.photo.rendered_ages import Ages
from scripts.photo.rendered_clothes import suit_colour
from scripts.photo.rendered_people import Pool, pool_of
from scripts.photo.rendered_places import Ground, background
from scripts.photo.rendered_portraits import rolled
from scripts.photo.rendered_scenes import (
    DARK,
    HARD,
    KINDS,
    ORDER,
    SINGLE,
    Array,
    NoPlace,
    Person,
    drawn_people,
    placed,
)
from scripts.photo.rendered_statues import colour_of, material, stained
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.camera import PinholeCamera
from solver.errors import InputRefused, PoserError
from solver.evaluation.poses import ALL
from solver.evaluation.posture import Posture
from solver.files.atomic import write_bytes, write_text
from solver.focal_length import equivalent_mm
from solver.formats.clip_folder import SPLITS
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.photo.measuring.truth import FILE, TruePerson, TruePicture, half_of, truth_text

SKINS = ("#f1c9ac", "#d9a383", "#c08a63", "#9a6a48", "#6f4a33", "#4a3225")
QUALITY = 88  # of the JPEG files
NOTED = 1 / 3  # share of pictures whose focal length is noted in the file
DRAWS = 200  # of places, at most, until everybody is in the picture


@dataclass(frozen=True, eq=False)
class Stone:
    """What the statues of a picture are made of. rng: for its colours; all else is as in the picture of people."""

    made_of: str
    rng: np.random.Generator


def picture(
    index: int, seed: int, pool: Pool, ages: Ages, long_side: int, name: str, kinds: Sequence[str] = ORDER,
    statues: bool = False, nobody: bool = False, white: bool = False,
) -> tuple[TruePicture, NDArray[np.uint8]]:  # fmt: skip
    """The truth of the index-th picture of a seed, and its pixels (H, W, 3). kinds: taken in turn. statues: whether
    the people are of stone or metal. nobody: whether they are left out. white: whether their suits are light."""
    rng = np.random.default_rng([seed, 1, index])
    kind = kinds[index % len(kinds)]
    drawn = drawn_people(kind, index, pool, rng)
    for _ in range(DRAWS):
        try:
            camera, ground, people = placed(kind, drawn, ages, long_side, rng)
            break
        except NoPlace:
            continue
    else:
        raise PoserError(f"No place was found for the people of picture {index} of seed {seed}. Use another seed.")
    joints = [forward_kinematics(p.body.skeleton(p.shape), p.pose).positions.astype(np.float64) for p in people]
    stone = Stone(material(index), np.random.default_rng([seed, 3, index])) if statues else None
    depth = max(float(np.linalg.norm(person.skin[:, [0, 2]], axis=1).max()) for person in people)
    people, joints = ([], []) if nobody else (people, joints)
    pixels = photographed(camera, ground, people, joints, depth, kind == DARK, rng, stone, white)
    known = known_people(people, joints, camera)
    return TruePicture(name, half_of(index), stone.made_of if stone else kind, camera, known), pixels


def known_people(people: Sequence[Person], joints: Sequence[Array], camera: PinholeCamera) -> tuple[TruePerson, ...]:
    """The truth about people. joints: (24, 3) of each, in the world."""
    return tuple(
        TruePerson(str(p.held.posture), p.held.clip, p.held.frame, p.shape, p.pose, at, camera.project(at), p.body.id)
        for p, at in zip(people, joints, strict=True)
    )


def photographed(
    camera: PinholeCamera, ground: Ground, people: Sequence[Person], joints: Sequence[Array], depth: float, dark: bool,
    rng: np.random.Generator, stone: Stone | None = None, white: bool = False, props: tuple[DrawnProp, ...] = (),
    against: bool = False,
) -> NDArray[np.uint8]:  # fmt: skip
    """(H, W, 3): the people over the place. depth: metres to the furthest. The camera is rolled by quarters, so that
    the studio's light comes from another side, and the picture is turned back. props: lit as people are. against:
    whether the light comes from behind them."""
    quarters = int(rng.choice([0, 1, 2, 3], p=[0.42, 0.42, 0.08, 0.08]))
    figures = []
    for number, (person, places) in enumerate(zip(people, joints, strict=True)):
        body = person.body
        skeleton = body.skeleton(person.shape)
        mesh = Mesh(body.vertices(person.shape), body.faces, body.weights, body.suit_mask)
        suit = suit_colour(dark, white, rng)
        colours = str(rng.choice(SKINS)), suit
        if stone:
            colours = (colour_of(stone.made_of, stone.rng),) * 2
        figures.append(
            Figure(
                number, mesh, skinning_matrices(skeleton, person.pose), places, skeleton.parents,
                skin=colours[0], suit=colours[1],
            )
        )  # fmt: skip
    lens = rolled(camera, quarters)
    scene = Scene(tuple(figures), grid=False, props=props)
    drawn = render_image(scene, PhotoView(lens), lens.image_size, transparent=True)
    upright = np.rot90(drawn, -quarters).astype(np.float64)
    alpha = upright[..., 3:] / 255
    behind = background(camera, ground, joints, depth, dark, rng)
    gain = rng.uniform(0.4, 0.7) if dark else rng.uniform(0.75, 1.15)
    if against:
        gain, behind = 0.22 * gain, 140 + 0.5 * behind
    surface = stained(upright[..., :3], stone.made_of, stone.rng) if stone else upright[..., :3]
    whole = surface * gain * alpha + behind * (1 - alpha)
    noise = rng.normal(0, rng.uniform(1, 7), whole.shape)
    return (whole + noise).clip(0, 255).astype(np.uint8)


def jpeg(pixels: NDArray[np.uint8], noted_mm: float | None) -> bytes:
    """A JPEG file of pixels (H, W, 3). noted_mm: the focal length that it notes, as on 35 mm film."""
    buffer, image = io.BytesIO(), Image.fromarray(pixels)
    exif = image.getexif()
    if noted_mm is not None:
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = round(noted_mm)
    image.save(buffer, format="JPEG", quality=QUALITY, exif=exif)
    return buffer.getvalue()


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bvh", type=Path, required=True, metavar="FOLDER", help="of BVH files, whose poses are used")
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="DIR", help="where pictures and truth go")
    parser.add_argument("--split", choices=(*SPLITS, ALL), default=ALL, help="of the folder's manifest.json")
    parser.add_argument("--count", type=int, default=120, help="pictures (default: 120)")
    parser.add_argument("--seed", type=int, default=0, help="for all random choices (default: 0)")
    parser.add_argument("--long-side", type=int, default=960, metavar="PX", help="of each picture (default: 960)")
    parser.add_argument(
        "--only", choices=(*KINDS, *HARD), nargs="+", metavar="KIND",
        help=f"draw these kinds of pictures in turn: {', '.join((*KINDS, *HARD))}",
    )  # fmt: skip
    parser.add_argument("--postures", choices=tuple(Posture), nargs="+", metavar="CLASS", help="draw only such singles")
    parser.add_argument(
        "--young", type=float, default=0.0, metavar="SHARE",
        help="of people who are children or teenagers, 0 to 1 (default: 0)",
    )  # fmt: skip
    parser.add_argument("--statues", action="store_true", help="statues of stone and metal instead of people")
    parser.add_argument("--white", action="store_true", help="everybody in a white or light grey suit")
    parser.add_argument("--nobody", action="store_true", help="the places alone, without the people in them")
    given = parser.parse_args(arguments)
    if given.count < 1 or given.seed < 0 or not 64 <= given.long_side <= 4096:
        parser.error("--count is 1 or more, --seed 0 or more, --long-side 64 to 4096")
    if not 0 <= given.young <= 1:
        parser.error("--young is a share of people, 0 to 1")
    if given.only and given.postures:
        parser.error("--postures draws singles: leave out --only")
    try:
        pool, ages = pool_of(given.bvh, given.split, load_body(DEFAULT_BODY), given.seed), Ages(given.young)
        if given.postures:
            pool = {posture: held for posture, held in pool.items() if posture in given.postures}
            if not pool:
                raise InputRefused(given.bvh, "nobody in its clips is in these postures", "Name other ones")
        given.out.mkdir(parents=True, exist_ok=True)
        pictures, kinds = [], given.only or ((SINGLE,) if given.postures else ORDER)
        with drawing():
            for index in range(given.count):
                true, pixels = picture(
                    index, given.seed, pool, ages, given.long_side, f"{index:04d}.jpg", kinds, given.statues,
                    given.nobody, given.white,
                )  # fmt: skip
                noted = np.random.default_rng([given.seed, 2, index]).uniform() < NOTED
                millimetres = equivalent_mm(true.camera.focal_px, true.camera.image_size) if noted else None
                write_bytes(given.out / true.name, jpeg(pixels, millimetres))
                pictures.append(true)
        write_text(given.out / FILE, truth_text(pictures))
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    people = sum(len(true.people) for true in pictures)
    print(f"Wrote {len(pictures)} pictures with {people} people to {given.out}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
