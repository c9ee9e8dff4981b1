"""A chair or a box that is added while somebody sits in the air comes under them."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.document.posing.placing import lowest_skin, moved
from app.document.posing.rest.sitting import holds_seat, may_sit, sits_on
from solver.contact.balance import balance
from solver.ik.options import SOLID_FLOOR, with_option
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

SEATS = {"chair": (0.5, 0.05), "box": (1.0, 0.0)}  # own height and depth of where the seat comes, by kinds of props
BELOW_M = 0.4  # along the floor, from a pelvis to the middle of what it may sit on
UPRIGHT = 0.5  # of the pelvis's own up axis
SEAT = 0.26, 0.98  # heights of seats, in lengths of the legs: from a car's to a high stool
FALLS_M = -0.02  # of the centre of mass within what stands on the floor: who crouches is in balance
AHEAD = 0.29  # of the leg's length, over the floor, that the ankles are ahead of the seat of who has the feet there
DANGLES = 0.35  # of the leg's length, that an ankle is below the seat of who does not: in a jump it is drawn up
# Of who sits astride: cosine between thighs, over the floor; the sine of both; own depth of such a seat on a chair.
ASTRIDE = 0.17, 0.3, 0.22
STEEP, IN_AIR = -0.6, -0.3  # of a thigh's way upwards to its knee, as a share of its length; of who has no foot down


def is_above_something(document: Document, character: Character) -> bool:
    """Whether there is a visible prop below the character's pelvis that may be sat on."""
    off = (prop.middle - character.pose.root_position for prop in document.props if prop.visible)
    return any(np.hypot(x, z) < BELOW_M and y < 0 for x, y, z in off)


def under_seat(document: Document, character: Character, prop: Prop) -> Prop | None:
    """A new prop under the character's seat, as high as that and turned as they sit, a chair with its back ahead of who
    sits astride; None if it is nothing to sit on or would not fit, and for somebody who does not sit, would not fall
    without it, or has something below. Asks nothing of whether the floor is solid to them."""
    if prop.kind not in SEATS or is_above_something(document, character):
        return None
    found = _sitting(character)
    if found is None:
        return None
    place, turn, astride = found
    height, depth = SEATS[prop.kind]
    if astride and prop.kind == "chair":
        turn, depth = turn * (-1.0, 1.0, -1.0), ASTRIDE[2]
    sized = prop.sized((prop.size[0], place[1] / height, prop.size[2]))
    base = place * (1.0, 0.0, 1.0) - turn @ (0.0, 0.0, depth * float(sized.size[2]))
    put = replace(sized, place=base.astype(np.float32), turn=turn.astype(np.float32))
    held_up = replace(character, solver_options=with_option(character.solver_options, SOLID_FLOOR.id, True))
    return put if sits_on(held_up, put.solids()) else None


class _Sitting(NamedTuple):
    """How somebody sits in the air. place: (3,) metres, of the seat. turn: (3, 3), upright, as the thighs point.
    astride: whether these are far apart."""

    place: NDArray[np.float64]
    turn: NDArray[np.float64]
    astride: bool


def needs_a_seat(character: Character) -> bool:
    """Whether somebody sits as on a chair or a box, on one or in the air, and would fall without it; asks nothing of
    how high above the floor they are."""
    return holds_seat(character) or _sitting(moved(character, (0.0, -lowest_skin(character), 0.0))) is not None


def _sitting(character: Character) -> _Sitting | None:
    """How the character sits, if so that they would fall if there were nothing below; None otherwise."""
    seat, world = patches_of(character).get("seat"), joints_of(character)
    if seat is None or not may_sit(character):
        return None
    rig = rig_of(skeleton_of(character))
    place = place_of_patch(character, seat).astype(np.float64)
    lines = np.array([[world.positions[rig.joint(role)] for role in leg.line] for leg in LEGS], np.float64)
    thighs, ankles = lines[:, 1] - lines[:, 0], lines[:, 2]
    length = float(np.linalg.norm(np.diff(lines, axis=1), axis=2).sum(axis=1).mean())
    rise = float((thighs[:, 1] / np.linalg.norm(thighs, axis=1)).min())
    if not (rise > STEEP and world.rotations[0][1, 1] > UPRIGHT and place[1] > SEAT[0] * length):
        return None
    x, _, z = thighs.sum(axis=0) / max(float(np.linalg.norm(thighs.sum(axis=0) * (1.0, 0.0, 1.0))), 1e-6)
    turn = np.array([[z, 0.0, x], [0.0, 1.0, 0.0], [-x, 0.0, z]])
    margin = balance(body_of(character), character.shape, world).margin
    astride = _is_astride(thighs)
    if margin is None:
        falls = rise > IN_AIR and place[1] - ankles[:, 1].min() > DANGLES * length
    else:
        ahead = float((ankles.mean(axis=0) - place) @ turn[:, 2]) > AHEAD * length
        falls = place[1] < SEAT[1] * length and (margin < 0.0 if astride else margin < FALLS_M and ahead)
    return _Sitting(place, turn, astride) if falls else None


def _is_astride(thighs: NDArray[np.float64]) -> bool:
    """Whether thighs, (2, 3) from hip to knee, are level and far apart."""
    over = thighs * (1.0, 0.0, 1.0)
    left, right = over / np.maximum(np.linalg.norm(over, axis=1, keepdims=True), 1e-9)
    level = np.abs(thighs[:, 1]) < ASTRIDE[1] * np.linalg.norm(thighs, axis=1)
    return bool(level.all()) and float(left @ right) < ASTRIDE[0]
