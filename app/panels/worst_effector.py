"""What a solve met worst, and who stands in for a solver that is missing, in words."""

from __future__ import annotations

from app.document.model.document import Character
from app.document.posing.findings import Finding
from app.document.posing.fingertips import finger_name
from app.look.wording import WORST_FIRST, effector_title, reason_text, residual_text
from solver.sentences import mid_sentence
from solver.solvers.catalog import SOLVERS, STAND_IN


def stand_in_text() -> str:
    """Which solver stands in for one that cannot be loaded, in a sentence."""
    return f"{SOLVERS[STAND_IN].title} stands in."


def worst_text(character: Character, finding: Finding) -> str:
    """The effector that is missed by most, by how much, and why if known; "" if there is none.

    Unreachable ones come before those within tolerance, then the larger error counts; angles are turned into metres at
    arm's length.
    """
    if not finding.residuals:
        return ""
    reasons = finding.reasons or (None,) * len(character.effectors)
    found = [
        (-WORST_FIRST.index(r.state), r.value * e.spec.metres_per_unit, e, r, why)
        for e, r, why in zip(character.effectors, finding.residuals, reasons, strict=True)
        if r.state in WORST_FIRST
    ]
    if not found:
        return ""
    _, _, effector, residual, reason = max(found, key=lambda f: f[:2])
    title = effector_title(effector, finger_name(character, effector))
    text = f"{residual_text(effector.spec, residual)} ({title.lower()})"
    return f"{text}: {mid_sentence(reason_text(reason, of=effector))}" if reason else text
