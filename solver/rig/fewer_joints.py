"""A pose of ours on a rig with fewer joints: its other joints make good what those it lacks would bend."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
from solver.rig.rig import Rig, mid_hips, rig_of
from solver.rig.roles import ARMS, LEGS, SPINE, Limb, Role
from solver.values import FloatArray

Array = NDArray[np.float64]
_BENT_BY = (*SPINE, *(arm.girdle for arm in ARMS if arm.girdle))  # without which hands and head would go astray
TIPS = (*(leg.tip for leg in LEGS), *(arm.tip for arm in ARMS))  # nothing hangs from them
MERGEABLE = (*_BENT_BY, Role.NECK, *TIPS)  # bodies' names say their places in this row: add new ones at its end
_AT_REST = 5e-4  # in entries of rotations: solvers bend such joints by less, even where a pin is out of reach
_STRAIGHT = np.eye(3, dtype=np.float32)
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
    off = rotations.take(rig.merged_joints, axis=-3) - _STRAIGHT
    return bool(max(off.max(), -off.min()) > _AT_REST)


def _unbent(rig: Rig, roots: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(F, 3) places and (F, J, 3, 3) local rotations."""
    if rig.merged.issubset(TIPS):
        straight = rotations.copy()
        straight[:, list(rig.merged_joints)] = np.eye(3)
        return roots, straight
    ours, found = forward_kinematics_batch(rig.parents, rig.offsets, roots, rotations), _roles_of(rig)
    turned = np.asarray(made_good(rig, found, ours.positions, ours.rotations), np.float64)
    shown = _rig_with(rig, found).joints
    world = turned[:, shown["shows"]]
    local = np.swapaxes(world[:, list(rig.parents)], -1, -2) @ world
    local[:, 0], local[:, list(rig.merged_joints)] = world[:, 0], np.eye(3)
    moved = (ours.rotations[:, 0] - world[:, 0]) @ shown["hips"]  # the middle between the hips stays
    return (roots + moved).astype(np.float32), local.astype(np.float32)


@memoised_on_value
def _roles_of(rig: Rig) -> frozenset[Role]:
    """Of the joints that are not merged."""
    return frozenset(role for role in rig.roles if role is not None and role not in rig.merged)


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
    rig = _rig_with(skeleton, found)
    goals, turns = np.array(places, np.float64, order="C"), np.array(turned, np.float64, order="C")
    off = rig.is_off(goals, turns)
    if not off.any():
        return turned
    from solver.rig.fewer_joints_kernels import Fewer, make_good  # numba takes long to load

    make_good(Fewer(**rig.joints), goals, off, turns)
    return turns


@memoised(64, by_identity=True)  # each solve, and each picture, asks for the same one
def _rig_with(skeleton: Skeleton, found: Collection[str]) -> _Rig:
    return _Rig(skeleton, found)


class _Rig:
    """Our skeleton with a rig's joints alone: those that it lacks do not turn. joints: as `Fewer` has them."""

    def __init__(self, skeleton: Skeleton, found: Collection[str]) -> None:
        self._lines, (parents, offsets) = _lines(skeleton), skeleton.arrays
        index, spine = skeleton.index, [role for role in SPINE if role in found]
        top = Role.NECK if Role.NECK in found else Role.HEAD
        collars = [(arm.girdle, arm.root) for arm in ARMS if arm.girdle is not None and arm.girdle in found]
        self.joints: dict[str, Any] = {
            "parents": parents,
            "offsets": offsets,
            "shows": np.array(_turns_with(skeleton, found), np.int64),
            "hips": mid_hips(skeleton),
            "spine": _rows(skeleton, pairwise((*spine, top)), 2),
            "collars": _rows(skeleton, collars, 2),
            "neck": _rows(skeleton, [(Role.NECK, Role.HEAD)] if Role.NECK in found else [], 2),
            "legs": _rows(skeleton, [leg.line for leg in LEGS], 3),
            "arms": _rows(skeleton, [arm.line for arm in ARMS], 3),
            "bends": np.array([_bend(skeleton, limb) for limb in (*LEGS, *ARMS)]),
            "top": index(top),
            "pelvis": -1 if SPINE[0] in found else index(spine[0] if spine else top),
        }
        self._ends = [index(role) for role in (*(arm.root for arm in ARMS), Role.NECK)]

    def is_off(self, goals: Array, turned: Array) -> NDArray[np.bool_]:
        """(F,) in which frames a missing joint bends."""
        parents, offsets, shows = (self.joints[name] for name in ("parents", "offsets", "shows"))
        steps = (turned[:, shows[parents]] @ offsets[:, :, None])[..., 0]
        steps[:, 0] = goals[:, 0]
        return np.asarray(np.linalg.norm((self._lines @ steps - goals)[:, self._ends], axis=-1).max(axis=-1) > _NOTHING)


def _rows(skeleton: Skeleton, roles: Iterable[Sequence[Role]], wide: int) -> NDArray[np.int64]:
    """(N, wide): joints by index."""
    return np.array([[skeleton.index(role) for role in row] for row in roles], np.int64).reshape(-1, wide)


def _bend(skeleton: Skeleton, limb: Limb) -> Array:
    """(3,) unit: about which a forearm comes forward at rest, or a calf goes back."""
    rest = skeleton.rest_positions.astype(np.float64)
    upper = rest[skeleton.index(limb.hinge)] - rest[skeleton.index(limb.root)]
    axis = np.cross(upper, [0.0, 0.0, 1.0 if limb in ARMS else -1.0])
    return np.asarray(axis / np.linalg.norm(axis))


@memoised_on_value
def _lines(skeleton: Skeleton) -> Array:
    """(J, J): for each joint 1 at itself and at those above it, else 0."""
    lines = np.eye(len(skeleton))
    for j, above in enumerate(skeleton.parents[1:], start=1):
        lines[j] += lines[above]
    return lines
