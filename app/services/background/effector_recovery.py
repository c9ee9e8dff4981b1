"""Effector recovery for a character of the document, in a job, and the choice of how many of those found to keep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.document import edits
from app.document.model.figure import skeleton_of
from app.document.posing.solving import usable_of
from app.services.background.jobs import Cancelled, Jobs, Progress
from app.services.session import Session

if TYPE_CHECKING:
    from app.document.model.document import Character, Document
    from solver.body.body import BodyShape
    from solver.kinematics.pose import Pose
    from solver.solvers.recovery import RecoveryResult


CHANGED = "No effectors were recovered: “{}” was changed meanwhile."
GONE = "No effectors were recovered: “{}” is no longer in the scene."


@dataclass(frozen=True)
class ErrorsByCount:
    """errors_m: the mean joint error with the first 1, 2, ... recovered effectors. taken: how many of them the
    character has; 0 if it has others."""

    errors_m: tuple[float, ...]
    taken: int


class EffectorRecovery(QObject):
    """Finds effectors for the active character and remembers those that can still be taken.

    said(text): what the user should know in passing.
    """

    def __init__(self, session: Session, jobs: Jobs, said: Callable[[str], None]) -> None:
        super().__init__(session)
        self._session, self._jobs, self._said = session, jobs, said
        self._results: dict[str, tuple[Pose, RecoveryResult]] = {}
        self._chosen: tuple[str, Document] | None = None  # for whom a number was taken last, and the document before

    def recover(self, count: int, threshold_m: float, kinds: frozenset[str] | None = None) -> None:
        """Put the few effectors that reproduce the active character's pose in place of its own.

        At most `count`, fewer once `threshold_m` is reached; the rest are kept for `take`. Of a person from a photo
        they are as firm as the photo was sure.
        """
        character = self._session.active
        if character is None:
            return
        self._session.settle(0.5)
        document = self._session.document
        character = document.character(character.id)

        def work(progress: Progress, cancelled: Cancelled) -> RecoveryResult:
            from app.document.in_photo.unsure_joints import unsure_joints
            from solver.solvers.effector_costs import with_tolerance
            from solver.solvers.recovery import recover_effectors

            result = recover_effectors(
                skeleton_of(character),
                character.shape,
                character.pose,
                usable_of(character).solver.spec.id,
                max_effectors=count,
                threshold_m=0.0,
                kinds=kinds,
                progress=lambda share: progress(share, ""),
                cancelled=cancelled,
            )
            unsure = unsure_joints(character, document)
            return replace(result, effectors=tuple(with_tolerance(one, unsure) for one in result.effectors))

        def done(result: RecoveryResult) -> None:
            current = {c.id: c for c in self._session.document.characters}.get(character.id)
            if current is None or _posed(current) != _posed(character):
                self._said((GONE if current is None else CHANGED).format(character.name))
                return
            self._results[character.id] = character.pose, result
            enough = next((i for i, error in enumerate(result.errors_m, 1) if error <= threshold_m), count)
            edit = edits.set_recovered(character.id, result.effectors[:enough])
            self._session.edit("Recover effectors", edit)

        self._jobs.run(f"Recovering effectors of {character.name}", work, done, for_scene=True)

    def curve(self) -> ErrorsByCount | None:
        """What can be taken for the active character; None if nothing was recovered from its present pose."""
        active = self._session.active
        result = self._result(active)
        if active is None or result is None:
            return None
        has = [(e.kind, e.joint) for e in active.effectors]
        all_found = [(e.kind, e.joint) for e in result.effectors]
        return ErrorsByCount(result.errors_m, len(has) if has == all_found[: len(has)] else 0)

    def take(self, count: int) -> None:
        """Keep the first `count` of the effectors that were recovered for the active character; one step, however many
        numbers are tried one after another."""
        active, session = self._session.active, self._session
        result = self._result(active)
        if active is None or result is None:
            return
        key = ("recovered", active.id)
        if self._chosen is not None and self._chosen[0] == active.id:
            session.reopen_step(self._chosen[1], key)
        edit = edits.set_recovered(active.id, result.effectors[:count])
        if session.edit(f"Take {count} recovered effectors", edit, merge_key=key):
            self._chosen = active.id, session.history.undo_document
        session.close_step(key)

    def _result(self, active: Character | None) -> RecoveryResult | None:
        kept = self._results.get(active.id) if active is not None else None
        return kept[1] if kept is not None and active is not None and kept[0] == active.pose else None


def _posed(character: Character) -> tuple[Pose, str, BodyShape]:
    """What effectors are recovered from."""
    return character.pose, character.body, character.shape
