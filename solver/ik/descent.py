"""One search of the exact stage: from a state down to the pose that meets what is asked as well as it goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_kernels import NO_GROUND, Ground
from solver.contact.solid_kernels import NO_SOLIDS, Solids
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.facing import with_facing
from solver.effectors.form_ids import POINT
from solver.effectors.residual_kernels import Rows
from solver.ik.frozen import Frozen, frozen_of
from solver.ik.held_effectors import holds_bent_limb
from solver.ik.kernel_arrays import (
    frozen_pose,
    frozen_state,
    plain_pose,
    room_for,
    rows_of,
    strengths_of,
    tree_of,
    with_leans,
    with_spine_near,
)
from solver.ik.kernels.exact_kernels import STRICT, StayNear, solve_from_python
from solver.ik.kernels.prior_kernels import JointModel, Pulls
from solver.ik.memory import ExactState, state_at
from solver.ik.preserve import held_stiffness, with_place_rows
from solver.ik.problem import IKProblem, Residual
from solver.ik.residuals import largest_miss, row_errors, state_of
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import parts_apart

Array = NDArray[np.float64]

MAX_ITERATIONS = 40
BATCH_ITERATIONS = 25  # of one problem among many, and from another start
SETTLED = 3e-4  # radians or metres: steps below it end the search
SAME_START = 0.1  # radians or metres: a start this near to another one leads to the same pose
WORSE = 0.01  # metres or radians by which what was missed before may be missed more, where something else is met
CAUGHT = 0.03  # metres further from a strict place than the answer: there a search did not end by itself


class Stiff(NamedTuple):
    """What pulls beside the effectors, and how stiff joints are."""

    pulls: Pulls
    model: JointModel


class Descent(NamedTuple):
    """What a search found. state: where a next one would start. residuals: one for each effector, in order."""

    pose: Pose
    state: ExactState
    residuals: tuple[Residual, ...]
    iterations: int
    energy: float
    raised: frozenset[int] = frozenset()  # effectors whose residuals are those of places above the ones asked for

    @property
    def misses(self) -> frozenset[int]:
        """The effectors that are missed by more than they allow, by index."""
        return frozenset(e for e, residual in enumerate(self.residuals) if residual.state == "unreachable")

    @property
    def missed(self) -> bool:
        """Whether an effector is missed by more than it allows."""
        return any(residual.state == "unreachable" for residual in self.residuals)


def descend(
    problem: IKProblem,
    active: Sequence[Effector],
    proposal: Pose,
    state: ExactState,
    stiff: Stiff,
    most: int = MAX_ITERATIONS,
    trunk: Pose | None = None,
    shown: Pose | None = None,
    known: ExactState | None = None,
) -> Descent:
    """The pose found from `state` on.

    trunk: the pose that says what is within the body; without one, the pose shown a moment ago does (`shown`), or
    else the proposal. known: where another search has ended; one that ends there too has infinite energy.
    """
    still, pulls, base = frozen_of(problem), stiff.pulls, problem.base_pose
    pose = plain_pose(still.state(state) if still else state)
    soft, count = plain_pose(known) if known else room_for(pose), len(active)
    asked = with_facing(active, rows_of(problem.skeleton, active), strengths_of(active))
    rows, strengths = with_place_rows(problem, *asked, pulls.place)
    raised: tuple[int, ...] = ()
    if problem.floor is not None:
        rows, strengths, raised = problem.floor.raised(rows, strengths, problem.skeleton, trunk or proposal, base)
    if problem.obstacles is not None:
        within = trunk or shown or proposal
        rows, strengths, which = problem.obstacles.raised(rows, strengths, problem.skeleton, within, shown is not None)
        raised += which
    rows, strengths = with_leans(problem.skeleton, problem.leans, rows, strengths)
    hold = held_stiffness(problem, pulls.orientation)
    pressed = problem.obstacles is not None or any(isinstance(effector, Contact) for effector in active)
    pressed = pressed and not holds_bent_limb(active)
    if pressed or problem.step_s > 0:  # skin that is pressed upon is not out of reach, and motions have their own pace
        pulls = pulls._replace(calm=1.0)
    if still:
        (rows, strengths), hold, pulls = still.with_rows(rows, strengths), still.stiffness(hold), still.pulls(pulls)
    stay = StayNear(plain_pose(proposal), base.rotations.astype(np.float64, order="C"), hold)
    model, errors = with_spine_near(problem.skeleton, stiff.model, proposal, base), np.empty(len(strengths))
    iterations, energy = solve_from_python(
        tree_of(problem.skeleton), model, stay, pulls, rows, strengths, most, SETTLED, pose, soft, errors,
        _ground_of(problem, still), _solids_of(problem, still),
    )  # fmt: skip
    left = tuple(Residual(v, state_of(e, v)) for e, v in zip(active, errors[:count].tolist(), strict=True))
    over = frozenset(e for e in raised if e < count)
    if over:  # another start would not bring them below the floor
        left = tuple(Residual(one.value, "tolerated") if e in over else one for e, one in enumerate(left))
    found, ended = frozen_pose(pose), frozen_state(soft)
    caught = shown is not None and _was_caught(problem, rows, strengths, ended, found, errors)
    after = state_at(found) if caught else ended
    return Descent(still.pose(found) if still else found, after, left, iterations, energy, over)


def _was_caught(problem: IKProblem, rows: Rows, strengths: Array, at: ExactState, found: Pose, errors: Array) -> bool:
    """Whether skin caught a search, which ended at `at`, on its way to a strict place that the correction after it came
    much nearer to.

    In a drag, the next would be caught again, and fall ever further behind, until no correction made up for it.
    """
    solid = problem.floor is not None or problem.obstacles is not None
    if not solid or parts_apart(at.root, at.rotations, found) < SAME_START:
        return False
    nearer = row_errors(problem.skeleton, Pose(at.root, at.rotations), rows) - errors
    return bool(((nearer > CAUGHT) & (rows.kinds == POINT) & (strengths[:, 0] >= STRICT)).any())


def _ground_of(problem: IKProblem, still: Frozen | None) -> Ground:
    if problem.floor is None:
        return NO_GROUND
    return (problem.floor.without(still.fixed) if still else problem.floor).ground


def _solids_of(problem: IKProblem, still: Frozen | None) -> Solids:
    if problem.obstacles is None:
        return NO_SOLIDS
    return problem.obstacles.without(still.fixed) if still else problem.obstacles.solids


def gets_nearer(found: Descent, kept: Descent) -> bool:
    """Whether a search misses only some of what another one missed, and none of that by much more: a foot that is two
    millimetres off is not worth a knee that ends decimetres away."""
    return found.misses < kept.misses and all(
        found.residuals[e].value <= kept.residuals[e].value + WORSE for e in found.misses
    )


def contact_off(effectors: Sequence[Effector], found: Descent) -> float:
    """Metres by which the contact is missed that is missed most; 0 if all are met."""
    return largest_miss(effectors, found.residuals, lambda e: isinstance(e, Contact))
