"""A record solved by this program: its effectors, the solver's pose, and everything brought to the floor."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scripts.starting_poses.record import FLOOR, SIDES, Figure, Held, Turn
from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.floor import posed_vertices
from solver.body.hand_presets import preset_hands
from solver.body.hands import Hands
from solver.contact.obstacles import Obstacles
from solver.contact.solid_body import GIVES, SolidBody, solid_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.memory import FRESH
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.memoise import memoised
from solver.rig.roles import ARMS, LIMBS, Role
from solver.solvers.catalog import load_solver
from solver.values import changed

PARTS = {
    "hips": Role.PELVIS, "chest_at": Role.SPINE3, "head_at": Role.HEAD,
    **{f"{side}_{part}": Role(f"{side}_{joint}") for side in SIDES for part, joint in (
        ("foot", "ankle"), ("hand", "wrist"), ("knee", "knee"), ("elbow", "elbow"), ("shoulder", "shoulder"))},
}  # fmt: skip
WHOLE, NEAR_IT = 9.0, 0.13  # metres around a joint within which the skin of its bones counts as its own
OWN = {  # whose skin lies on the floor when a joint does, and how near the joint
    Role.PELVIS: ((Role.PELVIS, Role.LEFT_HIP, Role.RIGHT_HIP), 0.2),
    Role.SPINE3: ((Role.SPINE1, Role.SPINE2, Role.SPINE3), WHOLE),
    Role.HEAD: ((Role.HEAD, Role.NECK), WHOLE),
    **{limb.root: ((limb.girdle, limb.root), 0.16) for limb in ARMS if limb.girdle},
    **{limb.end: ((limb.end, limb.tip), WHOLE) for limb in LIMBS},
    **{limb.hinge: ((limb.root, limb.hinge), NEAR_IT) for limb in LIMBS},
}
ROUNDS, NEAR, LEAST = 8, 0.002, 0.02
BODY = load_body(DEFAULT_BODY)
SHAPE = BodyShape()
SKELETON = BODY.skeleton(SHAPE)


@dataclass(frozen=True)
class Solved:
    """A figure's pose. missed: metres or radians of the worst firm effector. lowest: of the skin, before the last lift.
    floating: metres above the floor of what should lie on it."""

    pose: Pose
    effectors: tuple[Effector, ...]
    missed: float
    worst: str
    lowest: float
    floating: float


def solved(figure: Figure) -> Solved:
    """Solve a figure, again and again until what should lie on the floor does."""
    skeleton = SKELETON
    heights = {name: 0.12 for name, held in figure.parts.items() if held.y is FLOOR}
    base = natural_pose(skeleton)
    if figure.tilt:
        rotations = np.array(base.rotations)
        rotations[0] = from_rotation_vector([np.radians(figure.tilt), 0.0, 0.0]) @ rotations[0]
        base = Pose(base.root_position, rotations.astype(np.float32))
    solver = load_solver(figure.solver)
    for _ in range(ROUNDS if heights else 1):
        effectors = effectors_of(figure, heights)
        problem = IKProblem.without_masks(skeleton, effectors, base, SHAPE, DEFAULT_BODY)
        if figure.solid is not None:
            problem = changed(problem, obstacles=Obstacles(_solid(figure.solid, figure.fingers)))
        solution = solver.solve(problem, FRESH)
        skin = posed_vertices(BODY, SHAPE, solution.pose)
        joints = forward_kinematics(skeleton, solution.pose).positions
        gaps = {name: lowest_of(BODY, skin, joints, PARTS[name]) for name in heights}
        heights = {name: max(heights[name] - gap, LEAST) for name, gap in gaps.items()}
        if all(abs(gap) < NEAR for gap in gaps.values()):
            break
    firm = [(r.value, f"{e.joint} {e.kind}") for e, r in zip(effectors, solution.residuals, strict=True)
            if e.tolerance == 0.0]  # fmt: skip
    missed, worst = max(firm, default=(0.0, ""))
    lowest = float(skin[:, 1].min())
    floating = max(gaps.values(), default=0.0) if heights else 0.0
    return Solved(_placed(solution.pose, figure, figure.lift - lowest), effectors, missed, worst, lowest, floating)


@memoised()
def _solid(apart: float, fingers: tuple[str, str]) -> SolidBody:
    """The body, its skin so many metres apart from other skin of its own where these do not meet at rest."""
    body = solid_body(BODY, SHAPE, hands_with(fingers))
    balls, meet = np.array(body.balls), body.yields > GIVES
    balls[:, 3] += apart / 2.0
    return replace(body, balls=balls, yields=np.where(meet, body.yields + apart, body.yields))


def hands_with(fingers: tuple[str, str]) -> Hands:
    """Hands held as two presets say, left and right."""
    left, right = (preset_hands(id, BODY).rotations for id in fingers)
    half = len(left) // 2
    return Hands(np.concatenate([left[:half], right[half:]]))


def effectors_of(figure: Figure, heights: dict[str, float]) -> tuple[Effector, ...]:
    """The effectors of a figure; heights: of the parts that lie on the floor, as far as they are known."""
    made: list[Effector] = []
    for name, held in figure.parts.items():
        made += _of_part(name, held, heights.get(name, held.y or 0.0))
    if figure.chest is not None:
        made.append(_turn(Role.SPINE3, figure.chest.matrix, figure.chest_free))
    if figure.head is not None:
        made.append(_turn(Role.HEAD, figure.head.matrix, 0.1))
    if figure.look is not None:
        made.append(LookAt(id="look", joint=Role.HEAD, target=np.array(figure.look, np.float32), tolerance=0.15))
    return tuple(made)


def _of_part(name: str, held: Held, height: float) -> list[Effector]:
    joint = PARTS[name]
    place = np.array([held.x, height, held.z], np.float32)
    made: list[Effector] = [Position(id=name, joint=joint, target=place, tolerance=held.loose)]
    if held.matrix is not None:
        made.append(_turn(joint, held.matrix, held.free))
    if held.toes is not None:
        made.append(_turn(Role(joint.replace("ankle", "foot")), held.toes, 0.1))
    return made


def _turn(joint: Role, matrix: NDArray[np.float64], tolerance: float) -> Rotation:
    return Rotation(id=f"{joint} turn", joint=joint, target=matrix.astype(np.float32), tolerance=tolerance)


def lowest_of(body: Body, skin: NDArray[np.floating], joints: NDArray[np.floating], role: Role) -> float:
    """How high the lowest skin of what lies on the floor with a joint is. skin: (V, 3), joints: (J, 3), metres."""
    roles, reach = OWN[role]
    own = np.isin(_carriers(body), [SKELETON.index(each) for each in roles])
    own &= np.linalg.norm(skin - joints[SKELETON.index(role)], axis=1) < reach
    return float(skin[own, 1].min())


@memoised()
def _carriers(body: Body) -> NDArray[np.int64]:
    """(V,) the joint that a vertex follows most."""
    return np.asarray(body.weights.argmax(axis=1))


def _placed(pose: Pose, figure: Figure, lift: float) -> Pose:
    turn = Turn(yaw=figure.yaw).matrix
    rotations = np.array(pose.rotations)
    rotations[0] = turn @ rotations[0]
    root = turn @ pose.root_position + np.array([figure.x, lift, figure.z])
    return replace(pose, root_position=root.astype(np.float32), rotations=rotations.astype(np.float32))
