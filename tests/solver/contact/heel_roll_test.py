"""How a foot rolls on its heel as its toes are turned up, seen from where its ankle and its ball are asked to be."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.feet import FootShape, foot_shapes
from solver.contact.floor_points import floor_points
from solver.contact.heel_roll import FARTHEST
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import toes_down

BODY, SHAPE = load_body("anny"), BodyShape()
POINTS, RIG = floor_points(BODY, SHAPE), BODY.rig(SHAPE)


@pytest.fixture
def foot() -> FootShape:
    return foot_shapes(POINTS, RIG)[0]


def stands(foot: FootShape, yaw: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where ankle and ball of the flat foot are, and its turn."""
    turn = from_rotation_vector((0.0, yaw, 0.0)).astype(np.float64)
    ankle = np.array([0.1, foot.heights[0], 0.2])
    return ankle, ankle + turn @ RIG.offsets[foot.ball], turn


def lowest(foot: FootShape, ankle: np.ndarray, turn: np.ndarray) -> float:
    """Metres from the floor to the lowest skin of the foot with straight toes."""
    places, turns = RIG.rest_positions.astype(np.float64), np.tile(np.eye(3), (len(RIG), 1, 1))
    turns[[foot.ankle, foot.ball]] = turn
    places[foot.ankle], places[foot.ball] = ankle, ankle + turn @ RIG.offsets[foot.ball]
    on_foot = np.isin(POINTS.carriers, [foot.ankle, foot.ball])
    return float(POINTS.places(WorldJoints(places, turns))[on_foot, 1].min())


@pytest.mark.parametrize("yaw", [0.0, 0.7, -2.5])
@pytest.mark.parametrize("back", [-0.005, 0.01, 0.02])
@pytest.mark.parametrize("up", [0.02, 0.05, 0.08])
def test_the_ball_gets_where_it_is_asked_with_the_heel_on_the_floor(
    foot: FootShape, up: float, back: float, yaw: float
) -> None:
    ankle, ball, turn = stands(foot, yaw)
    wanted = ball + [0.0, up, 0.0] - turn @ [0.0, 0.0, back * up / 0.08]
    rolled = foot.heel.rolled(ankle, wanted, turn)
    assert rolled is not None
    assert rolled.ankle + rolled.foot @ RIG.offsets[foot.ball] == pytest.approx(wanted, abs=1e-3)
    assert -1e-3 < lowest(foot, rolled.ankle, rolled.foot) < 2e-3
    assert toes_down(rolled.foot) < 0.0


def test_the_higher_the_ball_the_higher_the_ankle(foot: FootShape) -> None:
    ankle, ball, turn = stands(foot, 0.0)
    rolled = [foot.heel.rolled(ankle, ball + [0.0, up, 0.0], turn) for up in (0.01, 0.02, 0.04, 0.06)]
    heights = [one.ankle[1] for one in rolled if one is not None]
    assert len(heights) == len(rolled)
    assert min(np.diff([ankle[1], *heights])) > 0.0


def test_a_foot_with_its_ball_down_or_its_heel_in_the_air_stays(foot: FootShape) -> None:
    ankle, ball, turn = stands(foot, 0.0)
    assert foot.heel.rolled(ankle, ball - [0.0, 0.01, 0.0], turn) is None
    raised = np.array([0.0, 0.1, 0.0])
    assert foot.heel.rolled(ankle + raised, ball + raised + [0.0, 0.05, 0.0], turn) is None


def test_a_foot_that_lies_on_its_edge_stays(foot: FootShape) -> None:
    ankle, ball, _ = stands(foot, 0.0)
    edge = from_rotation_vector((0.0, 0.0, 1.0)).astype(np.float64)
    assert foot.heel.rolled(ankle, ball + [0.0, 0.05, 0.0], edge) is None


def test_a_ball_far_off_takes_the_foot_no_further_than_it_slides(foot: FootShape) -> None:
    ankle, ball, turn = stands(foot, 0.0)
    rolled = foot.heel.rolled(ankle, ball + [0.0, 0.06, 0.4], turn)
    assert rolled is not None
    assert 0.0 < rolled.ankle[2] - ankle[2] <= FARTHEST + 1e-9
