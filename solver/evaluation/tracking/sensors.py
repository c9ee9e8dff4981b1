"""Which sensors a body wears, what they report for a frame, and when they fall silent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ARMS, LEGS, Role

SILENT = 50  # frames, once a sensor has dropped out
WRISTS, ANKLES = tuple(arm.end for arm in ARMS), tuple(leg.end for leg in LEGS)
SIX = (Role.PELVIS, Role.HEAD, *WRISTS, *ANKLES)


@dataclass(frozen=True)
class Sensors:
    """joints: those that wear one. turns: whether sensors report turns too. drop: chance per frame of dropping out."""

    id: str
    title: str
    joints: tuple[Role, ...]
    turns: bool = True
    drop: float = 0.0

    def effectors(self, skeleton: Skeleton, joints: WorldJoints, heard: NDArray[np.bool_]) -> tuple[Effector, ...]:
        """What the sensors that are heard report for a frame, as effectors of tolerance 0."""
        kinds = (Position, Rotation) if self.turns else (Position,)
        worn = (role for role, loud in zip(self.joints, heard, strict=True) if loud)
        return tuple(kind.on(skeleton, role, joints) for role in worn for kind in kinds)

    def heard(self, frames: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """(frames, sensors): which are heard; all of them in the first frame."""
        heard = np.ones((frames, len(self.joints)), bool)
        for frame in range(1, frames):
            if rng.random() < self.drop:
                loud = np.flatnonzero(heard[frame])
                if len(loud):
                    heard[frame : frame + SILENT, rng.choice(loud)] = False
        return heard


CONFIGURATIONS = (
    Sensors("6", "pelvis, head, wrists and ankles", SIX),
    Sensors("5", "without the left ankle", tuple(role for role in SIX if role != ANKLES[0])),
    Sensors("4", "pelvis, head and wrists", SIX[:4]),
    Sensors("3", "head and wrists", SIX[1:4]),
    Sensors("3 hip", "pelvis and wrists", (Role.PELVIS, *WRISTS)),
    Sensors("6 pos", "six that tell positions alone", SIX, turns=False),
    Sensors("6 at 1%", "one of six drops out with 1% a frame", SIX, drop=0.01),
    Sensors("6 at 2%", "one of six drops out with 2% a frame", SIX, drop=0.02),
)
