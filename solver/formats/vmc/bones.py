"""The bones of a sender's figure: which joints they are, and where they stand in the world.

The protocol gives each bone relative to its parent, as Unity has it: with the bones of its figure, whose rest pose is a
T-pose in which every bone has the world's axes. Such a bone's rotation is that of our joint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from solver.formats.vmc.messages import ROOT_NAME, Kind, Transform
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton
from solver.rig.roles import Role
from solver.rig.unity_bones import BONE_ROLES, BONES
from solver.trackers.sample import Reading

SHORTEST_M = 1e-3  # of a bone; senders that give no lengths have 0
HIPS = BONES[Role.PELVIS]
_PARENTS = {
    BONES[Role(name)]: BONES[Role(SMPL_JOINTS[parent])]
    for name, parent in zip(SMPL_JOINTS, SMPL_PARENTS, strict=True)
    if parent >= 0 and Role(name) in BONES
}


def figure(skeleton: Skeleton, pose: Pose) -> list[Transform]:
    """A pose as the protocol has it: the root at the world's origin, and every bone relative to its parent.

    skeleton: with SMPL's joint names, every joint of the world's axes at rest.
    """
    root = Transform(Kind.ROOT, ROOT_NAME, np.zeros(3, np.float32), np.eye(3, dtype=np.float32))
    bones = []
    for role, bone in BONES.items():
        j = skeleton.index(role)
        place = skeleton.offsets[j] if j else pose.root_position
        bones.append(Transform(Kind.BONE, bone, place, pose.rotations[j]))
    return [root, *bones]


class Bones:
    """What one sender last said of its figure's root and of each bone."""

    def __init__(self) -> None:
        self._root: Transform | None = None
        self._last: dict[str, Transform] = {}

    def take(self, message: Transform) -> None:
        """Remember where the root or a bone is; bones that no solver moves are passed over."""
        if message.kind is Kind.ROOT:
            self._root = message
        elif message.name in BONE_ROLES:
            self._last[message.name] = message

    def forget(self) -> None:
        """Forget all, because the figure is now another one."""
        self._root, self._last = None, {}

    def readings(self, names: Iterable[str]) -> dict[str, Reading]:
        """Where these bones are in the world; none before the hips were given.

        A bone hangs on the nearest one above it that the figure has. If the sender gives no lengths on the way to it,
        it has only a rotation. The root's scale and offset are taken out: all is in the room's own metres.
        """
        if HIPS not in self._last:
            return {}
        known = [bone for bone in BONE_ROLES if bone in self._last]
        above = [_above(bone, self._last) for bone in known]
        parents = (-1, *(0 if bone is None else 1 + known.index(bone) for bone in above))
        offsets = np.stack([np.zeros(3, np.float32), *(self._last[bone].position for bone in known)])
        local = np.stack([np.eye(3, dtype=np.float32), *(self._last[bone].rotation for bone in known)])
        root = self._root
        if root is not None:
            offsets[0], local[0] = root.position, root.rotation
        places, turns = forward_kinematics_batch(parents, offsets, offsets[0], local)
        if root is not None and root.scale is not None and root.offset is not None:
            places = ((places - root.offset) / root.scale).astype(np.float32)
        lengths = np.linalg.norm(offsets, axis=1)
        has_place = [True, True]
        for j in range(2, len(parents)):
            has_place.append(bool(has_place[parents[j]] and lengths[j] >= SHORTEST_M))
        where = {bone: j for j, bone in enumerate(known, start=1)}
        asked = [(bone, where[bone]) for bone in names if bone in where]
        return {bone: Reading(places[j] if has_place[j] else None, turns[j]) for bone, j in asked}


def _above(bone: str, there: Mapping[str, Transform]) -> str | None:
    """The nearest bone above that is there; None for the hips."""
    parent = _PARENTS.get(bone)
    while parent is not None and parent not in there:
        parent = _PARENTS.get(parent)
    return parent
