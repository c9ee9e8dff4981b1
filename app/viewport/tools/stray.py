"""Handles away from what they hold because the body cannot reach them, and how they come home."""

from __future__ import annotations

from collections.abc import Collection

from app.document import edits
from app.look.wording import effector_title
from app.services.session import Session
from app.viewport.tools.drags import Grab
from solver.ik.problem import Cause

PATIENCE_S = 1.0  # for the last solve of a drag, which decides whether its handle is met


def stray_handles(session: Session) -> frozenset[str]:
    """Ids of the active character's effectors that are known to be out of reach."""
    active, finding = session.active, session.finding
    if active is None or not finding.residuals:
        return frozenset()
    reasons = finding.reasons or (None,) * len(finding.residuals)
    return frozenset(
        effector.id
        for effector, residual, why in zip(active.effectors, finding.residuals, reasons, strict=True)
        if effector.is_active and residual.state == "unreachable" and not (why and why.cause is Cause.WIDE)
    )


def bring_home(session: Session, id: str) -> None:
    """Put one handle of the active character back to what it holds."""
    active = session.active
    if active is not None:
        title = effector_title(active.effector(id)).lower()
        _bring(session, f"Bring {title} home", None, active.id, [id])


def spring_back(session: Session, grab: Grab, key: object) -> None:
    """At the end of a drag, send those of its effectors that the body did not reach back to it, in the drag's step."""
    session.settle(PATIENCE_S)
    far, active = stray_handles(session), session.active
    back = [effector.id for effector in grab.moved if effector.id in far]
    if back and active is not None and active.id == grab.character:
        _bring(session, grab.text, key, active.id, back)


def _bring(session: Session, text: str, key: object, character: str, ids: Collection[str]) -> None:
    """Bring them home in one step; others who hold what comes along follow."""
    edit, before = edits.bring_held_home(character, ids), session.document
    session.edit(text, edit, key, solve=edit(before).props != before.props)
