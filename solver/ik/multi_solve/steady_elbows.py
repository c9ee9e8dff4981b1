"""Elbows between keys that do not turn over from one frame to the next.

Where hands go straight from key to key, the joints' own curves may take them far from there. The exact stage brings
them home by turning shoulders as little as it can, which may leave an elbow on one side of the arm at one frame and on
the other at the next. An arm that is at its goal already, its plane turned along, keeps the side that the curves have.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.forms import PointEffector
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics, forward_kinematics_batch
from solver.kinematics.pose import Poses
from solver.kinematics.skeleton import Skeleton
from solver.kinematics.two_bones import brought_to
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

# how many times as much as the joints' curves frames jerk, and by how many m/s³ more, where an elbow may turn over
JERKS, JERKS_BY = 1.5, 500.0
JERK_FRAMES = 3  # before a frame, from which its jerk is told


def with_hands_home(problems: Sequence[IKProblem], poses: Poses) -> Poses:
    """The poses of some frames, one for each problem, with arms at the places asked of their hands."""
    skeleton = problems[0].skeleton
    rig = rig_of(skeleton)
    for arm in ARMS:
        if rig.lacking([arm.root, arm.hinge, arm.end]):
            continue
        root, hinge, hand = (rig.joint(role) for role in (arm.root, arm.hinge, arm.end))
        if any(e.joint == skeleton.names[hand] for problem in problems for e in problem.effectors):
            poses = brought_to(skeleton, poses, (root, hinge, hand), _goals(problems, poses, hand))
    return poses


def _goals(problems: Sequence[IKProblem], poses: Poses, joint: int) -> NDArray[np.float64]:
    """(N, 3) metres where the strictest place asked of a joint, or of a point on it, has the joint; where nothing is
    asked, where it is."""
    skeleton, goals = problems[0].skeleton, []
    for problem, pose in zip(problems, poses.each(), strict=True):
        world, name = forward_kinematics(skeleton, pose), skeleton.names[joint]
        goal = world.positions[joint].astype(np.float64)
        asked = [e for e in problem.effectors if e.joint == name and e.is_active and isinstance(e, PointEffector)]
        if asked:
            strictest = min(asked, key=lambda e: e.tolerance)
            goal += (1.0 - strictest.tolerance) * (strictest.target - strictest.held_at(skeleton, world))
        goals.append(goal)
    return np.stack(goals)


def worst_jerk(skeleton: Skeleton, poses: Poses, fps: float) -> float:
    """m/s³ of any joint at frames in a row; 0 if they are fewer than four."""
    places = forward_kinematics_batch(skeleton.parents, skeleton.offsets, *poses).positions.astype(np.float64)
    jerks = np.linalg.norm(np.diff(places, 3, axis=0), axis=-1) * fps**3
    return float(jerks.max(initial=0.0))
