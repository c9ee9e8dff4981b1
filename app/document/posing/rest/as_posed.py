"""Where somebody who sits in the base pose comes to sit so on a seat, feet as far ahead of it as there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.document.posing.holds.feet_too_far import HIGH, NEAREST_M, STEP_M
from app.document.posing.rest.new_seat import needs_a_seat
from solver.rig.rig import rig_of

THIGH_M = 0.05  # below a seat, where the skin of who sits there ends that may be within it


def ways_as_posed(person: Character, place: ArrayLike) -> tuple[NDArray[np.float64], float]:
    """Ways over the floor, (W, 3) metres, by which somebody who sits in the base pose does so on a place, (3,) metres,
    or a little ahead of it, the shortest first; none for others, and where feet do not get to the floor. And metres
    above the floor, up to where there is to be room for the shins."""
    at, posed = np.asarray(place, np.float64), replace(person, pose=person.base_pose, effectors=())
    seat = patches_of(person).get("seat")
    if seat is None or at[1] > HIGH * rig_of(skeleton_of(person)).leg_length or not needs_a_seat(posed):
        return np.empty((0, 3)), 0.0
    way = at - place_of_patch(posed, seat)
    ahead = person.base_pose.rotations[0][:, 2].astype(np.float64) * [1.0, 0.0, 1.0]
    steps = np.arange(0.0, NEAREST_M, STEP_M)[:, None] * ahead / np.linalg.norm(ahead)
    return way * [1.0, 0.0, 1.0] + steps, float(at[1] - max(way[1], 0.0)) - THIGH_M
