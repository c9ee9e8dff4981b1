"""Where networks mark limbs that are bent or seen from aside: up to a few centimetres from the points of `evidence`.

Those points turn with one bone each. The networks' marks move besides with how the bone beyond bends and from where the
camera looks: a hip's mark, for one, goes along with a thigh that is raised. So a mark's shift is a polynomial in the
frame of one joint: linear in the direction of a bone, quadratic in the direction towards the camera.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.photo.fit.evidence import LIMB_LANDMARKS, BodyPoints
from solver.photo.fit.mark_shift_table import SHIFTS_MM
from solver.rig.roles import SMPL_ROLES, Role

Array = NDArray[np.float64]
AnyFloats = NDArray[np.floating]
# part: (joint whose frame it is, start and end of the bone), of the left side.
FRAMES = {
    "shoulder": (Role.SPINE3, Role.LEFT_SHOULDER, Role.LEFT_ELBOW),
    "elbow": (Role.LEFT_ELBOW, Role.LEFT_SHOULDER, Role.LEFT_ELBOW),
    "hip": (Role.PELVIS, Role.LEFT_HIP, Role.LEFT_KNEE),
    "knee": (Role.LEFT_HIP, Role.LEFT_KNEE, Role.LEFT_ANKLE),
}
_MIRROR = np.array([-1.0, 1.0, 1.0])  # right limbs are left ones in a mirror


class ShiftedMark(NamedTuple):
    """A mark that moves. point: its number among the body's points. frame: (3, 3) axes, those of right limbs mirrored.
    terms: (12,) what its coefficients are multiplied by."""

    part: str
    point: int
    frame: Array
    terms: Array


def mark_shifts(points: BodyPoints, positions: AnyFloats, rotations: AnyFloats, towards: Array) -> Array:
    """(P, 3) metres from a posed body's points to where networks mark them.

    positions (24, 3) of the joints, their world rotations (24, 3, 3) and directions (P, 3) from the points towards the
    camera, of any length: in one frame, which the shifts are in too.
    """
    found = np.zeros((len(points.landmark), 3))
    for mark in shifted_marks(points, positions, rotations, towards):
        found[mark.point] = mark.frame @ (_TABLE[mark.part] @ mark.terms)
    return found


def shifted_marks(
    points: BodyPoints, positions: AnyFloats, rotations: AnyFloats, towards: Array
) -> Iterator[ShiftedMark]:
    """The marks that move on a posed body; what is given as for `mark_shifts`."""
    marks = points.landmark.tolist()
    for part, roles in FRAMES.items():
        for right in (False, True):
            frame, start, end = (SMPL_ROLES.index(role.mirrored if right else role) for role in roles)
            point = marks.index(LIMB_LANDMARKS[part][0] + right)
            axes = rotations[frame].astype(np.float64) * (_MIRROR if right else 1.0)
            bone, view = _unit(positions[end] - positions[start]) @ axes, _unit(towards[point]) @ axes
            yield ShiftedMark(part, point, axes, _terms(bone, view))


def _terms(bone: Array, view: Array) -> Array:
    """(12,) one, the bone, the view, and the view's products; z² is left out, as the squares' sum is one."""
    x, y, z = view
    return np.array([1.0, *bone, x, y, z, x * x, x * y, x * z, y * y, y * z])


def _unit(way: AnyFloats) -> Array:
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-9), dtype=np.float64)


_TABLE = {part: np.array(rows, dtype=np.float64) / 1000.0 for part, rows in SHIFTS_MM.items()}
