"""What one orbits about in a scene with a photo."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.services.session import Session
from rendering.camera.camera import View


def pivot_of(session: Session, view: View) -> NDArray[np.floating] | None:
    """(3,) metres: the hips of whom one works on, None for what the camera looks at.

    Who belongs to another photo and is nowhere in the view is none to orbit about: that would show an empty floor. Then
    it is the middle of the people whom the photo shows.
    """
    document, active = session.document, session.active
    if document.photo is None or active is None:
        return None
    from app.document.in_photo.whose import goes_with_photo  # the window starts without

    root = active.pose.root_position
    if goes_with_photo(active, document) or view.shows(root):
        return root
    here = [one.pose.root_position for one in document.characters if goes_with_photo(one, document)]
    return np.mean(here, axis=0) if session.view.through_photo and here else None
