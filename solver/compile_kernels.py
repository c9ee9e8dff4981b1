"""`python -m solver.compile_kernels`: compiles what all solvers, recovery and the photo fit need, once for a machine.

The set-up runs it, so that the first drag, photo and comparison of solvers do not wait. With a warm cache it takes a
second or two.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from time import perf_counter

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.kept_volume import load_compiled
from solver.body.whole_rig import smpl_rig
from solver.contact.floor_points import floor_points
from solver.effectors.kinds import Position
from solver.ik.memory import FRESH, Memory
from solver.ik.multi_solve.other_solutions import other_solution
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import body_points, evidence
from solver.photo.fit.fit import fit_person
from solver.rig.fewer_joints import unbent
from solver.rig.roles import Role
from solver.solvers.catalog import SOLVERS, STAND_IN, load_solver
from solver.solvers.dls import warm_up
from solver.solvers.recovery import recover_effectors

FOCAL_PX, DISTANCE_M = 1000.0, 4.0


def main() -> None:
    """Run each compiled path once on a natural pose."""
    started = perf_counter()
    body, shape = load_body(DEFAULT_BODY), BodyShape()
    skeleton = body.skeleton(shape)
    pose = natural_pose(skeleton)
    warm_up()
    load_compiled()
    fewer = smpl_rig(skeleton.rest_positions, frozenset([Role.SPINE1]))
    unbent(fewer, Pose(pose.root_position, from_rotation_vector(np.full((len(fewer), 3), 0.1))))
    recover_effectors(skeleton, shape, pose, max_effectors=2)
    free = np.zeros(len(skeleton), np.float32)
    asked = IKProblem(skeleton, shape, (Position(Role.HEAD, pose.root_position),), pose, free, free)
    other_solution(asked, load_solver(STAND_IN), pose)
    for spec in SOLVERS:  # the comparison of solvers asks them all
        load_solver(spec.id).solve(asked)

    follower = load_solver("dragposer")
    memory: Memory = FRESH
    for _ in range(2):  # the second frame goes on from the first
        memory = follower.solve(replace(asked, step_s=1 / 30), memory).memory
    load_solver(STAND_IN).solve(replace(asked, floor=floor_points(body, shape)))

    points = body_points(body)
    joints = forward_kinematics(skeleton, pose)
    places = points.places(joints.positions, joints.rotations)
    seen = (places - pose.root_position) * [1.0, -1.0, -1.0]  # as a camera before the figure sees it
    world, pixels = np.zeros((33, 3)), np.zeros((39, 2))
    world[points.landmark] = seen
    pixels[points.landmark] = FOCAL_PX * seen[:, :2] / (DISTANCE_M + seen[:, 2:])
    fit_person(body, evidence(Landmarks(1.0, pixels, np.ones(33), world), points, FOCAL_PX, (0.0, 0.0)))
    print(f"The solver is compiled ({perf_counter() - started:.0f} s).")


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m solver.compile_kernels", description=__doc__).parse_args()
    main()
