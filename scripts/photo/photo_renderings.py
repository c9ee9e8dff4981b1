"""Draw pictures of our own bodies about which everything is known, to measure how people are read from photos.

python -m scripts.photo.photo_renderings --bvh FOLDER -o DIR [--count 120] [--seed 0] [--only KIND ...]
    [--postures CLASS ...] [--statues] [--white] [--nobody]

Singles in every posture class; groups of two to six near and far, on a level floor, on a slope, on a platform; people
upside down, in dark clothes in a dark hall, a couple dancing close. With --only also people who are hard to find: lying
down, two of them with one partly behind the other, 20 to 60 pixels high, one or two far away with nobody near (1 to
2.5% of the longest side), and portraits from steep angles that may not show the whole person
(`scripts.photo.rendered_portraits`). With --postures people alone, in these posture classes. With --statues the same
people in the same places are of marble, bronze or another material (`scripts.photo.rendered_statues`), and the kind of
a picture is what they are made of; with --white people wear white or light grey. With --nobody only the places are
drawn. Bodies, skins, suits, rooms, light and lenses are chosen at random. DIR gets the pictures and a truth.json:
camera, 2D and 3D joints, pose, shape and posture class of everybody, and the half (“tune” or “report”) that a picture
belongs to by its number. The same seed gives the same pictures, whatever the count. `python main.py evaluate --protocol
P --renderings DIR` measures on them.
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
from rendering.scene.values import Figure, Mesh, Scene
from scripts.arguments import script_parser
from scripts.photo.rendered_clothes import suit_colour
from scripts.photo.rendered_people import Held, Pool, dancers, pool_of
from scripts.photo.rendered_places import Block, Ground, background
from scripts.photo.rendered_portraits import STEEP, rolled, steep_camera
from scripts.photo.rendered_statues import colour_of, material, stained
from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.errors import InputRefused, PoserError
from solver.evaluation.poses import ALL, random_shape
from solver.evaluation.posture import Posture
from solver.files.atomic import write_bytes, write_text
from solver.focal_length import equivalent_mm, focal_px
from solver.formats.clip_folder import SPLITS
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.detection.regions import iou
from solver.photo.measuring.truth import FILE, ROUND, TruePerson, TruePicture, half_of, truth_text

Array = NDArray[np.float64]
SINGLE, NEAR_GROUP, FAR_GROUP, SLOPE, PLATFORM, UPSIDE_DOWN, DARK, COUPLE = KINDS = (
    "single", "group near", "group far", "slope", "platform", "inverted", "dark clothes", "couple",
)  # fmt: skip
ORDER = (
    SINGLE, NEAR_GROUP, SINGLE, FAR_GROUP, SLOPE, SINGLE, PLATFORM, COUPLE, SINGLE, UPSIDE_DOWN, DARK, SINGLE,
)  # fmt: skip
assert len(ORDER) == ROUND
LYING, BEHIND, TINY, FAR_AWAY = "lying", "one behind another", "tiny", "far away"
HARD = (LYING, BEHIND, TINY, FAR_AWAY, *STEEP)  # drawn only if asked for
LYING_CLASSES = (Posture.LYING_SIDE, Posture.LYING_BELLY, Posture.LYING_BACK)
TINY_PX = (20.0, 60.0)  # height, roughly
FAR_SHARE = (1 / 100, 1 / 40)  # of the longest side: the height of people far away, roughly
SHAPES = ((4, 3), (3, 4), (3, 2), (1, 1))  # of pictures
SKINS = ("#f1c9ac", "#d9a383", "#c08a63", "#9a6a48", "#6f4a33", "#4a3225")
QUALITY = 88  # of the JPEG files
NOTED = 1 / 3  # share of pictures whose focal length is noted in the file
HIDES, CLOSE = 0.25, 0.6  # overlap of two people's boxes from which they hide one another; of a couple's
MARGIN = 0.03  # share of the picture that stays free at its border
DRAWS = 200  # of places, at most, until everybody is in the picture


class NoPlace(Exception):
    """The people drawn do not fit into a picture."""


@dataclass(frozen=True, eq=False)
class Person:
    """A person in the world of the picture."""

    held: Held
    shape: BodyShape
    pose: Pose
    skin: Array


@dataclass(frozen=True, eq=False)
class Stone:
    """What the statues of a picture are made of. rng: for its colours; all else is as in the picture of people."""

    made_of: str
    rng: np.random.Generator


def picture(
    index: int, seed: int, pool: Pool, body: Body, long_side: int, name: str, kinds: Sequence[str] = ORDER,
    statues: bool = False, nobody: bool = False, white: bool = False,
) -> tuple[TruePicture, NDArray[np.uint8]]:  # fmt: skip
    """The truth of the index-th picture of a seed, and its pixels (H, W, 3). kinds: taken in turn. statues: whether
    the people are of stone or metal. nobody: whether they are left out. white: whether their suits are light."""
    rng = np.random.default_rng([seed, 1, index])
    kind = kinds[index % len(kinds)]
    drawn = _drawn(kind, index, pool, rng)
    for _ in range(DRAWS):
        try:
            camera, ground, people = _placed(kind, drawn, body, long_side, rng)
            break
        except NoPlace:
            continue
    else:
        raise PoserError(f"No place was found for the people of picture {index} of seed {seed}. Use another seed.")
    joints = [forward_kinematics(body.skeleton(p.shape), p.pose).positions.astype(np.float64) for p in people]
    stone = Stone(material(index), np.random.default_rng([seed, 3, index])) if statues else None
    depth = max(float(np.linalg.norm(person.skin[:, [0, 2]], axis=1).max()) for person in people)
    people, joints = ([], []) if nobody else (people, joints)
    pixels = _photographed(camera, ground, people, joints, depth, body, kind == DARK, rng, stone, white)
    known = tuple(
        TruePerson(str(p.held.posture), p.held.clip, p.held.frame, p.shape, p.pose, at, camera.project(at))
        for p, at in zip(people, joints, strict=True)
    )
    return TruePicture(name, half_of(index), stone.made_of if stone else kind, camera, known), pixels


def _drawn(kind: str, index: int, pool: Pool, rng: np.random.Generator) -> list[Held]:
    """The people in the picture; singles take all posture classes in turn."""
    classes = list(pool)
    if kind == SINGLE:
        before = ORDER.count(SINGLE) * (index // len(ORDER)) + ORDER[: index % len(ORDER)].count(SINGLE)
        return [_one(pool[classes[before % len(classes)]], rng)]
    if kind == COUPLE:
        return [_one(dancers(pool), rng) for _ in range(2)]
    if kind in STEEP:
        return [_one(pool[Posture.STANDING], rng)]
    if kind == BEHIND:
        return [_one(pool[Posture.STANDING], rng) for _ in range(2)]
    if kind == LYING:
        lying = [c for c in LYING_CLASSES if c in pool]
        down = [_one(pool[lying[int(rng.integers(len(lying)))]], rng) for _ in range(int(rng.integers(1, 3)))]
        return down + [_one(pool[Posture.STANDING], rng)] * (len(down) - 1)
    if kind in (TINY, FAR_AWAY):
        return [_one(pool[Posture.STANDING], rng) for _ in range(int(rng.integers(1, 6 if kind == TINY else 3)))]
    if kind == UPSIDE_DOWN:
        upside = pool.get(Posture.INVERTED) or pool[Posture.STANDING]
        return [_one(upside, rng)] + [_one(pool[Posture.STANDING], rng)] * int(rng.integers(0, 2))
    grounded = [c for c in classes if c not in (Posture.AIRBORNE, Posture.INVERTED)]
    count = int(rng.integers(1 if kind == DARK else 2, 4 if kind in (DARK, SLOPE) else 7))
    likely = 0.9 if kind == SLOPE else 0.65
    return [
        _one(pool[Posture.STANDING if rng.uniform() < likely else grounded[int(rng.integers(len(grounded)))]], rng)
        for _ in range(count)
    ]


def _one(held: list[Held], rng: np.random.Generator) -> Held:
    return held[int(rng.integers(len(held)))]


def _placed(
    kind: str, drawn: list[Held], body: Body, long_side: int, rng: np.random.Generator
) -> tuple[PinholeCamera, Ground, list[Person]]:
    """People in front of a camera that sees them all. Raises NoPlace if it does not, or if they hide one another."""
    wide, tall = SHAPES[int(rng.integers(len(SHAPES)))]
    size = (round(long_side * wide / max(wide, tall)), round(long_side * tall / max(wide, tall)))
    if kind in STEEP:
        return _portrayed(kind, drawn[0], body, size, rng)
    longest = 35 if kind in (TINY, FAR_AWAY) else 85  # otherwise they would be further off than anything that is drawn
    focal = focal_px(float(np.exp(rng.uniform(np.log(26), np.log(longest)))), size)
    eye = np.array([0.0, rng.uniform(0.8, 2.2), 0.0])
    alone = len(drawn) == 1
    share = _heights(kind, alone, size)
    slots = (rng.permutation(len(drawn)) + rng.uniform(0.3, 0.7, len(drawn))) / len(drawn)
    tilt = tuple(rng.uniform(-0.35, 0.35, 2)) if kind == SLOPE else (0.0, 0.0)
    blocks: list[Block] = []
    people: list[Person] = []
    for number, held in enumerate(drawn):
        away = focal * 1.7 / (rng.uniform(*share) * size[1])
        if kind == TINY and number == 0 and len(drawn) > 3:
            away = focal * 1.7 / (rng.uniform(0.3, 0.6) * size[1])  # somebody near, in front of those far off
        aside = 0.9 * (slots[number] - 0.5) * size[0] / focal * away
        facing = rng.uniform(-np.pi, np.pi)
        if kind == COUPLE and number:
            first = people[0].pose.root_position
            way, apart = rng.uniform(-np.pi, np.pi), rng.uniform(0.45, 0.7)
            aside, away = first[0] + apart * np.sin(way), -first[2] - apart * np.cos(way)
        if kind == BEHIND and number:
            first = people[0].pose.root_position
            apart, beside = rng.uniform(0.35, 1.0), rng.choice([-1.0, 1.0]) * rng.uniform(0.15, 0.45)
            aside, away = first[0] * (1 - apart / first[2]) + beside, -first[2] + apart
        at = np.array([aside, 0.0, -away])
        height = float(at[0] * tilt[0] + at[2] * tilt[1])
        if held.seat:
            facing = rng.uniform(-1.4, 1.4)  # a stool is drawn behind the person who sits on it
        if kind == PLATFORM and number % 2 == 0:
            height = rng.uniform(0.25, 1.0)
            half = rng.uniform(0.45, 0.8)
            blocks.append(Block((at[0] - half, 0.0, at[2] - half), (at[0] + half, height, at[2] + half)))
        person = _standing(held, at, facing, tilt, height, body, rng)
        if held.seat:
            x, y, z = (float(value) for value in person.pose.root_position)
            blocks.append(Block((x - 0.2, height, z - 0.2), (x + 0.2, y - 0.11, z + 0.16)))
        people.append(person)
    if kind == COUPLE:
        people = _facing_each_other(people, tilt, body)
    ground = Ground((float(tilt[0]), float(tilt[1])), tuple(blocks))
    return _aimed(people, eye, focal, size, kind, rng), ground, people


def _portrayed(
    kind: str, held: Held, body: Body, size: tuple[int, int], rng: np.random.Generator
) -> tuple[PinholeCamera, Ground, list[Person]]:
    """A person near a camera that looks up or down and need not see all of them. Raises NoPlace."""
    person = _standing(held, np.zeros(3), rng.uniform(-np.pi, np.pi), (0.0, 0.0), 0.0, body, rng)
    joints = forward_kinematics(body.skeleton(person.shape), person.pose).positions.astype(np.float64)
    camera = steep_camera(kind, person.pose, joints, size, rng)
    if not np.isfinite(camera.project(joints)).all():
        raise NoPlace
    return camera, Ground(), [person]


def _heights(kind: str, alone: bool, size: tuple[int, int]) -> tuple[float, float]:
    """The smallest and the largest share of the picture's height for a standing person."""
    if kind == TINY:
        return TINY_PX[0] / size[1], TINY_PX[1] / size[1]
    if kind == FAR_AWAY:
        return FAR_SHARE[0] * max(size) / size[1], FAR_SHARE[1] * max(size) / size[1]
    if kind == FAR_GROUP:
        return 0.14, 0.3
    return (0.5, 0.85) if alone or kind in (COUPLE, BEHIND) else (0.3, 0.6)


def _standing(
    held: Held, at: Array, facing: float, tilt: tuple[float, ...], height: float, body: Body, rng: np.random.Generator
) -> Person:
    """A person whose lowest point, over the slope, is on what is there."""
    shape = random_shape(rng)
    rotations = held.rotations.copy()
    rotations[0] = from_rotation_vector([0.0, facing, 0.0]) @ rotations[0]
    pose = _set_down(Pose(at.astype(np.float32), rotations.astype(np.float32)), shape, tilt, height + held.lift, body)
    return Person(held, shape, pose, posed_vertices(body, shape, pose).astype(np.float64))


def _set_down(pose: Pose, shape: BodyShape, tilt: tuple[float, ...], height: float, body: Body) -> Pose:
    """height: metres, of what is below at the root's x and z, plus how far the person is above it."""
    skin = posed_vertices(body, shape, pose).astype(np.float64)
    at = pose.root_position.astype(np.float64)
    rises = (skin[:, 0] - at[0]) * tilt[0] + (skin[:, 2] - at[2]) * tilt[1]
    lift = height - float((skin[:, 1] - rises).min())
    return Pose((at + [0.0, lift, 0.0]).astype(np.float32), pose.rotations)


def _facing_each_other(people: list[Person], tilt: tuple[float, ...], body: Body) -> list[Person]:
    turned = []
    for person, other in zip(people, people[::-1], strict=True):
        to = (other.pose.root_position - person.pose.root_position).astype(np.float64)
        rotations = person.pose.rotations.astype(np.float64)
        ahead = rotations[0] @ [0.0, 0.0, 1.0]
        turn = np.arctan2(to[0], to[2]) - np.arctan2(ahead[0], ahead[2])
        rotations[0] = from_rotation_vector([0.0, turn, 0.0]) @ rotations[0]
        pose = Pose(person.pose.root_position, rotations.astype(np.float32))
        pose = _set_down(pose, person.shape, tilt, 0.0, body)
        turned.append(
            Person(person.held, person.shape, pose, posed_vertices(body, person.shape, pose).astype(np.float64))
        )
    return turned


def _aimed(
    people: list[Person], eye: Array, focal: float, size: tuple[int, int], kind: str, rng: np.random.Generator
) -> PinholeCamera:
    """The camera turned so that everybody is around the middle of the picture, with some randomness. Raises NoPlace."""
    skin = np.concatenate([person.skin for person in people]) - eye
    if skin[:, 2].max() > -0.4:
        raise NoPlace
    rises, turns = np.arctan2(skin[:, 1], -skin[:, 2]), np.arctan2(skin[:, 0], -skin[:, 2])
    pitch = (rises.min() + rises.max()) / 2 + np.radians(rng.normal(0, 1.5))
    yaw = -(turns.min() + turns.max()) / 2
    roll = np.radians(rng.normal(0, 2))
    rotation = from_rotation_vector([0.0, yaw, 0.0]) @ from_rotation_vector([pitch, 0.0, 0.0])
    rotation = rotation @ from_rotation_vector([0.0, 0.0, roll])
    camera = PinholeCamera(eye.astype(np.float32), rotation.astype(np.float32), focal, (size[0] / 2, size[1] / 2), size)
    boxes = []
    for person in people:
        pixels = camera.project(person.skin)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        free = MARGIN * np.array(size)
        if not (np.isfinite(pixels).all() and (low > free).all() and (high < size - free).all()):
            raise NoPlace
        boxes.append(np.concatenate([low, high]))
    for i, box in enumerate(boxes[:-1]):
        shared = iou(box, np.stack(boxes[i + 1 :])).max()
        if shared > (CLOSE if kind in (COUPLE, BEHIND) else HIDES):
            raise NoPlace
        if (kind in (TINY, FAR_AWAY) and shared > 0) or (kind == BEHIND and shared < HIDES):
            raise NoPlace
    return camera


def _photographed(
    camera: PinholeCamera, ground: Ground, people: list[Person], joints: list[Array], depth: float, body: Body,
    dark: bool, rng: np.random.Generator, stone: Stone | None, white: bool,
) -> NDArray[np.uint8]:  # fmt: skip
    """(H, W, 3): the people over the place. depth: metres to the furthest. The camera is rolled by quarters, so that
    the studio's light comes from another side, and the picture is turned back."""
    quarters = int(rng.choice([0, 1, 2, 3], p=[0.42, 0.42, 0.08, 0.08]))
    figures = []
    for number, (person, places) in enumerate(zip(people, joints, strict=True)):
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
    drawn = render_image(Scene(tuple(figures), grid=False), PhotoView(lens), lens.image_size, transparent=True)
    upright = np.rot90(drawn, -quarters).astype(np.float64)
    alpha = upright[..., 3:] / 255
    behind = background(camera, ground, joints, depth, dark, rng)
    gain = rng.uniform(0.4, 0.7) if dark else rng.uniform(0.75, 1.15)
    surface = stained(upright[..., :3], stone.made_of, stone.rng) if stone else upright[..., :3]
    whole = surface * gain * alpha + behind * (1 - alpha)
    noise = rng.normal(0, rng.uniform(1, 7), whole.shape)
    return (whole + noise).clip(0, 255).astype(np.uint8)


def _jpeg(pixels: NDArray[np.uint8], noted_mm: float | None) -> bytes:
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
    parser.add_argument("--statues", action="store_true", help="statues of stone and metal instead of people")
    parser.add_argument("--white", action="store_true", help="everybody in a white or light grey suit")
    parser.add_argument("--nobody", action="store_true", help="the places alone, without the people in them")
    given = parser.parse_args(arguments)
    if given.count < 1 or given.seed < 0 or not 64 <= given.long_side <= 4096:
        parser.error("--count is 1 or more, --seed 0 or more, --long-side 64 to 4096")
    if given.only and given.postures:
        parser.error("--postures draws singles: leave out --only")
    try:
        body = load_body(DEFAULT_BODY)
        pool = pool_of(given.bvh, given.split, body, given.seed)
        if given.postures:
            pool = {posture: held for posture, held in pool.items() if posture in given.postures}
            if not pool:
                raise InputRefused(given.bvh, "nobody in its clips is in these postures", "Name other ones")
        given.out.mkdir(parents=True, exist_ok=True)
        pictures, kinds = [], given.only or ((SINGLE,) if given.postures else ORDER)
        with drawing():
            for index in range(given.count):
                true, pixels = picture(
                    index, given.seed, pool, body, given.long_side, f"{index:04d}.jpg", kinds, given.statues,
                    given.nobody, given.white,
                )  # fmt: skip
                noted = np.random.default_rng([given.seed, 2, index]).uniform() < NOTED
                millimetres = equivalent_mm(true.camera.focal_px, true.camera.image_size) if noted else None
                write_bytes(given.out / true.name, _jpeg(pixels, millimetres))
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
