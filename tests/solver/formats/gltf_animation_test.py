"""The curves of a glTF animation, as its specification has them, at a steady rate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import InputRefused
from solver.formats.gltf.animation import Curves, read_curves
from solver.formats.gltf.content import Gltf
from solver.kinematics.rotations import from_quaternion_xyzw


def curves(times: list[float], values: np.ndarray, how: str = "LINEAR", path: str = "translation") -> Curves:
    times_, rows = np.array(times, "<f4"), np.array(values, "<f4").reshape(-1, 4 if path == "rotation" else 3)
    kind = "VEC4" if path == "rotation" else "VEC3"
    content: dict[str, Any] = {
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(times_), "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": len(rows), "type": kind},
        ],
        "bufferViews": [{"buffer": 0}, {"buffer": 0, "byteOffset": times_.nbytes}],
        "buffers": [{}],
        "nodes": [{}] * 7 + [{"name": "Hips"}],
    }
    animation = {
        "samplers": [{"input": 0, "output": 1, "interpolation": how}],
        "channels": [{"sampler": 0, "target": {"node": 7, "path": path}}],
    }
    return read_curves(Gltf(Path("a.glb"), content, times_.tobytes() + rows.tobytes()), [animation])


def test_few_keys_are_read_at_thirty_frames_a_second_in_even_steps() -> None:
    found = curves([0.0, 1.0], np.array([[0, 0, 0], [3, 0, -6]]))
    assert (found.frames, found.fps) == (31, 30.0)
    np.testing.assert_allclose(found.moved[7]["translation"][10], [1, 0, -2], atol=1e-5)


@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 60.0, 120.0])
def test_keys_at_even_steps_tell_the_rate_and_are_met(fps: float) -> None:
    values = np.random.default_rng(0).normal(size=(200, 3))
    found = curves([5.0 + i / fps for i in range(200)], values)
    assert (found.frames, found.fps) == (200, fps)
    np.testing.assert_allclose(found.moved[7]["translation"], values, atol=1e-2 / fps + 1e-3)


def test_turns_go_the_short_way_round_at_an_even_speed() -> None:
    half = np.radians(100.0) / 2
    found = curves([0.0, 1.0], np.array([[0, 0, 0, 1], [0, -np.sin(half), 0, -np.cos(half)]]), path="rotation")
    at = found.moved[7]["rotation"][15]
    np.testing.assert_allclose(at * np.sign(at[3]), [0, np.sin(half / 2), 0, np.cos(half / 2)], atol=1e-6)


def test_a_step_stays_until_the_next_key() -> None:
    found = curves([0.0, 0.5, 1.0], np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]]), "STEP")
    assert found.moved[7]["translation"][[0, 14, 15, 29, 30], 0].tolist() == [0, 0, 1, 1, 2]


def test_splines_follow_their_tangents() -> None:
    keys = np.array([[[0, 0, 0], [0, 0, 0], [2, 0, 0]], [[2, 0, 0], [2, 0, 0], [0, 0, 0]]])  # a straight line
    found = curves([0.0, 1.0], keys, "CUBICSPLINE")
    np.testing.assert_allclose(found.moved[7]["translation"][:, 0], np.linspace(0, 2, 31), atol=1e-5)


@pytest.mark.parametrize("last", [8000.0, 1e30])
def test_a_motion_of_hours_is_refused(last: float) -> None:
    with pytest.raises(InputRefused, match=r"a\.glb has more than 200,000 frames\. Export a shorter part"):
        curves([0.0, last], np.zeros((2, 3)))


def test_keys_that_are_not_in_order_are_no_animation() -> None:
    with pytest.raises(ValueError, match="not in order"):
        curves([0.0, 1.0, 0.5], np.zeros((3, 3)))


@pytest.mark.parametrize(("how", "path"), [("LINEAR", "translation"), ("CUBICSPLINE", "rotation"), ("STEP", "scale")])
@pytest.mark.parametrize("odd", [np.nan, np.inf])
@pytest.mark.filterwarnings("error")
def test_keys_that_are_no_numbers_are_refused_in_one_sentence(how: str, path: str, odd: float) -> None:
    values = np.ones((6 if how == "CUBICSPLINE" else 2, 4 if path == "rotation" else 3))
    values[-1, 1] = odd
    with pytest.raises(InputRefused, match=rf"a\.glb, Hips: its animation gives a {path} that is not a number \(NaN\)"):
        curves([0.0, 1.0], values, how, path)


@pytest.mark.filterwarnings("error")
def test_a_spline_through_a_turn_of_length_zero_is_read_without_a_warning() -> None:
    found = curves([0.0, 1.0], np.zeros((6, 4)), "CUBICSPLINE", "rotation")
    with pytest.raises(ValueError, match="length 0"):
        from_quaternion_xyzw(found.moved[7]["rotation"])
