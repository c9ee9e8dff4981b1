"""Protocol N: from one pose of a clip to the targets of another, with few of them (Victor et al., 2021, table 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.contestants import Contestant
from solver.evaluation.metrics import MILLIMETRES, mpjpe_mm
from solver.evaluation.naturalness import beyond_limits, prior_energy
from solver.evaluation.poses import TruePose
from solver.evaluation.trial_arrays import Answers, TrialArrays, answered_joints, effector_figures, time_figures
from solver.evaluation.trials import Protocol, Trial
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import ARMS, ENDS

WRISTS = tuple(arm.end for arm in ARMS)
DRAWN_M = 0.11  # standard deviation on each axis, of targets drawn about the start pose


@dataclass(frozen=True)
class EditProtocol(Protocol):
    """Every pose gives targets to another pose of its clip, once brought over that one's pelvis and turned to face the
    same way. drawn: targets are drawn about the start pose instead, whatever the other pose is."""

    drawn: bool = False

    @property
    def based(self) -> bool:
        """Whether there is a base pose: always."""
        return True

    def trials(self, poses: tuple[TruePose, ...], seed: int = 0) -> Iterator[Trial]:
        """The problems of these poses; the start pose depends only on the seed, the number and the clip."""
        clips: dict[str, list[TruePose]] = {}
        for pose in poses:
            clips.setdefault(pose.clip, []).append(pose)
        for truth in poses:
            others = [pose for pose in clips[truth.clip] if pose is not truth] or [truth]
            rng = np.random.default_rng([seed, *self.family.encode(), truth.number, 1])
            start = others[int(rng.integers(len(others)))].pose
            goal = replace(truth, pose=start if self.drawn else aligned_to_start(truth.pose, start))
            for effectors in self.effectors(goal, seed):
                yield Trial(IKProblem.without_masks(truth.skeleton, effectors, start, truth.shape), goal)


def edit_protocols() -> tuple[EditProtocol, ...]:
    """Two targets and five, of another pose and drawn."""
    positions = frozenset({Position.kind})
    return tuple(
        EditProtocol(
            f"N:{len(joints)}{'-drawn' if drawn else ''}",
            f"{len(joints)} targets, {f'{100 * DRAWN_M:.0f} cm about the start pose' if drawn else 'of another pose'}",
            positions,
            lambda truth, rng, joints=joints, drawn=drawn: ends_of(truth, rng, joints, drawn),  # type: ignore[misc]
            joints=frozenset(joints),
            drawn=drawn,
        )
        for drawn in (False, True)
        for joints in (WRISTS, ENDS)
    )


def ends_of(
    truth: TruePose, rng: np.random.Generator, joints: tuple[str, ...], drawn: bool
) -> Iterator[tuple[Effector, ...]]:
    """Positions of the joints where the pose has them, or drawn about there."""
    places = forward_kinematics(truth.skeleton, truth.pose).positions
    away = DRAWN_M * rng.standard_normal((len(joints), 3)) if drawn else np.zeros((len(joints), 3))
    at = [places[truth.skeleton.index(name)] + way for name, way in zip(joints, away, strict=True)]
    yield tuple(Position(name, place.astype(np.float32)) for name, place in zip(joints, at, strict=True))


def aligned_to_start(pose: Pose, start: Pose) -> Pose:
    """The pose with its pelvis above the same point of the floor as the start pose's, facing the same way."""
    turn = from_rotation_vector([0.0, heading(start) - heading(pose), 0.0])
    rotations = np.array(pose.rotations)
    rotations[0] = turn @ rotations[0]
    root = [start.root_position[0], pose.root_position[1], start.root_position[2]]
    return Pose(np.array(root, np.float32), rotations)


def heading(pose: Pose) -> float:
    """Radians about the vertical, from +Z, that the pelvis faces."""
    root = pose.rotations[0]
    return float(np.arctan2(root[0, 2] - root[2, 0], root[0, 0] + root[2, 2]))


def edit_figures(
    protocol: EditProtocol, contestant: Contestant, arrays: TrialArrays, answers: Answers
) -> dict[str, float]:
    """Errors of the targets and of the worst bone, naturalness, times and the size of the model that was asked.

    The distance to the pose that the targets come from is absent if they come from none.
    """
    positions, local = answered_joints(arrays, answers)
    return {
        **({"mpjpe_mm": float(mpjpe_mm(positions, arrays.positions).mean())} if not protocol.drawn else {}),
        **effector_figures(arrays, answers),
        "bone_mm": float(_bone_errors(arrays, positions).max()),
        "prior_energy": float(prior_energy(local).mean()),
        "limits_deg": float(beyond_limits(local).mean()),
        **time_figures(answers),
        **({"model_bytes": float(contestant.size_bytes)} if contestant.size_bytes else {}),
    }


def _bone_errors(arrays: TrialArrays, positions: np.ndarray) -> np.ndarray:
    """(T, J - 1) millimetres by which bones between positions (T, J, 3) are too long or too short."""
    skeletons = [trial.truth.skeleton for trial in arrays.trials]
    index = [skeletons[0].index(name) for name in BODY_JOINTS]
    parents = [index.index(skeletons[0].parents[j]) for j in index[1:]]
    long = np.linalg.norm(positions[:, 1:] - positions[:, parents], axis=-1)
    wanted = np.linalg.norm(np.array([skeleton.offsets[index[1:]] for skeleton in skeletons]), axis=-1)
    return np.asarray(MILLIMETRES * np.abs(long - wanted))
