"""A pose of ours on a rig with fewer joints: its other joints make good what those it lacks would bend."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
from solver.rig.rig import Rig, mid_hips, rig_of
from solver.rig.roles import ARMS, LEGS, SPINE, Limb, Role
from solver.values import FloatArray

Array = NDArray[np.float64]
_BENT_BY = (*SPINE, *(arm.girdle for arm in ARMS if arm.girdle))  # without which hands and head would go astray
MERGEABLE = (*_BENT_BY, Role.NECK)
_AT_REST = 5e-4  # in entries of rotations: solvers bend such joints by less, even where a pin is out of reach
_NEXT, _LAST = [1, 2, 0], [2, 0, 1]
_NOTHING = 1e-5  # metres by which places may differ, as single precision has them


def shown_by(name: str, found: Collection[str]) -> str:
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


def unbent(skeleton: Skeleton, pose: Pose) -> Pose:
    """The pose with the rig's merged joints at rest, as the character is drawn that lacks them; the pose itself if they
    are, or if there are none."""
    rig = rig_of(skeleton)
    return _unbent_pose(rig, pose) if _bends_merged(rig, pose.rotations) else pose


@memoised(32, by_identity=True)  # a drag asks with one base pose in every step
def _unbent_pose(rig: Rig, pose: Pose) -> Pose:
    roots, rotations = _unbent(rig, pose.root_position[None], pose.rotations[None])
    return Pose(roots[0], rotations[0])


def unbent_motion(skeleton: Skeleton, motion: Motion) -> Motion:
    """As `unbent`, of all frames."""
    rig = rig_of(skeleton)
    if not _bends_merged(rig, motion.rotations):
        return motion
    return Motion(*_unbent(rig, motion.root_positions, motion.rotations), motion.fps)


def _bends_merged(rig: Rig, rotations: FloatArray) -> bool:
    if not rig.merged:  # as nearly always
        return False
    merged = list(rig.merged_joints)
    return bool(np.abs(rotations[..., merged, :, :] - np.eye(3)).max() > _AT_REST)


def _unbent(rig: Rig, roots: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(F, 3) places and (F, J, 3, 3) local rotations."""
    ours = forward_kinematics_batch(rig.parents, rig.offsets, roots, rotations)
    found = frozenset(role for role in rig.roles if role is not None and role not in rig.merged)
    turned = np.asarray(made_good(rig, found, ours.positions, ours.rotations), np.float64)
    world = turned[:, _turns_with(rig, found)]
    local = np.swapaxes(world[:, list(rig.parents)], -1, -2) @ world
    local[:, 0], local[:, list(rig.merged_joints)] = world[:, 0], np.eye(3)
    moved = (ours.rotations[:, 0] - world[:, 0]) @ mid_hips(rig)  # the middle between the hips stays
    return (roots + moved).astype(np.float32), local.astype(np.float32)


def _turns_with(skeleton: Skeleton, found: Collection[str]) -> list[int]:
    """Which of our joints each turns with on a rig that has only the joints `found`."""
    with_: list[int] = []
    for name, above in zip(skeleton.names, skeleton.parents, strict=True):
        with_.append(skeleton.index(shown_by(name, found)) if name in found or above < 0 else with_[above])
    return with_


def made_good(
    skeleton: Skeleton, found: Collection[str], places: NDArray[np.floating], turned: NDArray[np.floating]
) -> NDArray[np.floating]:
    """(F, J, 3, 3): how our joints have to be turned in the world for a rig with only the joints `found` to have its
    shoulders, hands and head where ours are.

    Pelvis and spine lean to where our neck is, collars rise to the shoulders, limbs bend until wrists and ankles are
    where ours are, and the neck leans to the head. A pose in which none of the missing joints bends stays as it is to
    the last bit, so a motion that came from such a rig goes back unaltered. A rig with our spine and collars is left
    alone. places: (F, J, 3) metres; turned: (F, J, 3, 3) in the world.
    """
    if all(role in found for role in _BENT_BY):
        return turned
    rig = _Fewer(skeleton, found, np.asarray(places, np.float64), turned)
    if not rig.is_off().any():
        return turned
    if rig.lean_pelvis():
        for leg in LEGS:
            rig.reach(leg)
    rig.lean_spine()
    for arm in ARMS:
        rig.raise_collar(arm)
        rig.reach(arm)
    rig.lean_neck()
    return np.where(rig.is_off()[:, None, None, None], rig.turned, turned)


class _Fewer:
    """Our skeleton with a rig's joints alone: those that it lacks do not turn."""

    def __init__(self, skeleton: Skeleton, found: Collection[str], goals: Array, turned: NDArray[np.floating]) -> None:
        self._skeleton, self._found, self._goals = skeleton, found, goals
        self.turned = np.array(turned, np.float64)
        self._shows, self._lines = _turns_with(skeleton, found), _lines(skeleton)
        self._top = Role.NECK if Role.NECK in found else Role.HEAD
        self._hips = mid_hips(skeleton)
        self._middle = goals[:, 0] + self.turned[:, 0] @ self._hips
        ends = [skeleton.index(role) for role in (*(arm.root for arm in ARMS), Role.NECK)]
        self._off = np.linalg.norm((self._places() - goals)[:, ends], axis=-1).max(axis=-1) > _NOTHING

    def is_off(self) -> NDArray[np.bool_]:
        """(F,) in which frames a missing joint bends."""
        return self._off

    def lean_pelvis(self) -> bool:
        """Turn the pelvis of a rig without the spine's lowest joint, about the middle between the hips, so that the
        next one gets to ours; whether it had to."""
        if SPINE[0] in self._found:
            return False
        end = self._skeleton.index(next((role for role in SPINE if role in self._found), self._top))
        self._turn(Role.PELVIS, self._places()[:, end] - self._middle, self._goals[:, end] - self._middle)
        return True

    def lean_spine(self) -> None:
        """Turn each joint of the spine, from low to high, so that neck or head get to ours as nearly as they can."""
        spine = [role for role in SPINE if role in self._found]
        top = self._skeleton.index(self._top)
        for number, role in enumerate(spine):
            places, joint = self._places(), self._skeleton.index(role)
            end = places[:, self._skeleton.index(spine[number + 1]) if role != spine[-1] else top]
            self._turn(role, end - places[:, joint], end + self._goals[:, top] - places[:, top] - places[:, joint])

    def raise_collar(self, arm: Limb) -> None:
        """Turn a collar so that the shoulder gets to ours, as nearly as it can."""
        if arm.girdle is not None and arm.girdle in self._found:
            self._aim(arm.girdle, arm.root)

    def lean_neck(self) -> None:
        """Turn the neck so that the head gets to ours, as nearly as it can."""
        if Role.NECK in self._found:
            self._aim(Role.NECK, Role.HEAD)

    def reach(self, limb: Limb) -> None:
        """Bend and turn a limb so that its wrist or ankle gets to ours."""
        root, hinge, end = (self._skeleton.index(role) for role in limb.line)
        places, goal = self._places(), self._goals[:, end]
        upper, lower, way = (
            places[:, hinge] - places[:, root], places[:, end] - places[:, hinge], goal - places[:, root]
        )  # fmt: skip
        a, b, far = (np.linalg.norm(each, axis=-1) for each in (upper, lower, way))
        bend = np.arccos(np.clip((far**2 - a**2 - b**2) / (2 * a * b), -1.0, 1.0))
        axis, straight = _cross(upper, lower), self.turned[:, root] @ self._hinge_axis(limb)
        now = np.arctan2(np.linalg.norm(axis, axis=-1), (upper * lower).sum(axis=-1))
        axis = _unit(axis + 1e-3 * a[:, None] * b[:, None] * straight)
        bent = from_rotation_vector(axis * (bend - now)[:, None])
        lower = (bent @ lower[..., None])[..., 0]
        self.turned[:, hinge] = bent @ self.turned[:, hinge]
        swung = _between(upper + lower, way)
        for joint in (root, hinge):
            self.turned[:, joint] = swung @ self.turned[:, joint]

    def _hinge_axis(self, limb: Limb) -> Array:
        """(3,) unit: about which a forearm comes forward at rest, or a calf goes back."""
        rest = self._skeleton.rest_positions.astype(np.float64)
        upper = rest[self._skeleton.index(limb.hinge)] - rest[self._skeleton.index(limb.root)]
        return _unit(_cross(upper, np.array([0.0, 0.0, 1.0 if limb in ARMS else -1.0])))

    def _aim(self, role: Role, at: Role) -> None:
        places, joint, end = self._places(), self._skeleton.index(role), self._skeleton.index(at)
        self._turn(role, places[:, end] - places[:, joint], self._goals[:, end] - places[:, joint])

    def _turn(self, role: Role, one: Array, other: Array) -> None:
        shown = self._shows[self._skeleton.index(role)]
        self.turned[:, shown] = _between(one, other) @ self.turned[:, shown]

    def _places(self) -> Array:
        """(F, J, 3): where the joints are."""
        parents, offsets = self._skeleton.arrays
        turns = self.turned[:, self._shows]
        steps = (turns[:, parents] @ offsets[:, :, None])[..., 0]
        steps[:, 0] = self._middle - self.turned[:, 0] @ self._hips
        return np.asarray(self._lines @ steps)


@memoised_on_value
def _lines(skeleton: Skeleton) -> Array:
    """(J, J): for each joint 1 at itself and at those above it, else 0."""
    lines = np.eye(len(skeleton))
    for j, above in enumerate(skeleton.parents[1:], start=1):
        lines[j] += lines[above]
    return lines


def _between(one: Array, other: Array) -> Array:
    """(F, 3, 3): the smallest rotations that turn directions (F, 3) into others, less than half a turn away."""
    axis, along = _cross(one, other), (one * other).sum(axis=-1)
    sine = np.linalg.norm(axis, axis=-1)
    return np.asarray(from_rotation_vector(_unit(axis) * np.arctan2(sine, along)[:, None]))


def _cross(one: Array, other: Array) -> Array:
    """(..., 3), as np.cross in a fifth of its time."""
    return one[..., _NEXT] * other[..., _LAST] - one[..., _LAST] * other[..., _NEXT]


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1.0))
