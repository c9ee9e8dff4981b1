"""What a posture is called, of bodies bent by hand."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.evaluation.posture import POSTURES, Posture, posture_of, postures_of
from solver.ik.pose_prior import natural_pose
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import mirror_rotation
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import LacksRole, Rig
from tests.solver.evaluation_samples import BODY, SKELETON

Turns = dict[str, tuple[float, float, float]]  # degrees about x (forward), y, z
ARMS_DOWN: Turns = {"left_shoulder": (0, 0, -75), "right_shoulder": (0, 0, 75)}
ARMS_AHEAD: Turns = {"left_shoulder": (0, -90, 0), "right_shoulder": (0, 90, 0)}
TOES_BACK: Turns = {"left_ankle": (60, 0, 0), "right_ankle": (60, 0, 0)}
ARMS_UP: Turns = {"left_shoulder": (0, 0, 80), "right_shoulder": (0, 0, -80)}


def legs(hip: float, knee: float) -> Turns:
    """Both legs lifted forward and bent, degrees."""
    return {f"{side}_{joint}": (turn, 0, 0) for side in ("left", "right") for joint, turn in
            (("hip", -hip), ("knee", knee))}  # fmt: skip


def bent(root: tuple[float, float, float], turns: Turns, rig: Rig = SKELETON, above: float = 0.0) -> np.ndarray:
    """(J, 3) of a body turned by `root`, bent by `turns`, its lowest joint 3 cm above the floor, or so much more."""
    rotations = np.tile(np.eye(3, dtype=np.float32), (len(rig), 1, 1))
    for name, turn in {"pelvis": root, **turns}.items():
        rotations[rig.index(name)] = from_rotation_vector(np.radians(turn))
    places = forward_kinematics(rig, Pose(np.zeros(3, np.float32), rotations)).positions
    return np.asarray(places + [0, above + 0.03 - places[:, 1].min(), 0])


KNEELING: Turns = {**ARMS_DOWN, **legs(0, 90), **TOES_BACK}
EXAMPLES: dict[str, tuple[Posture, tuple[float, float, float], Turns]] = {
    "at rest": (Posture.STANDING, (0, 0, 0), {}),
    "bowing": (Posture.STANDING, (80, 0, 0), {**ARMS_DOWN, **legs(80, 0)}),
    "marching": (Posture.STANDING, (0, 0, 0), {**ARMS_DOWN, "left_hip": (-90, 0, 0), "left_knee": (90, 0, 0)}),
    "squatting": (Posture.CROUCHING, (30, 0, 0), {**ARMS_AHEAD, **legs(110, 120), "left_ankle": (-40, 0, 0)}),
    "upright on both knees": (Posture.KNEELING, (0, 0, 0), KNEELING),
    "on one knee": (Posture.KNEELING, (0, 0, 0), {**KNEELING, "left_hip": (-102, 0, 0), "left_ankle": (0, 0, 0)}),
    "legs stretched out on the floor": (Posture.SITTING, (0, 0, 0), {**ARMS_DOWN, **legs(88, 0)}),
    "on a chair": (Posture.SITTING, (0, 0, 0), {**ARMS_DOWN, **legs(88, 88)}),
    "face up": (Posture.LYING_BACK, (-90, 0, 0), ARMS_DOWN),
    "face up, knees drawn up": (Posture.LYING_BACK, (-88, 0, 0), {**ARMS_DOWN, **legs(60, 110)}),
    "face down": (Posture.LYING_BELLY, (90, 0, 0), ARMS_UP),
    "asleep on one side": (Posture.LYING_SIDE, (0, 0, 90), {**ARMS_AHEAD, **legs(50, 70)}),
    "crawling": (Posture.HANDS_AND_KNEES, (85, 0, 0), {**ARMS_AHEAD, **legs(85, 85), **TOES_BACK}),
    "plank": (Posture.HANDS_AND_KNEES, (76, 0, 0), ARMS_AHEAD),
    "handstand": (Posture.INVERTED, (180, 0, 0), ARMS_UP),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_posture_is_known_by_its_geometry(name: str) -> None:
    posture, root, turns = EXAMPLES[name]
    assert posture_of(SKELETON, bent(root, turns)) == posture


@pytest.mark.parametrize("betas", [(2.5, 1.0), (-2.5, -1.0)], ids=["one build", "another build"])
def test_builds_are_classed_alike(betas: tuple[float, float]) -> None:
    rig = BODY.skeleton(BodyShape(np.float32([*betas, *[0.0] * 8])))
    found = {name: posture_of(rig, bent(root, turns, rig)) for name, (_, root, turns) in EXAMPLES.items()}
    assert found == {name: posture for name, (posture, _, _) in EXAMPLES.items()}


def test_where_a_body_faces_and_which_side_is_which_plays_no_part() -> None:
    places = np.stack([bent(root, turns) for _, root, turns in EXAMPLES.values()])
    turned = places @ np.asarray(from_rotation_vector([0, 2.2, 0]), dtype=np.float64).T + [3.0, 0.0, -4.0]
    mirrored = (places * [-1, 1, 1])[:, list(SKELETON.mirror_order)]
    expected = postures_of(SKELETON, places).tolist()
    assert postures_of(SKELETON, turned).tolist() == expected
    assert postures_of(SKELETON, mirrored).tolist() == expected


def test_far_above_the_floor_is_airborne_but_a_step_up_is_not() -> None:
    _, root, turns = EXAMPLES["squatting"]
    assert posture_of(SKELETON, bent(root, turns, above=0.15)) == Posture.CROUCHING
    assert posture_of(SKELETON, bent(root, turns, above=0.40)) == Posture.AIRBORNE


def test_every_class_has_an_example() -> None:
    assert {posture for posture, _, _ in EXAMPLES.values()} | {Posture.AIRBORNE} == set(POSTURES)


def test_the_natural_pose_stands_seen_from_either_side() -> None:
    pose = natural_pose(SKELETON)
    other = Pose(pose.root_position, np.asarray(mirror_rotation(pose.rotations))[list(SKELETON.mirror_order)])
    for each in (pose, other):
        assert posture_of(SKELETON, forward_kinematics(SKELETON, each).positions) == Posture.STANDING


def test_a_skeleton_without_legs_has_no_posture() -> None:
    rod = Rig(("pelvis", "spine1"), (-1, 0), np.float32([[0, 1, 0], [0, 0.1, 0]]), (SKELETON.roles[0], None))
    with pytest.raises(LacksRole):
        posture_of(rod, np.zeros((2, 3)))
