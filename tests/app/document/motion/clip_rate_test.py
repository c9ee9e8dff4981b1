"""Another frame rate for keyed people; and all of somebody's points, a large head included."""

from __future__ import annotations

import numpy as np
import pytest
from document_samples import only
from motion_samples import walker

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of, whole_points
from app.document.posing.create import new_document
from solver.body.body import BodyShape
from solver.errors import PoserError


def test_keys_stay_on_their_frames_at_another_rate() -> None:
    document = edits.set_clip_length("c1", 20)(new_document())
    faster = edits.set_clip_rate("c1", 60)(document)
    before, after = (each.actor("c1").clip for each in (document, faster))
    assert after.fps == 60.0
    assert [key.frame for key in after.keys] == [key.frame for key in before.keys]
    assert len(after) == len(before)


def test_the_rate_that_it_has_changes_nothing() -> None:
    document = walker()
    same = edits.set_clip_rate("c1", document.actor("c1").clip.fps)(document)
    assert same.actor("c1").clip == document.actor("c1").clip


def test_a_motion_keeps_its_own_rate() -> None:
    with pytest.raises(PoserError, match="which cannot be changed"):
        edits.set_clip_rate("c1", 24)(walker())


@pytest.mark.parametrize("fps", [0.0, -5.0, 1001.0, np.nan])
def test_a_rate_that_is_none_is_refused(fps: float) -> None:
    document = edits.set_clip_length("c1", 20)(new_document())
    with pytest.raises(PoserError, match="up to 1000 frames a second"):
        edits.set_clip_rate("c1", fps)(document)


def test_an_adults_points_are_the_joints_and_a_chibis_have_the_crown_as_well() -> None:
    adult = new_document()
    assert np.array_equal(whole_points(only(adult)), joints_of(only(adult)).positions)
    chibi = only(edits.set_body("c1", "anny:chibi", BodyShape())(adult))
    points, joints = whole_points(chibi), joints_of(chibi).positions
    assert len(points) == len(joints) + 1
    assert points[-1][1] > joints[skeleton_of(chibi).index("head")][1] + 0.1
