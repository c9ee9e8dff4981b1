"""From a motion of ours to how the joints of a foreign rig turn and where its hips are: reading, turned round."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.body.whole_rig import AT_REST, as_whole_motion
from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.fingers import finger_corrections, finger_joints
from solver.formats.bvh.motion import FileRelation, mid_hips, relation_of
from solver.formats.bvh.world import BvhWorld
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import Skeleton
from solver.rig.joint_recognition import ancestors
from solver.rig.roles import LEGS, SPINE, Role
from solver.size_limits import MAX_CURVE_VALUES
from solver.values import FloatArray

Array = NDArray[np.float64]
_SAME_RATE = 1e-3  # share by which the rates of two motions that go together may differ


@dataclass(frozen=True, eq=False)
class OwnMotion:
    """What goes onto a rig. whole: the body's skeleton, with the joints of its fingers if it has any.

    motion: of the skeleton's first 24 joints, in the world; of a single frame for a pose. turned: how the finger joints
    are turned, by SMPL-X's names, (3, 3) or (F, 3, 3); nothing for fingers that stay as the rig has them.
    """

    skeleton: Skeleton
    motion: Motion
    whole: Skeleton | None = None
    turned: Mapping[str, FloatArray] = field(default_factory=lambda: AT_REST)

    @property
    def fingers(self) -> Skeleton | None:
        """The skeleton with the fingers' joints, if they go along."""
        return self.whole if self.turned else None


@dataclass(frozen=True, eq=False)
class RigMotion:
    """How a rig stands over F frames, in the file's own world and unit.

    turns: the rig's joints that stand for ours -> (F, 3, 3), their rotation in the world, as `BvhWorld` has it. hips:
    (F, 3), the middle between them. legs: the rig's two hip joints. carrier: the lowest joint that carries all of them;
    where it goes, the whole person goes. fps: frames a second.

    frames: (F,) those of the file in which the rig's other joints are to stand; None for their rest. They go on as the
    file has them where it is the same motion, posed anew.
    """

    turns: Mapping[int, Array]
    hips: Array
    legs: tuple[int, int]
    carrier: int
    fps: float
    frames: NDArray[np.int_] | None

    def __len__(self) -> int:
        return len(self.hips)


def onto_rig(bvh: BvhFile, own: OwnMotion) -> RigMotion:
    """A motion of ours on a file's rig: reading it from there again gives the same one.

    InputRefused if the rig's joints cannot be recognised, if nothing carries all of them, or if the motion is too long
    for it.
    """
    if len(own.motion) * len(bvh.joints) * 9 > 4 * MAX_CURVE_VALUES:
        raise InputRefused(bvh.source, "has too many joints for a motion this long", "Export a shorter part")
    corrections = finger_corrections(bvh, own.fingers) if own.fingers is not None else None
    fingers = finger_joints(bvh) if corrections else {}
    related = relation_of(bvh, own.skeleton, frozenset(fingers.values()))
    skeleton, motion = own.skeleton, own.motion
    if own.fingers is not None and corrections:
        skeleton, motion = own.fingers, as_whole_motion(own.fingers, own.motion, own.turned)
    turned = forward_kinematics_batch(
        skeleton.parents, skeleton.offsets, motion.root_positions, motion.rotations
    ).rotations
    found, turns = related.found.joints, dict[int, Array]()
    for name, j in (found | fingers).items():
        correction = corrections[name] if corrections and name in fingers else related.alignment.corrections[name]
        ours = np.asarray(turned[:, skeleton.index(_shown_by(name, found))], np.float64)
        turns[j] = related.upright.T @ ours @ correction.T
    pelvis = np.asarray(turned[:, 0], np.float64)
    hips = (motion.root_positions + pelvis @ mid_hips(own.skeleton)) @ related.upright / related.scale
    frames = _file_frames(bvh, motion)
    legs = (found[LEGS[0].root], found[LEGS[1].root])
    carrier = _carrier(bvh, found.values())
    if carrier not in turns:
        turns[carrier] = _carried_turn(bvh, related, turns, carrier, frames)
    return RigMotion(turns, hips, legs, carrier, motion.fps, frames)


def _shown_by(name: str, found: Collection[str]) -> str:
    """Which of our joints a joint of the rig turns with: the last one of the spine that the rig lacks above it, so that
    a spine of fewer joints bends as far as ours."""
    if name not in SPINE:
        return name
    above = SPINE[SPINE.index(Role(name)) + 1 :]
    for role in above:
        if role in found:
            break
        name = role.value
    return name


def _file_frames(bvh: BvhFile, motion: Motion) -> NDArray[np.int_] | None:
    same_rate = len(bvh) == 1 or abs(bvh.fps / motion.fps - 1.0) < _SAME_RATE
    return np.arange(len(motion)) if len(bvh) == len(motion) and same_rate else None


def _carrier(bvh: BvhFile, joints: Collection[int]) -> int:
    """The lowest joint that is above all of these, or one of them."""
    lines = [ancestors(j, bvh.parents) for j in joints]
    shared = [j for j in lines[0] if all(j in line for line in lines)]
    if not shared:
        raise InputRefused(bvh.source, "no joint of its rig carries the whole body", "Parent its joints to one root")
    return shared[0]


def _carried_turn(
    bvh: BvhFile, related: FileRelation, turns: Mapping[int, Array], carrier: int, frames: NDArray[np.int_] | None
) -> Array:
    """(F, 3, 3) of a joint of the rig's own that carries pelvis and chest: it turns with the pelvis from where the file
    has it."""
    world = BvhWorld(bvh, slice(None) if frames is not None else slice(0, 1))
    pelvis = related.found.joints[Role.PELVIS]
    return turns[pelvis] @ np.swapaxes(world.rotation(pelvis), -1, -2) @ world.rotation(carrier)
