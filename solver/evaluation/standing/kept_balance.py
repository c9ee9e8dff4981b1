"""What balance is worth: the hands of standing people are dragged away, with balance off, helped and strict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.body.body import Body
from solver.contact.balance import balance, mass_shares
from solver.contact.floor_points import floor_points
from solver.contact.weight_shift import Balancing
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.evaluation.poses import TruePose
from solver.evaluation.posture import Posture, posture_of
from solver.evaluation.standing.solid_floor import standing
from solver.ik.memory import AtPose, Memory
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.ik.stance.stance import Stance
from solver.kinematics.fk import forward_kinematics
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS

MODES = ("off", "help", "strict")
STEPS = 20  # of a drag
NEAREST, FURTHEST = 0.3, 0.6  # metres that a hand is dragged


@dataclass(frozen=True)
class BalanceRow:
    """One mode. balanced: share of steps whose centre of mass is over the support. missed: metres by which strict
    effectors are missed, 95th percentile. took: milliseconds per step, median and 95th percentile. step: metres that a
    joint moves in one step, 95th percentile and maximum."""

    mode: str
    drags: int
    balanced: float
    missed: float
    took: tuple[float, float]
    step: tuple[float, float]


def by_mode(
    poses: Sequence[TruePose],
    solver: Solver,
    body: Body,
    most: int,
    seed: int = 0,
    tell: Callable[[str, int, int], None] = lambda what, done, total: None,
    clock: Callable[[], float] = time.process_time,
) -> Iterator[BalanceRow]:
    """A row for each mode, from the first poses that stand balanced, with the same drags. clock: in seconds."""
    stand = [truth for truth in (standing(each, body) for each in poses) if _stands(truth, body)][:most]
    for mode in MODES:
        made = []
        for done, truth in enumerate(stand):
            made.append(_dragged(truth, solver, body, mode, np.random.default_rng(seed + done), clock))
            tell(f"balance {mode} {solver.spec.id}", done + 1, len(stand))
        if made:
            held, missed, took, step = (np.concatenate([one[k] for one in made]) for k in range(4))
            yield BalanceRow(
                mode, len(made), float(held.mean()), float(np.percentile(missed, 95)),
                (float(np.median(took)), float(np.percentile(took, 95))),
                (float(np.percentile(step, 95)), float(step.max())),
            )  # fmt: skip


def _stands(truth: TruePose, body: Body) -> bool:
    world = forward_kinematics(truth.skeleton, truth.pose)
    upright = posture_of(rig_of(truth.skeleton), world.positions) is Posture.STANDING
    return upright and balance(body, truth.shape, world).is_balanced


def _dragged(
    truth: TruePose, solver: Solver, body: Body, mode: str, rng: np.random.Generator, clock: Callable[[], float]
) -> tuple[list[float], list[float], list[float], list[float]]:
    """For each step: whether it is balanced, errors of what is asked, milliseconds, and how far a joint moved."""
    skeleton, rig, world = truth.skeleton, rig_of(truth.skeleton), forward_kinematics(truth.skeleton, truth.pose)
    points = floor_points(body, truth.shape)
    stance = Stance(balancing=Balancing(points, mass_shares(body, truth.shape), mode == "strict"))
    base = replace(
        IKProblem.without_masks(skeleton, (), truth.pose, truth.shape, body.id),
        floor=points,
        stance=None if mode == "off" else stance,
    )
    hand = rig.name(ARMS[rng.integers(2)].end)
    around, length = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(NEAREST, FURTHEST)
    way = length * np.array([np.sin(around), rng.uniform(-0.8, 0.2), np.cos(around)])
    ankles = rig.names_of([leg.end for leg in LEGS])
    asked: list[Effector] = [Position(name, world.positions[rig.index(name)]) for name in ankles]
    at = world.positions[rig.index(hand)]
    memory: Memory = AtPose(truth.pose)
    held, missed, took, moved = list[float](), list[float](), list[float](), list[float]()
    before = None
    for step in range(1, STEPS + 1):
        effectors = (*asked, Position(hand, (at + way * step / STEPS).astype(np.float32)))
        started = clock()
        found = solver.solve(replace(base, effectors=effectors), memory)
        took.append(1e3 * (clock() - started))
        memory, now = found.memory, forward_kinematics(skeleton, found.pose)
        held.append(float(balance(body, truth.shape, now).is_balanced))
        missed += [one.value for one in found.residuals]
        if before is not None:
            moved.append(float(np.linalg.norm(now.positions - before, axis=1).max()))
        before = now.positions
    return held, missed, took, moved
