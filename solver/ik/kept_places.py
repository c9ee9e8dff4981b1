"""Kept places that are held after a solver has heeded them: those of limbs' ends, and of who is kept alone.

A network that keeps places means them all at once and hits none to the millimetre. What a user keeps in place stays
there where bones reach, held at the ends alone, so that the rest of each limb is still the network's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.ik.exact import refine
from solver.ik.preserve import firmness, without_masks
from solver.ik.preserve_modes import LEAST, limb_of
from solver.ik.problem import IKProblem
from solver.ik.stance.leans import Lean, Strength, joints_with
from solver.kinematics.curves import eased
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.made_once import kept_within
from solver.rig.rig import rig_of
from solver.rig.roles import ENDS, LIMBS, Role

Array = NDArray[np.float64]
# Stiff near the target, and gentle: where it cannot be reached without that, neither a handle nor a trunk gives way.
PLACE, TURN = Strength(3e4, 5.0), Strength(3e3, 2.0)
NEAR = 1e-4  # metres or radians that are not worth bending a limb for
BEYOND_M = 0.16  # metres beyond the reach of its limb over which an end is let go of


def place_leans(problem: IKProblem, proposal: Pose) -> tuple[Lean, ...]:
    """What holds kept places about a proposal that has heeded the masks: a lean to the place of each joint that is
    held, and to the turn of an end of which nothing is asked.

    The less firmly the mask keeps a place, the nearer to the proposal's the lean aims, and the weaker it is. What is
    too far from what carries it is let go of, little by little.
    """
    skeleton, mask = problem.skeleton, problem.preserve_position
    joints = held_joints(problem)
    if not joints:
        return ()
    base, said = (forward_kinematics(skeleton, pose) for pose in (problem.base_pose, proposal))
    reached = within_reach(problem, joints, base, said)
    parts, firm = (mask[joints] * reached).astype(np.float32), firmness(mask[joints])
    places, turns = base.positions[joints], base.rotations[joints]
    if parts.min() < 1.0:
        places = said.positions[joints] + parts[:, None] * (places - said.positions[joints])
        ways = to_rotation_vector(np.swapaxes(said.rotations[joints], -1, -2) @ turns)
        partly = (said.rotations[joints] @ from_rotation_vector(parts[:, None] * ways)).astype(np.float32)
        turns = np.where(parts[:, None, None] < 1.0, partly, turns)
    asked, leans = {skeleton.index(e.joint) for e in problem.effectors if e.asks}, list[Lean]()
    for i, j in enumerate(joints):
        if reached[i] <= 0.0:
            continue
        name, weight, force = skeleton.names[j], float(firm[i]), float(mask[j] ** 2 * reached[i])
        leans.append(Lean(Position(name, places[i]), Strength(PLACE.weight * weight, PLACE.force * force)))
        if j in _ends(skeleton) and j not in asked:
            leans.append(Lean(Rotation(name, turns[i]), Strength(TURN.weight * weight, TURN.force * force)))
    return tuple(leans)


def ends_home(problem: IKProblem, proposal: Pose) -> Pose:
    """The proposal with limbs bent so that kept ends are where they are to be held, as far as bones reach; what carries
    the limbs stays. So the exact stage need not bend a trunk to save a wrist from turning.
    """
    skeleton, leans = problem.skeleton, place_leans(problem, proposal)
    said = forward_kinematics(skeleton, proposal)
    if all(lean.effector.distance_from(lean.effector.at(skeleton, said)) < NEAR for lean in leans):
        return proposal
    lines = _lines(problem, [skeleton.index(lean.effector.joint) for lean in leans])
    bends = {j for line in lines if line[-1] in _roots(skeleton) for j in line}
    for j, above in enumerate(skeleton.parents):  # what hangs from them goes along
        bends |= {j} if above in bends else set()
    frozen = frozenset(name for j, name in enumerate(skeleton.names) if j not in bends)
    alone = replace(
        without_masks(problem), effectors=(), base_pose=proposal, frozen=frozen, leans=leans,
        floor=None, obstacles=None, stance=None,
    )  # fmt: skip
    return refine(alone, proposal).pose


def held_joints(problem: IKProblem) -> list[int]:
    """Indices of kept joints whose places are held: the root, ends of limbs, and the last of each kept line.

    None of a limb that an effector has given a place, nor what an end carries; nor a head on a kept root if nothing
    below it has been given a place: where that has to rise, a head that holds on lets go with a jerk.
    """
    skeleton = problem.skeleton
    kept = problem.preserve_position > LEAST
    if not kept.any() or problem.frozen:
        return []
    placing = [skeleton.index(effector.joint) for effector in _placing(problem)]
    for joint in placing:
        kept[limb_of(skeleton, joint)] = False
    limbs, parents, head = _ends(skeleton), skeleton.parents, rig_of(skeleton).find(Role.HEAD)
    held = []
    for j in np.flatnonzero(kept).tolist():
        last = not any(kept[child] for child in skeleton.children(j))
        on_end = parents[j] in limbs and kept[parents[j]]
        if j == 0 or j in limbs or (last and not on_end):
            held.append(j)
    if kept[0]:
        begins = [line[-1] for line in _lines(problem, held)]
        stay = {0, *limbs} - {head}
        held = [j for j, begin in zip(held, begins, strict=True) if j in stay or begin in placing]
    return held


def within_reach(problem: IKProblem, joints: Sequence[int], base: WorldJoints, said: WorldJoints) -> Array:
    """For each joint, from 1 where its kept place is no further from what carries its limb than bones are long to 0
    where it is much further; of what belongs to no limb no further than in the base pose.

    base, said: where the base pose has joints, and a proposal. A carrier is where an effector asks for it.
    """
    skeleton, roots = problem.skeleton, _roots(problem.skeleton)
    asked = {skeleton.index(e.joint): e.target for e in _placing(problem) if e.holds_joint}
    shares = []
    for line in _lines(problem, joints):
        there, begins = base.positions[line[0]], line[-1]
        far = float(np.linalg.norm(there - asked.get(begins, said.positions[begins])))
        if begins in roots:
            reach = float(np.linalg.norm(skeleton.offsets[line[:-1]], axis=-1).sum())
        else:
            reach = float(np.linalg.norm(there - base.positions[begins]))
        shares.append(1.0 - eased((far - reach) / BEYOND_M))
    return np.array(shares)


def _lines(problem: IKProblem, joints: Sequence[int]) -> list[list[int]]:
    """From each joint up to what carries it: where its limb begins, what has been given a place, or the root."""
    skeleton = problem.skeleton
    carriers = {0, *_roots(skeleton), *(skeleton.index(e.joint) for e in _placing(problem))}
    lines = []
    for joint in joints:
        line = [joint]
        while skeleton.parents[line[-1]] >= 0 and (len(line) == 1 or line[-1] not in carriers):
            line.append(skeleton.parents[line[-1]])
        lines.append(line)
    return lines


def _placing(problem: IKProblem) -> list[PointEffector]:
    return [e for e in problem.effectors if e.asks and isinstance(e, PointEffector)]


@kept_within
def _roots(skeleton: Skeleton) -> tuple[int, ...]:
    return joints_with(rig_of(skeleton), [limb.root for limb in LIMBS])


@kept_within
def _ends(skeleton: Skeleton) -> tuple[int, ...]:
    return joints_with(rig_of(skeleton), ENDS)
