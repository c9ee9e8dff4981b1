"""Points that the user places in the photo are fully trusted; what the networks saw there is kept as well."""

from __future__ import annotations

import numpy as np
import pytest

from app.document import edits
from app.document.in_photo.photo_points import surely_seen
from app.document.model.document import Photo
from app.document.posing.create import new_document
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.photo.sighting import SeenPoint, Sighting

CAMERA = PinholeCamera(np.float32([0, 1.2, 4.0]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))
HERE, OTHER = "1" * 64, "2" * 64
ELBOW, WRIST = 13, 15
PUT = {WRIST: np.array([12.346, 20.0])}


def test_a_point_that_was_put_is_sure_its_depth_stays_as_unsure_as_it_was_and_other_points_stay() -> None:
    elbow, wrist = SeenPoint("left_elbow", (1.0, 2.0), 0.4), SeenPoint("left_wrist", (3.0, 4.0), 0.2, 0.1, 9.0, 0.3)
    after = surely_seen(Sighting(HERE, (elbow, wrist), ("left_knee",)), HERE, PUT)
    assert after.decided == ("left_knee",)
    assert after.by_mark == {ELBOW: elbow, WRIST: SeenPoint("left_wrist", (12.35, 20.0), 1.0, 0.1, None, 0.3)}


def test_a_person_never_seen_has_the_point_alone_and_another_photo_s_sighting_stays() -> None:
    assert surely_seen(None, HERE, PUT) == Sighting(HERE, (SeenPoint("left_wrist", (12.35, 20.0)),))
    elsewhere = Sighting(OTHER, (SeenPoint("left_wrist", (3.0, 4.0), 0.2),))
    assert surely_seen(elsewhere, HERE, PUT) is elsewhere


def test_putting_points_poses_the_person_and_needs_a_photo() -> None:
    document = new_document()
    (person,) = document.characters
    edit = edits.put_points(person.id, person.base_pose, PUT)
    with pytest.raises(PoserError, match="no photo"):
        edit(document)
    after = edit(edits.add_photo(Photo("a.jpg", HERE, CAMERA))(document)).character(person.id)
    assert after.pose == person.base_pose
    assert after.sighting is not None
    assert after.sighting.by_mark[WRIST].pixel == (12.35, 20.0)
