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
from solver.formats.bvh.motion import FileRelation, relation_of
from solver.formats.bvh.world import BvhWorld
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.skeleton import Skeleton
from solver.rig.fewer_joints import made_good, shown_by
from solver.rig.joint_recognition import ancestors
from solver.rig.rig import mid_hips
from solver.rig.roles import LEGS, Role
from solver.size_limits import MAX_CURVE_VALUES
from solver.values import FloatArray

Array = NDArray[np.float64]
_SAME_RATE = 1e-3  # share by which the rates of two motions that go together may differ


@dataclass(frozen=True, eq=False)
class OwnMotion:
    """What goes onto a rig. whole: the body's skeleton, with the joints of its fingers if it has any.

    motion: of the skeleton's first 24 joints, in the world; of a single frame for a pose. turned: how the finger joints
    are turned, by SMPL-X's names, (3, 3) or (F, 3, 3); nothing for fingers that stay as the rig has them. moved: by
    what of the motion the whole person was moved, with all that hangs above the pelvis; None where nobody moved them.
    """

    skeleton: Skeleton
    motion: Motion
    whole: Skeleton | None = None
    turned: Mapping[str, FloatArray] = field(default_factory=lambda: AT_REST)
    moved: RigidMotion | None = None

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
    file has them where it is the same motion, posed anew. moved: as `OwnMotion` has it.
    """

    turns: Mapping[int, Array]
    hips: Array
    legs: tuple[int, int]
    carrier: int
    fps: float
    frames: NDArray[np.int_] | None
    moved: RigidMotion | None = None

    def __len__(self) -> int:
        return len(self.hips)


@dataclass(frozen=True, eq=False)
class RigRelation:
    """How a rig's joints turn with ours, whatever the motion. skeleton: ours, with its fingers if they go along.

    joints: (K,) the rig's joints that stand for ours; ours: (K,) which of our skeleton's each shows; corrections:
    (K, 3, 3), with R_world_ours = upright @ R_world_rig @ correction. hips: (3,) metres from our pelvis to the middle
    between our hips. legs, carrier: as `RigMotion` has them.
    """

    related: FileRelation
    skeleton: Skeleton
    joints: NDArray[np.intp]
    ours: NDArray[np.intp]
    corrections: Array
    hips: NDArray[np.floating]
    legs: tuple[int, int]
    carrier: int

    def turns(self, turned: NDArray[np.floating]) -> Array:
        """(F, K, 3, 3): how the rig's joints are turned in its world, by how ours are in ours (F, J, 3, 3)."""
        shown = np.asarray(turned[:, self.ours], np.float64)
        return np.asarray(self.related.upright.T @ shown @ np.swapaxes(self.corrections, -1, -2))

    def middle(self, motion: Motion) -> Array:
        """(F, 3): the middle between the hips in the rig's world."""
        pelvis = np.asarray(motion.rotations[:, 0], np.float64)
        return np.asarray((motion.root_positions + pelvis @ self.hips) @ self.related.upright / self.related.scale)

    def moved(self, own: OwnMotion) -> RigidMotion | None:
        """By what the whole person was moved in the rig's world."""
        if own.moved is None:
            return None
        upright = self.related.upright
        return RigidMotion(upright.T @ own.moved.turn @ upright, own.moved.shift @ upright / self.related.scale)


def rig_relation(bvh: BvhFile, own: OwnMotion) -> RigRelation:
    """How a rig's joints turn with those of the motion's body. InputRefused if they cannot be recognised, or if nothing
    carries all of them."""
    corrections = finger_corrections(bvh, own.fingers) if own.fingers is not None else None
    fingers = finger_joints(bvh) if corrections else {}
    related = relation_of(bvh, own.skeleton, frozenset(fingers.values()))
    skeleton = own.fingers if own.fingers is not None and corrections else own.skeleton
    found = related.found.joints
    turned = found | fingers
    of_each = [corrections[n] if corrections and n in fingers else related.alignment.corrections[n] for n in turned]
    return RigRelation(
        related,
        skeleton,
        np.array(list(turned.values()), np.intp),
        np.array([skeleton.index(shown_by(name, found)) for name in turned], np.intp),
        np.array(of_each, np.float64),
        mid_hips(own.skeleton),
        (found[LEGS[0].root], found[LEGS[1].root]),
        _carrier(bvh, found.values()),
    )


def onto_rig(bvh: BvhFile, own: OwnMotion) -> RigMotion:
    """A motion of ours on a file's rig: reading it from there again gives the same one.

    InputRefused if the rig's joints cannot be recognised, if nothing carries all of them, or if the motion is too long
    for it.
    """
    if len(own.motion) * len(bvh.joints) * 9 > 4 * MAX_CURVE_VALUES:
        raise InputRefused(bvh.source, "has too many joints for a motion this long", "Export a shorter part")
    rig = rig_relation(bvh, own)
    turned = world_turns(rig, own)
    turns = dict(zip(rig.joints.tolist(), np.moveaxis(rig.turns(turned), 1, 0), strict=True))
    frames = _file_frames(bvh, own.motion)
    if rig.carrier not in turns:
        turns[rig.carrier] = _carried_turn(bvh, rig.related, turns, rig.carrier, frames)
    hips = rig.middle(own.motion)
    return RigMotion(turns, hips, rig.legs, rig.carrier, own.motion.fps, frames, rig.moved(own))


def world_turns(rig: RigRelation, own: OwnMotion) -> NDArray[np.floating]:
    """(F, J, 3, 3): how the joints of our body are turned in the world; where the rig has fewer, how they have to be
    for its hands and head to be where ours are."""
    skeleton, motion = rig.skeleton, own.motion
    if skeleton is not own.skeleton:
        motion = as_whole_motion(skeleton, motion, own.turned)
    ours = forward_kinematics_batch(skeleton.parents, skeleton.offsets, motion.root_positions, motion.rotations)
    return made_good(skeleton, rig.related.found.joints, ours.positions, ours.rotations)


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
