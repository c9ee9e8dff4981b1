"""DragPoser: poses from a few sensors, by a search in a latent space of poses (Ponton et al., 2024).

Where it differs from the paper: the root may leave the way that the latent decodes, against a stiff spring, so that the
latent need not explain a body that is moved; the temporal predictor answers for every frame, from every second one
before; with four sensors it looks one step ahead and counts less (paper: 16 or 60 steps); and without time (a single
pose) the base pose's latent is expected instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import TURN
from solver.effectors.residual_kernels import Rows, measure
from solver.ik.kernel_arrays import rows_of
from solver.ik.options import Options
from solver.ik.problem import IKProblem
from solver.ik.solver import Proposal, ProposalRequest, Proposer
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import LEGS, LIMBS, Role
from solver.solvers.catalog import BALANCE, SOLVERS
from solver.solvers.latent.bounds import (
    Bound,
    BoundReference,
    bounds_of_options,
    needs_reference,
    rows_of_bounds,
    upper_alone,
)
from solver.solvers.latent.latent_pose import LatentBody, LatentPoint
from solver.solvers.latent.latent_predictor import FUTURE, PAST, STRIDE, LatentPredictor
from solver.solvers.latent.latent_search import MOTION_WEIGHTS, STEPS, Objective, SearchSettings, SearchWeights, search
from solver.solvers.latent.latent_weights import LatentWeights, load_latent_weights
from solver.solvers.latent.pose_space import SHIFT_SCALE, PoseSpace
from solver.solvers.latent.shares import shares_of
from solver.solvers.latent.single_pose import MET_AT_BASE, SinglePoseMemory, single_pose
from solver.solvers.latent.usual_latents import checked_size, isotropic_latents
from solver.solvers.learned.network_proposer import misfit
from solver.solvers.learned.weights import WEIGHTS
from solver.values import changed

Array = NDArray[np.floating]

HEIGHTS = (Role.PELVIS, Role.HEAD, *(limb.end for limb in LIMBS))
WEIGHTS_IN_MOTION, WEIGHTS_OF_POSE = MOTION_WEIGHTS, SearchWeights()  # of a frame of a motion, and of a single pose
# λ_T by how many joints have sensors, relative to that for six: the paper's, except for four (0.125) and five (none)
TEMPORAL = {3: 0.15 / 0.02, 4: 0.07 / 0.02, 5: 0.07 / 0.02}
FEW = 3  # with so many sensors the predictor looks far ahead; with more, one step from what was found
MANY = 6  # with so many sensors usual latents help; with fewer they hold back what time expects
LOST, LOST_AT_FIRST, LOST_STEPS = 25.0, 8.0, 30  # the cost of a motion's pose that is far off its sensors
WORTHWHILE = 0.8  # share of the cost that a new search leaves at most if it was worth it
TOLERATED_SHARE = 0.04  # of what is missed: this much more is put up with after each new search that was not
LOWER = frozenset({Role.PELVIS, *(role for leg in LEGS for role in (leg.root, leg.hinge, leg.end, leg.tip))})
TOES = tuple(leg.tip for leg in LEGS)
UPPER_ALONE = upper_alone(feet=0.01, hips=0.0002)


class PredictionRun(NamedTuple):
    """Predictions under way. memory: the encoder's output for the past. latents: (N, L), the first known and those
    predicted after it."""

    memory: tuple[Array, ...]
    latents: Array


class MotionMemory(NamedTuple):
    """What is remembered of a motion. root (3,), turn (3, 3): the last frame's. latents (N, L), features (N, 9): of the
    last frames. runs: the predictions under way for each of STRIDE interleaved rows of frames. frame: its number.
    reference: of bounds set as options. tolerated: the miss that is put up with, as when trackers contradict a
    bound."""

    root: Array
    turn: Array
    latents: Array
    features: Array
    runs: tuple[PredictionRun | None, ...] = (None,) * STRIDE
    frame: int = 0
    reference: BoundReference | None = None
    tolerated: float = 0.0


DragPoserMemory = MotionMemory | SinglePoseMemory  # of a motion, or of a single pose


class DragPoser(Proposer[DragPoserMemory]):
    """The search, with the predictor's latent as what is expected."""

    def __init__(
        self,
        weights: LatentWeights,
        search_weights: SearchWeights = WEIGHTS_IN_MOTION,
        bounds: Sequence[Bound] = (),
        steps: int = STEPS,
    ) -> None:
        """bounds: what every search holds, beside those of options. steps: at most, for a frame of a motion."""
        self._weights, self._search_weights = weights, search_weights
        self._bounds, self._steps = tuple(bounds), steps
        self._space = PoseSpace(weights)
        self._predictor = LatentPredictor(weights, self._space.latent)
        self._isotropic = isotropic_latents(self._space.latent)
        usual = weights.usual_latents
        self._usual = checked_size(usual, self._space.latent) if usual else self._isotropic

    def accepts(self, problem: IKProblem) -> str:
        """Why the network does not fit the skeleton; "" if it does."""
        return misfit(self._weights.config, problem.skeleton)

    def propose(self, request: ProposalRequest[DragPoserMemory]) -> Proposal[DragPoserMemory]:
        """The pose found, and the motion so far."""
        problem = request.problem
        moving = problem.step_s > 0
        motion = request.memory if moving and isinstance(request.memory, MotionMemory) else None
        skeleton, base, count = problem.skeleton, problem.base_pose, self._space.joints
        bones = skeleton.offsets[:count]
        asked = [e for e in problem.effectors if e.is_active]
        if not asked:
            return Proposal(base, request.memory)
        sensors = len({e.joint for e in asked})
        before = (motion.root, motion.turn) if motion else (base.root_position, base.rotations[0])
        root, turn = (part.astype(np.float64) for part in before)
        kept = (
            request.memory
            if not moving and isinstance(request.memory, SinglePoseMemory) and request.memory.is_for(base, bones)
            else None
        )
        last: Array
        expected: Array
        if kept is not None:
            run, last, expected = None, kept.latent, kept.latent
        elif motion is None:
            last = expected = self._space.encode(base.rotations, np.zeros(3), np.eye(3), bones)
            run = None
        else:
            run, last = self._predict(motion, sensors), motion.latents[-1]
            expected = _one_frame_on(last, run.latents[-2:])
        likely = np.asarray(expected, np.float64)
        rows, shares = rows_of(skeleton, asked), shares_of(skeleton, asked, request.options)
        decode = self._space.decoder(bones, exact=not moving)  # rounding must not lead a single pose astray
        figure = LatentBody(skeleton, decode, root, turn, base.rotations, _freely_turned(rows, count))
        search_weights = self._weights_for(sensors, request.options, moving)
        usual = self._usual if moving and sensors >= MANY else self._isotropic
        reference = motion.reference if motion else None
        if not moving and needs_reference(request.options):
            reference = BoundReference.at(skeleton, forward_kinematics(skeleton, base).positions)
        upper = moving and not any(e.joint in LOWER for e in asked)
        held = [*self._bounds, *(UPPER_ALONE if upper else ()), *bounds_of_options(request.options, reference)]
        objective = Objective(rows, shares, likely, usual, search_weights, rows_of_bounds(skeleton, held))
        if not moving:
            home = _meets_all(skeleton, base, rows)
            kept = single_pose(figure, objective, base, bones, home, kept)
            return Proposal(_with_toes_of(base, figure.pose(kept.point), skeleton, rows), kept)
        steps = self._steps if motion else LOST_STEPS
        found = search(figure, objective, figure.start(last), SearchSettings(steps))
        tolerated = motion.tolerated if motion else 0.0
        # sensors jumped, or the search is lost
        if found.missed > (LOST + 2.0 * tolerated if motion else LOST_AT_FIRST):
            nothing = np.zeros(len(last))
            free = objective._replace(expected=nothing, weights=search_weights._replace(expected=0.0))
            restarted = search(figure, free, figure.start(nothing), SearchSettings(LOST_STEPS))
            futile = restarted.cost > WORTHWHILE * found.cost
            tolerated = tolerated + TOLERATED_SHARE * min(found.missed, restarted.missed) if futile else 0.0
            if restarted.cost < found.cost:
                found, motion = restarted, None
        memory = _next_memory(motion, skeleton, figure, found.point, run)
        pose, reference = figure.pose(found.point), reference or BoundReference.at(skeleton, figure.body.positions)
        return Proposal(pose, memory._replace(reference=reference, tolerated=min(tolerated, found.missed)))

    def _weights_for(self, sensors: int, options: Options, moving: bool) -> SearchWeights:
        share, balance = TEMPORAL.get(max(sensors, min(TEMPORAL)), 1.0), BALANCE.of(options)
        search_weights = self._search_weights if moving else WEIGHTS_OF_POSE
        return search_weights._replace(
            expected=share * search_weights.expected,
            place=search_weights.place * 10.0 ** -max(balance, 0.0),
            turn=search_weights.turn * 10.0 ** min(balance, 0.0),
            aim=search_weights.aim * 10.0 ** min(balance, 0.0),
        )

    def _predict(self, motion: MotionMemory, sensors: int) -> PredictionRun:
        """The predictions with one for this frame."""
        ahead = FUTURE if sensors <= FEW else 1
        run = motion.runs[motion.frame % STRIDE]
        if run is None or len(run.latents) > ahead:
            latents, told = (_strided(rows, PAST + 1) for rows in (motion.latents, motion.features))
            run = PredictionRun(self._predictor.encode_past(latents[:-1], told[:-1]), latents[-1:])
        found = self._predictor.predict(run.latents, run.memory)
        return PredictionRun(run.memory, np.concatenate([run.latents, found[None]]))


def dragposer() -> DragPoser:
    """DragPoser, trained by us. Raises InputRefused if the weights are missing or not those of our body."""
    return DragPoser(load_latent_weights(WEIGHTS / "dragposer", SOLVERS["dragposer"].body))


def _meets_all(skeleton: Skeleton, base: Pose, rows: Rows) -> bool:
    """Whether the base pose itself already does what is asked."""
    joints, missed = forward_kinematics(skeleton, base), np.empty(len(rows.kinds))
    measure(rows, joints.positions.astype(np.float64), joints.rotations.astype(np.float64), missed)
    return bool(missed.max() < MET_AT_BASE)


def _freely_turned(rows: Rows, count: int) -> tuple[int, ...]:
    """Those of the first `count` joints, except the root, of which a turn is asked."""
    return tuple(sorted({int(joint) for joint in rows.joints[rows.kinds == TURN] if 0 < joint < count}))


def _with_toes_of(base: Pose, pose: Pose, skeleton: Skeleton, rows: Rows) -> Pose:
    """The pose with the base pose's toes where nothing is asked of them: those that the search bends, as in a step,
    push a foot off a solid floor, and the exact stage may leave it there."""
    toes = [joint for joint in map(skeleton.index, TOES) if joint not in rows.joints]
    rotations = np.array(pose.rotations)
    rotations[toes] = base.rotations[toes]
    return changed(pose, rotations=rotations)


def _one_frame_on(last: Array, run: Array) -> Array:
    """(L,) the latent that is expected after `last`: one frame's part of the change that is predicted for STRIDE.

    run: (2, L), of STRIDE frames ago and as predicted for now. Frames take turns at two rows of predictions: with the
    predicted latents themselves the body would tremble between the two.
    """
    return np.asarray(last + (run[1] - run[0]) / STRIDE)


def _next_memory(
    motion: MotionMemory | None, skeleton: Skeleton, figure: LatentBody, point: LatentPoint, run: PredictionRun | None
) -> MotionMemory:
    """The motion with one more frame."""
    body = figure.posed(point)
    root, turn = body.positions[0].copy(), body.world[0].copy()
    shift = figure.previous.turn.T @ (root - figure.previous.root)
    told = np.concatenate([shift / SHIFT_SCALE, body.positions[_height_joints(skeleton), 1]])
    if motion is None:
        return MotionMemory(root, turn, point.latent[None], told[None])
    runs, row = list(motion.runs), motion.frame % STRIDE
    runs[row] = run
    latents, known = (
        np.concatenate([rows, new[None]])[-STRIDE * (PAST + 1) :]
        for rows, new in ((motion.latents, point.latent), (motion.features, told))
    )
    return MotionMemory(root, turn, latents, known, tuple(runs), motion.frame + 1)


def _strided(rows: Array, count: int) -> Array:
    """(count, ...) every STRIDE-th row, the newest STRIDE before the next one; the first repeated if need be."""
    found = rows[::-1][STRIDE - 1 :: STRIDE][:count][::-1]
    if not len(found):
        found = rows[:1]
    return np.concatenate([np.repeat(found[:1], count - len(found), axis=0), found])


def _height_joints(skeleton: Skeleton) -> list[int]:
    return [skeleton.index(role) for role in HEIGHTS]
