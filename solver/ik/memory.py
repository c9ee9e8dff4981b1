"""What a solver remembers from one solve to the next, by case, resolved before a proposer sees any of it.

There are six cases: nothing (`FRESH`), the pose that is shown (`AtPose`: a file was opened, a pose pasted), a pose
that the user chose among several (`ChosenPose`), what a solver left behind for itself (`SolverMemory`, or
`ForeignRigMemory` for a rig of another kind), that together with what the figure was asked (`SettledMemory`), and any
of these at another pose than the one shown (`BegunAnew`: a drag begins anew).
Each gives the `WarmStart` that it means to one solver on one skeleton, without anything that belongs to another solver
or skeleton.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from solver.effectors.effector import Effector
from solver.ik.anchor import STILL_M, Anchor, distance_moved, effector_key, soft_turns
from solver.ik.problem import asks_alike
from solver.kinematics.pose import Pose
from solver.values import ArrayValue, FloatArray, read_only

if TYPE_CHECKING:
    from solver.ik.options import Options
    from solver.ik.problem import IKProblem, Residual
    from solver.ik.solution import IKSolution

M_co = TypeVar("M_co", covariant=True)  # what a proposer remembers


@dataclass(frozen=True, eq=False)
class ExactState(ArrayValue):
    """The seed of the next search: the pose that this one ended at. root: (3,) metres. rotations: (J, 3, 3). way: which
    of the ways past what a body lies on led there, by number; 0 for none."""

    root: FloatArray
    rotations: FloatArray
    way: int = 0


def state_at(pose: Pose) -> ExactState:
    """The state that makes the next search start at `pose`."""
    return ExactState(pose.root_position, pose.rotations)


def with_turns_of(state: ExactState, joints: Iterable[int], pose: Pose) -> ExactState:
    """The state with some joints turned as in a pose."""
    rotations, which = state.rotations.copy(), sorted(joints)
    rotations[which] = pose.rotations[which]
    read_only(rotations)
    return ExactState(state.root, rotations)


class LastSolve(NamedTuple):
    """How the last pose was found, for continuity to go on from.

    exact: the exact stage's state. effectors, base: the problem's. proposal: the one that was followed. pose: the
    result. anchor: how the pose shown differs from the proposal, None if it does not. tried: the last problem for which
    a search from the proposal was no better than one that went on; None if none was needed since, or if it was better.
    pinned: keys of effectors that had to be pinned to stay met. seat: the id of what somebody sits or gets up by; "" if
    they do neither. goes_to: where a body goes that is led there little by little; None for one that is where it goes.
    """

    exact: ExactState
    effectors: tuple[Effector, ...]
    base: Pose
    proposal: Pose
    pose: Pose
    anchor: Anchor | None = None
    tried: IKProblem | None = None
    pinned: frozenset[tuple[str, str, str]] = frozenset()
    seat: str = ""
    goes_to: Destination | None = None


class WarmStart(NamedTuple, Generic[M_co]):
    """What a solve starts from, as one solver on one skeleton sees it.

    pose: the pose shown, None if there is none. chosen_for: the effectors for which the user chose it, None if it was
    not chosen. last_solve: for continuity. proposer_memory: what the proposer asked to remember; None the first time.
    asked: the effectors of the person in that pose, () where these are not known; after a solve `last_solve` has them.
    """

    pose: Pose | None = None
    chosen_for: tuple[Effector, ...] | None = None
    last_solve: LastSolve | None = None
    proposer_memory: M_co | None = None
    asked: tuple[Effector, ...] = ()

    @property
    def asked_before(self) -> tuple[Effector, ...]:
        """What was asked as the pose shown came about, as far as that is known."""
        return self.asked if self.last_solve is None else self.last_solve.effectors

    def at(self, pose: Pose) -> WarmStart[M_co]:
        """The start at another pose, near the one of the last solve, if there was one."""
        last = self.last_solve
        return self._replace(pose=pose, last_solve=last and last._replace(exact=state_at(pose), pose=pose))

    def chosen_as_asked(self, problem: IKProblem) -> WarmStart[M_co]:
        """The start with turns that the pose was chosen for as a problem asks them, unless they are strict: those of
        feet follow from how people stand, so that nobody has turned them."""
        if self.chosen_for is None:
            return self
        now = soft_turns(problem.effectors)
        return self._replace(chosen_for=tuple(now.get(effector_key(e), e) for e in self.chosen_for))

    @property
    def unpinned(self) -> WarmStart[M_co]:
        """The start without pins of the last solve: those are for its further rounds alone."""
        last = self.last_solve
        return self if last is None or not last.pinned else self._replace(last_solve=last._replace(pinned=frozenset()))


class SolveRecord(NamedTuple):
    """One finished solve of a figure: what it was asked, by which solver, and the pose that came out."""

    problem: IKProblem
    options: Options
    solver: object
    pose: Pose


class Destination(NamedTuple):
    """Where a body goes that is led there: what was asked, with which options, and what was found for it. wholly:
    whether trunk and idle arms are led as well, as where a drag begins anew. over: whether it goes straight over there,
    past what a hand was stuck at."""

    problem: IKProblem
    options: Options
    found: IKSolution
    wholly: bool = False
    over: bool = False

    def is_for(self, problem: IKProblem, options: Options) -> bool:
        """Whether the same is asked again, so that the body goes there still."""
        was, now = self.problem.obstacles, problem.obstacles
        placed = was is now or (was is not None and now is not None and now.is_placed_as(was))
        alike = placed and self.options == options and asks_alike(self.problem, problem)
        return alike and distance_moved(self.problem.effectors, problem.effectors) <= STILL_M


class DragStart(NamedTuple):
    """Where a drag started. settled: the memory of the pose shown then, of no drag. dragged: the effectors dragged
    since, with their targets where that pose has them. went_far: whether they have been far from there."""

    settled: SettledMemory
    dragged: tuple[Effector, ...]
    went_far: bool = False

    @property
    def pose(self) -> Pose:
        """The pose shown as the drag started."""
        return self.settled.record.pose


class TieMotion(NamedTuple):
    """How the last step of a drag moved what a figure is tied to on its own body. dragged: the dragged effector's id.
    by: (3,) metres that its target moved. ways: (3,) metres that the targets of own ties moved, by id."""

    dragged: str
    by: FloatArray
    ways: Mapping[str, FloatArray]


class ForeignRig(Protocol):
    """What a memory has to know of a rig of another kind (`solver.ik.rig_adapter`)."""

    @property
    def joints(self) -> int:
        """How many joints solvers see of it."""
        ...

    def solver_pose(self, pose: Pose) -> Pose | None:
        """A pose of the rig as solvers see it; None if it is of another skeleton."""
        ...

    def solver_effectors(self, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
        """Effectors of the rig as solvers see them."""
        ...


@dataclass(frozen=True)
class Fresh:
    """Nothing is known; no pose is shown yet."""

    def warm_start_for(self, solver: str, joints: int) -> WarmStart[object]:
        """A start from nothing."""
        return WarmStart()

    def with_default_pose(self, pose: Pose) -> Memory:
        """The pose shown, as nothing else is known."""
        return AtPose(pose)

    def for_solver_rig(self, rig: ForeignRig) -> Memory:
        """Nothing is known there either."""
        return self

    def for_own_rig(self, pose: Pose) -> Memory:
        """Nothing is known there either."""
        return self


@dataclass(frozen=True)
class AtPose:
    """The pose shown, which came from another solver, a file or a photo.

    asked: the effectors that the person in it has before an edit leads to the next solve; () where they are not known.
    """

    pose: Pose
    asked: tuple[Effector, ...] = ()

    def warm_start_for(self, solver: str, joints: int) -> WarmStart[object]:
        """A start at the pose, or from nothing where that is another skeleton's."""
        return WarmStart(self.pose, asked=self.asked) if len(self.pose.rotations) == joints else WarmStart()

    def with_default_pose(self, pose: Pose) -> Memory:
        """This memory: it knows its pose."""
        return self

    def for_solver_rig(self, rig: ForeignRig) -> Memory:
        """The pose as solvers see it on a rig of another kind; unchanged where it is not of that rig."""
        pose = rig.solver_pose(self.pose)
        return self if pose is None else AtPose(pose, rig.solver_effectors(self.asked))

    def for_own_rig(self, pose: Pose) -> Memory:
        """The rig's pose."""
        return AtPose(pose)


@dataclass(frozen=True)
class ChosenPose:
    """The pose shown, which the user chose among others for these effectors."""

    pose: Pose
    effectors: tuple[Effector, ...]

    def warm_start_for(self, solver: str, joints: int) -> WarmStart[object]:
        """A start at the pose, which is to stay while its effectors do; from nothing on another skeleton."""
        return WarmStart(self.pose, self.effectors) if len(self.pose.rotations) == joints else WarmStart()

    def with_default_pose(self, pose: Pose) -> Memory:
        """This memory: it knows its pose."""
        return self

    def for_solver_rig(self, rig: ForeignRig) -> Memory:
        """The pose and the effectors as solvers see them on a rig of another kind."""
        pose = rig.solver_pose(self.pose)
        return self if pose is None else ChosenPose(pose, rig.solver_effectors(self.effectors))

    def for_own_rig(self, pose: Pose) -> Memory:
        """The rig's pose: no solver leaves a choice behind."""
        return AtPose(pose)


@dataclass(frozen=True)
class SolverMemory:
    """What a solver stored for its next solve. solver: its id."""

    solver: str
    warm_start: WarmStart[object]

    def warm_start_for(self, solver: str, joints: int) -> WarmStart[object]:
        """The solver's own start; to another solver only the pose counts, to another skeleton nothing."""
        if self.warm_start.pose is not None and len(self.warm_start.pose.rotations) != joints:
            return WarmStart()
        return self.warm_start if solver == self.solver else WarmStart(self.warm_start.pose)

    def with_default_pose(self, pose: Pose) -> Memory:
        """This memory, at `pose` where it knows none."""
        return (
            self if self.warm_start.pose is not None else SolverMemory(self.solver, self.warm_start._replace(pose=pose))
        )

    def for_solver_rig(self, rig: ForeignRig) -> Memory:
        """This memory: the solver of another rig sees at most its pose."""
        return self

    def for_own_rig(self, pose: Pose) -> Memory:
        """This memory together with the rig's pose."""
        return ForeignRigMemory(self, None if self.warm_start.pose is None else pose)


@dataclass(frozen=True)
class ForeignRigMemory:
    """What a solver left behind for itself on the skeleton that it saw of a rig of another kind
    (`solver.ik.rig_adapter`).

    pose: the rig's pose shown, None if there is none.
    """

    inner: SolverMemory
    pose: Pose | None

    def warm_start_for(self, solver: str, joints: int) -> WarmStart[object]:
        """A start at the pose, or from nothing where that is another skeleton's."""
        return AtPose(self.pose).warm_start_for(solver, joints) if self.pose else WarmStart()

    def with_default_pose(self, pose: Pose) -> Memory:
        """This memory, at `pose` where it knows none."""
        return self if self.pose else replace(self, pose=pose)

    def for_solver_rig(self, rig: ForeignRig) -> Memory:
        """What was left behind, or only the pose if solvers now see other joints."""
        shown = self.pose and rig.solver_pose(self.pose)
        left = self.inner.warm_start.pose
        if left is None or len(left.rotations) == rig.joints:
            return self.inner if shown is None else self.inner.with_default_pose(shown)
        return AtPose(shown) if shown else self.inner

    def for_own_rig(self, pose: Pose) -> Memory:
        """This memory: it is the rig's already."""
        return self


@dataclass(frozen=True)
class SettledMemory:
    """The memory of a figure that was solved together with others, for ties to itself, or in a drag of its own.

    inner: the memory of the figure's own solver. record: the figure's problem, with targets where their sources had
    them in the end; if the same is asked again of figures at rest, nobody moves. residuals: how well all of its
    effectors were met. drag_start: where the last drag started, None before the first. tie_motion: of the last step,
    None where nothing was dragged in it. rests: whether they have come to rest; if not, they go on even if the same is
    asked again. sought: its ties where a way around what is in the way was last looked for, if it has not met them
    since.
    """

    inner: Memory
    record: SolveRecord
    residuals: tuple[Residual, ...]
    drag_start: DragStart | None = None
    tie_motion: TieMotion | None = None
    rests: bool = True
    sought: tuple[Effector, ...] = ()

    def warm_start_for(self, solver: str, joints: int) -> WarmStart[object]:
        """The start that the solver's own memory means."""
        return self.inner.warm_start_for(solver, joints)

    def with_default_pose(self, pose: Pose) -> Memory:
        """This memory: it knows its pose."""
        return self

    def for_solver_rig(self, rig: ForeignRig) -> Memory:
        """What the solver's own memory is there."""
        return self.inner.for_solver_rig(rig)

    def for_own_rig(self, pose: Pose) -> Memory:
        """The solver's own memory outside: rigs of other kinds are dealt with inside a solve, before this is made."""
        return self.inner.for_own_rig(pose)


@dataclass(frozen=True)
class BegunAnew:
    """The memory of a pose that a drag begins at anew, while the person is shown in another.

    inner: what is known of the pose that it begins at, `pose`.
    """

    inner: Memory
    pose: Pose

    def warm_start_for(self, solver: str, joints: int) -> WarmStart[object]:
        """The start where the drag begins."""
        return self.inner.with_default_pose(self.pose).warm_start_for(solver, joints)

    def with_default_pose(self, pose: Pose) -> Memory:
        """What is known of the pose where the drag begins."""
        return self.inner.with_default_pose(self.pose)

    def for_solver_rig(self, rig: ForeignRig) -> Memory:
        """What that is on a rig of another kind."""
        return self.inner.with_default_pose(self.pose).for_solver_rig(rig)

    def for_own_rig(self, pose: Pose) -> Memory:
        """What that is outside."""
        return self.inner.for_own_rig(pose)


def goes_on(memory: Memory) -> bool:
    """Whether the body is still led to where it goes, so that it moves on if the same is asked again."""
    while not isinstance(memory, SolverMemory):
        if not isinstance(memory, ForeignRigMemory | SettledMemory):
            return False
        memory = memory.inner
    last = memory.warm_start.last_solve
    return last is not None and last.goes_to is not None


Memory = Fresh | AtPose | ChosenPose | SolverMemory | ForeignRigMemory | SettledMemory | BegunAnew
FRESH = Fresh()
