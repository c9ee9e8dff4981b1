"""From the camera's frame to the world: people upright on one floor, the camera where it must have stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.floor import lowest_point
from solver.kinematics.pose import Pose
from solver.photo.detection.parallel import parallel_map
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import shape_of
from solver.photo.fit.least_squares import Fit
from solver.photo.floor.floor_level import feet_seen, find_level
from solver.photo.floor.onto_floor import STATURE, TALLEST, set_onto_floor, skin_vertices, statures

Array = NDArray[np.float64]
TOUCHES = 0.005  # metres; a person this near to the floor stands on it
_FLOORS = 101  # how many are tried
_TALL = 0.9 * TALLEST  # with a margin, as statures are only estimated here


@dataclass(frozen=True, eq=False)
class PlacedPeople:
    """The camera (position (3,), rotation (3, 3), world from camera); for each person the fit, one pose in the world,
    and whether it is on the floor."""

    position: Array
    rotation: Array
    fits: tuple[Fit, ...]
    poses: tuple[Pose, ...]
    on_floor: tuple[bool, ...]


def place_people(body: Body, fits: Sequence[Fit], seen: Sequence[Evidence]) -> PlacedPeople:
    """Levels the camera by those who stand, and sets people onto the floor y = 0 where it fits; the first at x, z = 0.

    Nobody moves in the picture: turning and raising the camera moves everybody together, and single people move only
    along the line of sight and grow with their distance, as far as people differ in size. Those who still do not fit
    the floor (in the air, on a platform, on a slope) stay where the picture shows them. Nobody whose feet are seen is
    below the floor.
    """
    skins = [*parallel_map(partial(skin_vertices, body), fits)]
    level = find_level(body, fits, seen, skins)
    rotation, up = level.rotation, level.rotation[1]
    floor = _for_most(body, fits, seen, skins, up, level.floor)

    def set_down(person: tuple[Evidence, Fit, Array]) -> Fit | None:
        return set_onto_floor(body, *person, up, floor)

    found = [*parallel_map(set_down, [*zip(seen, fits, skins, strict=True)])]
    chosen = tuple(on or fit for on, fit in zip(found, fits, strict=True))
    first = rotation @ chosen[0].root
    position = -np.array([first[0], floor, first[2]])
    poses, grounded = [], []
    for fit, on in zip(chosen, found, strict=True):
        pose, touches = in_world(body, fit, on is not None, rotation, position)
        poses.append(pose)
        grounded.append(touches)
    return PlacedPeople(position, rotation, chosen, tuple(poses), tuple(grounded))


def in_world(body: Body, fit: Fit, on_floor: bool, rotation: Array, position: Array) -> tuple[Pose, bool]:
    """A fit in the frame of a camera, R_world_camera and its place, as a pose in the world; whether it touches y = 0.

    on_floor: whether the fit was set onto the floor.
    """
    local = fit.rotations.copy()
    local[0] = rotation @ local[0]
    pose = Pose((rotation @ fit.root + position).astype(np.float32), local.astype(np.float32))
    low = lowest_point(body, shape_of(fit), pose)
    if on_floor:  # what is left is rounding
        pose = replace(pose, root_position=pose.root_position - np.array([0.0, low, 0.0], np.float32))
    return pose, on_floor or abs(low) < TOUCHES


def _for_most(
    body: Body, fits: Sequence[Fit], seen: Sequence[Evidence], skins: Sequence[Array], up: Array, likely: float
) -> float:
    """The floor, metres over the camera, near a likely one, on which most can stand, and below those whose feet show.

    Of floors that suit equally many, the one for which their statures change least.
    """
    lowest = np.array([(skin @ up).min() for skin in skins])
    floors = np.append(np.linspace(min(lowest.min(), likely), max(lowest.max(), likely), _FLOORS), [*lowest, likely])
    tall = np.stack([statures(body, fit, low, floors) for fit, low in zip(fits, lowest, strict=True)])
    own = np.array([[fit.betas[STATURE]] for fit in fits])
    stands = np.abs(tall) <= np.maximum(_TALL, np.abs(own))
    shown = np.array([feet_seen(one) for one in seen])
    sunk = ((lowest[:, None] < floors - 1e-6) & ~stands)[shown].any(axis=0)
    many = np.where(sunk, -1, stands.sum(axis=0))
    best = many == many.max()
    cost = np.where(stands, (tall - own) ** 2, 0.0).sum(axis=0)
    return float(floors[best][cost[best].argmin()])
