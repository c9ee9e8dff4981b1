"""Kicks: a foot that stands at one of two keys and is up at the other, its leg stretched, is swung there and back.

Straight from key to key the leg would be stiff. People shift their weight onto the other foot, draw the knee up with
the shin folded below it, and let the shin follow the thigh; the way back is the same played backwards. While the foot
stands, the leg goes as the hips have it; from there on thigh, knee and ankle each turn on a curve of their own, without
a jolt where it leaves the floor, so that a leg that comes to be straight does so evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from app.document.model.clip import Key
from app.document.over_time.body.body_ways import UP, BodyWay
from app.document.over_time.ground import Ground
from app.document.over_time.standing_feet import stands_at
from app.document.over_time.swings import eased, height_shares
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.ik.problem import IKProblem
from solver.kinematics.curves import curve_through, eased_between, even_way, rotation_curve_through
from solver.kinematics.fk import WorldJoints, forward_kinematics, forward_kinematics_batch
from solver.kinematics.limits import BEND, KNEES, joint_limits
from solver.kinematics.pose import Pose, Poses
from solver.kinematics.rotations import angle_between, from_rotation_vector, to_rotation_vector
from solver.kinematics.two_bones import brought_to
from solver.rig.rig import Rig
from solver.rig.roles import LEGS, Limb

Array = NDArray[np.float64]
Worlds = tuple[WorldJoints, WorldJoints]

# Of a leg that kicks: parts of its length from hip to ankle at least; how far its way from the hip goes up and ahead of
# the pelvis at least, as cosines; and parts of its length that the ankle comes up. One stretched behind is a dancer's,
# and those of who bends down over straight legs stay on the floor.
STRETCHED, HIGH, AHEAD, RISES = 0.9, -0.5, -0.7, 0.2
FOLDS = np.radians(95.0)  # that the knee is bent at most on the way
THRUSTS = np.radians([75.0, 110.0])  # between shin and foot: a foot stretched so far snaps; bent so far, it thrusts
NEAREST = np.radians(60.0)  # between a thigh that is drawn up to thrust and the trunk
# Shares of the time from the key at which the foot stands to the other: when it leaves the floor if the other one does
# not step, and when weight is on that.
LEAVES, SHIFTS = 0.1, 0.6
# Shares of the time that the foot is up: when the thigh has come up; when the knee has folded, and begins to unfold.
THIGH, FOLDED, UNFOLDS = 0.8, 0.9, 0.1
LEAST_S = 0.3  # seconds from key to key that a kick takes
LIFT_M, LIFTED = 0.06, 0.5  # metres that the foot is lifted besides, and in what share of that time: toes do not scrape


class Kick(NamedTuple):
    """leg: its index in `LEGS`. first, last: the frames of the keys. up: (F,) whether its foot is off the floor at each
    frame from the first key to the last. turns: (F, 3, 3, 3) R_parent_joint of hip, knee and ankle at each. lifts: (F,)
    metres that the foot is higher besides. place, turn: (3,) metres and (3, 3) R_world_joint of the ankle as it
    stands."""

    leg: int
    first: int
    last: int
    up: NDArray[np.bool_]
    turns: Array
    lifts: Array
    place: Array
    turn: Array

    def within(self, frame: int) -> bool:
        """Whether a frame is between its keys."""
        return self.first < frame < self.last


def kick(
    rig: Rig,
    keys: Sequence[Key],
    both: tuple[Key, Key],
    worlds: Worlds,
    ground: Ground | None,
    steps: float,
    fps: float,
) -> tuple[Kick, BodyWay] | None:
    """How a leg kicks from one of `keys` to the next, and how the body goes; None if none does, or there is no time for
    it. steps: the share of the time for which the other foot steps."""
    if both[1].frame - both[0].frame < max(LEAST_S * fps, 2.0):
        return None
    for leg, limb in enumerate(LEGS):
        up = [kicks(rig, limb, *order) for order in (worlds, worlds[::-1])]
        stands = [[stands_at(rig, each, *at, ground) for at in zip(both, worlds, strict=True)] for each in LEGS]
        late = up[1]
        if sum(up) == 1 and stands[leg][1 - int(late)] and all(stands[1 - leg]) and rig.name(limb.hinge) in KNEES:
            way = _way(keys, both, late)
            return _kick(rig, leg, keys, both, worlds, late, steps, way), way
    return None


def _kick(
    rig: Rig,
    leg: int,
    keys: Sequence[Key],
    both: tuple[Key, Key],
    worlds: Worlds,
    late: bool,
    busy: float,
    way: BodyWay,
) -> Kick:
    """The kick of a leg. late: whether it is up at the second key, and not at the first. busy: the share of the time
    for which the other foot steps, from the key at which this one stands. way: of the body."""
    order, limb = (1 if late else -1), LEGS[leg]
    joints = rig.joint(limb.root), rig.joint(limb.hinge), rig.joint(limb.end)
    low, high = both[::order]
    stands, ends_up = worlds[::order]
    count = len(way.gone)
    first = round(max(LEAVES, busy) * (count - 1))  # the last frame at which the foot stands
    place, turn = (each[joints[2]].astype(np.float64) for each in (stands.positions, stands.rotations))
    down = _planted(rig, joints, low.pose, _roots(keys, way)[::order][: first + 2], place, turn)
    share = np.linspace(0.0, 1.0, count - first)[1:]
    folds = eased((share / FOLDED).clip(0.0, 1.0)) * (1.0 - eased(((share - UNFOLDS) / (1.0 - UNFOLDS)).clip(0.0, 1.0)))
    axis = joint_limits((rig.names[joints[1]],)).frames[0][:, BEND]
    ends = high.pose.rotations[list(joints)].astype(np.float64)
    bent = max(float(to_rotation_vector(each) @ axis) for each in (down[first][1], ends[1]))
    fold = max(FOLDS - bent, 0.0) / folds.max()
    raises = fold * _thrust(rig, limb, ends_up, ends, axis, fold * folds.max())
    up = np.stack([_swung(down[:, n], ends[n], share, THIGH if n == 0 else 1.0) for n in range(len(joints))], axis=1)
    up[:, 0] = up[:, 0] @ from_rotation_vector(np.multiply.outer(-raises * folds, axis))
    up[:, 1] = up[:, 1] @ from_rotation_vector(np.multiply.outer(fold * folds, axis))
    turns, off = np.concatenate([down[: first + 1], up])[::order], (np.arange(count) > first)[::order]
    lifts = np.append(np.zeros(first + 1), LIFT_M * height_shares((share / LIFTED).clip(0.0, 1.0)))[::order]
    return Kick(leg, way.first, way.last, off, turns, lifts, place, turn)


def _roots(keys: Sequence[Key], way: BodyWay) -> list[tuple[Array, Array]]:
    """Where the pelvis is at each frame between two of `keys`, (3,) metres, and how it is turned, (3, 3)."""
    frames, at = np.arange(way.first, way.last + 1), [key.frame for key in keys]
    turns = rotation_curve_through(at, np.stack([key.pose.rotations[0] for key in keys]), frames)
    places = curve_through(at, np.stack([key.pose.root_position for key in keys]), frames) + way.aside(frames)
    return list(zip(places, turns, strict=True))


def _planted(
    rig: Rig, joints: tuple[int, int, int], pose: Pose, roots: Sequence[tuple[Array, Array]], place: Array, turn: Array
) -> Array:
    """(N, 3, 3, 3) R_parent_joint of hip, knee and ankle as the pelvis goes, the ankle at a place and turned so."""
    rotations = np.repeat(pose.rotations[None], len(roots), axis=0)
    rotations[:, 0] = [turned for _, turned in roots]
    poses = Poses(np.array([root for root, _ in roots], np.float32), rotations)
    poses = brought_to(rig, poses, joints, np.repeat(place[None], len(roots), axis=0))
    shins = forward_kinematics_batch(rig.parents, rig.offsets, *poses).rotations[:, joints[1]]
    found = poses.rotations[:, list(joints)].astype(np.float64)
    found[:, 2] = np.swapaxes(shins, -1, -2) @ turn
    return found


def _swung(down: Array, end: Array, share: Array, until: float) -> Array:
    """(N, 3, 3) turns of a joint at shares (N,) of the time that the foot is up, from how it was turned last in `down`
    (M, 3, 3), the last of which is one frame later, on at that pace; there before the end. until: when."""
    start, frame = down[-2], share[0] / until
    goes = to_rotation_vector(down[-3].T @ start) if len(down) > 2 else np.zeros(3)
    went = to_rotation_vector(start.T @ down[-1])
    rate, bend = (goes + went) / 2.0 / frame, (went - goes) / frame**2
    done = (share / until).clip(0.0, 1.0)[:, None]
    way = np.asarray(to_rotation_vector(start.T @ end), np.float64)
    return np.asarray(start @ from_rotation_vector(even_way(done, way, rate, np.zeros(3), (bend, np.zeros(3)))))


def _way(keys: Sequence[Key], both: tuple[Key, Key], late: bool) -> BodyWay:
    """How the body goes between two of `keys`: soon over the foot that stays."""
    frames = np.arange(both[0].frame, both[1].frame + 1)
    share = np.linspace(0.0, 1.0, len(frames))
    gone = eased((share / SHIFTS).clip(0.0, 1.0)) if late else 1.0 - eased(((1.0 - share) / SHIFTS).clip(0.0, 1.0))
    ends = np.stack([key.pose.root_position for key in both]).astype(np.float64)
    straight = curve_through([key.frame for key in keys], np.stack([key.pose.root_position for key in keys]), frames)
    besides = ends[0] + gone[:, None] * (ends[1] - ends[0]) - straight
    way, at = BodyWay(both[0].frame, both[1].frame, ends, gone, None, besides=besides), frames[[0, -1]].astype(float)
    return way._replace(lower=(at, np.zeros(2)), leans=(at, np.zeros((2, 3))))  # hips are held there firmly


def with_kicks(rig: Rig, own: Sequence[Kick], poses: Sequence[Pose], frames: Frames) -> list[Pose]:
    """The poses of some frames with the legs of those that kick."""
    return [_with_legs(rig, [kick for kick in own if kick.within(frame)], pose, frame)
            for pose, frame in zip(poses, frames.tolist(), strict=True)]  # fmt: skip


def with_kicking_feet(
    effectors: Sequence[Effector], rig: Rig, own: Sequence[Kick], frame: int, base: Pose
) -> tuple[Effector, ...]:
    """The effectors of a frame with the feet of those that kick where its base pose has them, or still standing."""
    made = tuple(effectors)
    for one in own:
        if one.within(frame):
            limb, ankle = LEGS[one.leg], rig.joint(LEGS[one.leg].end)
            foot, place, turn = rig.names_of((limb.end, limb.tip)), one.place, one.turn
            if one.up[frame - one.first]:
                there = forward_kinematics(rig, base)
                place, turn = (each[ankle] for each in (there.positions, there.rotations))
                place = place + one.lifts[frame - one.first] * UP
            made = (
                *(e for e in made if e.joint not in foot),
                Position(rig.names[ankle], place.astype(np.float32), id="kicks"),
                Rotation(rig.names[ankle], turn.astype(np.float32), id="kicks' turn"),
            )
    return made


def as_kept(problems: Sequence[IKProblem], kept: Poses, proposals: Poses) -> Poses:
    """The poses on the way from key to key, in place of proposals: who kicks goes as their joints do, and networks,
    that know nothing of it, threw heads and arms about."""
    return kept


def _with_legs(rig: Rig, own: Sequence[Kick], pose: Pose, frame: int) -> Pose:
    if not own:
        return pose
    rotations = np.array(pose.rotations, np.float32)
    for one in own:
        limb = LEGS[one.leg]
        rotations[[rig.joint(role) for role in (limb.root, limb.hinge, limb.end)]] = one.turns[frame - one.first]
    return replace(pose, rotations=rotations)


def kicks(rig: Rig, limb: Limb, up: WorldJoints, down: WorldJoints) -> bool:
    """Whether a leg is up at one of two keys, beside the other, and stretched as in a kick."""
    way = (up.positions[rig.joint(limb.end)] - up.positions[rig.joint(limb.root)]).astype(np.float64)
    far = float(np.linalg.norm(way))
    beside = up.rotations[0].T @ way / far
    rises, long = float((up.positions - down.positions)[rig.joint(limb.end), 1]), rig.limb_length(limb)
    return far > STRETCHED * long and rises > RISES * long and beside[1] > HIGH and beside[2] > AHEAD


def _thrust(rig: Rig, limb: Limb, up: WorldJoints, turns: Array, axis: Array, fold: float) -> float:
    """How far the thigh is drawn up as the knee folds by so many radians, as a share of that: half of it has the foot
    go straight to where it comes to, as with the sole ahead; nothing has it swing about the knee."""
    knee, ankle, ball = (up.positions[rig.joint(role)].astype(np.float64) for role in (limb.hinge, limb.end, limb.tip))
    share = 0.5 * eased_between(angle_between(ankle - knee, ball - ankle), *THRUSTS)
    shares = np.linspace(share, 0.0, 11)
    thigh = rig.offsets[rig.joint(limb.hinge)].astype(np.float64)
    thigh /= np.linalg.norm(thigh)
    drawn = (turns[0] @ from_rotation_vector(np.multiply.outer(-shares * fold, axis)) @ thigh)[:, 1]
    near = drawn < max(np.cos(NEAREST), drawn[-1])
    return float(shares[int(near.argmax())])
