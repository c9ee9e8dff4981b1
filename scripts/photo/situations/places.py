"""Where the people of scripts.photo.situations.renderings are, what hides them, and the camera that sees them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scripts.photo.rendered_ages import Ages
from scripts.photo.rendered_people import Held
from scripts.photo.rendered_places import Block, Ground
from scripts.photo.rendered_scenes import SHAPES, NoPlace, Person, standing
from scripts.photo.situations.cast import (
    BACK,
    COUNTER,
    KINDS,
    NECK,
    ROW,
    TABLE,
    WAIST,
    WARDROBE,
    Kind,
    together,
)  # fmt: skip
from solver.body.body import Body
from solver.camera import PinholeCamera
from solver.focal_length import focal_px
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import Role

Array = NDArray[np.float64]
APART = 0.6  # metres between people side by side, at least
FREE = 0.02  # share of the picture that stays free at its border


@dataclass(frozen=True, eq=False)
class Thing:
    """A box that may hide people. low, high: its corners (x, y, z), metres."""

    low: Array
    high: Array

    def hides(self, eye: Array, points: Array) -> NDArray[np.bool_]:
        """(P,) whether it is between an eye (3,) and each point (P, 3)."""
        way = points - eye
        way = np.where(np.abs(way) < 1e-9, 1e-9, way)
        one, other = (self.low - eye) / way, (self.high - eye) / way
        entry, out = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
        return np.asarray((entry < out) & (out > 0) & (entry < 0.99))


@dataclass(frozen=True, eq=False)
class Place:
    """What a picture shows."""

    camera: PinholeCamera
    ground: Ground
    people: list[Person]
    things: list[Thing]


def placed(name: str, drawn: list[Held], body: Body, long_side: int, rng: np.random.Generator) -> Place:
    """People and things in front of a camera. Raises NoPlace if it does not see them as the kind wants it."""
    kind = KINDS[name]
    wide, tall = kind.shape or SHAPES[int(rng.integers(len(SHAPES)))]
    size = (round(long_side * wide / max(wide, tall)), round(long_side * tall / max(wide, tall)))
    focal = focal_px(float(np.exp(rng.uniform(*np.log(kind.lens)))), size)
    rise = np.radians(rng.uniform(*kind.rise))
    share = rng.uniform(*kind.share)
    away = focal * 1.7 / (share * size[1])
    people = _people(name, kind, drawn, away, focal / size[0], body, rng)
    things, blocks = _things(name, people, rng), _stools(people)
    joints = [forward_kinematics(p.body.skeleton(p.shape), p.pose).positions.astype(np.float64) for p in people]
    low, high = _band(name, people, joints, rng)
    middle = np.mean([p.skin[:, [0, 2]].min(0) + p.skin[:, [0, 2]].max(0) for p in people], axis=0) / 2
    if name in (WAIST, NECK):
        away = focal * (high - low) / (0.97 * size[1])
    # The camera is above (0, 0), as rooms are built around it.
    reach = away * np.cos(rise)
    by = np.array([0.0, 0.0, -reach - middle[1]])
    target = np.array([middle[0], (low + high) / 2, -reach])
    eye = np.array([0.0, max(target[1] + away * np.sin(rise), 0.06), 0.0])
    people = [_moved(p, by) for p in people]
    things = [Thing(t.low + by, t.high + by) for t in things]
    blocks = [Block(tuple(np.array(b.low) + by), tuple(np.array(b.high) + by)) for b in blocks]  # type: ignore[arg-type]
    camera = _camera(eye, target, focal, size, np.radians(rng.normal(0, 2)))
    if name not in (WAIST, NECK):
        camera = _centred(camera, np.concatenate([p.skin for p in people]), rng)
    return Place(camera, Ground((0.0, 0.0), tuple(blocks)), people, things)


def _people(
    name: str, kind: Kind, drawn: list[Held], away: float, lens: float, body: Body, rng: np.random.Generator
) -> list[Person]:
    """Around (0, 0, 0), the camera towards +z."""
    most = np.radians(kind.facing)
    if kind.together:
        return together(drawn, np.zeros(3), rng.uniform(-np.pi, np.pi), body)
    people: list[Person] = []
    room = 0.8 * away / lens
    step = max(APART, min(rng.uniform(0.75, 1.6), room / len(drawn)))
    for number, held in enumerate(drawn):
        aside = (number - (len(drawn) - 1) / 2) * step * (1.0 if len(drawn) > 1 else 0.0)
        if len(drawn) == 1 and name != WARDROBE:
            aside = rng.uniform(-0.25, 0.25) * room
        facing = rng.uniform(-most, most)
        if name == BACK:
            facing = np.pi + rng.uniform(-0.7, 0.7)
        deep = rng.normal(0, 0.12 if name == ROW else 0.3)
        people.append(standing(held, np.array([aside, 0.0, deep]), facing, (0.0, 0.0), 0.0, Ages(0.0), True, rng))
    return people


def _things(name: str, people: list[Person], rng: np.random.Generator) -> list[Thing]:
    skin = np.concatenate([p.skin for p in people])
    low, high = skin.min(axis=0), skin.max(axis=0)
    front = high[2] + rng.uniform(0.05, 0.3)
    if name == COUNTER:
        top = rng.uniform(0.75, 1.1)
        return [_thing(low[0] - rng.uniform(0.1, 1.0), 0.0, front, high[0] + rng.uniform(0.1, 1.0), top, front + 0.5)]
    if name == WARDROBE:
        middle = float(people[0].pose.root_position[0]) + rng.uniform(-0.12, 0.12)
        left, right = (middle, middle + rng.uniform(0.8, 1.5))
        if rng.uniform() < 0.5:
            left, right = middle - (right - left), middle
        return [_thing(left, 0.0, front, right, rng.uniform(1.5, 2.3), front + 0.4)]
    if name == TABLE:
        hips = max(float(p.pose.root_position[2]) for p in people)
        near, top = hips + rng.uniform(0.2, 0.3), rng.uniform(0.7, 0.76)
        ends = low[0] - rng.uniform(0.0, 0.4), high[0] + rng.uniform(0.0, 0.4)
        deep = rng.uniform(0.6, 0.9)
        legs = [
            _thing(x, 0.0, z, x + 0.07, top, z + 0.07) for x in (ends[0], ends[1] - 0.07) for z in (near, near + deep)
        ]
        return [_thing(ends[0], top - 0.04, near, ends[1], top, near + deep), *legs]
    return []


def _thing(x: float, y: float, z: float, to_x: float, to_y: float, to_z: float) -> Thing:
    return Thing(np.array([x, y, z]), np.array([to_x, to_y, to_z]))


def _stools(people: list[Person]) -> list[Block]:
    seats = [p.pose.root_position for p in people if p.held.seat]
    return [
        Block((float(x) - 0.2, 0.0, float(z) - 0.2), (float(x) + 0.2, float(y) - 0.11, float(z) + 0.16))
        for x, y, z in seats
    ]


def _band(name: str, people: list[Person], joints: list[Array], rng: np.random.Generator) -> tuple[float, float]:
    """The lowest and the highest thing that the picture shows, metres."""
    low, high = (float(f([g(p.skin[:, 1]) for p in people])) for f, g in ((min, np.min), (max, np.max)))
    at = {role: float(joints[0][SMPL_JOINTS.index(role), 1]) for role in (Role.PELVIS, Role.NECK, Role.LEFT_KNEE)}
    if name == WAIST:
        cut = at[Role.PELVIS] + rng.uniform(-0.25, 0.1)
        return cut, high + rng.uniform(0.02, 0.25)
    if name == NECK:
        cut = at[Role.NECK] + rng.uniform(-0.04, 0.06)
        return low - rng.uniform(0.02, 0.15) if rng.uniform() < 0.7 else at[Role.LEFT_KNEE], cut
    return low, high


def _moved(person: Person, by: Array) -> Person:
    pose = Pose((person.pose.root_position + by).astype(np.float32), person.pose.rotations)
    return replace(person, pose=pose, skin=person.skin + by)


def _camera(eye: Array, target: Array, focal: float, size: tuple[int, int], roll: float) -> PinholeCamera:
    back = eye - target
    back = back / np.linalg.norm(back)
    right = np.cross([0.0, 1.0, 0.0], back)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(back, right), back], axis=1) @ from_rotation_vector([0.0, 0.0, roll])
    return PinholeCamera(
        eye.astype(np.float32), rotation.astype(np.float32), focal, (size[0] / 2, size[1] / 2), size
    )  # fmt: skip


def _centred(camera: PinholeCamera, skin: Array, rng: np.random.Generator) -> PinholeCamera:
    """Turned until everybody is in the picture, somewhere. Raises NoPlace."""
    size = np.array(camera.image_size, np.float64)
    for _ in range(4):
        pixels = camera.project(skin)
        if not np.isfinite(pixels).all():
            raise NoPlace
        off = (pixels.min(axis=0) + pixels.max(axis=0)) / 2 - size / 2
        camera = _turned(camera, off)
    pixels = camera.project(skin)
    free = size - np.ptp(pixels, axis=0) - 2 * FREE * size
    if (free < 0).any():
        raise NoPlace
    camera = _turned(camera, rng.uniform(-0.4, 0.4, 2) * free)
    pixels = camera.project(skin)
    if (pixels.min(axis=0) < 0).any() or (pixels.max(axis=0) > size).any():
        raise NoPlace
    return camera


def _turned(camera: PinholeCamera, off: Array) -> PinholeCamera:
    """So that what is off the middle by so many pixels comes to the middle."""
    yaw, pitch = -np.arctan2(off[0], camera.focal_px), -np.arctan2(off[1], camera.focal_px)
    turn = from_rotation_vector([0.0, yaw, 0.0]) @ from_rotation_vector([pitch, 0.0, 0.0])
    rotation = camera.rotation.astype(np.float64) @ turn
    return PinholeCamera(
        camera.position, rotation.astype(np.float32), camera.focal_px, camera.principal_px, camera.image_size
    )
