"""Protocol N of the benchmark from stored poses, for validation while training and for cards."""

from __future__ import annotations

from dataclasses import dataclass
from time import thread_time

import numpy as np

from solver.body.body import BodyShape
from solver.evaluation.edits import EditProtocol, edit_protocols
from solver.evaluation.metrics import MILLIMETRES, POSE_ERRORS, pose_errors
from solver.evaluation.poses import EVERY, TruePose
from solver.evaluation.trials import Trial
from solver.ik.exact import refine
from solver.ik.residuals import effector_errors
from solver.ik.solver import ProposalRequest
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_quaternion_xyzw
from solver.kinematics.skeleton import Skeleton
from solver.solvers.learned.edit_proposer import EditProposer, fitted
from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import QUATERNION_SCALE, PoseData

TIMED = 200  # answers to one problem


@dataclass(frozen=True)
class EditTrials:
    """Edits by the rows of protocol N that they belong to."""

    rows: tuple[tuple[EditProtocol, tuple[Trial, ...]], ...]


def edit_trials(data: PoseData, split: str, parents: tuple[int, ...], bodies: ShapedBodies) -> EditTrials | None:
    """The benchmark's problems over every 10th frame, on the mean neutral body; None for a split without frames."""
    skeleton = Skeleton(data.joint_names, parents, bodies.mean[0].cpu().numpy())
    poses = []
    for number, frame in enumerate(data.frames_of(split, EVERY)):
        turns = from_quaternion_xyzw(data.quaternions_xyzw[frame] / QUATERNION_SCALE).astype(np.float32)
        clip = data.clip_names[data.frame_clip[frame]]
        pose = Pose(data.root_positions[frame], turns)
        poses.append(TruePose(number, clip, int(frame), BodyShape(), skeleton, pose))
    if not poses:
        return None
    return EditTrials(tuple((protocol, tuple(protocol.trials(tuple(poses)))) for protocol in edit_protocols()))


def edit_errors(
    proposer: EditProposer, trials: EditTrials | None, exact: bool = False, every: int = 1
) -> dict[str, float]:
    """The errors of every n-th edit, means over two targets and five.

    mpjpe_mm, pa_mpjpe_mm, ge_rad: off the pose that targets come from. effector_mm: off these targets; drawn_mm: off
    drawn ones. Without the exact stage also places_mm, off the targets before bones get their lengths, and bones_share,
    by what share of their lengths bones are off then.
    """
    found: dict[str, list[float]] = {}
    for protocol, some in trials.rows if trials else ():
        for trial in some[::every]:
            problem, skeleton = trial.problem, trial.truth.skeleton
            places = proposer.places_of([problem])[0]
            pose = fitted(skeleton, problem.base_pose, places)
            if exact:
                pose = refine(problem, pose).pose
            else:
                _add_places(found, trial, places)
            off = MILLIMETRES * effector_errors(skeleton, pose, problem.effectors)
            found.setdefault("drawn_mm" if protocol.drawn else "effector_mm", []).extend(off.tolist())
            if not protocol.drawn:
                joints, true = forward_kinematics(skeleton, pose), forward_kinematics(skeleton, trial.truth.pose)
                errors = pose_errors(joints.positions, pose.rotations, true.positions, trial.truth.pose.rotations)
                for name in POSE_ERRORS:
                    found.setdefault(name, []).append(float(errors[name]))
    return {name: float(np.mean(values)) for name, values in found.items()}


def edit_milliseconds(proposer: EditProposer, trials: EditTrials) -> float:
    """The median time of one answer, bones and rotations included: this thread's own time, whatever else is running."""
    problem, times = trials.rows[0][1][0].problem, []
    for _ in range(TIMED):
        started = thread_time()
        proposer.propose(ProposalRequest(problem))
        times.append(thread_time() - started)
    return 1000.0 * float(np.median(times))


def _add_places(found: dict[str, list[float]], trial: Trial, places: np.ndarray) -> None:
    skeleton = trial.truth.skeleton
    for effector in trial.problem.effectors:
        away = float(np.linalg.norm(places[skeleton.index(effector.joint)] - effector.target))  # type: ignore[attr-defined]
        found.setdefault("places_mm", []).append(MILLIMETRES * away)
    long = np.linalg.norm(places[1:] - places[list(skeleton.parents[1:])], axis=1)
    true = np.linalg.norm(skeleton.offsets[1:], axis=1)
    found.setdefault("bones_share", []).append(float(np.mean(np.abs(long - true) / true)))
