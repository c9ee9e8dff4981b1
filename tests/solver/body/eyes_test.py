"""Eyes sit in the sockets of every shape, and look where they are asked to, as far as eyes turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.embedded_body import EmbeddedBody
from solver.body.eyes import DOWN, SIDE, UP, Eyes, eyes_of, gaze
from solver.body.shape_presets import SHAPE_PRESETS, ShapePreset
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import Rig

BODY = load_body("anny")
REST = np.eye(4)


def eyes(shape: BodyShape | None = None) -> Eyes:
    found = eyes_of(BODY, shape or BodyShape())
    assert found is not None
    return found


def toward(yaw: float, up: float = 0.0) -> np.ndarray:
    y, p = np.radians([yaw, up])
    return np.array([np.sin(y) * np.cos(p), np.sin(p), np.cos(y) * np.cos(p)])


def ahead(balls: np.ndarray) -> np.ndarray:
    """(2, 3) where both look."""
    return balls[:, :, 2] / np.linalg.norm(balls[:, :, 2], axis=1, keepdims=True)


@pytest.mark.parametrize("gender", ["neutral", "female", "male"])
@pytest.mark.parametrize("preset", SHAPE_PRESETS, ids=lambda preset: preset.name)
def test_eyes_fill_the_sockets_of_every_body_and_look_no_different_left_and_right(
    preset: ShapePreset, gender: str
) -> None:
    body = load_body(preset.body)
    shape = preset.shape(body.component_names, gender)
    assert shape is not None
    found = eyes_of(body, shape)
    assert found is not None
    (left, right), skin = found.places, body.vertices(shape)
    gap = [float(np.linalg.norm(skin - place, axis=1).min()) / found.radius for place in found.places]
    assert 0.008 < found.radius < (0.035 if preset.body == "anny:chibi" else 0.022)
    assert max(gap) < 0.98
    assert min(gap) > 0.9
    assert left[0] - right[0] > 2.5 * found.radius
    assert left[1] == pytest.approx(right[1], abs=1e-3)


def test_eyes_of_one_shape_are_one_value_and_a_body_without_joints_for_them_has_none() -> None:
    assert eyes() is eyes()

    class Eyeless(EmbeddedBody):
        def whole_rig(self, shape: BodyShape) -> Rig:
            return self.rig(shape)  # SMPL's 24 joints, as its first files have them

    assert eyes_of(Eyeless(), BodyShape()) is None


def test_without_a_target_eyes_look_straight_ahead_of_a_head_however_it_is_turned() -> None:
    head = np.eye(4)
    head[:3, :3] = from_rotation_vector(np.array([0.3, -0.7, 0.1]))
    head[:3, 3] = 0.2, 0.1, -0.4
    balls = eyes().posed(head, None)
    np.testing.assert_allclose(ahead(balls), [head[:3, 2]] * 2, atol=1e-6)
    np.testing.assert_allclose(balls[:, :, 3], eyes().places @ head[:3, :3].T + head[:3, 3], atol=1e-6)
    assert np.linalg.det(balls[:, :, :3]) == pytest.approx([eyes().radius ** 3] * 2, rel=1e-4)


@pytest.mark.parametrize(("yaw", "up"), [(0, 0), (20, 0), (-30, 0), (0, 15), (10, -15)])
def test_what_is_near_the_front_is_looked_at_with_both_eyes(yaw: float, up: float) -> None:
    target = eyes().places.mean(axis=0) + 1.5 * toward(yaw, up)
    balls = eyes().posed(REST, target)
    asked = target - balls[:, :, 3]
    np.testing.assert_allclose(ahead(balls), asked / np.linalg.norm(asked, axis=1, keepdims=True), atol=1e-4)


def test_eyes_look_at_the_same_thing_from_a_head_that_is_turned_and_elsewhere() -> None:
    head = np.eye(4)
    head[:3, :3] = from_rotation_vector(np.array([0.3, -0.7, 0.1]))
    head[:3, 3] = 0.2, 0.1, -0.4
    target = eyes().places.mean(axis=0) + 1.2 * toward(20, -8)
    balls = eyes().posed(head, head[:3, :3] @ target + head[:3, 3])
    turned = head[:3, :3] @ eyes().posed(REST, target)
    np.testing.assert_allclose(balls[:, :, :3], turned[:, :, :3], atol=1e-6)
    asked = head[:3, :3] @ target + head[:3, 3] - balls[:, :, 3]
    np.testing.assert_allclose(ahead(balls), asked / np.linalg.norm(asked, axis=1, keepdims=True), atol=1e-4)


@pytest.mark.parametrize(("asked", "most"), [((90, 0), SIDE), ((-120, 0), SIDE), ((0, 80), UP), ((0, -80), DOWN)])
def test_eyes_turn_no_further_than_eyes_do(asked: tuple[float, float], most: float) -> None:
    away = toward(*asked)
    turned = gaze(away)
    assert np.arccos(turned[2]) == pytest.approx(most, abs=1e-6)
    assert turned[:2] @ away[:2] > 0.0


def test_eyes_go_round_without_a_jump_and_come_back_for_what_is_straight_behind() -> None:
    seen = np.array([gaze(toward(yaw, 10)) for yaw in range(0, 361, 2)])
    assert np.degrees(np.arccos(np.clip((seen[1:] * seen[:-1]).sum(axis=1), -1, 1))).max() < 5.0
    np.testing.assert_allclose(gaze(toward(180)), [0, 0, 1], atol=1e-6)


def test_eyes_do_not_cross_for_what_is_before_the_nose_and_stand_still_for_what_is_between_them() -> None:
    middle = eyes().places.mean(axis=0)
    left, right = ahead(eyes().posed(REST, middle + [0, 0, 0.02]))
    assert 0.0 < np.degrees(np.arcsin(right[0])) < 9.0
    assert left[0] == pytest.approx(-right[0], abs=1e-4)
    np.testing.assert_allclose(ahead(eyes().posed(REST, middle)), [[0, 0, 1]] * 2, atol=1e-6)


def test_eyes_are_values() -> None:
    same, other = replace(eyes()), replace(eyes(), radius=0.02)
    assert same == eyes()
    assert other != eyes()
