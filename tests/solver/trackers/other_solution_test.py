"""A body that follows trackers while its solver goes over to another solution: what no tracker holds does not leap."""

from __future__ import annotations

import numpy as np
import pytest

from solver.effectors.effector import Effector
from solver.formats.bvh.read import read_bvh, to_motion
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver
from solver.trackers.attachment import Attachment
from solver.trackers.follower import Follower
from solver.trackers.simulated_trackers import SIX_ROLES, simulated_samples
from solver.trackers.transition import FASTEST
from tests.solver.ik_samples import body_skeleton, natural
from tests.solver.sample_files import CLIPS

NAMES = [str(role) for role in SIX_ROLES]
BEFORE, FRAMES = 20, 50  # frames until the solver goes over, and of all


@pytest.mark.parametrize("degrees", [60.0, 120.0])
def test_an_elbow_that_another_solution_has_elsewhere_eases_over_there(degrees: float) -> None:
    """No tracker moves, and none is on the elbow: nothing but the pose itself tells that it would leap."""
    skeleton, solver = body_skeleton(), load_solver("dls")
    follow, frames = Follower(skeleton, solver, {name: Attachment(name) for name in NAMES}, natural(), body="anny"), 0
    solved, elbow = follow._solver.pose, skeleton.index("left_elbow")

    def found_otherwise(effectors: tuple[Effector, ...], step_s: float) -> Pose:
        nonlocal frames
        frames += 1
        pose = solved(effectors, step_s)
        return pose if frames < BEFORE else _with_elbow_swung(pose, degrees)

    follow._solver.pose = found_otherwise  # type: ignore[method-assign]
    poses = [follow.pose(sample) for sample in simulated_samples(skeleton, _standing(), NAMES)]
    shown = np.array([forward_kinematics(skeleton, pose).positions[elbow] for pose in poses])
    steps = np.linalg.norm(np.diff(shown, axis=0), axis=-1)
    assert np.linalg.norm(shown[-1] - shown[0]) > 0.08
    assert steps.max() < FASTEST / 30 + 1e-3
    began = int(np.argmax(steps > 0.01))
    assert np.abs(np.diff(steps[began:])).max() < 0.015, "it slows down bit by bit, and does not stop dead"


def _standing() -> Motion:
    """Somebody with bent arms who does not move."""
    motion, _ = to_motion(read_bvh(CLIPS / "reach.bvh"), body_skeleton())
    one = motion.pose(0)
    return Motion(
        np.repeat(one.root_position[None], FRAMES, axis=0), np.repeat(one.rotations[None], FRAMES, axis=0), 30
    )


def _with_elbow_swung(pose: Pose, degrees: float) -> Pose:
    """The pose with its left elbow elsewhere, about the line from shoulder to wrist; the hand stays as it is."""
    skeleton = body_skeleton()
    shoulder, wrist = (skeleton.index(name) for name in ("left_shoulder", "left_wrist"))
    before, turned = forward_kinematics(skeleton, pose), np.array(pose.rotations)
    line = before.positions[wrist] - before.positions[shoulder]
    swing = from_rotation_vector(np.radians(degrees) * line / np.linalg.norm(line))
    turned[shoulder] = before.rotations[skeleton.parents[shoulder]].T @ swing @ before.rotations[shoulder]
    after = forward_kinematics(skeleton, Pose(pose.root_position, turned))
    turned[wrist] = after.rotations[skeleton.parents[wrist]].T @ before.rotations[wrist]
    return Pose(pose.root_position, turned.astype(np.float32))
