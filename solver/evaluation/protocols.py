"""The protocols of the benchmark: which effectors of a true pose a solver is given, and what it has to keep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.kinds import Position, Rotation, network_kinds, type_of
from solver.errors import UnknownName
from solver.evaluation.body_joints import BODY_JOINTS, LIMBS
from solver.evaluation.edits import edit_protocols
from solver.evaluation.poses import TruePose
from solver.evaluation.trials import MODE, Protocol
from solver.ik.preserve_modes import GLOBAL, LOCAL, PRESERVE_MODES, PreserveMode
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.rig.roles import LEGS, Role
from solver.rig.roles import LIMBS as RIG_LIMBS

KINDS = network_kinds()  # what every solver can be asked
COUNTS = range(6, 13)  # effectors of a problem in protocol R
FIVE_POINTS = (Role.SPINE3, *(limb.end for limb in RIG_LIMBS))
PELVIS_AND_FEET = ((Role.PELVIS, Position.kind), (Role.PELVIS, Rotation.kind), *((g.end, Position.kind) for g in LEGS))
# What is known of an edited motion: the pelvis, and the ends of all limbs.
EDIT_HANDLES = (
    (Role.PELVIS, Position.kind), (Role.PELVIS, Rotation.kind), *((g.end, Position.kind) for g in RIG_LIMBS)
)  # fmt: skip
AIM_DISTANCE = 5.0  # metres, standard deviation before folding at 0 (ProtoRes appendix B.3)


@dataclass(frozen=True)
class MotionProtocol:
    """Edits of whole motions (`solver.evaluation.motion_edits`). kinds: of the effectors given at every frame.

    mode: what is to be kept of the source motion. words, classes: as in a `Protocol`.
    """

    words: ClassVar[tuple[str, str]] = "edit", "frame"
    classes: ClassVar[str] = "kind of edit"

    id: str
    title: str
    kinds: frozenset[str]
    mode: PreserveMode

    @property
    def joints(self) -> frozenset[str]:
        """The joints whose places are asked for."""
        return frozenset(name for name, _ in EDIT_HANDLES)

    @property
    def based(self) -> bool:
        """Whether there is a base pose besides the effectors: always, the source motion's."""
        return True

    @property
    def family(self) -> str:
        """Its name without the mode."""
        return self.id.partition(MODE)[0]


def effector_at(truth: TruePose, joints: WorldJoints, name: str, kind: str, rng: np.random.Generator) -> Effector:
    """An effector that the pose meets exactly, with tolerance 0.

    For one that aims, the direction is uniform on the sphere in the joint's frame, the distance normal, folded at 0.
    """
    asked = type_of(kind)
    if not issubclass(asked, AimEffector):
        return asked.on(truth.skeleton, name, joints)
    drawn = rng.standard_normal(3)
    direction = (drawn / np.linalg.norm(drawn)).astype(np.float32)
    distance = AIM_DISTANCE * abs(rng.standard_normal())
    return asked.along(truth.skeleton, name, joints, direction, distance)


def draw_random(truth: TruePose, rng: np.random.Generator) -> Iterator[tuple[Effector, ...]]:
    """6 to 12 effectors: a position on each limb, the others drawn from all joints and kinds, none twice."""
    yield from _drawn_from(KINDS, truth, rng)


def draw_positions(truth: TruePose, rng: np.random.Generator) -> Iterator[tuple[Effector, ...]]:
    """As `draw_random`, but only positions, so that no convention about twists affects how well a pose is completed."""
    yield from _drawn_from((Position.kind,), truth, rng)


def _drawn_from(kinds: tuple[str, ...], truth: TruePose, rng: np.random.Generator) -> Iterator[tuple[Effector, ...]]:
    joints = forward_kinematics(truth.skeleton, truth.pose)
    for count in COUNTS:
        pairs = [(str(rng.choice(limb)), Position.kind) for limb in LIMBS.values()]
        rest = [(name, kind) for name in BODY_JOINTS for kind in kinds if (name, kind) not in pairs]
        pairs += [rest[i] for i in rng.choice(len(rest), count - len(pairs), replace=False)]
        yield tuple(effector_at(truth, joints, name, kind, rng) for name, kind in pairs)


def draw_five_points(truth: TruePose, rng: np.random.Generator) -> Iterator[tuple[Effector, ...]]:
    """Positions of the chest, both wrists and both ankles."""
    joints = forward_kinematics(truth.skeleton, truth.pose)
    yield tuple(effector_at(truth, joints, name, Position.kind, rng) for name in FIVE_POINTS)


def draw_pelvis_and_feet(truth: TruePose, rng: np.random.Generator) -> Iterator[tuple[Effector, ...]]:
    """Position and rotation of the pelvis, positions of both ankles (SKEL-IK, table 2): pins, its hard constraints."""
    joints = forward_kinematics(truth.skeleton, truth.pose)
    given = (effector_at(truth, joints, name, kind, rng) for name, kind in PELVIS_AND_FEET)
    yield tuple(replace(effector, pinned=True) for effector in given)


POSITIONS, ALL_KINDS = frozenset({Position.kind}), frozenset(KINDS)
PROTOCOLS: dict[str, Protocol] = {
    protocol.id: protocol
    for protocol in (
        Protocol("R", "random effectors, 6 to 12 of them", ALL_KINDS, draw_random),
        Protocol("Rp", "random positions alone, 6 to 12 of them", POSITIONS, draw_positions),
        Protocol(
            "F", "five points: chest, wrists and ankles", POSITIONS, draw_five_points, joints=frozenset(FIVE_POINTS)
        ),
        *(
            Protocol(
                f"B{MODE}{mode.id}",
                f"another pose as the base, pelvis and ankles given, {mode.title}",
                frozenset(kind for _, kind in PELVIS_AND_FEET),
                draw_pelvis_and_feet,
                mode,
                frozenset(name for name, _ in PELVIS_AND_FEET),
            )
            for mode in PRESERVE_MODES
        ),
        *edit_protocols(),
    )
}
MOTION_PROTOCOLS: dict[str, MotionProtocol] = {
    protocol.id: protocol
    for protocol in (
        MotionProtocol(
            f"M{MODE}{mode.id}",
            f"edited motions, {mode.title}",
            frozenset(kind for _, kind in EDIT_HANDLES),
            mode,
        )
        for mode in (GLOBAL, LOCAL)
    )
}
ALL_PROTOCOLS: dict[str, Protocol | MotionProtocol] = {**PROTOCOLS, **MOTION_PROTOCOLS}
FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(protocol.family for protocol in ALL_PROTOCOLS.values()))


def protocols_named(text: str) -> tuple[Protocol | MotionProtocol, ...]:
    """The protocols of a comma list, or all; “B” is “B:global” and its other modes. UnknownName gives the ids."""
    every = ALL_PROTOCOLS.values()
    if text == "all":
        return tuple(every)
    chosen: list[Protocol | MotionProtocol] = []
    for id in (part.strip() for part in text.split(",")):
        known = [p for p in every if id.casefold() in (p.id.casefold(), p.family.casefold())]
        if not known:
            raise UnknownName("protocol", id, [*FAMILIES, *(p.id for p in every if MODE in p.id)])
        chosen += known
    return tuple(dict.fromkeys(chosen))
