"""The errors of a model on protocol R, alone and with the exact stage after it, and how long it takes."""

from __future__ import annotations

from time import thread_time

import numpy as np

from solver.body.body import SHAPE_COMPONENTS, BodyShape
from solver.effectors.effector import Effector
from solver.effectors.kinds import type_of
from solver.evaluation.metrics import POSE_ERRORS, pose_errors
from solver.ik.exact import refine
from solver.ik.problem import IKProblem
from solver.ik.residuals import effector_errors
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.networks.effector_batch import KINDS, POSITION, EffectorBatch
from solver.solvers.learned.model_input import pose_of
from solver.solvers.learned.weights import Model, run_model
from solver.training.data.protocol_r import ProblemSet

TIMED = 200  # solves of one problem


def effectors_of(batch: EffectorBatch, row: int, names: tuple[str, ...]) -> tuple[Effector, ...]:
    """One row of a batch as the program's own effectors."""
    made: list[Effector] = []
    for data, joint, kind in zip(batch.data[row], batch.joint[row], batch.kind[row], strict=True):
        made.append(type_of(KINDS[int(kind)]).of_numbers(names[int(joint)], data.numpy()))
    return tuple(made)


def model_errors(
    session: Model, sets: tuple[ProblemSet, ...], skeleton: Skeleton, exact: bool, every: int = 1
) -> dict[str, float]:
    """mpjpe_mm, pa_mpjpe_mm, ge_rad and effector_mm over every n-th problem, on the mean neutral body.

    exact: with the exact stage, the network's pose as its proposal, as in the application.
    """
    found: dict[str, list[np.ndarray]] = {name: [] for name in (*POSE_ERRORS, "effector_mm")}
    for problems in sets:
        draft, sixd = run_model(session, inputs_of(problems))
        for row in range(0, len(draft), every):
            pose = pose_of(draft[row], sixd[row], len(skeleton))
            effectors = effectors_of(problems.effectors, row, skeleton.names)
            if exact:
                pose = refine(_problem(skeleton, effectors, pose), pose).pose
            body = len(draft[row])
            errors = pose_errors(
                forward_kinematics(skeleton, pose).positions[None, :body],
                pose.rotations[None, :body],
                problems.positions[row : row + 1].numpy(),
                problems.local[row : row + 1].numpy(),
            )
            for name, value in errors.items():
                found[name].append(value)
            placed = np.array([e.kind == KINDS[POSITION] for e in effectors])
            found["effector_mm"].append(1000.0 * effector_errors(skeleton, pose, effectors)[placed])
    return {name: float(np.concatenate(values).mean()) for name, values in found.items()}


def inputs_of(problems: ProblemSet, rows: slice = slice(None)) -> dict[str, np.ndarray]:
    """A model's inputs for some of the problems, on the mean neutral body."""
    told = {**problems.effectors._asdict(), **(problems.base._asdict() if problems.base else {})}
    arrays = {name: tensor[rows].numpy() for name, tensor in told.items()}
    batch = len(arrays["data"])
    return {**arrays, "betas": np.zeros((batch, SHAPE_COMPONENTS), np.float32), "gender": np.zeros(batch, np.int64)}


def milliseconds(session: Model, problems: ProblemSet) -> float:
    """The median time of one answer, batch 1: this thread's own time, whatever else the machine is doing."""
    inputs = inputs_of(problems, slice(1))
    times = []
    for _ in range(TIMED):
        started = thread_time()
        run_model(session, inputs)
        times.append(thread_time() - started)
    return 1000.0 * float(np.median(times))


def _problem(skeleton: Skeleton, effectors: tuple[Effector, ...], base: Pose) -> IKProblem:
    free = np.zeros(len(skeleton), np.float32)
    return IKProblem(skeleton, BodyShape(), effectors, base, free, free)
