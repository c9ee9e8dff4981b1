"""Children among adults: the floor is where the adults stand, and a child stands there at a child's size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, level_camera, natural, rendered

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import lowest_point, posed_vertices
from solver.kinematics.pose import Pose
from solver.photo.estimate import estimate_people
from solver.photo.floor.children import CHILD, FloorWithChildren, floor_with_children

STANDARD_DEVIATION = 0.04  # of the logarithm of a stature


def _floor(lowest: list[float], odds: list[float], shown: list[bool] | None = None) -> FloorWithChildren | None:
    """For people of mean stature whose lowest points are so high over the camera."""
    low = np.array(lowest)
    floors = np.sort(np.append(np.linspace(low.min(), low.max(), 101), low))
    tall = np.log(floors / low[:, None]) / STANDARD_DEVIATION
    return floor_with_children(
        floors, low, tall, np.zeros((len(low), 1)), np.abs(tall) <= 2.7, np.array(shown or [True] * len(low)), odds
    )


def test_whoever_is_below_the_floor_of_two_others_stands_there_as_a_child() -> None:
    found = _floor([-1.5, -1.52, -2.05], [0.0, 0.0, 0.0])
    assert found is not None
    assert found.floor == pytest.approx(-1.51, abs=0.05)
    assert found.children == (2,)


def test_only_a_little_below_it_they_are_taken_for_a_short_adult() -> None:
    assert _floor([-1.5, -1.5, -1.8], [0.0, 0.0, 0.0]) is None


def test_of_two_people_face_and_head_decide() -> None:
    child = _floor([-1.5, -2.05], [-1.0, 1.5])
    assert child is not None
    assert child.children == (1,)
    assert _floor([-1.5, -2.05], [0.0, -1.1]) is None, "the first may be in the air"


def test_whose_face_and_head_are_an_adults_is_no_child() -> None:
    assert _floor([-1.5, -1.52, -2.05], [0.0, 0.0, -0.9]) is not None
    assert _floor([-1.5, -1.52, -2.05], [0.0, 0.0, -1.1]) is None


def test_nobody_is_a_child_where_all_stand_on_one_floor_or_one_is_above_it() -> None:
    assert _floor([-1.5, -1.55, -1.45], [2.0, 2.0, 2.0]) is None
    assert _floor([-1.5, -1.52, -0.9], [0.0, 0.0, 0.0]) is None
    assert _floor([-1.5, -1.52, -4.0], [2.0, 2.0, 2.0]) is None, "nobody is as small as that"


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_a_childs_feet_are_on_the_floor_of_the_adults_beside_it() -> None:
    camera = replace(level_camera(distance=5.0, height=1.5, down=0.12), size=(1000, 800))
    small = load_body(CHILD)
    child = natural(3, 0.4, (0.1, 0.2), spread=0.8)
    low = posed_vertices(small, BodyShape(), child)[:, 1].min()
    child = Pose(child.root_position - np.array([0.0, low, 0.0], np.float32), child.rotations)
    adults = natural(1, 0.4, (-1.3, 0.0), 0.8), natural(2, -0.5, (1.4, -0.4), 0.8)
    result = estimate_people(rendered(camera, *adults, child, children=(2,)), body())
    people = sorted(result.people, key=lambda person: person.box[0])
    assert [person.smaller is not None for person in people] == [False, True, False]
    for person in people:
        own = person.own(body())
        assert lowest_point(own, person.shape, person.pose) == pytest.approx(0.0, abs=1e-3)
        assert own.id == person.own_id("anny")
    assert result.camera.position[1] == pytest.approx(1.5, rel=0.12)
    away = np.linalg.norm(people[1].pose.root_position - result.camera.position)
    assert away == pytest.approx(np.linalg.norm(child.root_position - camera.position), rel=0.12)
