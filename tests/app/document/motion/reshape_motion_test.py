"""Another shape for somebody who has a motion: the soles keep their height at every frame."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from document_samples import only, whole_motion
from motion_samples import raised, strolling, walker

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of
from app.document.posing.create import new_document
from solver.body.body import BodyShape
from solver.body.floor import lowest_sole_point, sole_heights
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import SMPL_JOINTS

TALL = BodyShape(np.float32([3.0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))


@pytest.fixture(scope="module", name="walker")
def _walker() -> Document:
    return walker()


@pytest.mark.sweep("3.0")
@pytest.mark.parametrize("betas", [3.0, -3.0])
def test_reshaped_with_a_motion_the_soles_stay_on_the_floor_at_every_frame(walker: Document, betas: float) -> None:
    document = raised(walker.at_frame("c1", 20)).at_frame("c1", 33)
    shape = BodyShape(np.float32([betas] + [0] * 9))
    after = edits.set_shape("c1", shape)(document)
    source = only(after).clip.source
    assert source is not None
    assert source.motion is only(document).clip.source.motion, "the motion is not copied"  # type: ignore[union-attr]
    for frame in range(60):
        old, new = only(document.at_frame("c1", frame)), only(after.at_frame("c1", frame))
        height = lowest_sole_point(body_of(old), old.shape, old.pose)
        faded = abs(frame - 20) < only(document).clip.ease  # what is bent for the key differs from body to body
        near = 1.5e-3 if faded and frame != 20 else 1e-4
        assert lowest_sole_point(body_of(new), shape, new.pose) == pytest.approx(height, abs=near)
        if not faded:
            assert abs(height) < 1e-4
    motion = whole_motion(only(after))
    heights = sole_heights(body_of(only(after)), shape, motion.root_positions, motion.rotations)
    assert np.abs(heights[[frame for frame in range(60) if abs(frame - 20) >= only(document).clip.ease]]).max() < 1e-4


def test_reshaping_there_and_back_gives_the_motion_back(walker: Document) -> None:
    after = edits.reset_shape("c1")(edits.set_shape("c1", TALL)(walker))
    assert whole_motion(only(after)).root_positions == pytest.approx(
        whole_motion(only(walker)).root_positions, abs=1e-6
    )


def test_a_jump_stays_as_high_as_it_was_in_another_shape() -> None:
    motion = strolling(30)
    up = np.zeros((30, 3), np.float32)
    up[:, 1] = np.clip(np.sin(np.linspace(0, pi, 30)), 0, None) * 0.4
    document = edits.import_motion("c1", Motion(motion.root_positions + up, motion.rotations))(new_document())
    after = whole_motion(only(edits.set_shape("c1", TALL)(document)))
    heights = sole_heights(body_of(only(document)), TALL, after.root_positions, after.rotations)
    assert heights == pytest.approx(up[:, 1], abs=1e-4)


def test_soles_of_many_frames_are_as_high_as_of_each(walker: Document) -> None:
    character, motion = only(walker), strolling(9)
    heights = sole_heights(body_of(character), TALL, motion.root_positions, motion.rotations)
    single = [lowest_sole_point(body_of(character), TALL, motion.pose(frame)) for frame in range(9)]
    assert heights == pytest.approx(single, abs=1e-5)


def test_a_still_person_on_a_raised_place_is_reshaped_where_it_stands() -> None:
    document = edits.move_character("c1", (0.0, 0.4, 0.0))(new_document())
    lowered = edits.stand_on_floor("c1")(document)
    after = only(edits.set_shape("c1", TALL)(lowered))
    assert abs(lowest_sole_point(body_of(after), TALL, after.pose)) < 1e-3
    ankle = next(e for e in after.effectors if (e.joint, e.kind) == ("left_ankle", "position"))
    place = joints_of(after).positions[SMPL_JOINTS.index("left_ankle")]
    assert ankle.target[1] == pytest.approx(place[1], abs=0.01)  # type: ignore[attr-defined]
