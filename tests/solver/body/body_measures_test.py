"""Stature and weight are measured on the skin, and a shape is found that has what was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import GENDERS, BodyShape
from solver.body.catalog import load_body
from solver.body.measures import DENSITY, stature, weight, with_stature, with_weight
from solver.body.shape_presets import SHAPE_PRESETS

BODY = load_body("anny")


class Box:
    """A body of two numbers: a box whose first component is its height and whose second is its depth."""

    faces = np.array(
        [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2],
         [1, 3, 7], [1, 7, 5]], np.int32,
    )  # fmt: skip

    def vertices(self, shape: BodyShape) -> np.ndarray:
        size = np.array([0.4, 1.6 + 0.06 * shape.betas[0], 0.25 + 0.02 * shape.betas[1]])
        return np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * size


def test_a_box_weighs_its_volume_and_is_as_tall_as_its_edge() -> None:
    box = Box()
    volume = 0.4 * 1.6 * 0.25
    assert abs(weight(box, BodyShape())) == pytest.approx(volume * DENSITY, rel=1e-6)  # type: ignore[arg-type]
    assert stature(box, BodyShape()) == pytest.approx(1.6)  # type: ignore[arg-type]


@pytest.mark.parametrize("gender", GENDERS)
def test_a_mean_adult_has_the_stature_and_weight_of_one(gender: str) -> None:
    shape = BodyShape(gender=gender)
    assert 1.6 < stature(BODY, shape) < 1.8
    assert 18 < weight(BODY, shape) / stature(BODY, shape) ** 2 < 25  # body mass index


@pytest.mark.parametrize("metres", [1.5, 1.62, 1.82, 1.97])
def test_a_stature_that_is_asked_for_is_met_by_height_alone(metres: float) -> None:
    before = BodyShape(np.array([0.3, 1, 0.5, -1, 0, 0.4, 0, 0, 0.2, 0.7]))
    after = with_stature(BODY, before, metres)
    assert stature(BODY, after) == pytest.approx(metres, abs=1e-4)
    assert after.betas[1:] == pytest.approx(before.betas[1:])


@pytest.mark.parametrize("kilograms", [45.0, 62.5, 88.0, 105.0])
def test_a_weight_that_is_asked_for_is_met_at_the_same_stature_by_weight_and_height_alone(kilograms: float) -> None:
    before = BodyShape(np.array([0.8, 0, 0, 0, 0, 0, 0, 0, 0, 0]), "female")
    after = with_weight(BODY, before, kilograms)
    assert weight(BODY, after) == pytest.approx(kilograms, abs=0.01)
    assert stature(BODY, after) == pytest.approx(stature(BODY, before), abs=3e-4)
    assert (after.betas != before.betas).nonzero()[0].tolist() == [0, 1]


@pytest.mark.parametrize(("metres", "end"), [(0.4, -5.0), (3.0, 5.0)])
def test_beyond_reach_the_shape_goes_to_the_end(metres: float, end: float) -> None:
    assert with_stature(BODY, BodyShape(), metres).betas[0] == end


@pytest.mark.slow
def test_presets_are_what_their_names_say() -> None:
    bodies = {p.name: load_body(p.body) for p in SHAPE_PRESETS}
    shapes = {p.name: p.shape(bodies[p.name].component_names, "female") for p in SHAPE_PRESETS}
    assert all(shape is not None for shape in shapes.values())
    tall = {name: stature(bodies[name], shape) for name, shape in shapes.items() if shape}
    heavy = {name: weight(bodies[name], shape) for name, shape in shapes.items() if shape}
    assert tall["Chibi, 3 heads"] < tall["Child"] < tall["Teenager"] < tall["Elder"] < tall["Average"] < tall["Strong"]
    assert heavy["Heavy"] > 1.4 * heavy["Average"]
    assert {shape.gender for shape in shapes.values() if shape} == {"female"}


def test_a_body_with_other_components_takes_no_presets_but_the_mean_one() -> None:
    names = tuple(f"Component {i + 1}" for i in range(10))
    fits = [p.name for p in SHAPE_PRESETS if p.shape(names, "neutral") is not None]
    assert fits == ["Average", "Child", "Teenager", "Elder", "Chibi, 3 heads"], "whose shape is the mean one"
    assert [p.name for p in SHAPE_PRESETS if p.name in fits and p.body_for("smpl:/files") is not None] == ["Average"]


def test_presets_lead_from_every_embedded_body_to_their_own_and_leave_others_theirs() -> None:
    average, child = (next(p for p in SHAPE_PRESETS if p.name == name) for name in ("Average", "Child"))
    assert [child.body_for(id) for id in ("anny", "anny:chibi", "smpl:/files")] == ["anny:child", "anny:child", None]
    assert [average.body_for(id) for id in ("anny:child", "smpl:/files")] == ["anny", "smpl:/files"]
