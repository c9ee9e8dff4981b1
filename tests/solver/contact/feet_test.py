"""How one foot stands, seen from where its ankle is."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from ik_samples import body_skeleton

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.feet import LIFTS, PITCHES, RAISED, STEEPEST, STRETCHED, FootShape, foot_shapes
from solver.contact.floor_points import floor_points
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.rig.level_feet import heading
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import LEGS

BODY, SHAPE = load_body("anny"), BodyShape()
POINTS = floor_points(BODY, SHAPE)
LEVEL = np.eye(3)


@pytest.fixture
def foot() -> FootShape:
    left, _ = foot_shapes(POINTS, BODY.rig(SHAPE))
    return left


def at(height: float) -> np.ndarray:
    return np.array([0.1, height, 0.2])


def pitch_of(turn: np.ndarray) -> float:
    return float(np.arctan2(-turn[1, 2], turn[1, 1]))


def test_both_feet_are_found_and_a_skeleton_without_feet_has_none() -> None:
    skeleton = body_skeleton()
    left, right = foot_shapes(POINTS, BODY.rig(SHAPE))
    assert [skeleton.names[j] for j in (left.ankle, left.ball, right.ankle, right.ball)] == [
        "left_ankle", "left_foot", "right_ankle", "right_foot",
    ]  # fmt: skip
    assert left.heights == pytest.approx(right.heights, abs=0.012)  # the skin is not quite symmetric
    whole = rig_of(skeleton)
    assert foot_shapes(POINTS, Rig(whole.names, whole.parents, whole.offsets, (None,) * len(whole))) == ()


def test_a_foot_whose_toes_do_not_bend_rolls_over_their_ends(foot: FootShape) -> None:
    whole = BODY.rig(SHAPE)
    merged = Rig(whole.names, whole.parents, whole.offsets, whole.roles, merged=frozenset(leg.tip for leg in LEGS))
    stiff, _ = foot_shapes(POINTS, merged)
    footing = stiff.footing(at(foot.heights[-1]), LEVEL, LEVEL, "auto", True)
    assert footing is not None
    assert footing.toes == pytest.approx(footing.foot)
    assert 0.2 < pitch_of(footing.foot) < STEEPEST - 0.2
    assert stiff.heights[0] == pytest.approx(foot.heights[0])


def test_the_higher_the_ankle_the_further_the_foot_rolls_with_its_toes_level(foot: FootShape) -> None:
    pitches = []
    for height in np.linspace(foot.heights[0], foot.heights[-1], 12):
        footing = foot.footing(at(height), LEVEL, LEVEL, "auto", True)
        assert footing is not None
        assert footing.ankle == pytest.approx(at(height))
        assert footing.toes == pytest.approx(LEVEL)
        pitches.append(pitch_of(footing.foot))
    assert pitches[0] == pytest.approx(0.0, abs=1e-6)
    assert pitches[-1] == pytest.approx(STEEPEST)
    assert min(np.diff(pitches)) > 0.0


def test_a_foot_that_lifts_lets_go_little_by_little(foot: FootShape) -> None:
    top, before = foot.heights[-1], STEEPEST
    for above in np.linspace(0.0, 0.95 * LIFTS, 10)[1:]:
        footing = foot.footing(at(top + above), LEVEL, LEVEL, "auto", True)
        assert footing is not None
        assert pitch_of(footing.foot) < before
        before = pitch_of(footing.foot)
    assert before < np.radians(5)
    assert foot.footing(at(top + LIFTS), LEVEL, LEVEL, "auto", True) is None


@pytest.mark.parametrize(
    ("what", "turn"),
    [
        ("on its heel", (-0.6, 0.0, 0.0)),
        ("kneeling, its back on the floor", (1.8, 0.0, 0.0)),
        ("kneeling, its sole up", (2.45, 0.0, 0.0)),
        ("on its edge", (0.0, 0.0, 1.0)),
    ],
)
def test_by_itself_a_foot_is_free_that_lies_otherwise(
    foot: FootShape, what: str, turn: tuple[float, float, float]
) -> None:
    turned = from_rotation_vector(turn).astype(np.float64)
    assert foot.footing(at(foot.heights[0]), turned, turned, "auto", False) is None, what


@pytest.mark.parametrize(
    ("pitch", "toes", "standing"),
    [(0.0, 0.0, 1.0), (0.01, 0.0, 1.0), (0.1, 0.1, 0.0), (0.0, 0.3, 0.0), (1.8, 1.8, 1.0), (2.45, 2.45, 1.0)],
)
def test_a_foot_stands_by_itself_or_is_free_or_was_posed_otherwise(
    foot: FootShape, pitch: float, toes: float, standing: float
) -> None:
    turns = (from_rotation_vector((angle, 0.0, 0.0)).astype(np.float64) for angle in (pitch, toes))
    assert foot.standing(at(foot.heights[0]), *turns) == pytest.approx(standing)


def test_chosen_by_hand_a_foot_is_flat_on_its_ball_or_free_wherever_it_is(foot: FootShape) -> None:
    high = at(foot.heights[0] + 0.06)
    flat = foot.footing(high, LEVEL, LEVEL, "flat", False)
    assert flat is not None
    assert flat.ankle == pytest.approx(at(foot.heights[0]))
    assert pitch_of(flat.foot) == 0.0
    ball = foot.footing(at(foot.heights[0]), LEVEL, LEVEL, "ball", False)
    assert ball is not None
    assert pitch_of(ball.foot) == pytest.approx(RAISED)
    assert ball.ankle[1] == pytest.approx(np.interp(RAISED, PITCHES, foot.heights))
    held = foot.footing(at(foot.heights[0]), LEVEL, LEVEL, "ball", True)
    assert held is not None
    assert pitch_of(held.foot) == pytest.approx(0.0, abs=1e-6)  # a place that is asked for leaves it no other way
    assert foot.footing(at(foot.heights[0]), LEVEL, LEVEL, "free", True) is None


@pytest.mark.parametrize("pitch", [-0.5, 0.0, 0.8, 1.5])
@pytest.mark.parametrize("yaw", [-2.0, 0.3, 3.0])
def test_a_foot_keeps_its_heading_whether_its_toes_point_up_or_down(pitch: float, yaw: float) -> None:
    around = from_rotation_vector((0.0, yaw, 0.0)).astype(np.float64)
    turn = around @ from_rotation_vector((pitch, 0.0, 0.0))
    assert float(geodesic_angle(heading(turn), around)) < 1e-3


def test_a_foot_that_heads_nowhere_heads_to_the_front() -> None:
    upside_down = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 0.0]])
    assert heading(upside_down) == pytest.approx(np.eye(3))


def test_toes_hang_above_the_floor_where_a_held_ankle_cannot_stretch_to_it(foot: FootShape) -> None:
    upright, slanting = np.array([0.0, -0.4, 0.0]), np.array([0.0, -0.35, 0.2])  # from knee to ankle
    for height in np.linspace(foot.heights[0], foot.heights[-1], 12):
        free, stretched, seated = (
            foot.footing(at(height), LEVEL, LEVEL, "auto", True, shin=shin) for shin in (None, upright, slanting)
        )
        assert free is not None
        assert stretched is not None
        assert seated is not None
        assert pitch_of(stretched.foot) == pytest.approx(min(pitch_of(free.foot), STRETCHED), abs=1e-6)
        slope = np.arctan2(slanting[2], -slanting[1])
        assert pitch_of(seated.foot) == pytest.approx(min(pitch_of(free.foot), STRETCHED - slope), abs=1e-6)


def test_a_foot_stretches_as_far_as_chosen_by_hand(foot: FootShape) -> None:
    before, slanting = (
        foot.footing(at(foot.heights[-1]), LEVEL, LEVEL, "ball", True, shin=shin)
        for shin in (None, np.array([0.0, -0.35, 0.2]))
    )
    assert before is not None
    assert slanting is not None
    assert slanting.foot == pytest.approx(before.foot)


def test_an_ankle_that_is_not_held_comes_down_where_its_foot_would_stretch_too_far(foot: FootShape) -> None:
    high, slanting = at(foot.heights[-1]), np.array([0.0, -0.35, 0.2])
    comes_down = foot.footing(high, LEVEL, LEVEL, "auto", False, shin=slanting)
    assert comes_down is not None
    slope = np.arctan2(slanting[2], -slanting[1])
    assert pitch_of(comes_down.foot) == pytest.approx(STRETCHED - slope, abs=1e-6)
    assert comes_down.ankle[1] == pytest.approx(np.interp(STRETCHED - slope, PITCHES, foot.heights))


def test_a_foot_that_is_stretched_already_stays_on_its_toes(foot: FootShape) -> None:
    upright, tiptoe = np.array([0.0, -0.4, 0.0]), from_rotation_vector(np.array([np.radians(60.0), 0.0, 0.0]))
    stands = foot.footing(at(foot.heights[-1]), tiptoe, LEVEL, "auto", False, shin=upright)
    assert stands is not None
    assert pitch_of(stands.foot) == pytest.approx(np.radians(60.0), abs=1e-6)


def test_a_foot_on_its_back_rolls_over_its_toes_to_where_it_stands(foot: FootShape) -> None:
    lay = from_rotation_vector(np.array([np.radians(150.0), 0.0, 0.0])) @ from_rotation_vector(
        np.array([0.0, 0.1, 0.0])
    )
    rolled = [foot.rolled_over(lay, share, 0.07) for share in np.linspace(0.0, 1.0, 31)]
    turns, heights = [turn for turn, _ in rolled], [height for _, height in rolled]
    assert turns[0] == pytest.approx(lay, abs=1e-6)
    assert heights[0] == pytest.approx(0.07)
    assert turns[-1][1] == pytest.approx([0.0, 1.0, 0.0], abs=1e-6)
    assert heights[-1] == pytest.approx(foot.heights[0], abs=0.01)
    assert max(heights) == pytest.approx(foot.heights[-1], abs=5e-3)
    assert max(abs(np.diff(heights))) < 0.015
    assert max(geodesic_angle(a, b) for a, b in pairwise(turns)) < np.radians(7.0)


def test_a_foot_is_the_less_on_the_floor_the_higher_its_ankle_whatever_of_its_standing_counts(foot: FootShape) -> None:
    low, high = (
        foot.footing(at(foot.heights[-1] + share * LIFTS), LEVEL, LEVEL, "auto", True, 0.5) for share in (0, 0.92)
    )
    assert low is not None
    assert high is not None
    assert low.down == pytest.approx(1.0)
    assert 0.0 < high.down < 0.1
