"""A solver is a spec (what it can do) and a proposer (how it guesses). The pipeline does the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Generic, NamedTuple, TypeVar

from solver.body.catalog import origin_of
from solver.effectors.form_ids import POINT
from solver.effectors.kinds import kinds, type_of
from solver.ik.options import NO_OPTIONS, Option, Options
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose
from solver.rig.rig import rig_of
from solver.rig.roles import SMPL_ROLES, Role
from solver.sentences import both_sides

TOLERANCE, PRESERVATION = "tolerance", "preservation"

M = TypeVar("M")  # what a proposer remembers


class Continuity(Enum):
    """How a solve goes on from the pose shown."""

    NONE = auto()  # every proposal stands for itself
    FROM_BASE = auto()  # proposals change little by little with the problem: the exact stage starts where it was
    FROM_SHOWN = auto()  # proposals may jump and know nothing of the past: each is held to what was shown
    IN_MOTION = auto()  # likewise; where time passes the proposer goes on from the past, and each stands for itself


@dataclass(frozen=True)
class SolverSpec:
    """A solver as the program knows it without importing it.

    target: "package.module:name" of what makes its proposer. summary: one sentence that says what it is good for.
    effector_kinds: ids of those that it takes, None for every kind that there is. placeable_roles: the roles of the
    joints whose place it can be asked for, None for all. heeds: what its proposal heeds beside the targets, of
    TOLERANCE and PRESERVATION. proposes_from_places_only: its proposal heeds places, and no turns or aims. body: id of
    the only body that it knows, with its variants, "" for any. learned: a network proposes, many problems in little
    more time than one. proposes: its proposal tells more than the base pose. options: what a user can set.

    The stages after the proposal: continuity; exact, whether the exact stage brings the pose to the effectors;
    preserves_again, whether that applies the preserve masks, which the proposer has seen, once more; if it does not,
    holds_kept, whether it holds kept places of ends and what nothing moves.
    baseline: whether it is there for comparison, and not offered for posing unless the user asks for it.
    """

    id: str
    title: str
    target: str
    effector_kinds: frozenset[str] | None = None
    placeable_roles: frozenset[str] | None = None
    heeds: frozenset[str] = frozenset({TOLERANCE, PRESERVATION})
    proposes_from_places_only: bool = False
    summary: str = ""
    body: str = ""
    learned: bool = False
    proposes: bool = True
    options: tuple[Option, ...] = ()
    continuity: Continuity = Continuity.FROM_BASE
    exact: bool = True
    preserves_again: bool = True
    holds_kept: bool = False
    baseline: bool = False

    def accepts(self, problem: IKProblem) -> str:
        """Why it cannot solve the problem, one sentence; "" if it can, as far as that is known without loading it."""
        if self.body and problem.body and self.body != origin_of(problem.body):
            return f"{self.title} was trained on the body “{self.body}” and does not know “{problem.body}”."
        for effector in problem.effectors if self.effector_kinds is not None else ():
            if effector.is_active and not self.takes(effector.kind):
                return (
                    f"{self.title} does not take {effector.kind} effectors. It takes: {', '.join(sorted(self.kinds))}."
                )
        if self.placeable_roles is None:
            return ""
        rig = rig_of(problem.skeleton)
        if rig.lacking(map(Role, self.placeable_roles)):  # the proposer can better say what is lacking
            return ""
        for effector in problem.effectors:
            if effector.is_active and not self.takes(effector.kind, rig.role_of(effector.joint) or ""):
                return (
                    f"{self.title} takes no {effector.spec.title.lower()} effector on the "
                    f"{effector.joint.replace('_', ' ')}: it places {self.placeable_words} only."
                )
        return ""

    @property
    def placeable_words(self) -> str:
        """The joints that it can place, as in a sentence: “ankles, head and wrists”; "" where it can place any."""
        *places, last = both_sides(r.words for r in SMPL_ROLES if r in (self.placeable_roles or ())) or [""]
        return f"{', '.join(places)}{' and ' * bool(places)}{last}"

    def takes(self, kind: str, role: str | None = None) -> bool:
        """Whether it can be asked for effectors of that kind; on a joint of that role, "" for one without."""
        if self.effector_kinds is not None and kind not in self.effector_kinds:
            return False
        if self.placeable_roles is None or role is None or role in self.placeable_roles:
            return True
        return all(type_of(known.id).form != POINT for known in kinds() if known.id == kind)

    def proposal_uses(self, kind: str) -> bool:
        """Whether its proposal heeds effectors of that kind, which it takes."""
        return not self.proposes_from_places_only or type_of(kind).form == POINT

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that it takes, of those there are now."""
        return frozenset(kind.id for kind in kinds() if self.takes(kind.id))


class ProposalRequest(NamedTuple, Generic[M]):
    """What a proposer is asked. memory: what it returned to be remembered last time; None the first time. roughly:
    whether a less accurate but quicker answer will do, for example to compare many problems."""

    problem: IKProblem
    options: Options = NO_OPTIONS
    memory: M | None = None
    roughly: bool = False


class Proposal(NamedTuple, Generic[M]):
    """A pose to start from, and what the proposer wants to remember until the next time."""

    pose: Pose
    memory: M | None = None


class Proposer(Generic[M]):
    """Guesses a pose. Pure: what it remembers goes out with the proposal and comes back with the next question."""

    def propose(self, request: ProposalRequest[M]) -> Proposal[M]:
        """The proposal for one problem."""
        return self.propose_batch([request])[0]

    def propose_batch(self, requests: Sequence[ProposalRequest[M]]) -> list[Proposal[M]]:
        """The proposals for many problems, in order. A subclass defines at least one of the two methods."""
        return [self.propose(request) for request in requests]

    def accepts(self, problem: IKProblem) -> str:
        """Why it cannot solve the problem, if that is known only once it is loaded; "" if it can."""
        return ""

    @property
    def size_bytes(self) -> int:
        """The size of the model that it asks; 0 without one."""
        return 0
