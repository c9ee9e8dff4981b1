"""Knees that things keep ahead of a leg are found alike with and without a first look at what is near the shin."""

from __future__ import annotations

import numpy as np
import pytest
from ik_samples import body_skeleton, natural

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.distance_grid import DistanceGrid, distance_grid
from solver.contact.obstacles import Obstacles
from solver.contact.solid_body import solid_body
from solver.contact.solids import Solid, SolidForm
from solver.ik.stance import kept_ahead
from solver.ik.stance.kept_ahead import knee_kept_ahead
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector

SKELETON, BALLS = body_skeleton(), solid_body(load_body("anny"), BodyShape())
BASE = forward_kinematics(SKELETON, natural())
LEGS = [tuple(SKELETON.index(f"{side}_{part}") for part in ("hip", "knee", "ankle")) for side in ("left", "right")]
CORNERS = np.array([[-0.5, -0.5, -0.5], [0.5, -0.5, 0.5], [-0.5, 0.5, 0.5], [0.5, 0.5, -0.5]])
FACES = np.array([[0, 1, 3], [0, 2, 1], [0, 3, 2], [1, 2, 3]])
CALLS = 200


@pytest.fixture(scope="module")
def pyramid() -> DistanceGrid:
    return distance_grid(CORNERS, FACES)


@pytest.mark.parametrize("form", list(SolidForm))
def test_a_look_at_boxes_around_things_changes_no_knee(
    form: SolidForm, pyramid: DistanceGrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, passed_by, found = np.random.default_rng(11), 0, 0
    is_free = kept_ahead._knee_is_free
    for number in range(CALLS):
        leg = LEGS[number % 2]
        hip, ankle = (BASE.positions[leg[k]] + rng.normal(0.0, 0.2, 3) for k in (0, 2))
        things = []
        for _ in range(rng.integers(1, 3)):
            place, turn = ankle + rng.normal(0.0, 0.5, 3), from_rotation_vector(rng.normal(0.0, 1.0, 3))
            grid = pyramid if form is SolidForm.GRID else None
            things.append(Solid(form, rng.uniform(0.05, 0.9, 3), place, turn, grid))  # type: ignore[arg-type]
        told = (SKELETON, BASE, Obstacles(BALLS, things=tuple(things)), leg, hip, ankle)
        passed_by += is_free(SKELETON, told[2], leg, hip, ankle)
        knee = knee_kept_ahead(*told)
        with monkeypatch.context() as looked_at_all:
            looked_at_all.setattr(kept_ahead, "_knee_is_free", lambda *_: False)
            wanted = knee_kept_ahead(*told)
        assert (knee is None) == (wanted is None)
        if knee is not None:
            found += 1
            assert np.array_equal(knee, wanted)
    assert found > CALLS / 100
    assert (passed_by > CALLS / 5) == (form is not SolidForm.GRID)
