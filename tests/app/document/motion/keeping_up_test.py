"""Who is tied to somebody with frames gets frames, over any number of others, and nobody else does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.matching_frames import with_matching_frames
from app.document.model.document import Document
from app.document.posing.create import new_character, new_document
from solver.effectors.sources import JointSource
from solver.kinematics.pose import Motion


def with_tie(document: Document, id: str, to: str) -> Document:
    person = document.character(id)
    wrist = JointSource(to, "right_wrist")
    effectors = tuple(
        replace(e, source=wrist, loose=False) if e.joint == "left_wrist" and e.holds_joint else e
        for e in person.effectors
    )
    return document.with_character(replace(person, effectors=effectors))


@pytest.fixture
def chain() -> Document:
    """Four people: the second is tied to the first, the third to the second."""
    document = new_document()
    for _ in range(3):
        document = edits.add_character(new_character(document))(document)
    return with_tie(with_tie(document, "c2", "c1"), "c3", "c2")


def lengths(document: Document) -> list[int]:
    return [len(actor.clip) for actor in document.actors]


def test_all_in_a_row_get_as_many_frames_and_a_person_tied_to_nobody_stays_still(chain: Document) -> None:
    after = with_matching_frames(edits.set_clip_length("c1", 50))(chain)
    assert lengths(after) == [50, 50, 50, 1]
    assert [actor.clip.keys[0].frame for actor in after.actors] == [0, 0, 0, 0]
    assert with_matching_frames(lambda document: document)(after) is after


def test_the_rate_is_that_of_the_person_they_are_tied_to(chain: Document) -> None:
    pose = chain.character("c1").pose
    roots = np.repeat(pose.root_position[None], 40, axis=0)
    motion = Motion(roots, np.repeat(pose.rotations[None], 40, axis=0), 120.0)
    after = with_matching_frames(edits.import_motion("c1", motion))(chain)
    assert lengths(after) == [40, 40, 40, 1]
    assert [actor.clip.fps for actor in after.actors[:3]] == [120.0] * 3


def test_an_edit_of_somebody_else_leaves_a_scene_as_it_was_saved(chain: Document) -> None:
    saved = edits.set_clip_length("c1", 50)(chain)
    assert lengths(with_matching_frames(edits.move_character("c4", (1.0, 0.0, 0.0)))(saved)) == [50, 1, 1, 1]
    assert lengths(with_matching_frames(edits.move_character("c1", (1.0, 0.0, 0.0)))(saved)) == [50, 50, 50, 1]


def test_a_motion_of_one_frame_stays_one(chain: Document) -> None:
    pose = chain.character("c2").pose
    still = Motion(pose.root_position[None], pose.rotations[None], 60.0)
    document = with_tie(edits.import_motion("c2", still)(chain), "c2", "c1")
    assert lengths(with_matching_frames(edits.set_clip_length("c1", 50))(document)) == [50, 1, 1, 1]
