"""Who is in the pictures of scripts.photo.photo_renderings, where they are, and the camera that sees them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scripts.photo.rendered_ages import Ages
from scripts.photo.rendered_people import Held, Pool, dancers
from scripts.photo.rendered_places import Block, Ground
from scripts.photo.rendered_portraits import STEEP, steep_camera
from solver.body.body import Body, BodyShape
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.evaluation.poses import random_shape
from solver.evaluation.posture import Posture
from solver.focal_length import focal_px
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.detection.regions import iou
from solver.photo.measuring.truth import ROUND

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
HIDES, CLOSE = 0.25, 0.6  # overlap of two people's boxes from which they hide one another; of a couple's
MARGIN = 0.03  # share of the picture that stays free at its border


class NoPlace(Exception):
    """The people drawn do not fit into a picture."""


@dataclass(frozen=True, eq=False)
class Person:
    """A person in the world of the picture."""

    held: Held
    body: Body
    shape: BodyShape
    pose: Pose
    skin: Array


def drawn_people(kind: str, index: int, pool: Pool, rng: np.random.Generator) -> list[Held]:
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


def placed(
    kind: str, drawn: list[Held], ages: Ages, long_side: int, rng: np.random.Generator
) -> tuple[PinholeCamera, Ground, list[Person]]:
    """People in front of a camera that sees them all. Raises NoPlace if it does not, or if they hide one another."""
    wide, tall = SHAPES[int(rng.integers(len(SHAPES)))]
    size = (round(long_side * wide / max(wide, tall)), round(long_side * tall / max(wide, tall)))
    if kind in STEEP:
        return _portrayed(kind, drawn[0], ages, size, rng)
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
        person = standing(held, at, facing, tilt, height, ages, number == 0, rng)
        if held.seat:
            x, y, z = (float(value) for value in person.pose.root_position)
            blocks.append(Block((x - 0.2, height, z - 0.2), (x + 0.2, y - 0.11, z + 0.16)))
        people.append(person)
    if kind == COUPLE:
        people = _facing_each_other(people, tilt)
    ground = Ground((float(tilt[0]), float(tilt[1])), tuple(blocks))
    return _aimed(people, eye, focal, size, kind, rng), ground, people


def _portrayed(
    kind: str, held: Held, ages: Ages, size: tuple[int, int], rng: np.random.Generator
) -> tuple[PinholeCamera, Ground, list[Person]]:
    """A person near a camera that looks up or down and need not see all of them. Raises NoPlace."""
    person = standing(held, np.zeros(3), rng.uniform(-np.pi, np.pi), (0.0, 0.0), 0.0, ages, True, rng)
    joints = forward_kinematics(person.body.skeleton(person.shape), person.pose).positions.astype(np.float64)
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


def standing(
    held: Held, at: Array, facing: float, tilt: tuple[float, ...], height: float, ages: Ages, first: bool,
    rng: np.random.Generator,
) -> Person:  # fmt: skip
    """A person whose lowest point, over the slope, is on what is there. first: of the picture."""
    shape = random_shape(rng)
    body = ages.body(first, rng)
    rotations = held.rotations.copy()
    rotations[0] = from_rotation_vector([0.0, facing, 0.0]) @ rotations[0]
    pose = _set_down(Pose(at.astype(np.float32), rotations.astype(np.float32)), shape, tilt, height + held.lift, body)
    return Person(held, body, shape, pose, posed_vertices(body, shape, pose).astype(np.float64))


def _set_down(pose: Pose, shape: BodyShape, tilt: tuple[float, ...], height: float, body: Body) -> Pose:
    """height: metres, of what is below at the root's x and z, plus how far the person is above it."""
    skin = posed_vertices(body, shape, pose).astype(np.float64)
    at = pose.root_position.astype(np.float64)
    rises = (skin[:, 0] - at[0]) * tilt[0] + (skin[:, 2] - at[2]) * tilt[1]
    lift = height - float((skin[:, 1] - rises).min())
    return Pose((at + [0.0, lift, 0.0]).astype(np.float32), pose.rotations)


def _facing_each_other(people: list[Person], tilt: tuple[float, ...]) -> list[Person]:
    turned = []
    for person, other in zip(people, people[::-1], strict=True):
        to = (other.pose.root_position - person.pose.root_position).astype(np.float64)
        rotations = person.pose.rotations.astype(np.float64)
        ahead = rotations[0] @ [0.0, 0.0, 1.0]
        turn = np.arctan2(to[0], to[2]) - np.arctan2(ahead[0], ahead[2])
        rotations[0] = from_rotation_vector([0.0, turn, 0.0]) @ rotations[0]
        pose = Pose(person.pose.root_position, rotations.astype(np.float32))
        pose = _set_down(pose, person.shape, tilt, 0.0, person.body)
        skin = posed_vertices(person.body, person.shape, pose).astype(np.float64)
        turned.append(replace(person, pose=pose, skin=skin))
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
