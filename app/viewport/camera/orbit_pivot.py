"""What the view orbits about in a scene with a photo."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.services.session import Session
from rendering.camera.camera import View


def pivot_of(session: Session, view: View) -> NDArray[np.floating] | None:
    """(3,) metres: the hips of the active person, None for what the camera looks at.

    One of a scene's several photos may not show that person, and orbiting about them would show an empty floor. It is
    then the middle of the people in the view.
    """
    document, active = session.document, session.active
    if document.photo is None or active is None:
        return None
    root = active.pose.root_position
    read_off = active.sighting is not None and active.sighting.photo == document.photo.sha256
    if len(document.photos) < 2 or read_off or view.shows(root):
        return root
    shown = [one.pose.root_position for one in document.characters if view.shows(one.pose.root_position)]
    return np.mean(shown, axis=0) if session.view.through_photo and shown else None
