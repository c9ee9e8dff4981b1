"""What solvers found out about characters: kept beside the document for as long as it still fits them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import nan

from app.document.model.document import Character, Document
from app.document.posing.solving import lies_tilted, residuals_of, was_solved
from solver.effectors.effector import Effector
from solver.ik.memory import FRESH, AtPose, BegunAnew, ChosenPose, Fresh, Memory, SettledMemory
from solver.ik.problem import Reason, Residual
from solver.ik.solution import IKSolution
from solver.kinematics.pose import Pose

UNKNOWN, OFF = Residual(nan, ""), Residual(0.0, "disabled")
KEPT = 512  # as many as undo steps: going back finds what was known then, and nothing is solved
MEASURED_KEPT = 128  # for the frames looked at last

Place = tuple[object, ...]


@dataclass(frozen=True)
class Finding:
    """What is known about a character; empty where nothing is.

    residuals: one for each effector, in order, `UNKNOWN` where not measured. memory: what its solver goes on from.
    elapsed_s: how long the solve took. reasons: why effectors are not reachable, one for each effector.
    """

    residuals: tuple[Residual, ...] = ()
    memory: Memory = FRESH
    elapsed_s: float = 0.0
    reasons: tuple[Reason | None, ...] = ()


@dataclass(frozen=True)
class _Record:
    """A finding, and the effectors it is about. asked: whether the reasons have been looked for."""

    finding: Finding
    place: Place
    effectors: tuple[Effector, ...]
    frame: int
    asked: bool = False


class Findings:
    """Findings by character and pose: an undo that brings a pose back brings back what was known about it.

    A pose is recognised by its numbers, with the body, the shape and the solver it was found for. Many solves are
    remembered, and fewer mere measurements, which must not push them out while a motion plays. Nothing here is part of
    a document: it is neither saved nor undone.
    """

    def __init__(self) -> None:
        self._solved: OrderedDict[Place, _Record] = OrderedDict()
        self._measured: OrderedDict[Place, _Record] = OrderedDict()
        self._latest: dict[str, _Record] = {}

    def of(self, character: Character) -> Finding:
        """What is known about the character as it is. Where that is out of date for a moment, the last residuals of its
        effectors at its frame: a handle that is dragged must not flicker. Nothing is known of an effector that is new
        or has changed its kind."""
        record = self._record(character)
        none: tuple[Reason | None, ...] = (None,) * len(character.effectors)
        if record is not None and record.effectors == character.effectors:
            return replace(record.finding, reasons=record.finding.reasons or none)
        latest = self._latest.get(character.id)
        memory = record.finding.memory if record is not None else FRESH
        if latest is None or latest.frame != character.frame:
            return Finding(_residuals(character), memory, reasons=none)
        return Finding(_residuals(character, latest), memory, latest.finding.elapsed_s, none)

    def keep(self, character: Character, solution: IKSolution, in_drag: bool = False) -> None:
        """Remember a solution for the character it poses. in_drag: whether a drag goes on, which may come back."""
        memory = solution.memory if in_drag else _without_drag(solution.memory)
        finding = Finding(solution.residuals, memory, solution.elapsed_s)
        record = _Record(finding, _place(character), character.effectors, character.frame)
        self._put(character, record, solved=True)

    def continue_from(self, character: Character) -> None:
        """Have the next solve go on from the character's pose as one that the user chose."""
        record = self._record(character)
        if record is not None:
            chosen = ChosenPose(character.pose, character.effectors)
            self._put(character, replace(record, finding=replace(record.finding, memory=chosen)))

    def carry_on(self, asked: Character, character: Character, residuals: tuple[Residual, ...]) -> None:
        """Have the next solve go on from a pose that somebody was taken along in. asked: as they are, with what was
        asked of them taken along likewise. residuals: of what is asked now."""
        finding = Finding(residuals, ChosenPose(asked.pose, asked.effectors))
        self._put(character, _Record(finding, _place(character), character.effectors, character.frame), solved=True)

    def begin_anew(self, character: Character, shown: Pose) -> None:
        """Have the next solve of this person begin at their pose, while they are shown in another."""
        record = self._record(character)
        finding = record.finding if record is not None else Finding(_residuals(character))
        memory = BegunAnew(_without_drag(finding.memory).with_default_pose(character.pose), character.pose)
        there = replace(character, pose=shown)
        anew = _Record(replace(finding, memory=memory), _place(there), character.effectors, character.frame)
        self._put(there, anew, solved=True)

    def end_drags(self, characters: Iterable[Character]) -> None:
        """Have the next drag of these people start where they are now."""
        for record in filter(None, map(self._record, characters)):
            memory = _without_drag(record.finding.memory)
            if memory is not record.finding.memory:
                self._solved[record.place] = replace(record, finding=replace(record.finding, memory=memory))

    def ensure_residuals(self, character: Character, document: Document | None = None) -> Character:
        """The character itself, once its residuals are known; if they are not yet, they are found here and now.

        document: what stands around the character.
        """
        record = self._record(character)
        if record is None or record.effectors != character.effectors:
            from app.document.posing.surroundings import solid_surroundings

            around = solid_surroundings(document, character) if document is not None else None
            self.set_residuals(character, residuals_of(character, around))
        else:  # perhaps of a similar pose at another frame: the next drag is at this one
            self._latest[character.id] = replace(record, frame=character.frame)
        return character

    def set_residuals(self, character: Character, residuals: tuple[Residual, ...]) -> None:
        """Remember how well the character meets its effectors; what a solve left for its pose stays."""
        known = self._record(character)
        finding = known.finding if known else Finding()
        memory = finding.memory
        no_solve_known = isinstance(memory, Fresh) or (isinstance(memory, AtPose) and bool(memory.asked))
        if no_solve_known:  # the next one is told what holds the person now
            memory = AtPose(character.pose, character.effectors)
        finding = replace(finding, residuals=residuals, memory=memory, reasons=())
        self._put(character, _Record(finding, _place(character), character.effectors, character.frame))

    def set_reasons(self, character: Character, reasons: tuple[Reason | None, ...]) -> None:
        """Remember why effectors of the character are not reachable; no reasons mean that it is not known."""
        record = self._record(character)
        if record is not None and record.effectors == character.effectors:
            self._put(character, replace(record, finding=replace(record.finding, reasons=reasons), asked=True))

    def needs_reasons(self, character: Character) -> bool:
        """Whether an effector of the character was solved for and is not reachable, or a patch of it lies tilted, but
        nobody has asked why yet."""
        record = self._record(character)
        if record is None or record.asked or record.effectors != character.effectors or not was_solved(character):
            return False
        return any(one.state == "unreachable" for one in record.finding.residuals) or lies_tilted(character)

    def known(self) -> Findings:
        """All of it as it is now, for when the document is opened again."""
        copy = Findings()
        copy.remember(self)
        return copy

    def remember(self, known: Findings) -> None:
        """Know again what was known of a document that is open again."""
        self._solved.update(known._solved)
        self._measured.update(known._measured)
        self._latest.update(known._latest)

    def forget(self) -> None:
        """Forget everything: another document is open."""
        self._solved.clear()
        self._measured.clear()
        self._latest.clear()

    def _record(self, character: Character) -> _Record | None:
        place = _place(character)
        return self._solved.get(place) or self._measured.get(place)

    def _put(self, character: Character, record: _Record, solved: bool = False) -> None:
        self._latest[character.id] = record
        solved = solved or record.place in self._solved
        records, most = (self._solved, KEPT) if solved else (self._measured, MEASURED_KEPT)
        records[record.place] = record
        records.move_to_end(record.place)
        while len(records) > most:
            records.popitem(last=False)


def unmeasured(character: Character, finding: Finding) -> Finding:
    """What is known of the character, except how well its effectors are met and why not."""
    return replace(finding, residuals=_residuals(character), reasons=(None,) * len(character.effectors))


def _without_drag(memory: Memory) -> Memory:
    """The memory without where a drag started; itself where it knows of none."""
    if not isinstance(memory, SettledMemory) or memory.drag_start is None:
        return memory
    return replace(memory, drag_start=None)


def _place(character: Character) -> Place:
    """The key of a finding: characters that are equal in it have the same solution to go on from."""
    pose, shape = character.pose, character.shape
    numbers = (pose.root_position.tobytes(), pose.rotations.tobytes(), shape.betas.tobytes())
    return (character.id, character.solver, character.body, shape.gender, *numbers)


def _residuals(character: Character, latest: _Record | None = None) -> tuple[Residual, ...]:
    """What was last known of each effector, as far as it was of the same kind then."""
    pairs = zip(latest.effectors, latest.finding.residuals, strict=True) if latest else ()
    last = {(e.id, e.kind): residual for e, residual in pairs if residual.state != OFF.state}
    return tuple(last.get((e.id, e.kind), UNKNOWN) if e.is_active else OFF for e in character.effectors)
