"""Where the people of scripts.photo.photo_renderings are: floors, slopes, platforms and rooms, by casting rays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.camera import PinholeCamera

Array = NDArray[np.float64]
FAR = 80.0  # metres; anything further away is sky, but for the floor below people further off
BEYOND_M = 1.0  # of floor behind somebody further off
SPOT_M, SPOT_GROWS = 0.11, 0.45  # a shadow below a joint on the floor, and how much wider it gets with height
VIVID = 0.45  # how colourful rooms are; 1 allows any colour
STYLES = ("plain", "chequers", "planks", "stains", "carpet")


@dataclass(frozen=True)
class Block:
    """Something to stand or sit on. low, high: corners (x, y, z), metres."""

    low: tuple[float, float, float]
    high: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Ground:
    """What people stand on. tilt: the slope of the floor along x and along z. blocks: on the level floor."""

    tilt: tuple[float, float] = (0.0, 0.0)
    blocks: tuple[Block, ...] = field(default_factory=tuple)

    def height(self, points: Array) -> Array:
        """(...) metres, the floor's height at points (..., 3), whatever their own; blocks play no part."""
        return np.asarray(points[..., 0] * self.tilt[0] + points[..., 2] * self.tilt[1])


def background(
    camera: PinholeCamera, ground: Ground, joints: Sequence[Array], depth: float, dark: bool, rng: np.random.Generator
) -> Array:
    """(H, W, 3) 0..255, the place without its people, with shadows below their joints (J, 3).

    depth: metres to the furthest person. dark: whether it is a dark hall.
    """
    width, height = camera.image_size
    v, u = np.mgrid[0:height, 0:width] + 0.5
    cx, cy = camera.principal_px
    rays = np.stack([(u - cx) / camera.focal_px, (cy - v) / camera.focal_px, -np.ones_like(u)], axis=-1)
    rays = rays @ camera.rotation.astype(np.float64).T
    eye = camera.position.astype(np.float64)
    near = np.full((height, width), max(FAR, depth + BEYOND_M))
    picture = _sky(rays, rng)
    if rng.uniform() < 0.75:
        _walls(picture, near, eye, rays, depth, rng)
    _floor(picture, near, eye, rays, ground, joints, rng)
    for block in ground.blocks:
        _block(picture, near, eye, rays, block, rng)
    light = np.array([1.0, rng.uniform(0.9, 1.0), rng.uniform(0.75, 1.05)])
    return np.asarray((picture * light * (rng.uniform(0.12, 0.3) if dark else rng.uniform(0.7, 1.1))).clip(0, 255))


def _sky(rays: Array, rng: np.random.Generator) -> Array:
    up = rays[..., 1:2] / np.linalg.norm(rays, axis=-1, keepdims=True)
    low, high = _colour(rng, 90, 240), _colour(rng, 60, 230)
    share = np.clip(0.5 + up, 0, 1)
    return np.asarray((1 - share) * low + share * high)


def _walls(picture: Array, near: Array, eye: Array, rays: Array, depth: float, rng: np.random.Generator) -> None:
    """A wall behind everybody and one on each side, each with a gradient and a picture or a window."""
    back, side = -(depth + rng.uniform(0.7, 5.0)), depth * rng.uniform(0.7, 1.6) + 2.0
    for axis, at in ((2, back), (0, -side), (0, side)):
        away = _divided(at - eye[axis], rays[..., axis])
        points = eye + away[..., None] * rays
        other = points[..., 2 - axis]
        colour = _colour(rng, 70, 240) * (0.75 + 0.25 * np.clip(points[..., 1:2] / 3.0, 0, 1))
        middle, half, low, high = (
            rng.uniform(-3, 3),
            rng.uniform(0.3, 1.6),
            rng.uniform(0.2, 1.4),
            rng.uniform(1.6, 2.6),
        )
        framed = (np.abs(other - middle) < half) & (points[..., 1] > low) & (points[..., 1] < high)
        colour = np.where(framed[..., None], _colour(rng, 20, 250), colour)
        _paint(picture, near, away, colour, np.ones(away.shape, dtype=bool))


def _floor(
    picture: Array,
    near: Array,
    eye: Array,
    rays: Array,
    ground: Ground,
    joints: Sequence[Array],
    rng: np.random.Generator,
) -> None:
    normal = np.array([-ground.tilt[0], 1.0, -ground.tilt[1]])
    away = _divided(-(eye @ normal), rays @ normal)
    points = eye + np.clip(away, 0, FAR)[..., None] * rays
    colour = _texture(points[..., [0, 2]], str(rng.choice(STYLES)), rng)
    shade = np.zeros(away.shape)
    for joint in np.concatenate([np.zeros((0, 3)), *joints]):
        over = max(float(joint[1] - ground.height(joint)), 0.0)
        spread = SPOT_M + SPOT_GROWS * over
        apart = (points[..., 0] - joint[0]) ** 2 + (points[..., 2] - joint[2]) ** 2
        shade += 0.35 * (SPOT_M / spread) ** 1.5 * np.exp(-apart / (2 * spread**2))
    colour = colour * np.exp(-np.minimum(shade, 1.0))[..., None]
    fog = np.clip(away / FAR, 0, 1)[..., None] ** 0.7
    _paint(picture, near, away, (1 - fog) * colour + fog * 170, np.ones(away.shape, dtype=bool))


def _texture(places: Array, style: str, rng: np.random.Generator) -> Array:
    """(..., 3) colours of the floor at (..., 2) metres."""
    one, two = _colour(rng, 40, 220), _colour(rng, 40, 220)
    turn, size = rng.uniform(0, np.pi), rng.uniform(0.25, 0.9)
    a = (places[..., 0] * np.cos(turn) + places[..., 1] * np.sin(turn)) / size
    b = (places[..., 1] * np.cos(turn) - places[..., 0] * np.sin(turn)) / size
    if style == "chequers":
        share = ((np.floor(a) + np.floor(b)) % 2) * 0.6
    elif style == "planks":
        tone = rng.uniform(0, 0.5, 64)[np.floor(4 * a).astype(int) % 64]
        share = np.where((4 * a) % 1 < 0.06, 1.0, tone)
    elif style == "stains":
        cells = rng.uniform(0, 1, (32, 32)).astype(np.float32)
        smooth = np.asarray(Image.fromarray(cells).resize((512, 512), Image.Resampling.BICUBIC))
        smooth = np.block([[smooth, smooth[:, ::-1]], [smooth[::-1], smooth[::-1, ::-1]]])  # repeats without a seam
        share = smooth[np.floor(a * 40).astype(int) % 1024, np.floor(b * 40).astype(int) % 1024]
    elif style == "carpet":
        share = 0.5 + 0.25 * np.sin(5 * a) * np.sin(7 * b)
    else:
        share = np.zeros(a.shape)
    return np.asarray((1 - share[..., None]) * one + share[..., None] * two)


def _block(picture: Array, near: Array, eye: Array, rays: Array, block: Block, rng: np.random.Generator) -> None:
    """A box, lit from above, its sides of different brightness."""
    first, last = (_divided(np.array(corner) - eye, rays) for corner in (block.low, block.high))
    low, high = np.minimum(first, last), np.maximum(first, last)
    entry, out = low.max(axis=-1), high.min(axis=-1)
    bright = np.array([0.7, 1.0, 0.85])[low.argmax(axis=-1)]
    _paint(picture, near, entry, _colour(rng, 60, 220) * bright[..., None], entry < out)


def _paint(picture: Array, near: Array, away: Array, colour: Array, hit: NDArray[np.bool_]) -> None:
    """Write colours where something is hit in front of all that was painted so far."""
    seen = hit & (away > 0.05) & (away < near)
    near[seen] = away[seen]
    picture[seen] = colour[seen]


def _colour(rng: np.random.Generator, low: float, high: float) -> Array:
    """(3,) a colour as in rooms, duller than three random numbers."""
    colour = rng.uniform(low, high, 3)
    return np.asarray(colour.mean() + VIVID * (colour - colour.mean()))


def _divided(over: Array | float, under: Array) -> Array:
    """Division in which a parallel ray never hits."""
    return np.asarray(over / np.where(np.abs(under) < 1e-9, 1e-9, under))
