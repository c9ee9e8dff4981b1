"""A proposer that knows only the embedded adult, asked about its variants: they pose as an adult of like build would.

The world is scaled until the bones are an adult's, and the answer is scaled back; the exact stage then meets what is
asked on the true body. Nothing is learned of age: a child moves as an adult does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from solver.body.body import SHAPE_LIMIT, BodyShape
from solver.body.bone_lengths import rest_places
from solver.body.catalog import load_body, origin_of
from solver.ik.options import Number, Option, Options
from solver.ik.problem import IKProblem
from solver.ik.solver import M, Proposal, ProposalRequest, Proposer
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised

SPREAD_M = 0.1  # how far off an adult's joint may be for each standard deviation of shape
FARTHEST = 3.0  # standard deviations: networks have seen few shapes beyond


class Likeness(NamedTuple):
    """The adult most like a body, and how many times as large the adult is."""

    body: str
    shape: BodyShape
    scale: float


class AsAdult(Proposer[M]):
    """Asks another proposer. options: of its solver; those in metres are scaled too."""

    def __init__(self, proposer: Proposer[M], options: Sequence[Option] = ()) -> None:
        self._proposer = proposer
        self._lengths = tuple(o for o in options if isinstance(o, Number) and o.unit == "m")

    def propose_batch(self, requests: Sequence[ProposalRequest[M]]) -> list[Proposal[M]]:
        """The other proposer's answers, on each problem's own body."""
        found = [likeness_to(request.problem) for request in requests]
        inner = [
            request if like is None else self._as_adult(request, like)
            for request, like in zip(requests, found, strict=True)
        ]
        answers = [self._proposer.propose(inner[0])] if len(inner) == 1 else self._proposer.propose_batch(inner)
        return [
            answer if like is None else answer._replace(pose=_scaled(answer.pose, 1.0 / like.scale))
            for answer, like in zip(answers, found, strict=True)
        ]

    def accepts(self, problem: IKProblem) -> str:
        """Why the other proposer cannot solve the problem; "" if it can."""
        return self._proposer.accepts(problem)

    @property
    def size_bytes(self) -> int:
        """The size of the other proposer's model."""
        return self._proposer.size_bytes

    def _as_adult(self, request: ProposalRequest[M], like: Likeness) -> ProposalRequest[M]:
        return request._replace(
            problem=as_adult(request.problem, like), options=self._scaled_options(request.options, like.scale)
        )

    def _scaled_options(self, options: Options, scale: float) -> Options:
        lengths = {o.id: min(o.of(options) * scale, o.high) for o in self._lengths if o.of(options)}
        return {**options, **lengths} if lengths else options


def likeness_to(problem: IKProblem) -> Likeness | None:
    """The adult most like the problem's body; None if that is not a variant."""
    origin = origin_of(problem.body)
    if origin == problem.body:
        return None
    return _likeness(problem.body, origin, problem.shape.betas.tobytes(), problem.shape.gender)


def as_adult(problem: IKProblem, like: Likeness) -> IKProblem:
    """The problem put to that adult. What only the exact stage reads is left out."""
    return replace(
        problem,
        skeleton=_skeleton(problem.skeleton, like),
        shape=like.shape,
        effectors=tuple(effector.scaled(like.scale) for effector in problem.effectors),
        base_pose=_scaled(problem.base_pose, like.scale),
        body=like.body,
        floor=None,
        obstacles=None,
        stance=None,
        leans=(),
    )


@memoised(64)
def _likeness(body: str, origin: str, betas: bytes, gender: str) -> Likeness:
    """Least squares on where the joints are at rest, linear in the adult's betas and in how large it is."""
    shape, rest = BodyShape(np.frombuffer(betas, np.float32), gender), rest_places(load_body(origin), gender)
    own = load_body(body).skeleton(shape).rest_positions.astype(np.float64)
    own, mean = own - own[0], rest.template - rest.template[0]
    ways = (rest.directions - rest.directions[:1]).reshape(mean.size, -1)
    # own * scale - ways @ betas = mean, betas held to their mean
    rows = np.column_stack([own.ravel(), -ways])
    held = SPREAD_M * np.eye(rows.shape[1])[1:]
    wanted = np.concatenate([mean.ravel(), np.zeros(len(held))])
    found, *_ = np.linalg.lstsq(np.concatenate([rows, held]), wanted, rcond=None)
    most = min(FARTHEST, SHAPE_LIMIT)
    near = BodyShape(np.clip(found[1:], -most, most).astype(np.float32), gender)
    return Likeness(origin, near, float(found[0]))


@memoised(64, by_identity=True)
def _skeleton(own: Skeleton, like: Likeness) -> Skeleton:
    """The adult's skeleton; what hangs on it beyond its own joints (`solver.ik.rig_adapter`) is scaled too."""
    adult = load_body(like.body).skeleton(like.shape)
    if own.names == adult.names:
        return adult
    offsets = like.scale * own.offsets
    for j, name in enumerate(own.names):
        if name in adult.names:
            offsets[j] = adult.offsets[adult.index(name)]
    return replace(own, offsets=offsets)


def _scaled(pose: Pose, factor: float) -> Pose:
    return Pose((factor * pose.root_position).astype(np.float32), pose.rotations)
