"""A body's shape from the bones of a skeleton or estimate that comes without a shape of ours.

Two estimators by name: least squares on all bones, which is the better one and what imports use, and `smpl_si`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT, Body, BodyShape
from solver.body.bone_lengths import HIPS, Lengths, RestPlaces, in_t_pose, is_span, rest_places, without_spans
from solver.body.smpl_si import PAIRS, smpl_si
from solver.errors import PoserError, UnknownName
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import ARMS

Array = NDArray[np.float64]
LIMB_SPREAD = 0.005  # metres by which limbs of other rigs differ from ours for the same person
TRUNK_SPREAD = 0.04  # the same for other bones: rigs agree on where a knee is, not on where a spine bends
SAME_SPREAD = 0.002  # of a skeleton with our joints
EXACT_SPREAD = 1e-5  # of one that this program wrote, given how its file rounds
SPAN_SPREAD = 0.01  # of a skeleton that is told by the places of hips, shoulders and head
_SHOULDERS = (ARMS[0].root, ARMS[1].root)
_LIMB_PARTS = ("knee", "ankle", "elbow", "wrist")
_STEPS = 15
_SCALED = 25.0  # by how much another scale must lower the cost before a skeleton is not taken for a person in metres
_SCALED_ADULT = 100.0  # the same of another rig's, if its limbs are as long as an adult's
_ADULT = (0.8, 1.25)  # how long the limbs of adults are, compared with the mean body's
_STEP_OF_BETAS = 0.01  # they are given to it: finer differences mean nothing
_EXACT_STEP = 1e-4  # but of a body of ours, whose joints they place within a hundredth of a millimetre


@dataclass(frozen=True, eq=False)
class ShapeFit:
    """shape: of our body. scale: how many times as large the skeleton is. error_m: mean error of its bones, were it as
    large as our body. own_joints: whether the shape is of a body with the skeleton's own joints."""

    shape: BodyShape
    scale: float
    error_m: float
    own_joints: bool = False

    def text(self) -> str:
        """One plain line about it."""
        size = "" if abs(self.scale - 1.0) < 0.005 else f", {self.scale:.2f} times its size"
        if self.own_joints:
            return f"Body shape: with its joints where the character has them{size}"
        if not self.shape.betas.any():
            return "Body shape: the mean one, which has bones of these lengths"
        return f"Body shape: from the lengths of the bones, which it meets within {1e3 * self.error_m:.0f} mm{size}"


Estimator = Callable[[Lengths, Body, str, bool], ShapeFit]


def least_squares(lengths: Lengths, body: Body, gender: str = "neutral", same_joints: bool = False) -> ShapeFit:
    """The likeliest shape: least squares on all bones, betas held to their mean by one standard deviation each.

    A skeleton is taken for a person in metres unless another scale explains it far better: how much better depends on
    whether its limbs are as long as an adult's. same_joints: whether its joints are where ours are, rather than another
    rig's. Raises PoserError if there is not a single limb.
    """
    rest, same = rest_places(body, gender), SAME_SPREAD if same_joints else None
    alone = without_spans(lengths)
    bones = _Problem(alone, rest, same)
    in_metres, cost = bones.solve(1.0, False)
    free, freed = bones.solve(bones.usual_scale, True)  # broad shoulders on short legs are no sign of another unit
    # An adult's bones on another rig are often most like those of somebody of two metres, made smaller.
    adult = not same_joints and _ADULT[0] <= bones.usual_scale <= _ADULT[1]
    scaled = freed < cost - (_SCALED_ADULT if adult else _SCALED)
    betas = free if scaled else in_metres
    if len(alone) < len(lengths):
        problem = _Problem(lengths, rest, same)
        betas, _ = problem.solve(problem.usual_scale if scaled else 1.0, scaled)
    return _fit(betas[:SHAPE_COMPONENTS], float(np.exp(betas[SHAPE_COMPONENTS])), lengths, body, gender)


def by_smpl_si(lengths: Lengths, body: Body, gender: str = "neutral", same_joints: bool = False) -> ShapeFit:
    """The shape by SMPL-SI (equation 3), of the right side alone, in the T-pose that the bones make.

    Raises PoserError if a joint of the right side, or the head, cannot be reached. same_joints: ignored.
    """
    places = in_t_pose(lengths, rest_places(body, gender))
    missing = sorted({name for pair in PAIRS for name in pair} - places.keys())
    if missing:
        raise PoserError(f"SMPL-SI needs joints that the skeleton lacks: {', '.join(missing)}. Use least squares.")
    six = np.array([np.linalg.norm(places[b] - places[a]) for a, b in PAIRS])
    betas, scale = smpl_si(six, body, gender)
    return _fit(betas, float(scale), lengths, body, gender)


ESTIMATORS: dict[str, Estimator] = {"least-squares": least_squares, "smpl-si": by_smpl_si}
DEFAULT_ESTIMATOR = "least-squares"


def shape_estimator(name: str) -> Estimator:
    """The estimator of that name; raises UnknownName."""
    if name not in ESTIMATORS:
        raise UnknownName("shape estimator", name, ESTIMATORS)
    return ESTIMATORS[name]


def shape_of_bones(lengths: Lengths, body: Body, estimator: str = DEFAULT_ESTIMATOR) -> ShapeFit:
    """The shape that an import gives a person with bones but no shape of ours, by the estimator of that name.

    A skeleton that matches one of our bodies to a hundredth of a millimetre, of whatever gender, gets the shape it was
    made with. One that matches a body of ours to the millimetre is taken for that body; any other for a rig whose
    joints are elsewhere. Raises PoserError if the bones say too little, UnknownName for another estimator.
    """
    estimate = shape_estimator(estimator)
    if estimate is least_squares and (exact := made_with(lengths, body)) is not None:
        return exact
    ours = estimate(lengths, body, "neutral", True)
    return ours if ours.error_m <= SAME_SPREAD else estimate(lengths, body, "neutral", False)


def made_with(lengths: Lengths, body: Body) -> ShapeFit | None:
    """The shape of this body, of whatever gender, that the bones match to a hundredth of a millimetre, if any.

    Raises PoserError if there is not a single limb.
    """
    fits = (_made_with(lengths, body, gender) for gender in GENDERS)
    return next((fit for fit in fits if fit is not None), None)


def _made_with(lengths: Lengths, body: Body, gender: str) -> ShapeFit | None:
    """The shape that a skeleton of this program's was made with; None for another skeleton."""
    problem = _Problem(lengths, rest_places(body, gender), EXACT_SPREAD)
    if problem.bones < 2 * SHAPE_COMPONENTS:
        return None  # many shapes match so few bones
    own, _ = problem.solve(1.0, False)
    fits = (_fit(own[:SHAPE_COMPONENTS], 1.0, lengths, body, gender, step) for step in (_STEP_OF_BETAS, _EXACT_STEP))
    return next((fit for fit in fits if fit.error_m <= EXACT_SPREAD), None)


def _fit(
    betas: Array, scale: float, lengths: Lengths, body: Body, gender: str, step: float = _STEP_OF_BETAS
) -> ShapeFit:
    steps = np.round(np.clip(betas, -SHAPE_LIMIT, SHAPE_LIMIT) / step)
    shape = BodyShape((steps * step + 0.0).astype(np.float32), gender)
    problem = _Problem(lengths, rest_places(body, gender), SAME_SPREAD)
    return ShapeFit(shape, scale, float(np.abs(problem.misses(shape.betas, scale)).mean() / scale))


class _Problem:
    """Bones as rows: from one joint to another, how long each is, and how much it may differ."""

    def __init__(self, lengths: Lengths, rest: RestPlaces, same: float | None) -> None:
        """same: metres by which bones of a skeleton with our joints differ; None if its joints are another rig's."""
        self._rest = rest
        pairs = [pair for pair in lengths if all(name in SMPL_JOINTS for name in pair)]
        self._ends = np.array([[SMPL_JOINTS.index(name) for name in pair] for pair in pairs]).reshape(-1, 2)
        self._wanted = np.array([lengths[pair] for pair in pairs], dtype=np.float64)
        limbs = np.array([pair != HIPS and pair[1].partition("_")[2] in _LIMB_PARTS for pair in pairs], dtype=bool)
        if not limbs.any() or not (np.isfinite(self._wanted).all() and self._wanted[limbs].min() > 0):
            raise PoserError("This skeleton says nothing about a shape: its limbs have no lengths.")
        spread = np.where(limbs, LIMB_SPREAD, TRUNK_SPREAD)
        if any(pair[1] in _SHOULDERS and is_span(pair) for pair in pairs):
            spread[[is_span(pair) for pair in pairs]] = SPAN_SPREAD
        self._spread = spread if same is None else np.full(len(pairs), same)
        ours, _ = self._lengths(np.zeros(SHAPE_COMPONENTS))
        self.usual_scale = float(np.median(self._wanted[limbs] / ours[limbs]))

    @property
    def bones(self) -> int:
        """How many there are."""
        return len(self._ends)

    def misses(self, betas: NDArray[np.floating], scale: float) -> Array:
        """(B,) metres by which our bones of that shape and scale are too long."""
        return scale * self._lengths(betas)[0] - self._wanted

    def solve(self, scale: float, free: bool) -> tuple[Array, float]:
        """(11,) betas and logarithm of the scale, and half the cost, after a few Gauss-Newton steps from the mean.

        If the scale is free, bones may differ in proportion to it.
        """
        x = np.append(np.zeros(SHAPE_COMPONENTS), np.log(scale))
        spread = self._spread * (scale if free else 1.0)
        for _ in range(_STEPS):
            ours, slopes = self._lengths(x[:SHAPE_COMPONENTS])
            size = np.exp(x[SHAPE_COMPONENTS])
            rows = np.column_stack([size * slopes, size * ours]) / spread[:, None]
            miss = (size * ours - self._wanted) / spread
            normal = rows.T @ rows
            normal[np.diag_indices(SHAPE_COMPONENTS)] += 1.0
            gradient = rows.T @ miss + np.append(x[:SHAPE_COMPONENTS], 0.0)
            held = np.zeros(SHAPE_COMPONENTS + 1, dtype=bool)  # betas at the end of their range, pushed beyond it
            held[:-1] = (np.abs(x[:-1]) >= SHAPE_LIMIT) & (gradient[:-1] * x[:-1] < 0)
            held[-1] = not free
            step = np.zeros_like(x)
            step[~held] = np.linalg.solve(normal[np.ix_(~held, ~held)], -gradient[~held])
            step[-1] = np.clip(step[-1], -1.0, 1.0)  # bones out of all proportion would throw it anywhere
            x = x + step
            x[:-1] = np.clip(x[:-1], -SHAPE_LIMIT, SHAPE_LIMIT)
            if np.abs(step).max() < 1e-9:
                break
        miss = self.misses(x[:SHAPE_COMPONENTS], float(np.exp(x[SHAPE_COMPONENTS]))) / spread
        return x, float(miss @ miss + x[:-1] @ x[:-1]) / 2

    def _lengths(self, betas: NDArray[np.floating]) -> tuple[Array, Array]:
        """(B,) metres of our bones, and (B, 10) how they change with betas."""
        above, below = self._ends.T
        ways = self._rest.of(betas)[below] - self._rest.of(betas)[above]
        lengths = np.linalg.norm(ways, axis=1)
        moves = self._rest.directions[below] - self._rest.directions[above]
        return lengths, np.einsum("ba,bak->bk", ways / np.maximum(lengths, 1e-9)[:, None], moves)
