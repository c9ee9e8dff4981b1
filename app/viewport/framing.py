"""What the view is filled with: the points of whom or what one looks at, and who is wholly in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.posing.solving import body_of, joints_of, skeleton_of
from app.services.session import Session
from app.services.view_state import selected_prop
from rendering.camera.camera import View
from solver.body.floor import posed_vertices

BODY_MARGIN = 0.12  # metres of flesh around the joints
NEAR_MARGIN = 0.3  # metres around single joints


def selected_points(session: Session) -> tuple[NDArray[np.floating], float] | None:
    """(N, 3) metres, of the selected prop, joints and handles, or of the active character; and the metres around them.

    None where nobody is active.
    """
    active, prop = session.active, selected_prop(session.document, session.view)
    if prop is not None:
        return prop.corners, BODY_MARGIN
    if active is None:
        return None
    joints, skeleton = joints_of(active).positions, skeleton_of(active)
    names = {e.joint for e in session.selected_effectors} | session.view.joints
    if not names:
        return joints, BODY_MARGIN
    return np.array([joints[skeleton.index(name)] for name in sorted(names)]), NEAR_MARGIN


def shown_points(document: Document) -> NDArray[np.floating] | None:
    """(N, 3) metres, of everybody and every prop; None where nothing shows."""
    shown = [joints_of(c).positions for c in document.characters if c.visible]
    shown += [prop.corners for prop in document.props if prop.visible]
    return np.concatenate(shown) if shown else None


def is_wholly_in_view(view: View, character: Character) -> bool:
    """Whether all of the skin is within the view."""
    pixels = view.project(posed_vertices(body_of(character), character.shape, character.pose))
    return bool(np.all((pixels >= 0) & (pixels <= (view.width, view.height))))  # NaN behind the camera
