"""People who sit down where they come to, or get up where they set out, walk upright the rest of the way."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from document_samples import only
from hips_in_step_test import hips_of
from rolling_feet_test import rolling
from solved_together import solved
from stepping_test import LEFT, RIGHT, balls, posed, slid
from walking_test import animated

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.arrivals import sits_where
from solver.rig.rig import rig_of

SEATED = Path(__file__).parents[4] / "assets/poses/Sitting on a chair/Sit upright.json"
LAST = 90


@cache
def seated_at(frame: int, body: str = "female", turn: float = 0.0, far: float = 1.5) -> Document:
    """Somebody who sits at the first or the last frame and stands at the other one, some metres further on."""
    document = edits.set_key("c1", LAST)(edits.set_clip_length("c1", LAST + 1)(animated(body))).at_frame("c1", LAST)
    document = posed(edits.place_together([only(document)], (0.0, 0.0, far), turn, whole=False)(document))
    return solved(take_pose("c1", poses_of(entry_of(SEATED)), Taking())(document.at_frame("c1", frame)))


@pytest.mark.slow
@pytest.mark.parametrize(("body", "turn"), [("female", 0.0), ("male", np.pi)])
def test_who_sits_at_the_second_key_walks_there_upright_and_then_sits_down(body: str, turn: float) -> None:
    document = seated_at(LAST, body, turn)
    worlds, _ = hips_of(document)
    heights = np.array([world.positions[0, 1] for world in worlds], np.float64)
    arrives = round(rolling(document).swings[-1].end)
    assert arrives < 0.75 * LAST
    assert heights[0] - heights[LAST] > 0.25, "metres"
    assert heights[: arrives - 8].min() > heights[0] - 0.07, "upright while they walk; they were sitting ever more"
    assert np.diff(heights[arrives:]).max() < 0.005, "and then only down"
    ways = balls(document)
    assert max(slid(ways[:, foot]) for foot in (LEFT, RIGHT)) < 0.03


@pytest.mark.slow
def test_who_sits_at_the_first_key_gets_up_before_they_walk() -> None:
    document = seated_at(0)
    worlds, _ = hips_of(document)
    heights = np.array([world.positions[0, 1] for world in worlds], np.float64)
    sets_out = round(rolling(document).swings[0].start)
    assert sets_out > 0.25 * LAST
    assert heights[sets_out + 8 :].min() > heights[LAST] - 0.07
    assert heights[sets_out // 2] < heights[LAST] - 0.1, "metres: still getting up"


def test_who_takes_two_steps_or_a_lunge_goes_down_all_the_way() -> None:
    rig = rig_of(skeleton_of(only(animated())))
    ends, feet = np.array([[0.0, 0.9, 0.0], [0.0, 0.5, 1.5]]), np.array([[0.1, 0.1, 0.0], [-0.1, 0.1, 0.0]])
    there = feet + [0.0, 0.0, 1.5]
    assert sits_where(rig, ends, feet, there) == 1
    assert sits_where(rig, ends[::-1], feet, there) == -1
    assert sits_where(rig, ends * [1.0, 0.0, 1.0], feet, there) == 0, "nobody sits"
    assert sits_where(rig, ends, feet, feet + [0.0, 0.0, 0.3]) == 0, "hardly a walk"
    assert sits_where(rig, ends, feet, there + [[0.0, 0.0, 0.5], [0.0, 0.0, -0.5]]) == 0, "a lunge"


def test_in_no_time_or_onto_other_ground_they_glide() -> None:
    document = seated_at(LAST)
    low = edits.place_together([only(document)], (0.0, 0.025, 0.0), 0.0, whole=False)(document)
    assert rolling(document).swings
    assert rolling(low).swings == ()
    near = edits.set_clip_length("c1", 21)(animated()).at_frame("c1", 20)
    near = posed(edits.place_together([only(near)], (0.0, 0.0, 1.5), 0.0, whole=False)(near))
    near = take_pose("c1", poses_of(entry_of(SEATED)), Taking())(near)
    assert rolling(near).swings == ()
