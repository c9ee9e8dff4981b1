"""Things in a hand that are wider than it opens, as one that was made larger since it was taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.document.model.character import Character
from app.document.model.figure import skeleton_of
from app.document.posing.contact_patches import patches_of
from app.document.posing.findings import Finding
from app.document.posing.holds.flat_grips import palm_length
from app.document.posing.holds.grasping import THICKEST
from solver.contact.patch_table import side_of
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.ik.problem import Cause, Reason, Residual
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

NOTED_M = 1e-3  # metres that skin yields


def too_wide(character: Character) -> Mapping[str, float]:
    """By the ids of its contacts: by how many metres what a hand is around is wider than that hand opens."""
    rig, found = rig_of(skeleton_of(character)), {}
    for contact in character.effectors:
        if not (isinstance(contact, Contact) and contact.around and contact.is_active):
            continue
        patch = patches_of(character).get(contact.patch)
        if patch is None or not isinstance(contact.source, PropSource):
            continue
        palm = palm_length(rig, ARMS[side_of(contact.patch)])
        opens = float(patch.spans.gaps[-1]) if patch.spans is not None else THICKEST * palm
        if 2.0 * contact.radius > opens + NOTED_M:
            found[contact.id] = 2.0 * contact.radius - opens
    return found


def with_what_is_too_wide(character: Character, finding: Finding) -> Finding:
    """What is known of the character, with hands that do not get around what they hold as missed."""
    wide = too_wide(character)
    if not wide or len(finding.residuals) != len(character.effectors):
        return finding
    residuals, reasons = list(finding.residuals), list(finding.reasons or (None,) * len(finding.residuals))
    for i, effector in enumerate(character.effectors):
        if effector.id in wide and residuals[i].state in ("met", "tolerated"):
            residuals[i], reasons[i] = Residual(wide[effector.id], "unreachable"), Reason(Cause.WIDE)
    return replace(finding, residuals=tuple(residuals), reasons=tuple(reasons))
