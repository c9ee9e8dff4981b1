"""The protocols of the benchmark: which effectors of a true pose a solver is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.kinds import Position, network_kinds, type_of
from solver.errors import UnknownName
from solver.evaluation.poses import TruePose
from solver.evaluation.zones import BODY_JOINTS, LIMBS
from solver.ik.placement import placed
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.rig.roles import LIMBS as RIG_LIMBS
from solver.rig.roles import Role

KINDS = network_kinds()  # what every solver can be asked
COUNTS = range(6, 13)  # effectors of a problem in protocol R
FIVE_POINTS = (Role.SPINE3, *(limb.end for limb in RIG_LIMBS))
AIM_DISTANCE = 5.0  # metres, standard deviation before folding at 0 (ProtoRes appendix B.3)

Draw = Callable[[TruePose, np.random.Generator], Iterator[tuple[Effector, ...]]]


@dataclass(frozen=True)
class Trial:
    """One problem and the pose that it was taken from."""

    problem: IKProblem
    truth: TruePose


@dataclass(frozen=True)
class Protocol:
    """What every solver is asked. kinds: of the effectors given. draw: the sets of effectors of one pose."""

    id: str
    title: str
    kinds: frozenset[str]
    draw: Draw

    def trials(self, poses: tuple[TruePose, ...], seed: int = 0) -> Iterator[Trial]:
        """The problems of these poses; a pose's draw depends on the seed and its number alone."""
        for truth in poses:
            for effectors in self.effectors(truth, seed):
                yield Trial(problem_of(truth, effectors), truth)

    def effectors(self, truth: TruePose, seed: int = 0) -> Iterator[tuple[Effector, ...]]:
        """The sets of effectors of one pose."""
        return self.draw(truth, np.random.default_rng([seed, *self.id.encode(), truth.number]))


def problem_of(truth: TruePose, effectors: tuple[Effector, ...]) -> IKProblem:
    """A problem that keeps nothing of its base pose: the natural pose, laid over the effectors as one rigid piece.

    So every solver learns where the body stands and faces from its effectors alone, and all learn the same.
    """
    base = placed(truth.skeleton, natural_pose(truth.skeleton), effectors)
    free = np.zeros(len(truth.skeleton), np.float32)
    return IKProblem(truth.skeleton, truth.shape, effectors, base, free, free)


def effector_at(truth: TruePose, joints: WorldJoints, name: str, kind: str, rng: np.random.Generator) -> Effector:
    """An effector that the pose meets exactly, with tolerance 0.

    The direction of one that aims is uniform on the sphere in the joint's frame, its distance normal and folded at 0.
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
    joints = forward_kinematics(truth.skeleton, truth.pose)
    for count in COUNTS:
        pairs = [(str(rng.choice(limb)), Position.kind) for limb in LIMBS.values()]
        rest = [(name, kind) for name in BODY_JOINTS for kind in KINDS if (name, kind) not in pairs]
        pairs += [rest[i] for i in rng.choice(len(rest), count - len(pairs), replace=False)]
        yield tuple(effector_at(truth, joints, name, kind, rng) for name, kind in pairs)


def draw_five_points(truth: TruePose, rng: np.random.Generator) -> Iterator[tuple[Effector, ...]]:
    """Positions of the chest, both wrists and both ankles."""
    joints = forward_kinematics(truth.skeleton, truth.pose)
    yield tuple(effector_at(truth, joints, name, Position.kind, rng) for name in FIVE_POINTS)


PROTOCOLS: dict[str, Protocol] = {
    protocol.id: protocol
    for protocol in (
        Protocol("R", "random effectors, 6 to 12 of them", frozenset(KINDS), draw_random),
        Protocol("F", "five points: chest, wrists and ankles", frozenset({Position.kind}), draw_five_points),
    )
}


def protocols_named(text: str) -> tuple[Protocol, ...]:
    """The protocols of a comma list, or all; UnknownName gives the ids."""
    if text == "all":
        return tuple(PROTOCOLS.values())
    chosen = []
    for id in (part.strip().upper() for part in text.split(",")):
        if id not in PROTOCOLS:
            raise UnknownName("protocol", id, PROTOCOLS)
        chosen.append(PROTOCOLS[id])
    return tuple(dict.fromkeys(chosen))
