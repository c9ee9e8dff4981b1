"""Effector recovery for a character of the document, in a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.document import edits
from app.document.posing.solving import skeleton_of, usable_of
from app.services.jobs import Cancelled, Jobs, Progress
from app.services.session import Session

if TYPE_CHECKING:
    from solver.solvers.recovery import RecoveryResult


def recover(session: Session, jobs: Jobs, count: int, threshold_m: float) -> None:
    """Find the few effectors that reproduce the active character's pose, and put them in place of its own."""
    character = session.active
    if character is None:
        return
    session.settle(0.5)
    character = session.document.character(character.id)

    def work(progress: Progress, cancelled: Cancelled) -> RecoveryResult:
        from solver.solvers.recovery import recover_effectors

        return recover_effectors(
            skeleton_of(character),
            character.shape,
            character.pose,
            usable_of(character).solver.spec.id,
            max_effectors=count,
            threshold_m=threshold_m,
            progress=lambda share: progress(share, ""),
            cancelled=cancelled,
        )

    def done(found: RecoveryResult) -> None:
        current = {c.id: c for c in session.document.characters}.get(character.id)
        if current is not None and current.pose == character.pose:
            session.edit("Recover effectors", edits.set_recovered(character.id, found.effectors))

    jobs.run(f"Recovering effectors of {character.name}", work, done)
