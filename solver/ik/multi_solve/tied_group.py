"""The figures of a shared problem as it is solved: where all are, what is asked of them, what their solves found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.contact.obstacles import Obstacles, OtherBody
from solver.effectors.effector import Effector
from solver.effectors.facing import halfway_between
from solver.effectors.resolve import Figure, carrying_joint, resolved, tied_figures
from solver.effectors.sources import Tie
from solver.ik.anchor import distance_moved
from solver.ik.memory import Memory, SettledMemory, SolveRecord, goes_on
from solver.ik.multi_solve.drag_return import (
    blend_to_drag_start,
    drag_start_after,
    effectors_dragged,
    with_patches_as_then,
)
from solver.ik.multi_solve.released_figures import has_sought_there, looks_for_way_around, memory_after_release
from solver.ik.multi_solve.same_problem import has_moved_target, is_same_pose, is_same_problem
from solver.ik.multi_solve.self_ties import (
    WAITING,
    hands_on_own_legs,
    meeting_half_way,
    stay_effectors,
    takes_hold_of_own_leg,
    waiting_for_hands,
    with_carried_targets,
)
from solver.ik.multi_solve.shared_problem import SharedProblem, TiedFigure
from solver.ik.multi_solve.tie_motion import LastRound, share_of_way, tie_motion_of, with_targets_going_on
from solver.ik.problem import IKProblem
from solver.ik.residuals import effector_errors, residuals, with_states_of
from solver.ik.solution import Answer, IKSolution
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.values import changed

STAYED_M = 0.005  # metres that targets count as having stayed where they were asked to be
SAME_PROPOSAL = 0.03  # metres that targets may move from round to round before a proposal is made anew


class GroupState(NamedTuple):
    """Where all figures have come to. world: where they are, by id. solutions: those that found it. asked: what for.
    least: how far the worst tie is from being met. late: whether it ended because there were no more rounds, or no
    time for them."""

    world: dict[str, Figure]
    solutions: dict[str, IKSolution]
    asked: dict[str, tuple[Effector, ...]]
    figures: tuple[TiedFigure, ...]
    least: float = np.inf
    late: bool = False


class Group:
    """Where all figures are now, and what their last solves found."""

    def __init__(self, shared: SharedProblem) -> None:
        self.figures = shared.figures
        self.goes_around = any(looks_for_way_around(figure.memory, figure.problem) for figure in shared.figures)
        self.seeks = False
        self._asked: dict[str, tuple[Effector, ...]] = {}
        self._proposed_for: dict[str, tuple[Effector, ...]] = {}
        self._solutions: dict[str, IKSolution] = {}
        self._begun: dict[str, Memory] = {}  # what each went on from in its first solve
        self._rounds: dict[str, tuple[LastRound, ...]] = {}
        self._through = {figure.id: False for figure in self.figures}
        self._seconds = {figure.id: 0.0 for figure in self.figures}
        self._iterations = {figure.id: 0 for figure in self.figures}
        self._world = dict(shared.context.figures)
        self._context = changed(shared.context, figures=self._world)
        self._known: dict[int, tuple[Effector, WorldJoints | None, Effector]] = {}
        self.reset()
        self._shown = changed(self._context, figures=dict(self._world))
        self.has_sought = all(has_sought_there(f.memory, f.problem, self._ties(f)) for f in shared.figures)
        self._bears = {figure.id: self._joints_bearing_ties(figure.id) for figure in shared.figures}
        self._waiting: tuple[int, ...] = WAITING
        self._waits = False

    def solve(self, figure: TiedFigure, first: bool, through: bool = False, share: float = 1.0) -> None:
        """Solve one figure for its targets as they are now; not again for the same ones.

        through: whether it passes through everything. share: how much of the way from their last targets ties to its
        own body go, where the last round does not tell better.
        """
        asked = tuple(self._resolve_for_solve(figure, effector, first) for effector in figure.problem.effectors)
        before = self._solutions.get(figure.id)
        if first:
            told = figure.memory.record.problem.effectors if isinstance(figure.memory, SettledMemory) else ()
            carried = with_carried_targets(figure.id, asked, self._shown, told)
            asked = with_targets_going_on(figure.id, asked, carried, figure.memory)
        sought = asked
        if share < 1.0:
            asked = tuple(self._partway(figure.id, *each, share) for each in enumerate(asked))
        if before is not None and asked == self._asked[figure.id] and through == self._through[figure.id]:
            return
        staying = self._stay_effectors(figure, asked, first and not self.has_sought)
        obstacles = None if through else self._obstacles(figure)
        dragged = effectors_dragged(figure.memory, figure.problem)
        hands = hands_on_own_legs(figure.id, asked, self._context)
        problem = changed(
            figure.problem, effectors=(*asked, *staying), obstacles=obstacles, dragged=dragged, arms_first=hands,
            seen=figure.problem.seen if before is None else None,
        )  # fmt: skip
        memory = figure.memory.with_default_pose(figure.shown) if before is None else before.memory
        if before is None:
            memory = self._begun[figure.id] = memory_after_release(memory, problem, figure.shown)
        if before is not None and distance_moved(self._proposed_for[figure.id], asked) < SAME_PROPOSAL:
            solution = figure.solver.solve_reusing_proposal(problem, before, figure.options)
        else:
            solution = figure.solver.solve(problem, memory, figure.options)
            self._proposed_for[figure.id] = asked
        if before is not None:
            self._rounds[figure.id] = tuple(map(LastRound, self._asked[figure.id], asked, sought))
        self._asked[figure.id], self._solutions[figure.id], self._through[figure.id] = asked, solution, through
        self._seconds[figure.id] += solution.elapsed_s
        self._iterations[figure.id] += solution.iterations
        self._place(figure, solution.pose)

    def reset(self) -> None:
        """Put all back as they are shown, unsolved."""
        self._solutions.clear()
        self._rounds.clear()
        for figure in self.figures:
            self._asked[figure.id] = figure.problem.effectors
            self._place(figure, figure.shown)

    def wait_less(self) -> bool:
        """Let go of some of what waits for hands that take hold of their owners' legs; whether anything did wait."""
        waited, self._waits, self._waiting = self._waits, False, self._waiting[1:]
        return waited

    def returning_to_drag_start(self) -> Group:
        """The group with those nearer to the pose in which their drag began whose drag comes back there."""
        figures = tuple(map(self._returning, self.figures))
        stays = all(a is b for a, b in zip(figures, self.figures, strict=True))
        return self if stays else Group(SharedProblem(figures, self._context))

    def _returning(self, figure: TiedFigure) -> TiedFigure:
        back = blend_to_drag_start(figure.memory, figure.problem, figure.solver, figure.shown)
        if back is None:
            return figure
        effectors = figure.refit(figure.problem.effectors, back[1])
        problem = changed(figure.problem, effectors=with_patches_as_then(effectors, back[0]))
        return changed(figure, problem=problem, memory=back[0], shown=back[1])

    def state(self) -> GroupState:
        """Where all are now."""
        return GroupState(dict(self._world), dict(self._solutions), dict(self._asked), self.figures)

    def restore(self, found: GroupState) -> None:
        """Put all back where they were."""
        self._world.update(found.world)
        self._solutions.update(found.solutions)
        self._asked.update(found.asked)
        self._rounds.clear()
        self.figures = found.figures

    def refit(self) -> bool:
        """Ask for what lies on a surface as all are now; whether that is how it was asked for."""
        before = self.figures
        self.figures = tuple(figure.refitted(self._solutions[figure.id].pose) for figure in before)
        return all(a is b for a, b in zip(before, self.figures, strict=True))

    def worst_tie(self) -> float:
        """How far the worst tie is from being met, as a multiple of the error that counts as met; 0 without ties."""
        worst = 0.0
        for figure in self.figures:
            if ties := self._ties(figure):
                solution = self._solutions.get(figure.id)
                pose = figure.shown if solution is None else solution.pose
                errors = effector_errors(figure.problem.skeleton, pose, ties)
                worst = max(worst, *(error / e.spec.met for e, error in zip(ties, errors.tolist(), strict=True)))
        return worst

    def is_asked_there(self) -> bool:
        """Whether ties were asked, in the last round, for where their targets still are."""
        pairs = [pair for f in self.figures for pair in zip(self._resolved(f), self._asked[f.id], strict=True)]
        return all(now.distance_from(asked) < STAYED_M for now, asked in pairs if isinstance(now.source, Tie))

    def is_at_rest(self) -> bool:
        """Whether all are asked the same as when they came to the poses shown."""
        return all(map(self._is_asked_again, self.figures))

    def answer_at_rest(self, figure: TiedFigure) -> Answer:
        """The figure as it is shown, as its answer."""
        assert isinstance(figure.memory, SettledMemory)
        effectors = self._resolved(figure)
        left = with_states_of(residuals(figure.problem.skeleton, figure.shown, effectors), figure.memory.residuals)
        return Answer(IKSolution(figure.shown, figure.memory, left, 0, 0.0), effectors)

    def answer(self, figure: TiedFigure, rests: bool, off: float) -> Answer:
        """The figure's answer, measured at its targets. rests: whether all have come to rest. off: see `worst_tie`."""
        solution, effectors = self._solutions[figure.id], self._resolved(figure)
        memory = solution.memory
        left = with_states_of(residuals(figure.problem.skeleton, solution.pose, effectors), solution.residuals)
        if figure.problem.step_s == 0.0:
            asked = SolveRecord(self._standing(figure, effectors), figure.options, figure.solver, solution.pose)
            drag_start = drag_start_after(self._begun[figure.id], figure.problem, figure.solver, effectors, memory)
            tie_motion = tie_motion_of(figure.id, figure.memory, effectors)
            before = figure.memory.sought if isinstance(figure.memory, SettledMemory) else ()
            sought = () if off <= 1.0 else self._ties(figure) if self.seeks else before
            memory = SettledMemory(memory, asked, left, drag_start, tie_motion, rests and not goes_on(memory), sought)
        return Answer(
            changed(
                solution,
                memory=memory,
                residuals=left,
                iterations=self._iterations[figure.id],
                elapsed_s=self._seconds[figure.id],
            ),
            effectors,
        )

    def _is_asked_again(self, figure: TiedFigure) -> bool:
        if not isinstance(figure.memory, SettledMemory) or not figure.memory.rests:
            return False
        was = figure.memory.record
        if was.solver is not figure.solver or was.options != figure.options or not is_same_pose(was.pose, figure.shown):
            return False
        moved = has_moved_target(figure.problem.effectors, was.problem.effectors)
        return not moved and is_same_problem(self._standing(figure, self._resolved(figure)), was.problem)

    def _resolved(self, figure: TiedFigure) -> tuple[Effector, ...]:
        """The figure's effectors with their targets where their sources are now."""
        return tuple(self._resolve(e) if e.is_active else e for e in figure.problem.effectors)

    def _ties(self, figure: TiedFigure) -> tuple[Effector, ...]:
        return tuple(self._resolve(e) for e in figure.problem.effectors if e.is_active and isinstance(e.source, Tie))

    def _resolve(self, effector: Effector) -> Effector:
        """The effector with its target where its source is now; looked up once for each pose that it is tied to."""
        source = effector.source
        tied = self._world.get(source.character) if isinstance(source, Tie) else None
        world = None if tied is None else tied.world
        known = self._known.get(id(effector))
        if known is None or known[0] is not effector or known[1] is not world:
            known = self._known[id(effector)] = effector, world, resolved(effector, self._context)
        return known[2]

    def _standing(self, figure: TiedFigure, effectors: tuple[Effector, ...]) -> IKProblem:
        """The figure's problem as everybody stands now, with only the effectors that ask for something."""
        asking = tuple(e for e in effectors if e.is_active)
        return changed(figure.problem, effectors=asking, obstacles=self._obstacles(figure))

    def _resolve_for_solve(self, figure: TiedFigure, effector: Effector, first: bool) -> Effector:
        if not effector.is_active or effector.source is None:
            return effector
        if not self._is_mutual(figure.id, effector) or not (first or tied_figures([effector]) == {figure.id}):
            return meeting_half_way(figure.id, self._resolve(effector), figure.problem.effectors, self._context)
        seen = self._shown if first else self._context  # so both sides halve the same way
        there, own = resolved(effector, seen), seen.figures[figure.id]
        (other,) = tied_figures([effector])
        return halfway_between(
            there, there.at_pose(*own), own.world.positions[0] - seen.figures[other].world.positions[0]
        )

    def _partway(self, id: str, at: int, effector: Effector, usual: float) -> Effector:
        if not effector.is_active or tied_figures([effector]) != {id}:
            return effector
        share = share_of_way(usual, self._rounds[id][at] if id in self._rounds else None, effector)
        return changed(effector, target=effector.partway_from(self._asked[id][at], share).target)

    def _stay_effectors(self, figure: TiedFigure, asked: tuple[Effector, ...], first: bool) -> tuple[Effector, ...]:
        told = figure.memory.record.problem.effectors if isinstance(figure.memory, SettledMemory) else ()
        takes = figure.problem.step_s == 0.0 and takes_hold_of_own_leg(figure.id, asked, told, self._context)
        if takes and self._waiting:
            self._waits = True
            stays = stay_effectors(figure.id, asked, self._shown, first, self._bears[figure.id])
            return (*stays, *waiting_for_hands(figure.id, (*asked, *stays), self._shown, self._waiting))
        context = self._shown if first else self._context
        return stay_effectors(figure.id, asked, context, first, self._bears[figure.id])

    def _joints_bearing_ties(self, id: str) -> frozenset[str]:
        """The figure's joints that bear targets of the others."""
        ties = (
            e.source
            for other in self.figures
            for e in other.problem.effectors
            if other.id != id and e.is_active and isinstance(e.source, Tie) and e.source.character == id
        )
        return frozenset(carrying_joint(source, self._context) for source in ties) - {""}

    def _obstacles(self, figure: TiedFigure) -> Obstacles | None:
        """What the figure may not pass through, those beside it where they are now."""
        obstacles = figure.problem.obstacles
        if obstacles is None or not figure.beside:
            return obstacles
        return obstacles.with_support_people([OtherBody(balls, self._world[id].world) for id, balls in figure.beside])

    def _is_mutual(self, id: str, effector: Effector) -> bool:
        """Whether the joint that it is tied to is tied to it in turn."""
        source = effector.source
        others = [f for f in self.figures if isinstance(source, Tie) and f.id == source.character]
        if not isinstance(source, Tie) or not others:
            return False
        joint = carrying_joint(source, self._context)
        return any(
            other.is_active
            and other.joint == joint
            and isinstance(other.source, Tie)
            and (other.source.character, carrying_joint(other.source, self._context)) == (id, effector.joint)
            for other in others[0].problem.effectors
        )

    def _place(self, figure: TiedFigure, pose: Pose) -> None:
        skeleton = figure.problem.skeleton
        self._world[figure.id] = Figure(skeleton, forward_kinematics(skeleton, pose))
