"""Where a knee's patch is when the knee is bent: the skin over it draws back, and thigh and shin meet in an edge."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.contact.patch_table import PATCH_ROWS
from solver.contact.patches import BORNE, patches_named
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.memoise import memoised
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
KNEES = {  # by the patch's name
    row.name: leg for leg in LEGS for row in PATCH_ROWS.values() if row.joint == leg.hinge and leg.root in row.carriers
}
FROM, TO = np.radians([20.0, 70.0])  # below the first the patch is a straight knee's, above the second a bent one's
DOWN = np.array([0.0, 0.087, 0.996])  # in the shin's frame, roughly where the floor is for somebody kneeling
AROUND, BESIDE = 0.1, 0.16  # metres from the knee to the skin that the patch is on, and that a surface may touch first
SHARPNESS = 0.004  # metres: skin that is higher than the lowest by this much hardly counts for where it touches
MOST = 0.03  # metres at most that the patch is out of its skin if a surface touches the skin beside it first
SAME = 5e-4  # metres that a patch may be off before it is moved, so that somebody kneeling comes to rest


def with_bent_knee_patches(
    effectors: tuple[Effector, ...], body: Body, shape: BodyShape, pose: Pose
) -> tuple[Effector, ...]:
    """The effectors, contacts of knees on a surface with their patches where the pose has them; the same tuple if none
    has to move."""
    if not any(_is_knee(effector) for effector in effectors):
        return effectors
    world = forward_kinematics(body.rig(shape), pose)
    found = list(effectors)
    for number, knee in enumerate(effectors):
        if not (_is_knee(knee) and knee.patch in patches_named(body, shape, None, [knee.patch])):
            continue
        joint = body.rig(shape).joint(KNEES[knee.patch].hinge)
        way = world.rotations[joint].T @ -knee.facing if knee.facing.any() else DOWN
        offset = bent_offset(body, shape, knee.patch, bend_of(pose.rotations[joint]), way)
        if np.abs(offset - knee.offset).max() > SAME:
            found[number] = replace(knee, offset=offset.astype(np.float32))
    return effectors if all(a is b for a, b in zip(found, effectors, strict=True)) else tuple(found)


def bent_offset(body: Body, shape: BodyShape, name: str, bend: float, way: NDArray[np.floating] = DOWN) -> Array:
    """(3,) metres in the shin's frame, the middle of the patch of a knee bent by `bend` radians.

    way: (3,) unit, in that frame, to the surface on which it lies. The patch is out as far as any skin of the knee that
    the surface touches, so that the knee does not sink in where it rolls on it.
    """
    straight, skin, share = _knee(body, shape.betas.tobytes(), shape.gender, name)
    along = eased_between(bend, FROM, TO)
    if along == 0.0:
        return straight
    turn = from_rotation_vector(np.array([bend, 0.0, 0.0])).astype(np.float64)
    posed = ((1.0 - share) * skin + share * skin @ turn.T) @ turn
    near = posed[np.linalg.norm(skin, axis=1) < AROUND]
    height = near @ DOWN
    weight = np.exp((height - height.max()) / SHARPNESS)
    touching = (weight[:, None] * near).sum(axis=0) / weight.sum()
    touching += min(max(float((posed @ way).max() - touching @ way), 0.0), MOST) * way
    return np.asarray(straight + along * (touching - straight), np.float64)


def bend_of(turn: NDArray[np.floating]) -> float:
    """Radians by which a knee with the local rotation `turn`, (3, 3), is bent."""
    shin = -turn[:, 1]
    return float(np.arctan2(-shin[2], -shin[1]))


def _is_knee(effector: Effector) -> TypeGuard[Contact]:
    return (
        isinstance(effector, Contact) and effector.is_active and effector.source is not None and effector.patch in KNEES
    )


@memoised(32)
def _knee(body: Body, betas: bytes, gender: str, name: str) -> tuple[Array, Array, Array]:
    """(3,) the patch of a straight knee, (K, 3) the skin about the knee, metres from it at rest, and (K, 1) the share
    of each vertex that goes along with the shin."""
    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    rig, leg = body.rig(shape), KNEES[name]
    thigh, knee = rig.joint(leg.root), rig.joint(leg.hinge)
    below = [j for role in (leg.hinge, leg.end, leg.tip) if (j := rig.find(role)) is not None]
    skin = body.vertices(shape).astype(np.float64) - rig.rest_positions[knee]
    counts = (body.weights[:, [thigh, *below]].sum(axis=1) > BORNE) & (np.linalg.norm(skin, axis=1) < BESIDE)
    share = body.weights[counts][:, below].sum(axis=1, keepdims=True).astype(np.float64)
    straight = patches_named(body, shape, None, [name])[name].middle.astype(np.float64)
    return straight, skin[counts], share
