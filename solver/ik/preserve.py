"""What is to be kept of the base pose, as rows beside the effectors and as stiffness of joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import POINT
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position
from solver.effectors.residual_kernels import Rows
from solver.ik.preserve_modes import LEAST, limb_of
from solver.ik.problem import IKProblem
from solver.ik.stance.leans import Lean, Strength, joints_with
from solver.kinematics.curves import eased
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised_on_value
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS
from solver.values import FloatArray, frozen_array, read_only

Array = NDArray[np.float64]
DECADES = 1e5  # from the least to the full firmness
PLACE_KNEE = 4e-3  # metres
PLACE_FADING = 0.5
SOFT = 0.4  # of masks after a proposer that has heeded them: a thousandth of the full firmness
CARRIES = 0.2  # of what carries limbs that move and reach by themselves
NOBODY = 2.0  # more than any share
PROPOSED = Strength(1e3, 50.0)  # of a place that a proposal keeps, while it is brought within the limits of joints
FREE_M = 0.05  # metres: once an effector is further off the base pose, what it poses is no longer still
REACHES, LACKS = 0.9, 1.1  # shares of an arm's length: from the first to the second, as the collar helps, it needs more
LAST = 0.03  # of a limb's length: it counts as stretched over at least this much


def without_masks(problem: IKProblem) -> IKProblem:
    """The problem with nothing to be kept of its base pose; itself if nothing is."""
    if not problem.has_masks:
        return problem
    free = frozen_array(np.zeros(len(problem.skeleton)), (None,), "mask")
    return replace(problem, preserve_position=free, preserve_orientation=free)


def held_stiffness(problem: IKProblem, pull: float) -> Array:
    """(J,) stiffness per rad² with which each joint keeps its local orientation; `pull` at mask 1."""
    mask = problem.preserve_orientation
    if not problem.has_masks:
        return np.zeros(len(mask))
    return pull * firmness(mask)


def firmness(mask: FloatArray) -> Array:
    """From 0 at mask 0 to 1 at mask 1, by the same factor for each step: resistances differ by many powers of ten, and
    a pose should change all along a sweep of the mask."""
    return np.expm1(np.log(DECADES) * mask.astype(np.float64)) / (DECADES - 1.0)


def turned_to_base(problem: IKProblem, proposal: Pose) -> Pose:
    """The proposal, each joint turned towards the base pose by the share that it is to be kept.

    So a joint that is half kept is half way between the solver's own pose and the base pose, wherever that is.
    """
    if not problem.has_masks:
        return proposal
    shares = np.maximum(problem.preserve_orientation, problem.preserve_position)
    if shares.max() <= LEAST:
        return proposal
    base = problem.base_pose
    turns = to_rotation_vector(np.swapaxes(proposal.rotations, -1, -2) @ base.rotations)
    rotations = (proposal.rotations @ from_rotation_vector(shares[:, None] * turns)).astype(np.float32)
    rotations[shares >= 1.0] = base.rotations[shares >= 1.0]
    shift = problem.preserve_position[0] * (base.root_position - proposal.root_position)
    return Pose(proposal.root_position + shift, rotations)


def with_place_rows(problem: IKProblem, rows: Rows, strengths: Array, pull: float) -> tuple[Rows, Array]:
    """The effectors, followed by a position row for each joint whose place is to be kept; `pull` per m² at mask 1.

    A joint that has been given a place frees its limb: its forearm cannot stay where it is when a hand is dragged.
    Frozen joints are held otherwise.
    """
    mask = problem.preserve_position
    if not problem.has_masks or mask.max() <= LEAST:
        return rows, strengths
    kept = mask > LEAST
    kept[[problem.skeleton.index(name) for name in problem.frozen]] = False
    for kind, joint in zip(rows.kinds, rows.joints, strict=True):
        if kind == POINT:
            kept[limb_of(problem.skeleton, int(joint))] = False
    joints = np.flatnonzero(kept)
    targets = np.zeros((len(joints), 3, 3))
    targets[:, 0] = forward_kinematics(problem.skeleton, problem.base_pose).positions[joints]
    weights = pull * firmness(mask[joints])
    forces = pull * PLACE_KNEE * mask[joints].astype(np.float64) ** 2  # less firm, they give way over a longer way
    more = np.stack([weights, forces / weights, np.full(len(joints), PLACE_FADING)], axis=1)
    both = Rows(
        np.concatenate([rows.kinds, np.full(len(joints), POINT)]),
        np.concatenate([rows.joints, joints]),
        np.concatenate([rows.targets, targets]),
    )
    return both, np.concatenate([strengths, more])


def proposed_place_leans(problem: IKProblem, pose: Pose) -> tuple[Lean, ...]:
    """Leans to where a proposal has the joints whose places are to be kept, as far as their shapes are not."""
    shares = problem.preserve_position * (1.0 - problem.preserve_orientation)
    if shares.max() <= LEAST:
        return ()
    firm, there = firmness(shares), forward_kinematics(problem.skeleton, pose).positions
    names = problem.skeleton.names
    return tuple(
        Lean(Position(names[j], there[j]), PROPOSED.times(float(firm[j]))) for j in np.flatnonzero(shares > LEAST)
    )


def held_still(problem: IKProblem, pose: Pose) -> Pose:
    """A proposal with all that holds still turned to the base pose, by its share.

    What effectors pose is free to follow them, so masks leave it out, and a network decodes it anew whether anything is
    asked to move there or not. Itself if nothing is still.
    """
    shares = still_shares(problem)
    if shares.max() <= LEAST:
        return pose
    base = problem.base_pose
    turns = to_rotation_vector(np.swapaxes(pose.rotations, -1, -2) @ base.rotations)
    rotations = (pose.rotations @ from_rotation_vector(shares[:, None] * turns)).astype(np.float32)
    rotations[shares >= 1.0] = base.rotations[shares >= 1.0]
    shift = np.float32(shares[0]) * (base.root_position - pose.root_position)
    return Pose(pose.root_position + shift, rotations)


def with_soft_masks(problem: IKProblem) -> IKProblem:
    """The problem after a proposer that has heeded its masks: only what is kept and holds still is kept, softly, and
    more softly what holds still as the limbs that it carries need nothing of it.

    So the limb that is posed bends before the trunk does, and where it does not reach the trunk still gives way.
    """
    kept, still = np.maximum(problem.preserve_position, problem.preserve_orientation), still_shares(problem)
    soft = np.maximum(SOFT * np.minimum(kept, still), np.where(carrying(problem), CARRIES * still, 0.0))
    if not problem.has_masks and not soft.any():
        return problem
    mask = frozen_array(soft.astype(np.float32), (None,), "mask")
    return replace(without_masks(problem), preserve_orientation=mask)


@memoised_on_value
def distances_from_base(problem: IKProblem) -> tuple[float, ...]:
    """How far each effector is from where the base pose has it, by `distance_from`; 0 if it asks for nothing."""
    skeleton, there = problem.skeleton, forward_kinematics(problem.skeleton, problem.base_pose)
    return tuple(e.distance_from(e.at_pose(skeleton, there)) if e.is_active else 0.0 for e in problem.effectors)


def carrying(problem: IKProblem) -> NDArray[np.bool_]:
    """(J,) which joints no effector poses, but lie between the root and those that one does."""
    skeleton = problem.skeleton
    posed, carries = np.zeros((2, len(skeleton)), bool)
    for effector in problem.effectors:
        if effector.is_active:
            joint = skeleton.index(effector.joint)
            posed[limb_of(skeleton, joint) if effector.form == POINT else [joint]] = True
            carries[joint] = True
    for j in range(len(skeleton) - 1, 0, -1):  # parents come first
        carries[skeleton.parents[j]] |= carries[j]
    return carries & ~posed


@memoised_on_value
def still_shares(problem: IKProblem) -> NDArray[np.float64]:
    """(J,) read-only, from 0 to 1, how still each joint is held: never more than the joint that it hangs from. A root
    that no effector poses is as still as its place is kept.

    What effectors pose is held the less, the further one of them has gone from where the base pose has it. What lies
    between the root and such limbs is as still as the least still of them, or as it is to be kept if that is more; on a
    root that is asked for, a limb that reaches by itself counts as still there. All else is as still as it is to be
    kept.
    """
    skeleton, base = problem.skeleton, forward_kinematics(problem.skeleton, problem.base_pose)
    own = np.maximum(problem.preserve_position, problem.preserve_orientation).astype(np.float64)
    posed, beyond = np.zeros(len(skeleton), bool), np.full(len(skeleton), NOBODY)
    root_asked = any(e.is_active and skeleton.index(e.joint) == 0 for e in problem.effectors)
    for effector, away in zip(problem.effectors, distances_from_base(problem), strict=True):
        if effector.is_active:
            share = 1.0 - eased(away / FREE_M)
            joint = skeleton.index(effector.joint)
            limb = limb_of(skeleton, joint) if effector.form == POINT else [joint]
            own[limb] = np.where(posed[limb], np.minimum(own[limb], share), share)
            posed[limb] = True
            if share < 1.0 and root_asked and isinstance(effector, PointEffector):
                share = max(share, 1.0 - stretched(skeleton, effector, base, REACHES, LACKS))
            beyond[joint] = min(beyond[joint], share)
    if not root_asked:
        own[0] = problem.preserve_position[0]
        if own[0] <= LEAST:
            shares = np.zeros(len(skeleton))
            read_only(shares)
            return shares
    for j in range(len(skeleton) - 1, 0, -1):  # parents come first
        above = skeleton.parents[j]
        beyond[above] = min(beyond[above], beyond[j])
    shares = np.where(carrying(problem), np.maximum(own, beyond), own)
    for j, above in enumerate(skeleton.parents[1:], start=1):
        shares[j] = min(shares[j], shares[above])
    read_only(shares)
    return shares


def stretched(skeleton: Skeleton, effector: PointEffector, base: WorldJoints, bent: float, straight: float) -> float:
    """From 0 to 1, how nearly a limb is stretched to where its end is asked to be; 1 for a joint that ends no limb.

    base: of the base pose. bent, straight: shares of its length where that begins, and where it is stretched.
    """
    line = _limb_lines(skeleton).get(skeleton.index(effector.joint))
    if line is None or not effector.holds_joint:
        return 1.0
    longest = float(np.linalg.norm(skeleton.offsets[list(line[1:])], axis=-1).sum())
    was, now = (
        float(np.linalg.norm(place - base.positions[line[0]])) / longest
        for place in (base.positions[line[2]], effector.target)
    )
    low = max(bent, was)  # an arm that hangs down straight need not be stretched to swing
    return eased((now - low) / max(straight - low, LAST))


@memoised_on_value
def _limb_lines(skeleton: Skeleton) -> dict[int, tuple[int, int, int]]:
    """Root, hinge and end of each limb, by its end."""
    rig = rig_of(skeleton)
    lines = (joints_with(rig, limb.line) for limb in LIMBS)
    return {end: (root, hinge, end) for root, hinge, end in (line for line in lines if len(line) == 3)}
