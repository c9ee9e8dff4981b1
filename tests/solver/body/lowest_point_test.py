"""The lowest point of the skin, found from heights alone."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import lowest_point, lowest_sole_point, posed_vertices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector


@pytest.mark.parametrize("body", ["anny", "anny:child"])
@pytest.mark.parametrize("seed", range(4))
def test_the_lowest_point_is_that_of_the_whole_skin_in_the_world(body: str, seed: int) -> None:
    draw = np.random.default_rng(seed)
    model, shape = load_body(body), BodyShape(draw.normal(size=10).astype(np.float32))
    turns = from_rotation_vector(draw.normal(scale=0.6, size=(24, 3)))
    pose = Pose(draw.normal(size=3).astype(np.float32), turns.astype(np.float32))
    skin = posed_vertices(model, shape, pose)
    assert lowest_point(model, shape, pose) == pytest.approx(skin[:, 1].min(), abs=1e-5)
    assert lowest_sole_point(model, shape, pose) == pytest.approx(skin[model.sole_vertices, 1].min(), abs=1e-5)
