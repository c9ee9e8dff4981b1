"""Make tests/data/clips and tests/data/photos: what tests give the program besides what they draw themselves.

python -m scripts.test_data

None of it comes from elsewhere. The clips are poses of our own body, solved by the program's own solver along a path of
targets and written by the writer that `export` uses; the picture is drawn by the program from two solved people, and
its truth is where their joints are.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.benchmark.sample import two_people
from app.document.model.figure import joints_of
from app.viewport.picture import draw
from rendering.scene.style import PLAIN
from scripts.arguments import script_parser
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position
from solver.files.atomic import write_text
from solver.files.json_text import json_text
from solver.formats.bvh.write import write_bvh
from solver.ik.memory import FRESH, Memory
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion
from solver.photo.accuracy import SHARED_JOINTS
from solver.rig.roles import Role
from solver.solvers.catalog import STAND_IN, load_solver

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
FPS, STILL_S, MOVING_S = 30, 0.5, 1.0
PINNED = (Role.LEFT_ANKLE, Role.RIGHT_ANKLE, Role.LEFT_FOOT, Role.RIGHT_FOOT)
SIZE = (960, 720)

Shifts = dict[str, NDArray[np.float64]]


def reaching(share: float) -> Shifts:
    """Metres by which joints should move from where they are: the left hand up in an arc, the right one aside."""
    bow = np.sin(np.pi * share)
    return {
        Role.LEFT_WRIST: np.array([0.1 * bow, 0.75 * share, 0.35 * bow]),
        Role.RIGHT_WRIST: np.array([-0.4 * share, 0.3 * share, 0.15 * bow]),
        Role.PELVIS: np.array([0.05 * bow, -0.02 * bow, 0.0]),
    }


def bending(share: float) -> Shifts:
    """A knee bend with the arms held out in front."""
    down = np.sin(np.pi * share) ** 2
    return {
        Role.PELVIS: np.array([0.0, -0.42 * down, -0.12 * down]),
        Role.LEFT_WRIST: np.array([0.0, 0.2 * down, 0.45 * down]),
        Role.RIGHT_WRIST: np.array([0.0, 0.2 * down, 0.45 * down]),
    }


def clip(way: Callable[[float], Shifts]) -> Motion:
    """Half a second at ease, then a second along the path."""
    skeleton, solver = load_body(DEFAULT_BODY).skeleton(BodyShape()), load_solver(STAND_IN)
    pose = natural_pose(skeleton)
    world = forward_kinematics(skeleton, pose)
    places = dict(zip(skeleton.names, world.positions.astype(np.float64), strict=True))
    poses = [pose] * round(STILL_S * FPS)
    memory: Memory = FRESH
    for share in np.linspace(0.0, 1.0, round(MOVING_S * FPS) + 1)[1:]:
        shifts = way(float(share))
        asked: list[Effector] = [Position(joint, places[joint].astype(np.float32), pinned=True) for joint in PINNED]
        asked += [Position(joint, (places[joint] + shift).astype(np.float32)) for joint, shift in shifts.items()]
        asked.append(LookAt(Role.HEAD, np.array([0.0, 1.4, 3.0], np.float32)))
        solution = solver.solve(IKProblem.without_masks(skeleton, asked, pose), memory)
        memory = solution.memory
        poses.append(solution.pose)
    roots, turns = np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses])
    return Motion(roots, turns, FPS)


def main() -> None:
    """Write the files."""
    script_parser(__file__, __doc__).parse_args()
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    for name, way in (("reach", reaching), ("bend", bending)):
        write_bvh(DATA / "clips" / f"{name}.bvh", skeleton, clip(way))
    document = two_people()
    pixels = draw(document, SIZE, "front", style=PLAIN)[..., :3]
    Image.fromarray(pixels).save(DATA / "photos" / "two_people.jpg", quality=90)
    front = document.characters[0]
    places = joints_of(front).positions[[skeleton.index(name) for name in SHARED_JOINTS]]
    truth = (places * [1.0, -1.0, -1.0]).round(4).tolist()  # x right, y down, z away: the view is from the front
    content = {"joint_names": list(SHARED_JOINTS), "photos": {"two_people.jpg": {"joints3d_m": truth}}}
    write_text(DATA / "photos" / "ground_truth.json", json_text(content))


if __name__ == "__main__":
    main()
