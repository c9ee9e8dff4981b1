"""How evenly a body follows a drag of one joint while the places of others are kept, and how far those slip.

python -m scripts.drags.kept_drags [--solver skelik] [--mode local]

Gentle drags go 15 cm and back by 5 mm, over feet that stay. Wild ones pull 90 cm and back in 60 steps, six ways each.
Second differences say how unevenly a joint moves from one step to the next: the largest over all joints, and the root
mean square. “Off” is the farthest that a kept wrist of another limb gets from where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.memory import FRESH, Memory
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve_modes import PRESERVE_MODES, PreserveMode, limb_of, posed_joints
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.rig.roles import ARMS, LEGS, Role
from solver.solvers.catalog import load_solver

Array = NDArray[np.float64]
STEP, REACH = 0.005, 0.15  # metres
FAR, PULLED, WAYS = 0.9, 60, 6  # metres, steps there and back, directions
WRISTS, ANKLES = (tuple(limb.end for limb in limbs) for limbs in (ARMS, LEGS))
GENTLE = {
    "pelvis down": (Role.PELVIS, (0.0, -1.0, 0.0)),
    "chest forward": (Role.SPINE3, (0.3, -0.2, 0.9)),
    "head down": (Role.HEAD, (0.0, -0.7, 0.7)),
    "elbow out": (Role.LEFT_ELBOW, (0.9, 0.4, 0.0)),
    "hand forward": (Role.LEFT_WRIST, (0.0, 0.5, 0.85)),
}
WILD = (Role.PELVIS, Role.SPINE3, Role.HEAD, Role.LEFT_ELBOW, *WRISTS)
SKELETON = load_body(DEFAULT_BODY).skeleton(BodyShape())
BASE = natural_pose(SKELETON)
AT = forward_kinematics(SKELETON, BASE).positions.astype(np.float64)


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each gentle drag and one for all wild pulls."""
    parser = script_parser(__file__, __doc__)
    modes = {mode.id: mode for mode in PRESERVE_MODES}
    parser.add_argument("--solver", default="skelik", help="a solver's id (default: skelik)")
    parser.add_argument("--mode", default="local", choices=modes, help="what is kept (default: local)")
    given = parser.parse_args(arguments)
    mode = modes[given.mode]
    there = np.arange(0.0, REACH + STEP / 2, STEP)
    print(f"{given.solver}, {mode.title}: second differences, largest and RMS; a kept wrist off by at most (all mm)")
    for name, (role, way) in GENTLE.items():
        shown = dragged(given.solver, mode, role, np.array(way), np.concatenate([there, there[-2::-1]]))
        print(f"{name:16}{_row(shown, role)}", flush=True)
    pulls = [uneven(shown) for shown in wild_pulls(given.solver, mode)]
    every = np.concatenate([pull.ravel() for pull in pulls])
    median = np.median([np.sqrt(np.mean(pull**2)) for pull in pulls])
    print(f"{len(pulls)} wild pulls: RMS {1e3 * np.sqrt(np.mean(every**2)):.1f}, of the median pull {1e3 * median:.1f}")


def wild_pulls(solver: str, mode: PreserveMode) -> Iterator[Array]:
    """What is shown during each of the wild pulls."""
    random = np.random.default_rng(0)
    out = FAR * (1.0 - np.abs(np.linspace(-1.0, 1.0, PULLED + 1)))
    for role in WILD:
        for _ in range(WAYS):
            way = random.normal(size=3)
            yield dragged(solver, mode, role, way / np.linalg.norm(way), out)


def dragged(solver: str, mode: PreserveMode, role: Role, way: Array, distances: Sequence[float] | Array) -> Array:
    """(steps, J, 3) metres, the joints while one of them is asked to be at these distances along a way."""
    solving, shown = load_solver(solver), []
    memory: Memory = FRESH
    for distance in distances:
        asked: list[Effector] = [_at(role, distance * way), *(_at(foot) for foot in ANKLES)]
        place, shape = np.full((2, len(SKELETON)), [[mode.place], [mode.shape]], np.float32)
        place[posed_joints(SKELETON, asked)] = shape[posed_joints(SKELETON, asked)] = 0.0  # as in the window
        solution = solving.solve(IKProblem(SKELETON, BodyShape(), tuple(asked), BASE, place, shape), memory)
        memory = solution.memory
        shown.append(forward_kinematics(SKELETON, solution.pose).positions.astype(np.float64))
    return np.stack(shown)


def uneven(shown: Array) -> Array:
    """(steps - 3, J) metres, how much each joint's step differs from the last one, except where the drag turns back."""
    second = np.linalg.norm(np.diff(shown, 2, axis=0), axis=-1)
    return np.delete(second, len(second) // 2, axis=0)


def _at(role: Role, by: Array | float = 0.0) -> Position:
    return Position(role, (AT[SKELETON.index(role)] + by).astype(np.float32))


def _row(shown: Array, role: Role) -> str:
    second = 1e3 * uneven(shown)
    posed = limb_of(SKELETON, SKELETON.index(role))
    kept = [j for j in map(SKELETON.index, WRISTS) if j not in posed]
    off = 1e3 * np.linalg.norm(shown[:, kept] - AT[kept], axis=-1).max()
    return f"{second.max():8.1f}{np.sqrt(np.mean(second**2)):8.2f}{off:10.1f}"


if __name__ == "__main__":
    main()
