"""Rigs made from the embedded body: with more joints, other names, another order, frames of their own."""

from __future__ import annotations

from functools import cache

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS, SIDES, Role

JOINT_COUNTS = (52, 55, 65)


@cache
def body_rig() -> Rig:
    return load_body("anny").rig(BodyShape())


@cache
def rig_of_many_joints(count: int) -> Rig:
    """52: without hands, with fingers. 55: with jaw and eyes as well. 65: with twist joints along the legs as well."""
    body = body_rig()
    joints: list[tuple[str, str, Role | None, np.ndarray]] = [
        (name, body.names[body.parents[j]] if j else "", body.roles[j], body.offsets[j])
        for j, name in enumerate(body.names[:22])
    ]
    for arm, out in zip(ARMS, (1.0, -1.0), strict=True):
        for i, role in enumerate(arm.fingers):
            first = i % 3 == 0
            along = np.array([out * (0.09 if first else 0.03), 0.0, 0.02 * (i // 3 - 2) if first else 0.0])
            joints.append((role.value, arm.end if first else arm.fingers[i - 1], role, along))
    if count >= 55:
        for role in (Role.JAW, Role.LEFT_EYE, Role.RIGHT_EYE):
            joints.append((role.value, Role.HEAD, role, np.array([0.01 * len(role.side), 0.03, 0.07])))
    if count >= 65:
        for side in SIDES:
            for i in range(5):
                along = np.array([0.0, -0.05, 0.01])
                joints.append((f"{side}_leg_twist{i}", f"{side}_knee", None, along * (i + 1)))
    names = tuple(name for name, *_ in joints)
    parents = tuple(names.index(parent) if parent else -1 for _, parent, *_ in joints)
    rig = Rig(names, parents, np.array([o for *_, o in joints], np.float32), tuple(role for _, _, role, _ in joints))
    assert len(rig) == count
    return rig


@cache
def renamed_and_reordered() -> Rig:
    """The body's own joints under meaningless names, limb by limb, known by their roles alone."""
    body = body_rig()
    order: list[int] = []

    def visit(j: int) -> None:
        order.append(j)
        for child in reversed(body.children(j)):
            visit(child)

    visit(0)
    return Rig(
        tuple(f"bone.{i:02}" for i in range(len(order))),
        tuple(order.index(body.parents[j]) if j else -1 for j in order),
        body.offsets[order],
        tuple(body.roles[j] for j in order),
    )


@cache
def with_rest_frames() -> Rig:
    """The body's own joints, each in a frame of its own at rest."""
    body = body_rig()
    frames = from_rotation_vector(np.random.default_rng(4).normal(0, 1, (len(body), 3)))
    offsets = np.array(body.offsets, np.float64)
    for j, p in enumerate(body.parents):
        if p >= 0:
            offsets[j] = frames[p].T @ offsets[j]
    return Rig(body.names, body.parents, offsets.astype(np.float32), body.roles, frames.astype(np.float32))


@cache
def with_a_joint_between() -> Rig:
    """The body with a joint of no role half-way along each thigh: what lies behind it hangs on it."""
    body = body_rig()
    names, parents, roles, offsets = list(body.names), list(body.parents), list(body.roles), list(body.offsets)
    order = list(range(len(body)))
    for leg in LEGS:
        knee = names.index(leg.hinge)
        half = offsets[knee] / 2
        names.append(f"{leg.side}_thigh_middle")
        parents.append(parents[knee])
        roles.append(None)
        offsets.append(half)
        parents[knee], offsets[knee] = len(names) - 1, half
        order.insert(order.index(knee), len(names) - 1)
    return Rig(
        tuple(names[j] for j in order),
        tuple(order.index(parents[j]) if parents[j] >= 0 else -1 for j in order),
        np.array([offsets[j] for j in order], np.float32),
        tuple(roles[j] for j in order),
    )


def posed_like(rig: Rig, pose: Pose) -> Pose:
    """The pose of the embedded body as one of `rig` that looks the same: joints that the body has not are at rest."""
    body = body_rig()
    world = forward_kinematics(body, pose).rotations
    frames = rig.rest_frames if rig.rest_frames is not None else np.tile(np.eye(3), (len(rig), 1, 1))
    turned: list[np.ndarray] = []  # the world rotation of each joint against its own rest
    for j, role in enumerate(rig.roles):
        known = role is not None and body.find(role) is not None
        turned.append(world[body.joint(role)] if known and role else turned[rig.parents[j]])
    full = [turn @ frame for turn, frame in zip(turned, frames, strict=True)]
    local = [full[j] if p < 0 else full[p].T @ full[j] for j, p in enumerate(rig.parents)]
    return Pose(pose.root_position, np.array(local, np.float32))


def places_by_role(rig: Rig, pose: Pose) -> np.ndarray:
    """(22, 3) metres, where the joints of the body are in the world, in its order."""
    at = forward_kinematics(rig, pose).positions
    return np.array([at[rig.joint(role)] for role in body_rig().roles[:22] if role])
