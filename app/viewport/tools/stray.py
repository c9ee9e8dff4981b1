"""Handles away from what they hold because the body cannot reach them, and how they come home."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solving import floor_of
from app.look.wording import effector_title
from app.services.session import Session
from app.viewport.tools.drags import Grab
from solver.effectors.kinds import Position
from solver.ik.problem import Cause
from solver.ik.rig_adapter import is_solver_skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS

NOTED_M, STANDS_M = 2e-3, 0.05  # metres: below the floor; above where a joint is at rest on it
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


def rest_on_floor(session: Session, grab: Grab, key: object) -> None:
    """At the end of a drag, raise those of its handles to hands and feet that are below what stands on a solid floor:
    nothing would ever reach them. In the drag's step."""
    low = _lower_than_floor(session, grab)
    if low:
        session.settle(PATIENCE_S)
        edit = edits.chain(*(edits.set_target(grab.character, id, place) for id, place in _raised(session, grab, low)))
        session.edit(grab.text, edit, key)


def _lower_than_floor(session: Session, grab: Grab) -> list[str]:
    """Ids of those handles whose joints could not be so low, however they were turned."""
    active = session.active
    if active is None or active.id != grab.character or not is_solver_skeleton(skeleton_of(active)):
        return []
    floor, skeleton = floor_of(active.body, active.shape, active.hands, active.solver_options), skeleton_of(active)
    ends = rig_of(skeleton).names_of(role for limb in LIMBS for role in (limb.end, limb.tip))
    there = {effector.id: effector for effector in active.effectors}
    asked = [there[each.id] for each in grab.moved if each.id in there and floor is not None]
    return [
        each.id
        for each in asked
        if floor is not None and isinstance(each, Position) and each.source is None and not each.offset.any()
        if each.joint in ends and each.target[1] < floor.least_height(skeleton.index(each.joint)) - NOTED_M
    ]


def _raised(session: Session, grab: Grab, ids: Collection[str]) -> list[tuple[str, NDArray[np.float32]]]:
    """The places at the height of the joints, where these are as low as they can be."""
    active = session.document.character(grab.character)
    floor, skeleton = floor_of(active.body, active.shape, active.hands, active.solver_options), skeleton_of(active)
    places, raised = joints_of(active).positions, list[tuple[str, NDArray[np.float32]]]()
    for id in ids:
        effector, j = active.effector(id), skeleton.index(active.effector(id).joint)
        if floor is not None and places[j, 1] < floor.resting_heights[j] + STANDS_M:
            raised.append((id, np.array([effector.target[0], places[j, 1], effector.target[2]], np.float32)))
    return raised


def _bring(session: Session, text: str, key: object, character: str, ids: Collection[str]) -> None:
    """Bring them home in one step; others who hold what comes along follow."""
    edit, before = edits.bring_held_home(character, ids), session.document
    session.edit(text, edit, key, solve=edit(before).props != before.props)
