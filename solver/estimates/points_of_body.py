"""The points of our body that key points of other programs mark: as people see them, with the eyes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solver.body.body import Body, BodyShape
from solver.body.eyes import eyes_of
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.memoise import memoised
from solver.photo.fit.evidence import EYES, BodyPoints, visible_points
from solver.rig.roles import Role

_TRUST = 0.8  # of eyes, as of the nose


@memoised(8)
def seen_points(body: Body) -> BodyPoints:
    """Nose and ears on the skin, the pupils where the body has eyes, and the joints where networks mark them, which
    learned that from people's marks."""
    points, eyes = visible_points(body), eyes_of(body, BodyShape())
    if eyes is None:
        return points
    head = [SMPL_JOINTS.index(Role.HEAD)] * len(EYES)
    pupils = eyes.places + np.array([0.0, 0.0, eyes.radius]) - body.skeleton(BodyShape()).rest_positions[head]
    return replace(
        points,
        landmark=np.append(points.landmark, EYES),
        joint=np.append(points.joint, head),
        carrier=np.append(points.carrier, head),
        offset=np.concatenate([points.offset, pupils]),
        trust=np.append(points.trust, [_TRUST] * len(EYES)),
    )
