"""Error over the number and the kind of effectors, drawn at random from all joints (ProtoRes figure 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from solver.body.body import Body
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.contestants import Contestant
from solver.evaluation.poses import TruePose
from solver.evaluation.protocols import effector_at
from solver.evaluation.trial_arrays import answers_of, figures_of, trial_arrays_of
from solver.evaluation.trials import Draw, Protocol
from solver.kinematics.fk import forward_kinematics

COUNTS = (1, 2, 3, 4, 6, 9, 13, 17, 22)  # joints with effectors
MIXES: dict[str, tuple[str, ...]] = {
    "positions": (Position.kind,),
    "rotations": (Rotation.kind,),
    "both": (Position.kind, Rotation.kind),
}
ROOT = BODY_JOINTS[0]


@dataclass(frozen=True)
class Point:
    """One contestant's errors with effectors of that mix on that many joints."""

    contestant: str
    mix: str
    joints: int
    mpjpe_mm: float
    ge_rad: float


def sweep(
    contestants: Sequence[Contestant],
    poses: tuple[TruePose, ...],
    body: Body,
    seed: int = 0,
    tell: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> tuple[Point, ...]:
    """Every contestant on every mix and count. Rotations say nothing about place, so the pelvis's is given too."""
    points = []
    for mix, kinds in MIXES.items():
        for count in COUNTS:
            asked = frozenset({*kinds, Position.kind})
            protocol = Protocol(f"{count} {mix}", "", asked, draw_on_joints(count, kinds))
            arrays = trial_arrays_of(tuple(protocol.trials(poses, seed)), body)
            for contestant in contestants:
                if asked <= contestant.kinds and contestant.places is None:
                    found = figures_of(arrays, answers_of(contestant, arrays), body)
                    points.append(Point(contestant.name, mix, count, found["mpjpe_mm"], found["ge_rad"]))
                    tell(f"{protocol.id}, {contestant.name}", len(poses), len(poses))
    return tuple(points)


def draw_on_joints(count: int, kinds: Sequence[str]) -> Draw:
    """One problem a pose: `count` joints, drawn without replacement, each with an effector of every kind."""

    def draw(truth: TruePose, rng: np.random.Generator) -> Iterator[tuple[Effector, ...]]:
        joints = forward_kinematics(truth.skeleton, truth.pose)
        pairs = [(str(name), kind) for name in rng.choice(BODY_JOINTS, count, replace=False) for kind in kinds]
        if Position.kind not in kinds:
            pairs.append((ROOT, Position.kind))
        yield tuple(effector_at(truth, joints, name, kind, rng) for name, kind in pairs)

    return draw
