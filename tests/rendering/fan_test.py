"""Handles that meet on the screen step aside, the same for drawing and picking, and without jumps."""

from __future__ import annotations

import numpy as np
import pytest

from rendering.camera.camera import OrbitCamera, View
from rendering.camera.moving import standard_view
from rendering.items.handles import leaders
from rendering.picking.picking import pick_aside, pick_handle
from rendering.scene.theme import DARK
from rendering.scene.values import Handle
from rendering.shapes.fanned_handles import GAP, MARK, WIDE, fanned, middles

LEFT, RIGHT = (0.1, 0.08, -0.05), (-0.1, 0.08, -0.05)
ROOM = 2 * MARK + GAP
Place = tuple[float, float, float]


def handle(id: str, place: Place, shape: str = "ball", selected: bool = False) -> Handle:
    at = np.array(place)
    return Handle(id, shape, at, at, selected=selected)  # type: ignore[arg-type]


def seen_from(side: str) -> View:
    return View(standard_view(OrbitCamera(), side, orthographic=True), 1280, 800)


def pixels(view: View, handles: list[Handle]) -> np.ndarray:
    return view.project(fanned(view, handles))


def own_pixels(view: View, handles: list[Handle]) -> np.ndarray:
    return view.project([h.position for h in handles])


def test_handles_that_stand_apart_stay_where_they_are() -> None:
    view, ankles = seen_from("front"), [handle("left", LEFT), handle("right", RIGHT)]
    assert (fanned(view, ankles) == [LEFT, RIGHT]).all()
    assert fanned(view, []).shape == (0, 3)
    assert (fanned(view, ankles[:1]) == [LEFT]).all()


@pytest.mark.parametrize("side", ["left", "right"])
def test_both_ankles_can_be_pressed_from_the_side_and_the_far_one_is_the_upper(side: str) -> None:
    view, ankles = seen_from(side), [handle("left", LEFT), handle("right", RIGHT)]
    own, drawn = own_pixels(view, ankles), pixels(view, ankles)
    assert np.linalg.norm(own[0] - own[1]) < 1.0
    assert np.linalg.norm(drawn[0] - drawn[1]) == pytest.approx(ROOM, abs=0.5)
    near, far = (0, 1) if side == "right" else (1, 0)  # one looks from the +X side
    assert drawn[far, 1] < drawn[near, 1] - 10
    for ankle, at in zip(ankles, drawn, strict=True):
        found = pick_handle(view, ankles, at)
        assert found is not None
        assert found.id == ankle.id
    assert np.allclose(
        view.project_with_depth(fanned(view, ankles))[:, 2], view.project_with_depth([LEFT, RIGHT])[:, 2]
    )


def test_the_selected_handle_stays_and_the_other_goes() -> None:
    view = seen_from("right")
    ankles = [handle("left", LEFT, selected=True), handle("right", RIGHT)]
    drawn, own = pixels(view, ankles), own_pixels(view, ankles)
    assert np.allclose(drawn[0], own[0], atol=0.01)
    assert np.linalg.norm(drawn[1] - own[1]) == pytest.approx(ROOM, abs=1.5)
    both = [handle("left", LEFT, selected=True), handle("right", RIGHT, selected=True)]
    moved = np.linalg.norm(pixels(view, both) - own, axis=1)
    assert moved[0] == pytest.approx(moved[1]), "a group has its gizmo in the middle"


def test_what_turns_a_joint_lies_around_what_moves_it_and_each_is_pressed_where_it_is_drawn() -> None:
    view = seen_from("front")
    for order in (1, -1):
        pair = [handle("move", LEFT), handle("turn", LEFT, "ring")][::order]
        assert (fanned(view, pair) == [LEFT, LEFT]).all()
        middle = view.project(LEFT)
        for away, expected in (((0, 0), "move"), ((6, 6), "move"), ((13, 2), "turn"), ((-9, -9), "turn")):
            found = pick_handle(view, pair, middle + away)
            assert found is not None
            assert found.id == expected
        assert pick_handle(view, pair, middle + (0, 17)) is None
    three = [handle("move", LEFT), handle("turn", LEFT, "ring"), handle("again", LEFT, "ring")]
    assert middles(three).tolist() == [0, 0, 2], "a second one is a mark of its own"
    drawn = pixels(view, three)
    assert np.linalg.norm(drawn[0] - drawn[2]) > 30
    assert (drawn[0] == drawn[1]).all()


def test_what_lies_around_another_one_goes_along_with_it() -> None:
    view = seen_from("right")
    feet = [handle("left", LEFT), handle("l", LEFT, "ring"), handle("right", RIGHT), handle("r", RIGHT, "ring", True)]
    drawn = pixels(view, feet)
    assert np.allclose(drawn[0], drawn[1])
    assert np.allclose(drawn[2], own_pixels(view, feet)[2], atol=0.01), "one of the two is selected"
    assert np.linalg.norm(drawn[0] - drawn[2]) > 2 * 17


@pytest.mark.sweep
@pytest.mark.parametrize("pitch", [0.0, 0.12, 0.6])
@pytest.mark.parametrize("flat", [False, True])
def test_turning_the_view_all_round_makes_nothing_jump(pitch: float, flat: bool) -> None:
    feet = [handle("left", LEFT), handle("right", RIGHT), handle("l", LEFT, "ring"), handle("r", RIGHT, "ring")]
    before = None
    for yaw in np.linspace(-np.pi, np.pi, 1441):
        view = View(OrbitCamera(yaw=float(yaw), pitch=pitch, orthographic=flat), 1280, 800)
        drawn = pixels(view, feet)
        away = drawn - own_pixels(view, feet)
        assert np.linalg.norm(drawn[0] - drawn[1]) > 2 * WIDE
        if before is not None:
            assert np.abs(away - before).max() < 4.0, f"a jump at {np.degrees(yaw):.1f}°"
        before = away


def test_the_way_up_to_a_view_from_above_makes_nothing_jump() -> None:
    leg, before = [handle("hip", (0.1, 0.9, 0.0)), handle("ankle", (0.1, 0.08, 0.01))], None
    for pitch in np.linspace(-0.2, np.pi / 2, 500):
        view = View(OrbitCamera(yaw=0.3, pitch=float(pitch)), 1280, 800)
        away = pixels(view, leg) - own_pixels(view, leg)
        if before is not None:
            assert np.abs(away - before).max() < 2.0
        before = away


@pytest.mark.slow
def test_two_that_pass_each_other_never_jump_wherever_they_pass() -> None:
    view = seen_from("front")
    for below in np.linspace(-0.05, 0.05, 11):
        before = None
        for x in np.linspace(-0.15, 0.15, 601):
            moving = handle("moving", (float(x), 1.0, 0.0))._replace(held_position=np.ones(3))
            pair = [moving, handle("other", (0.0, 1.0 + float(below), 0.0))]
            away = pixels(view, pair) - own_pixels(view, pair)
            if before is not None:
                assert np.abs(away - before).max() < 3.0
            before = away


def test_a_crowd_comes_apart() -> None:
    rng, view = np.random.default_rng(4), View(OrbitCamera(), 1280, 800)
    crowd = [handle(str(i), tuple(rng.normal(size=3) * 0.04 + (0, 1, 0))) for i in range(9)]
    drawn, own = pixels(view, crowd), own_pixels(view, crowd)
    apart = np.linalg.norm(drawn[:, None] - drawn[None], axis=-1) + 1e3 * np.eye(9)
    assert apart.min() > 0.7 * ROOM
    assert np.linalg.norm(drawn - own, axis=1).max() < 3 * ROOM


def test_what_is_behind_the_eye_neither_moves_nor_is_in_the_way() -> None:
    view = View(OrbitCamera(yaw=0.0, pitch=0.0), 1280, 800)
    behind = tuple(np.asarray(view.camera.eye) + (0.0, 0.0, 1.0))
    handles = [handle("before", (0.0, 1.0, 0.0)), handle("behind", behind)]
    assert (fanned(view, handles) == [h.position for h in handles]).all()


def test_a_mark_that_stepped_aside_is_joined_to_its_own_place_and_comes_before_arrows() -> None:
    view = seen_from("right")
    ankles = [handle("left", LEFT, selected=True), handle("right", RIGHT)]
    at = pixels(view, ankles)
    found = pick_aside(view, ankles, at[1] + 3)
    assert found is not None
    assert found.id == "right"
    assert pick_aside(view, ankles[:1], at[0]) is None
    rows = leaders([(ankles[1], fanned(view, ankles)[1])], DARK)
    assert np.allclose(rows[:, 0:3], RIGHT)
    assert np.allclose(view.project(rows[:, 4:7]), at[1], atol=0.01)
    assert len(leaders([], DARK)) == 0
