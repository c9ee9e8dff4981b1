"""After warming up no solve has to wait for the compiler, whatever the drag comes upon."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
INTO_THE_BODY = """
from dataclasses import replace
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.obstacles import body_alone
from solver.contact.slide_kernels import slide, way_out
from solver.contact.solid_body import solid_body
from solver.effectors.kinds import Position
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.solvers.catalog import load_solver
from solver.solvers.dls import warm_up

body, shape, solver = load_body("anny"), BodyShape(), load_solver("dls")
skeleton = body.skeleton(shape)
base = natural_pose(skeleton)
belly = forward_kinematics(skeleton, base).positions[skeleton.index("spine1")]
asked = IKProblem.without_masks(skeleton, (Position("left_wrist", belly),), base)
solid = replace(asked, obstacles=body_alone(solid_body(body, shape)))
warm_up()
print(*(len(kernel.signatures) for kernel in (slide, way_out)))
solver.solve(solid, solver.solve(solid).memory)
print(*(len(kernel.signatures) for kernel in (slide, way_out)))
"""


@pytest.mark.slow
def test_a_hand_that_is_dragged_into_the_body_has_nothing_compiled() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTO_THE_BODY], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["1 1", "1 1"]
