"""The solvers that this program ships, by id, and the stand-in for one that cannot be loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY
from solver.errors import PoserError
from solver.ik.options import PROPOSAL_ALONE, STANDING, Number, Option, Switch
from solver.ik.problem import IKProblem
from solver.ik.solver import TOLERANCE, Continuity, SolverSpec
from solver.kinematics.pose import rest_pose
from solver.memoise import memoised
from solver.registry import Registry
from solver.rig.roles import ENDS

DEFAULT_SOLVER = "smplik"  # of new characters
STAND_IN = "dls"  # needs no weights and works on every body

if TYPE_CHECKING:
    from solver.ik.pipeline.pipeline import Solver

# What DragPoser's search holds beside what is asked, and what counts more in it.
FLOOR = Switch("floor", "Stay above the floor", "The search keeps all joints above the floor")
ROOM = Number(
    "room", "Room to each side", 0.0, 5.0, 0.0,
    "The search keeps all joints in a square about where the pelvis began, this far to each side; 0 for no limit",
    unit="m",
)  # fmt: skip
HANDS_APART = Switch(
    "hands_apart", "Keep the hands' distance", "The search keeps the wrists as far apart as they were to begin with"
)
BALANCE = Number(
    "balance", "Places or turns", -1.0, 1.0, 0.0,
    "Below 0 places matter more than turns in the search, above 0 turns matter more",
)  # fmt: skip
MOST_PRIORITY = 4.0  # times as much


def _priority(title: str, joints: str) -> Number:
    tip = f"How much what is asked of {joints} counts in the search: 0 hardly at all, 1 as for other joints"
    return Number(title.lower().replace(" ", "_"), title, 0.0, MOST_PRIORITY, 1.0, tip, decimals=1)


HANDS = _priority("Priority of hands", "wrists and fingers")
FEET = _priority("Priority of feet", "ankles and toes")
HEAD = _priority("Priority of head", "the head")
PELVIS = _priority("Priority of pelvis", "the pelvis")

DRAGPOSER_SEARCH: tuple[Option, ...] = (FLOOR, HANDS_APART, ROOM, BALANCE, HANDS, FEET, HEAD, PELVIS)
DRAGPOSER_OPTIONS: tuple[Option, ...] = (PROPOSAL_ALONE, *STANDING, *DRAGPOSER_SEARCH)

SOLVERS: Registry[SolverSpec] = Registry("solver")
SOLVERS.register(
    SolverSpec(
        id="smplik",
        title="SMPL-IK",
        target="solver.solvers.learned.shipped:smplik",
        summary="The one to begin with: likely poses from a few handles, for every body shape.",
        heeds=frozenset({TOLERANCE}),
        body=DEFAULT_BODY,
        learned=True,
        options=(PROPOSAL_ALONE, *STANDING),
        continuity=Continuity.FROM_SHOWN,
    )
)
SOLVERS.register(
    SolverSpec(
        id="protores",
        title="ProtoRes",
        target="solver.solvers.learned.shipped:protores",
        summary="As good as SMPL-IK on a body of average build, a little less so on others.",
        heeds=frozenset({TOLERANCE}),
        body=DEFAULT_BODY,
        learned=True,
        options=(PROPOSAL_ALONE, *STANDING),
        continuity=Continuity.FROM_SHOWN,
    )
)
SOLVERS.register(
    SolverSpec(
        id="skelik",
        title="SKEL-IK",
        target="solver.solvers.learned.shipped:skelik",
        summary="For changing a pose that you like: it reads the base pose and keeps to its style.",
        body=DEFAULT_BODY,
        learned=True,
        options=(PROPOSAL_ALONE, *STANDING),
        continuity=Continuity.FROM_SHOWN,
        preserves_again=False,
        holds_kept=True,
    )
)
SOLVERS.register(
    SolverSpec(
        id="pose_edition",
        title="Pose edition",
        target="solver.solvers.learned.shipped:pose_edition",
        summary="For moving hands, feet and head of the base pose to other places, by the smallest networks.",
        placeable_roles=frozenset(ENDS),
        heeds=frozenset(),
        proposes_from_places_only=True,
        learned=True,
        options=(PROPOSAL_ALONE, *STANDING),
        continuity=Continuity.FROM_SHOWN,
    )
)
SOLVERS.register(
    SolverSpec(
        id="dragposer",
        title="DragPoser",
        target="solver.solvers.latent.ensemble:dragposer",
        summary="For motions from a few trackers, and for likely poses near the base pose.",
        heeds=frozenset({TOLERANCE}),
        body=DEFAULT_BODY,
        learned=True,
        options=DRAGPOSER_OPTIONS,
        continuity=Continuity.IN_MOTION,
    )
)
SOLVERS.register(
    SolverSpec(
        id="dls",
        title="Damped least squares",
        target="solver.solvers.dls:BasePose",
        summary="Stays closest to the base pose, and works on every body: it needs no network.",
        proposes=False,
        options=STANDING,
    )
)
SOLVERS.register(
    SolverSpec(
        id="fabrik",
        title="FABRIK",
        target="solver.solvers.classical.fabrik:Fabrik",
        summary="For comparison: joints move along their bones until they reach, likely or not.",
        options=STANDING,
        baseline=True,
    )
)
SOLVERS.register(
    SolverSpec(
        id="ccd",
        title="CCD",
        target="solver.solvers.classical.ccd:Ccd",
        summary="For comparison: one joint turns after another until they reach, likely or not.",
        options=STANDING,
        baseline=True,
    )
)


def spec_of(id: str) -> SolverSpec:
    """The solver's spec; the stand-in's for an unknown solver (named by a file of a newer version)."""
    return SOLVERS[id if id in SOLVERS else STAND_IN]


@dataclass(frozen=True)
class UsableSolver:
    """A solver that can be used. refusal: why it is not the one that was asked for; "" if it is."""

    solver: Solver
    refusal: str = ""


_refusals: dict[str, str] = {}
_loaded: dict[str, Solver] = {}


@memoised()
def load_solver(id: str) -> Solver:
    """One instance of the solver, made at first use; UnknownName lists the ids."""
    from solver.ik.pipeline.pipeline import Solver  # it imports compiled code
    from solver.solvers.as_adult import AsAdult

    spec, proposer = SOLVERS[id], SOLVERS.load(id)()
    return Solver(spec, AsAdult(proposer, spec.options) if spec.body == DEFAULT_BODY else proposer)


def usable_solver(id: str, problem: IKProblem) -> UsableSolver:
    """The solver, or the stand-in if it is unknown, cannot be loaded or does not accept the problem.

    A solver that was refused once is not tried again until `try_again`.
    """
    refusal = refusal_of(id, problem)
    if not refusal:
        try:
            solver = load_solver(id)
        except PoserError as error:
            refusal = _refusals[id] = str(error)
        else:
            first = id not in _loaded
            _loaded[id] = solver
            refusal = refusal_of(id, problem) if first else ""
            if not refusal:
                return UsableSolver(solver)
    return UsableSolver(load_solver(STAND_IN), refusal)


def usable_on(id: str, body: Body) -> UsableSolver:
    """The solver as `usable_solver` finds it, for a body without a problem yet."""
    skeleton = body.skeleton(BodyShape())
    return usable_solver(id, IKProblem.without_masks(skeleton, (), rest_pose(skeleton), body=body.id))


def refusal_of(id: str, problem: IKProblem) -> str:
    """Why the stand-in solves instead of this solver, as far as that is known; "" if it does not."""
    if id == STAND_IN:
        return ""
    if id not in SOLVERS:
        return f"This version of the program has no solver named “{id[:40]}”."
    loaded = _loaded.get(id)
    return loaded.accepts(problem) if loaded else SOLVERS[id].accepts(problem) or _refusals.get(id, "")


def try_again() -> None:
    """Forgets which solvers were refused: the cause may have been removed."""
    _refusals.clear()
    _loaded.clear()
