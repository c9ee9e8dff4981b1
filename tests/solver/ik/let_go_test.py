"""Compiled solves let go of what they are handed, also where they do not count who holds it."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.floor_points import floor_points
from solver.contact.obstacles import Obstacles
from solver.contact.solid_body import solid_body
from solver.effectors.kinds import Position
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.rig.roles import Role
from solver.solvers.catalog import load_solver


def test_a_solve_on_a_floor_and_among_solids_holds_nothing_when_it_is_over() -> None:
    body, shape, solver = load_body("anny"), BodyShape(), load_solver("dls")
    skeleton = body.skeleton(shape)
    pose = natural_pose(skeleton)
    floor, obstacles = floor_points(body, shape), Obstacles(solid_body(body, shape))
    belly = forward_kinematics(skeleton, pose).positions[skeleton.index(Role.SPINE2)]
    into = (Position(Role.LEFT_WRIST, belly), Position(Role.LEFT_ANKLE, np.array([0.1, -0.1, 0.2], np.float32)))
    problem = replace(IKProblem.without_masks(skeleton, into, pose), floor=floor, obstacles=obstacles, body=body.id)
    solver.solve(problem)
    arrays = [part for part in (*floor.ground, *obstacles.solids) if isinstance(part, np.ndarray)]
    gc.collect()  # what other tests left to be collected may hold these, too
    before = [sys.getrefcount(array) for array in arrays]
    for _ in range(3):
        solver.solve(problem)
    assert [sys.getrefcount(array) for array in arrays] == before
