"""From the camera's frame to the world: people upright on one floor, the camera where it must have stood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.floor import lowest_point
from solver.kinematics.pose import Pose
from solver.photo.detection.parallel import parallel_map
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import shape_of
from solver.photo.fit.least_squares import Fit
from solver.photo.floor.children import FloorWithChildren, MayBeChildren, floor_with_children
from solver.photo.floor.floor_level import feet_seen, find_level
from solver.photo.floor.onto_floor import STATURE, TALLEST, set_onto_floor, skin_vertices, statures

Array = NDArray[np.float64]
TOUCHES = 0.005  # metres; a person this near to the floor stands on it
_FLOORS = 101  # how many are tried
_TALL = 0.9 * TALLEST  # with a margin, as statures are only estimated here


@dataclass(frozen=True, eq=False)
class PlacedPeople:
    """The camera (position (3,), rotation (3, 3), world from camera); for each person the fit, one pose in the world,
    and whether it is on the floor. children: by number, who has another body, and its fit before it was set onto the
    floor."""

    position: Array
    rotation: Array
    fits: tuple[Fit, ...]
    poses: tuple[Pose, ...]
    on_floor: tuple[bool, ...]
    children: Mapping[int, tuple[Body, Fit]]


@dataclass(frozen=True, eq=False)
class _Person:
    """One person before a floor is known. skin: the fit's `skin_vertices`."""

    body: Body
    seen: Evidence
    fit: Fit
    skin: Array


def place_people(
    body: Body, fits: Sequence[Fit], seen: Sequence[Evidence], may_be: MayBeChildren | None = None
) -> PlacedPeople:
    """Levels the camera by those who stand, and sets people onto the floor y = 0 where it fits; the first at x, z = 0.

    Nobody moves in the picture: turning and raising the camera moves everybody together, and single people move only
    along the line of sight and grow with their distance, as far as people differ in size. Those who still do not fit
    the floor (in the air, on a platform, on a slope) stay where the picture shows them. Nobody whose feet are seen is
    below the floor. may_be: lets those have a child's body who stand on the floor of the others with it alone.
    """
    skins = [*parallel_map(partial(skin_vertices, body), fits)]
    level = find_level(body, fits, seen, skins)
    rotation, up = level.rotation, level.rotation[1]
    people = [_Person(body, *one) for one in zip(seen, fits, skins, strict=True)]
    floor, with_children = _for_most(people, up, level.floor, may_be.odds if may_be else None)
    found: list[Fit | None] = []
    children: dict[int, tuple[Body, Fit]] = {}
    if may_be and with_children:
        numbers = with_children.children
        small = dict(zip(numbers, parallel_map(partial(_as_child, may_be), numbers), strict=True))
        those = [small.get(number, person) for number, person in enumerate(people)]
        found = _set_down(those, up, with_children.floor)
        if all(found[i] or float((one.skin @ up).min()) > with_children.floor - TOUCHES for i, one in small.items()):
            people, floor = those, with_children.floor
            children = {i: (one.body, one.fit) for i, one in small.items()}
    if not children:
        found = _set_down(people, up, floor)
    chosen = tuple(on or person.fit for on, person in zip(found, people, strict=True))
    first = rotation @ chosen[0].root
    position = -np.array([first[0], floor, first[2]])
    poses, grounded = [], []
    for person, fit, on in zip(people, chosen, found, strict=True):
        pose, touches = in_world(person.body, fit, on is not None, rotation, position)
        poses.append(pose)
        grounded.append(touches)
    return PlacedPeople(position, rotation, chosen, tuple(poses), tuple(grounded), MappingProxyType(children))


def _as_child(may_be: MayBeChildren, number: int) -> _Person:
    body, seen, fit = may_be.fitted(number)
    return _Person(body, seen, fit, skin_vertices(body, fit))


def _set_down(people: Sequence[_Person], up: Array, floor: float) -> list[Fit | None]:
    """Each set onto the floor, None where the picture does not allow it."""

    def one(person: _Person) -> Fit | None:
        return set_onto_floor(person.body, person.seen, person.fit, person.skin, up, floor)

    return [*parallel_map(one, [*people])]


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
    people: Sequence[_Person], up: Array, likely: float, odds: Sequence[float] | None
) -> tuple[float, FloorWithChildren | None]:
    """The floor, metres over the camera, near a likely one, on which most can stand, and below those whose feet show;
    and the one with children, if that is likelier.

    Of floors that suit equally many, the one for which their statures change least. odds: see `child_odds`; None where
    nobody is a child.
    """
    lowest = np.array([(person.skin @ up).min() for person in people])
    floors = np.append(np.linspace(min(lowest.min(), likely), max(lowest.max(), likely), _FLOORS), [*lowest, likely])
    tall = np.stack([statures(one.body, one.fit, low, floors) for one, low in zip(people, lowest, strict=True)])
    own = np.array([[person.fit.betas[STATURE]] for person in people])
    stands = np.abs(tall) <= np.maximum(_TALL, np.abs(own))
    shown = np.array([feet_seen(person.seen) for person in people])
    sunk = ((lowest[:, None] < floors - 1e-6) & ~stands)[shown].any(axis=0)
    many = np.where(sunk, -1, stands.sum(axis=0))
    best = many == many.max()
    cost = np.where(stands, (tall - own) ** 2, 0.0).sum(axis=0)
    children = None if odds is None else floor_with_children(floors, lowest, tall, own, stands, shown, odds)
    return float(floors[best][cost[best].argmin()]), children
