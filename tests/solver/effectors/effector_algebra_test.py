"""What can be done with every effector: hold what is there, go along, be mirrored, measured and written as numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ik_samples import body_skeleton, natural
from made_up_kind import Grip

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import NEAREST_LOOK, AimEffector, PointEffector
from solver.effectors.kind import ARM_M
from solver.effectors.kinds import LookAt, Position, Rotation, forget, kind_of, kinds, network_kinds, register, type_of
from solver.errors import PoserError, UnknownName
from solver.ik.residuals import effector_errors
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.mirror import BODY_PLANE, MirrorPlane
from solver.kinematics.pose import Pose
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.mirroring import mirror_pose
from solver.rig.rig import rig_of

ROOT = Path(__file__).resolve().parents[3]
SKELETON = body_skeleton()
RNG = np.random.default_rng(5)
KINDS: tuple[type[Effector], ...] = (Position, Rotation, LookAt, Contact, Grip)
MOST_FILES = 6  # that may know a kind of effector by its name


def bent(spread: float = 0.4) -> Pose:
    turns = from_rotation_vector(RNG.normal(0, spread, (24, 3)))
    return Pose(RNG.normal(0, 1, 3), natural().rotations @ turns)


def world_of(pose: Pose) -> WorldJoints:
    return forward_kinematics(SKELETON, pose)


def away(made: type[Effector], joint: str) -> Effector:
    """An effector of that kind whose target the natural pose does not have."""
    held = made.on(SKELETON, joint, world_of(natural()))
    return held.moved_by(RigidMotion(from_rotation_vector(RNG.normal(0, 0.5, 3)), RNG.normal(0, 0.3, 3)))


@pytest.mark.parametrize("made", KINDS)
@pytest.mark.parametrize("joint", ["left_wrist", "head", "right_ankle", "pelvis"])
def test_a_new_effector_and_one_taken_to_a_pose_ask_for_nothing(made: type[Effector], joint: str) -> None:
    here, there = world_of(natural()), world_of(bent())
    new = made.on(SKELETON, joint, here)
    assert new.residual(SKELETON, here) == pytest.approx(0, abs=2e-4)
    assert new.at_pose(SKELETON, there, here).residual(SKELETON, there) == pytest.approx(0, abs=2e-4)


@pytest.mark.parametrize("made", KINDS)
def test_a_body_and_its_effectors_carried_together_are_as_far_off_as_before(made: type[Effector]) -> None:
    pose, turn = bent(), from_rotation_vector([0.2, 0.9, -0.3])
    rigid = RigidMotion.about(turn, [1.0, 0.0, 2.0])
    effector = away(made, "left_elbow")
    rotations = np.array(pose.rotations)
    rotations[0] = rigid.rotations(rotations[0])
    carried = Pose(rigid.points(pose.root_position), rotations)
    before = effector.residual(SKELETON, world_of(pose))
    assert effector.moved_by(rigid).residual(SKELETON, world_of(carried)) == pytest.approx(before, abs=1e-4)


@pytest.mark.parametrize("made", KINDS)
def test_a_move_leaves_what_turns_and_moves_what_has_a_place(made: type[Effector]) -> None:
    effector = away(made, "head")
    moved = effector.moved_by(RigidMotion.move([0.0, 0.0, 2.0]))
    if effector.target.shape == (3, 3):
        assert moved == effector
    else:
        assert moved.target - effector.target == pytest.approx([0, 0, 2], abs=1e-6)


@pytest.mark.parametrize("made", KINDS)
@pytest.mark.parametrize("joint", ["left_wrist", "neck"])
def test_mirrored_twice_it_is_itself_and_once_it_is_as_far_off_in_the_mirror(made: type[Effector], joint: str) -> None:
    pose, effector = bent(), away(made, joint)
    normal = np.array([np.cos(0.6), 0.0, np.sin(0.6)])
    for plane in (BODY_PLANE, MirrorPlane.across(normal, np.array([0.3, 0.0, 1.0]))):
        twice = effector.mirrored(plane, rig_of(SKELETON).mirrored_name(effector.joint)).mirrored(plane, effector.joint)
        assert twice.joint == effector.joint
        assert twice.target == pytest.approx(effector.target, abs=1e-5)
    symmetric = mirror_pose(SKELETON, pose)
    before = effector.residual(SKELETON, world_of(pose))
    after = effector.mirrored(BODY_PLANE, rig_of(SKELETON).mirrored_name(effector.joint)).residual(
        SKELETON, world_of(symmetric)
    )
    assert after == pytest.approx(before, abs=0.02)  # the body's halves differ by up to a centimetre


@pytest.mark.parametrize("made", KINDS)
def test_one_is_measured_as_many_are(made: type[Effector]) -> None:
    pose = bent()
    effectors = [away(made, joint) for joint in ("left_wrist", "head", "right_foot")]
    alone = [effector.residual(SKELETON, world_of(pose)) for effector in effectors]
    assert alone == pytest.approx(effector_errors(SKELETON, pose, effectors), abs=1e-5)
    assert min(alone) > 0.05


@pytest.mark.parametrize("made", [Position, Rotation, LookAt])
def test_a_networks_numbers_tell_the_effector(made: type[Effector]) -> None:
    effector = away(made, "head")
    again = made.of_numbers("head", effector.numbers())
    assert again.target == pytest.approx(effector.target, abs=1e-6)
    assert again.distance_from(effector) == pytest.approx(0, abs=1e-6)


def test_ways_are_metres_and_angles_count_as_far_as_an_arm_carries_them() -> None:
    turned = Rotation("head", from_rotation_vector([0, 0.5, 0]).astype(np.float32))
    assert turned.distance_from(Rotation("head", np.eye(3))) == pytest.approx(0.5 * ARM_M)
    assert Position("head", [0, 2, 0]).distance_from(Position("head", [0, 1, 0])) == pytest.approx(1.0)
    assert LookAt("head", [0, 0, 99]).distance_from(LookAt("head", [0, 0, 1])) == pytest.approx(np.pi * ARM_M)


@pytest.mark.parametrize("made", KINDS)
def test_easing_goes_from_the_start_to_the_target(made: type[Effector]) -> None:
    start, end = made.on(SKELETON, "left_elbow", world_of(natural())), away(made, "left_elbow")
    assert end.partway_from(start, 0.0).target == pytest.approx(start.target, abs=1e-5)
    assert end.partway_from(start, 1.0).target == pytest.approx(end.target, abs=1e-5)
    half = end.partway_from(start, 0.5)
    assert half.distance_from(start) == pytest.approx(half.distance_from(end), abs=1e-4)


def test_a_point_off_the_joint_is_held_where_the_joint_carries_it() -> None:
    world, j = world_of(bent()), SKELETON.index("left_wrist")
    held = Position("left_wrist", [0, 0, 0], np.array([0.1, 0.0, 0.02], np.float32)).at_pose(SKELETON, world)
    assert held.target == pytest.approx(world.positions[j] + world.rotations[j] @ [0.1, 0, 0.02], abs=1e-6)
    assert not held.holds_joint
    assert Position("left_wrist", world.positions[j]).holds_joint


def test_a_look_keeps_its_distance_but_never_comes_too_near() -> None:
    here, there = world_of(natural()), world_of(bent())
    j = SKELETON.index("head")
    for distance in (0.01, 3.0):
        look = LookAt.along(SKELETON, "head", here, np.array([0, 0, 1], np.float32), distance)
        after = look.at_pose(SKELETON, there, here)
        assert np.linalg.norm(after.target - there.positions[j]) == pytest.approx(max(distance, NEAREST_LOOK), abs=1e-4)


def test_arms_point_along_their_bones_and_the_rest_straight_ahead() -> None:
    arm = AimEffector.__subclasses__()[0].on(SKELETON, "left_elbow", world_of(natural()))
    assert isinstance(arm, LookAt)
    assert arm.local_axis[0] > 0.9
    head = LookAt.on(SKELETON, "head", world_of(natural()))
    assert head.local_axis == pytest.approx([0, 0, 1])


def test_pulls_fall_with_the_tolerance_and_a_pin_pulls_hardest() -> None:
    for kind in kinds():
        weights = [kind.strength(False, tolerance)[0] for tolerance in (0.0, 0.5, 1.0)]
        assert weights == sorted(weights, reverse=True)
        assert kind.strength(True, 1.0)[0] > weights[0]
        assert kind.strength(True, 1.0)[1:] == (kind.pin_force / kind.pin_weight, kind.pin_fading)


def test_kinds_are_known_by_their_ids_and_no_two_have_the_same() -> None:
    assert [kind.id for kind in kinds()] == ["position", "rotation", "lookat", "contact"]
    assert network_kinds() == ("position", "rotation", "lookat")
    assert kind_of("grip") is None
    with pytest.raises(UnknownName, match="grip"):
        type_of("grip")
    with pytest.raises(ValueError, match="position"):
        register(type("Again", (PointEffector,), {"spec": Position.spec}))
    register(Grip)
    try:
        assert kind_of("grip") is Grip.spec
        assert "grip" not in network_kinds()
    finally:
        forget("grip")


def test_a_target_beyond_what_a_scene_holds_is_refused_with_its_joint() -> None:
    with pytest.raises(PoserError, match="grip effector on the head"):
        Grip("head", [2e6, 0, 0])


@pytest.mark.parametrize("name", [r"lookat|\blook_at\b|look-at"])
def test_few_files_know_a_kind_by_its_name(name: str) -> None:
    import re

    found = {
        file.relative_to(ROOT).as_posix()
        for top in ("app", "rendering", "solver")
        for file in (ROOT / top).rglob("*")
        if file.suffix in (".py", ".vert", ".frag", ".glsl")
        if re.search(name, file.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert "solver/effectors/basic_kinds.py" in found
    assert len(found) <= MOST_FILES, f"ask the kind's row or its form instead: {sorted(found)}"


def test_every_joint_can_have_every_kind() -> None:
    world = world_of(natural())
    for made in KINDS:
        for joint in SMPL_JOINTS:
            assert made.on(SKELETON, joint, world).residual(SKELETON, world) < made.spec.met
