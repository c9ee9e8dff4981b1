"""The fit of a person whom looks saw from the front as often as from behind: the side that a body can take counts.

A face that looks where no neck can turn a head is somebody else's, as a partner's whose face is beside the person's
head, or was seen on the back of the head.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solver.body.body import Body
from solver.kinematics.rotations import to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.detection.blazepose import MIRRORED, Landmarks
from solver.photo.detection.repeated_looks import sides_are_doubted, sides_are_open, with_sides_exchanged
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import fit_person, onto_picture
from solver.photo.fit.heat_maps import agreed_by_heat, placed_by_heat
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.photo.fit.lifting import lifted_evidence
from solver.rig.roles import Role

_FAR_LESS = 0.5  # of the cost: a body that most looks see the wrong way round costs far more than the right one
# Radians from the chest, from which a face is somebody else's: own ones were turned by up to 70 degrees, others' by 116
# and more.
_NOT_OWN = np.pi / 2
_HEAD, _CHEST = SMPL_JOINTS.index(Role.HEAD), SMPL_JOINTS.index(Role.SPINE3)


def fit_landmarks(
    body: Body, marks: Landmarks, focal_px: float, principal_px: tuple[float, float]
) -> tuple[Landmarks, Evidence, Fit]:
    """The landmarks, placed by the heat maps of their looks, with left and right exchanged where the looks leave that
    open and it costs the fit less, or some see the other side and it costs far less, and without a face that is
    somebody else's; what they say about the body; and the body fitted to them. Raises InputRefused."""

    placed = placed_by_heat(marks)
    agreed = agreed_by_heat(marks, placed)

    def fitted(one: Landmarks, exchanged: bool = False) -> tuple[Landmarks, Evidence, Fit]:
        seen = lifted_evidence(body, one, focal_px, principal_px)
        sure = (agreed[MIRRORED] if exchanged else agreed)[seen.points.landmark]
        fit = fit_person(body, replace(seen, pixel_weights=sure * seen.pixel_weights))
        return one, seen, onto_picture(body, seen, fit)

    best, are_open, exchanged = fitted(placed), sides_are_open(placed), False
    if are_open or sides_are_doubted(placed):
        # Hands are seen as of one side: they would count against it, as there are none with sides exchanged.
        as_seen, other = fitted(replace(placed, hands=(None, None))), fitted(with_sides_exchanged(placed), True)
        exchanged = other[2].cost < as_seen[2].cost * (1.0 if are_open else _FAR_LESS)
        best = other if exchanged else best
    return best if _may_be_own_face(body, *best[1:]) else fitted(replace(best[0], face=None), exchanged)


def _may_be_own_face(body: Body, seen: Evidence, fit: Fit) -> bool:
    """Whether a neck can turn the head from the fitted chest to where the face looks, if one is seen."""
    chest = posed_joints(body, fit)[1][_CHEST]
    looks = seen.turns.rotations[seen.turns.joints == _HEAD]
    return all(np.linalg.norm(to_rotation_vector(chest.T @ look)) < _NOT_OWN for look in looks)
