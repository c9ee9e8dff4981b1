"""A chair or a box that is added while somebody sits in the air comes under them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.document.posing.rest.sitting import may_sit, sits_on
from solver.contact.balance import balance
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

SEATS = {"chair": (0.5, 0.05), "box": (1.0, 0.0)}  # own height and depth of where the seat comes, by kinds of props
BELOW_M = 0.4  # along the floor, from a pelvis to the middle of what it may sit on
UPRIGHT = 0.5  # of the pelvis's own up axis
SEAT_M = 0.25, 0.55  # heights of seats, metres
FALLS_M = -0.02  # of the centre of mass within what stands on the floor: who crouches is in balance
AHEAD_M = 0.24  # of the seat, over the floor, that the ankles are
STEEP = -0.55  # of a thigh's way upwards to its knee, as a share of its length


def is_above_something(document: Document, character: Character) -> bool:
    """Whether there is a visible prop below the character's pelvis that may be sat on."""
    off = (prop.middle - character.pose.root_position for prop in document.props if prop.visible)
    return any(np.hypot(x, z) < BELOW_M and y < 0 for x, y, z in off)


def under_seat(document: Document, character: Character, prop: Prop) -> Prop | None:
    """A new prop under the character's seat, as high as that and turned as they sit; None if it is nothing to sit on or
    would not fit, and for somebody who does not sit, would not fall without it, or has something below."""
    seat, world = patches_of(character).get("seat"), joints_of(character)
    if prop.kind not in SEATS or seat is None or not may_sit(character) or is_above_something(document, character):
        return None
    rig = rig_of(skeleton_of(character))
    place, (height, depth) = place_of_patch(character, seat).astype(np.float64), SEATS[prop.kind]
    thighs = [world.positions[rig.joint(leg.hinge)] - world.positions[rig.joint(leg.root)] for leg in LEGS]
    level = all(float(thigh[1]) > STEEP * float(np.linalg.norm(thigh)) for thigh in thighs)
    margin = balance(body_of(character), character.shape, world).margin
    falls = margin is not None and margin < FALLS_M
    if not (level and falls and world.rotations[0][1, 1] > UPRIGHT and SEAT_M[0] < place[1] < SEAT_M[1]):
        return None
    x, _, z = sum(thighs) / max(float(np.linalg.norm(sum(thighs) * (1.0, 0.0, 1.0))), 1e-6)
    turn = np.array([[z, 0.0, x], [0.0, 1.0, 0.0], [-x, 0.0, z]])
    ankles = sum(world.positions[rig.joint(leg.end)] for leg in LEGS) / len(LEGS)
    if (ankles - place) @ turn[:, 2] < AHEAD_M:
        return None
    sized = prop.sized((prop.size[0], place[1] / height, prop.size[2]))
    base = place * (1.0, 0.0, 1.0) - turn @ (0.0, 0.0, depth * float(sized.size[2]))
    put = replace(sized, place=base.astype(np.float32), turn=turn.astype(np.float32))
    return put if sits_on(character, put.solids()) else None
