"""Kept places that are held after a solver has heeded them: those of limbs' ends, and of joints that are kept alone.

A network that keeps places compromises between all of them and hits none to the millimetre. What a user keeps in place
stays there as far as bones reach, held only at the ends, so that the rest of each limb is still the network's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.ik.exact import refined_pose
from solver.ik.memory import state_at
from solver.ik.preserve import firmness, with_soft_masks, without_masks
from solver.ik.preserve_modes import LEAST, limb_of
from solver.ik.problem import Cause, IKProblem, Reason
from solver.ik.stance.idle_limbs import arms_of
from solver.ik.stance.leans import Lean, Strength, joints_with
from solver.kinematics.curves import eased, eased_between
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.rotations import interpolate
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
from solver.rig.rig import rig_of
from solver.rig.roles import ENDS, LIMBS, Role
from solver.values import frozen_array

Array = NDArray[np.float64]
# Stiff near the target, but weak: if it cannot be reached otherwise, neither a handle nor a trunk gives way for it.
PLACE, TURN = Strength(3e4, 5.0), Strength(3e3, 2.0)
NEAR = 1e-4  # metres or radians that are not worth bending a limb for
WHOLLY = 6  # power of a strength: what is kept by 0.9 is drawn half of the rest of the way, by 0.7 hardly
HELD, SHAPED = (0.4, 1.0), (0.8, 1.0)  # strengths: from the first on an arm hangs less than at ease, at the last not
BEYOND_M = 0.35  # metres beyond the reach of its limb within which an end is gradually let go of
ALL, NOTED_M = 0.999, 0.01  # a strength that is all of it; metres off its place from which a kept joint has let go


class LetGo(NamedTuple):
    """A kept joint that is not in its place. off_m: metres from there."""

    joint: str
    off_m: float
    reason: Reason


def kept_place_leans(problem: IKProblem, proposal: Pose) -> tuple[Lean, ...]:
    """What holds kept places about a proposal whose ends have come home: a lean to the place of each joint that is
    held, and to the turn of an end of which nothing is asked.

    A strength counts once. The proposal says how far an end comes: one that is kept in part is held where the proposal
    has it, the weaker the less firmly it is kept. Only what is kept almost wholly is drawn on to where it is to stay,
    since in the proposal a limb by itself may not have reached that. What no limb can bring there, such as an elbow, is
    brought by its share of the way here. What is too far from what carries it is let go of, little by little.
    """
    leans = list[Lean]()
    mask, comes_home = problem.preserve_position, _ends_brought_home(problem)
    for j, reached in _held(problem, proposal):
        firm, force = float(firmness(mask[j])), float(mask[j] ** 2) * reached
        share = float(mask[j]) ** (WHOLLY if j in comes_home else 1)
        leans += _leans_towards_base(problem, proposal, j, share * reached, (firm, force))
    return tuple(leans)


def bring_ends_home(problem: IKProblem, proposal: Pose) -> Pose:
    """The proposal with limbs bent so that kept ends come home: to where the base pose has them, or by the share of
    that way that they are kept, as far as bones reach. So the exact stage need not bend a trunk to save a wrist from
    turning.

    First what carries the limbs goes where effectors take it, by as much as ends are kept. About a chest that the
    proposal has elsewhere, arms would change the way they bend while the exact stage brings it there.
    """
    if not held_joints(problem):
        return proposal
    skeleton, carried = problem.skeleton, proposal
    if any(effector.is_active for effector in problem.effectors):
        taken = refined_pose(_without_surroundings(with_soft_masks(problem)), proposal, state_at(proposal))
        carried = pose_between(proposal, taken, float(problem.preserve_position[held_joints(problem)].max()))
    leans, said = _leans_home(problem, carried), forward_kinematics(skeleton, carried)
    if all(lean.effector.distance_from(lean.effector.at_pose(skeleton, said)) < NEAR for lean in leans):
        return carried
    lines = _lines(problem, [skeleton.index(lean.effector.joint) for lean in leans])
    bends = {j for line in lines for j in line}
    for j, above in enumerate(skeleton.parents):  # what hangs from them goes along
        bends |= {j} if above in bends else set()
    frozen = frozenset(name for j, name in enumerate(skeleton.names) if j not in bends)
    alone = replace(
        _without_surroundings(without_masks(problem)), effectors=(), base_pose=carried, frozen=frozen, leans=leans
    )
    return refined_pose(alone, carried)


def let_go(problem: IKProblem, pose: Pose) -> tuple[LetGo, ...]:
    """The joints that are to be held wholly, but are off their places in a solved pose, with the reason; the furthest
    first."""
    joints = [j for j in held_joints(problem) if problem.preserve_position[j] >= ALL]
    base, world = (forward_kinematics(problem.skeleton, each) for each in (problem.base_pose, pose))
    off = np.linalg.norm(base.positions[joints] - world.positions[joints], axis=-1).tolist()
    reached = within_reach(problem, joints, base, world).tolist()
    found = [
        LetGo(problem.skeleton.names[j], far, _why_let_go(problem, base, share if j else 1.0))
        for j, far, share in zip(joints, off, reached, strict=True)
        if far >= NOTED_M
    ]
    return tuple(sorted(found, key=lambda each: -each.off_m))


def _why_let_go(problem: IKProblem, base: WorldJoints, reached: float) -> Reason:
    """Its limb is too short, or else the effector that asks for most comes first."""
    if reached < 1.0 or not (placing := _placing(problem)):
        return Reason(Cause.OUT_OF_REACH)
    most = max(placing, key=lambda e: e.distance_from(e.at_pose(problem.skeleton, base)))
    return Reason(Cause.EFFECTOR, most.joint, most.kind)


def _without_surroundings(problem: IKProblem) -> IKProblem:
    """The problem with nothing around the body, and without standing."""
    return replace(problem, floor=None, obstacles=None, stance=None)


def free_limbs(problem: IKProblem, exact: IKProblem, proposal: Pose) -> IKProblem:
    """What the exact stage is given, with limbs whose ends are held free to bend: the softly kept shape of an arm must
    not take its hand along when the trunk that carries it moves.

    problem: with its masks. exact: as the exact stage is given it.
    """
    soft, free = exact.preserve_orientation, np.ones(len(problem.skeleton), np.float32)
    if not soft.any():
        return exact
    held, roots = _held(problem, proposal), _roots(problem.skeleton)
    for line, (joint, reached) in zip(_lines(problem, [j for j, _ in held]), held, strict=True):
        if line[-1] in roots:
            free[line] = np.minimum(free[line], 1.0 - reached * problem.preserve_position[joint])
    return replace(exact, preserve_orientation=frozen_array(soft * free, (None,), "mask"))


@memoised_on_value
def kept_arms(problem: IKProblem) -> tuple[tuple[list[int], float], ...]:
    """The joints of each arm that is kept, from the collar or shoulder to the hand, and how far it is left as it is
    proposed, 0..1, instead of hanging at ease: the more, the more firmly its wrist is held in place, or if it is kept
    almost wholly in shape.
    """
    if not problem.has_masks:
        return ()
    place, shape = problem.preserve_position, problem.preserve_orientation
    arms = arms_of(problem.skeleton)
    shares = [
        max(eased_between(float(place[line[-2]]), *HELD), eased_between(float(shape[line[-4]]), *SHAPED))
        for line in arms
    ]
    return tuple((line, share) for line, share in zip(arms, shares, strict=True) if share > 0.0)


def _leans_home(problem: IKProblem, proposal: Pose) -> tuple[Lean, ...]:
    """Leans of full strength to where ends come home; for those that are hardly kept, that is where they are."""
    leans, comes_home = list[Lean](), _ends_brought_home(problem)
    for j, reached in _held(problem, proposal):
        if j not in comes_home:
            continue
        share = float(problem.preserve_position[j]) * reached
        leans += _leans_towards_base(problem, proposal, j, share, (1.0, reached))
    return tuple(leans)


@memoised_on_value
def _ends_brought_home(problem: IKProblem) -> set[int]:
    """The held joints that a limb alone can bring home: those with a joint between that bends."""
    roots = _roots(problem.skeleton)
    return {line[0] for line in _lines(problem, held_joints(problem)) if line[-1] in roots and len(line) > 2}


@memoised(4, by_identity=True)  # used both for what is freed and for what is held
def _held(problem: IKProblem, proposal: Pose) -> list[tuple[int, float]]:
    """The joints that are held, and how much of each is within reach."""
    joints = held_joints(problem)
    if not joints:
        return []
    base, said = (forward_kinematics(problem.skeleton, pose) for pose in (problem.base_pose, proposal))
    reached = within_reach(problem, joints, base, said).tolist()
    return [(j, share) for j, share in zip(joints, reached, strict=True) if share > 0.0]


def _leans_towards_base(
    problem: IKProblem, proposal: Pose, joint: int, share: float, strength: tuple[float, float]
) -> list[Lean]:
    """A lean to a place that share of the way from the proposal's to the base pose's, and for an end of which nothing
    is asked one to a turn. strength: shares of the weight and of the force."""
    skeleton, (weight, force) = problem.skeleton, strength
    base, said = (forward_kinematics(skeleton, pose) for pose in (problem.base_pose, proposal))
    place, turn, name = base.positions[joint], base.rotations[joint], skeleton.names[joint]
    if share < 1.0:
        place = said.positions[joint] + np.float32(share) * (place - said.positions[joint])
    leans = [Lean(Position(name, place), Strength(PLACE.weight * weight, PLACE.force * force))]
    if joint in _ends(skeleton) and not any(e.is_active and e.joint == name for e in problem.effectors):
        if share < 1.0:
            turn = interpolate(said.rotations[joint], turn, share).astype(np.float32)
        leans.append(Lean(Rotation(name, turn), Strength(TURN.weight * weight, TURN.force * force)))
    return leans


@memoised_on_value
def held_joints(problem: IKProblem) -> list[int]:
    """Indices of kept joints whose places are held: the root, ends of limbs, and the last of each kept line.

    No joint of a limb that an effector has given a place, and none that an end carries; nor a head on a kept root if
    nothing below it has been given a place: when the root has to rise, a head that holds on lets go with a jerk.
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
    """For each joint, from 1 if its kept place is no further from what carries its limb than bones are long, to 0 if it
    is much further; a joint of no limb is compared with its distance in the base pose.

    base, said: where the base pose and the proposal have the joints. A carrier is where an effector asks for it.
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
    skeleton, carriers, lines = problem.skeleton, _carriers(problem), []
    for joint in joints:
        line = [joint]
        while skeleton.parents[line[-1]] >= 0 and (len(line) == 1 or line[-1] not in carriers):
            line.append(skeleton.parents[line[-1]])
        lines.append(line)
    return lines


@memoised_on_value
def _carriers(problem: IKProblem) -> set[int]:
    skeleton = problem.skeleton
    return {0, *_roots(skeleton), *(skeleton.index(e.joint) for e in _placing(problem))}


@memoised_on_value
def _placing(problem: IKProblem) -> list[PointEffector]:
    return [e for e in problem.effectors if e.is_active and isinstance(e, PointEffector)]


@memoised_on_value
def _roots(skeleton: Skeleton) -> tuple[int, ...]:
    return joints_with(rig_of(skeleton), [limb.root for limb in LIMBS])


@memoised_on_value
def _ends(skeleton: Skeleton) -> tuple[int, ...]:
    return joints_with(rig_of(skeleton), ENDS)
