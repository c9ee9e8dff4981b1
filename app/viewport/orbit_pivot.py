"""What one orbits about in a scene with a photo."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.services.session import Session
from rendering.camera.camera import View


def pivot_of(session: Session, view: View) -> NDArray[np.floating] | None:
    """(3,) metres: the hips of whom one works on, None for what the camera looks at.

    Of a scene's several photos one may not show that person: to orbit about them would show an empty floor. Then it is
    the middle of the people who are in the view.
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
