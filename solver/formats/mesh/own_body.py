"""The body of ours for a character that is drawn with its own skin: its joints are where the character's own are.

A body of our shapes alone, however well chosen, leaves wrists and ankles of a mannequin or a cartoon centimetres off
the handles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY, fitted_body_id
from solver.body.shape_fit import DEFAULT_ESTIMATOR, ShapeFit
from solver.body.variants.fitted import SHORTEST, as_named, shortest_bone
from solver.body.whole_rig import smpl_rig
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.motion import UNITS, leg_length, relation_of
from solver.formats.bvh.shape import bvh_body
from solver.formats.mesh.rig_skin import LEG_M, RigSkin
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton
from solver.rig.fewer_joints import MERGEABLE
from solver.rig.rig import mid_hips
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, LIMBS, SPINE, TRUNK, Role

Array = NDArray[np.float64]
_ASTRAY = 0.2  # metres from where our body has a joint of the trunk; a pelvis between the feet, say, is no place for it
_BUILD = 1.0  # standard deviations of the skin's shape: bones of cartoons ask for gaunt people
_ODD = 0.12  # metres: recordings of people are up to 9 cm off
_SEEN = [SMPL_JOINTS.index(role) for role in (*(role for limb in LIMBS for role in limb.line), Role.HEAD)]
_NEAR = 5e-5  # metres: a body that has its joints this near to the character's needs no other
_HANDS = frozenset(arm.tip for arm in ARMS)  # our own files have none, as fingers are in their place
_LINES = ((Role.PELVIS, *SPINE, *HEAD_AND_NECK), *((SPINE[-1], *limb.joints) for limb in ARMS))


def own_body(rig: RigSkin, body: Body, estimator: str = DEFAULT_ESTIMATOR) -> tuple[str, ShapeFit]:
    """The id of a body and its shape for a character with a skin: as `bvh_body` finds them, and with joints and soles
    where the character's are, if those can be a body's.

    InputRefused if the rig's joints cannot be recognised; PoserError if the estimator needs joints that it lacks.
    """
    return _with_own_joints(rig.person, body, estimator, 0.0, lambda skeleton: _ankle(rig, skeleton))


def body_without_skin(bvh: BvhFile, body: Body, estimator: str = DEFAULT_ESTIMATOR) -> tuple[str, ShapeFit]:
    """As `own_body`, for a character without a skin: a recording's is one of our shapes, as its joints are not where a
    person has them, but a figure whose limbs or head would be further off than 12 cm gets its own proportions."""
    return _with_own_joints(bvh, body, estimator, _ODD, lambda skeleton: None)


def _with_own_joints(
    bvh: BvhFile, body: Body, estimator: str, least: float, ankle_on: Callable[[Skeleton], float | None]
) -> tuple[str, ShapeFit]:
    """least: metres by which a joint of limbs or head must be off ours."""
    id, fit = bvh_body(bvh, body, estimator)
    if id != DEFAULT_BODY:
        return id, fit
    skeleton = body.skeleton(fit.shape)
    joints = own_joints(bvh, skeleton)
    if joints is None:
        return id, fit
    off = np.linalg.norm(joints - skeleton.rest_positions, axis=1)
    merged = [role for role in MERGEABLE if role not in bvh.joint_map.joints]
    if off[_SEEN].max() <= least if least else _HANDS.issuperset(merged) and off.max() < _NEAR:
        return id, fit
    # A limb that points almost as ours is left alone, and rounding may decide that; the body's own joints do.
    again = own_joints(bvh, smpl_rig(as_named(joints)))
    calm = BodyShape(np.clip(fit.shape.betas, -_BUILD, _BUILD), fit.shape.gender)
    related, ankle = relation_of(bvh, skeleton), ankle_on(skeleton)
    size = UNITS[related.unit] / fit.scale / related.scale  # short legs are no reason to be drawn taller
    whole = size * (joints if again is None else again)
    try:
        fitted = fitted_body_id(whole, calm, None if ankle is None else size * ankle, merged)
    except ValueError:
        return id, fit
    return fitted, ShapeFit(BodyShape(gender=fit.shape.gender), fit.scale, 0.0, own_joints=True)


def _ankle(rig: RigSkin, skeleton: Skeleton) -> float | None:
    """Metres from the lowest skin of the feet to the ankles on our body, the mean of both; None without feet."""
    related = relation_of(rig.person, skeleton)
    up, joints = related.up, related.found.joints
    rest = {name: rig.person.rest_positions[j] for name, j in joints.items()}
    metres = LEG_M / leg_length(rest, rig.person.source)
    on, heights = rig.joints[rig.weights.argmax(axis=1)], rig.vertices @ up
    found = []
    for leg in LEGS:
        foot = heights[np.isin(on, [SMPL_JOINTS.index(leg.end), SMPL_JOINTS.index(leg.tip)])]
        if leg.end in rest and foot.size:
            found.append(metres * float(rest[leg.end] @ up) - float(foot.min()))
    return related.scale / metres * float(np.mean(found)) if found and min(found) > 0 else None


def own_joints(bvh: BvhFile, skeleton: Skeleton) -> Array | None:
    """(24, 3) metres: where our joints are at rest on a body that poses the character's rig with all joints in place.

    Joints that the rig lacks are where the skeleton's would be between the others. None for a rig whose rest pose is
    no stance, or whose limbs have no length. InputRefused if its joints cannot be recognised.
    """
    related = relation_of(bvh, skeleton)
    if related.alignment.collapsed:
        return None
    ours = dict(zip(skeleton.names, skeleton.rest_positions.astype(np.float64), strict=True))
    rest = {name: related.scale * bvh.rest_positions[j] for name, j in related.found.joints.items()}
    turns = related.alignment.corrections
    middle = ours[Role.PELVIS] + mid_hips(skeleton)
    hips = (rest[LEGS[0].root] + rest[LEGS[1].root]) / 2
    places: dict[str, Array] = {}
    for name, parent in zip(skeleton.names, SMPL_PARENTS, strict=True):
        if name not in rest:
            continue
        above = _known(skeleton, parent, places)
        if name in _LIMBS_BELOW and above is not None:
            places[name] = places[above] + turns[above].T @ (rest[name] - rest[above])
            continue
        place = middle + turns[Role.PELVIS].T @ (rest[name] - hips)
        if name not in TRUNK or np.linalg.norm(place - ours[name]) < _ASTRAY:
            places[name] = place
    whole = _with_others(skeleton, ours, places)
    joints = np.array([whole[name] for name in skeleton.names])
    return joints if shortest_bone(joints) > SHORTEST else None


_LIMBS_BELOW = frozenset(role.value for limb in LIMBS for role in (limb.hinge, limb.end, limb.tip))


def _known(skeleton: Skeleton, joint: int, places: Mapping[str, Array]) -> str | None:
    while joint >= 0 and skeleton.names[joint] not in places:
        joint = skeleton.parents[joint]
    return skeleton.names[joint] if joint >= 0 else None


def _with_others(skeleton: Skeleton, ours: Mapping[str, Array], places: dict[str, Array]) -> dict[str, Array]:
    """With those that the rig lacks: as far along between two others as ours are, or as far beyond the one above."""
    whole = dict(places)
    whole.setdefault(Role.PELVIS, ours[Role.PELVIS])
    for line in (*_LINES, *((Role.PELVIS, *leg.joints) for leg in LEGS)):
        for number, name in enumerate(line):
            if name in whole:
                continue
            above = line[number - 1]
            below = next((other for other in line[number + 1 :] if other in whole), None)
            moved = whole[above] - ours[above]
            if below is not None:
                one, other = (float(np.linalg.norm(ours[b] - ours[a])) for a, b in ((above, name), (name, below)))
                moved = moved + one / (one + other) * (whole[below] - ours[below] - moved)
            whole[name] = ours[name] + moved
    return whole
