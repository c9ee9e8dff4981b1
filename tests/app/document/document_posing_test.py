"""Posing a character as a whole: effectors follow, the mirror mirrors, and a reshaped body keeps standing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import document_of, only, random_character, random_pose, two_people
from hypothesis import given, settings
from hypothesis import strategies as st

from app.document import edits
from app.document.model.actor import Actor
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.modes import half_turn, keeps_some, mode_of
from app.document.posing.solving import problem_of
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import lowest_sole_point
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.memory import FRESH
from solver.ik.preserve_modes import GLOBAL, LOCAL, PRESERVE_MODES, PreserveMode
from solver.ik.problem import Residual
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import BODY_PARTS


@pytest.fixture
def document() -> Document:
    return new_document()


@pytest.mark.parametrize("kind", ["position", "rotation", "lookat"])
@pytest.mark.parametrize("joint", ["head", "left_wrist", "right_hand", "pelvis", "left_foot"])
def test_a_new_effector_holds_the_joint_as_it_is(kind: str, joint: str) -> None:
    character = replace(only(new_document()), pose=random_pose(np.random.default_rng(5)))
    effector = new_effector(character, kind, joint)
    world, j = joints_of(character), SMPL_JOINTS.index(joint)
    if isinstance(effector, Position):
        assert effector.target == pytest.approx(world.positions[j])
    elif isinstance(effector, Rotation):
        assert effector.target == pytest.approx(world.rotations[j], abs=1e-5)
    else:
        assert isinstance(effector, LookAt)
        ahead = effector.target - world.positions[j]
        assert np.linalg.norm(ahead) == pytest.approx(1.0, abs=1e-4)
        assert ahead == pytest.approx(world.rotations[j] @ effector.local_axis, abs=1e-4)


@pytest.fixture
def varied() -> Document:
    """Two people, the first with effectors of the three kinds that have a target of their own."""
    document = two_people(11)
    assert {Position, Rotation, LookAt} <= {type(effector) for effector in document.character("c1").effectors}
    return document


def test_a_pose_that_is_set_takes_the_effectors_along(varied: Document) -> None:
    pose = random_pose(np.random.default_rng(3))
    character = edits.set_pose("c1", pose)(varied).character("c1")
    assert character.pose is pose
    assert character.base_pose is pose
    assert_at_their_joints(character)


def assert_at_their_joints(character: Character) -> None:
    """The pose meets every position, rotation and look."""
    world = forward_kinematics(skeleton_of(character), character.pose)
    for effector in character.effectors:
        j = SMPL_JOINTS.index(effector.joint)
        if isinstance(effector, Position):
            assert effector.target == pytest.approx(world.positions[j], abs=1e-5)
        elif isinstance(effector, Rotation):
            assert effector.target == pytest.approx(world.rotations[j], abs=1e-4)
        elif isinstance(effector, LookAt):
            ahead = effector.target - world.positions[j]
            assert ahead / np.linalg.norm(ahead) == pytest.approx(world.rotations[j] @ effector.local_axis, abs=1e-4)


def test_going_back_to_the_base_pose_gives_exactly_that_pose() -> None:
    document = two_people(4)
    character = edits.reset_to_base("c1")(document).character("c1")
    assert character.pose is document.character("c1").base_pose


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_mirroring_twice_gives_everything_back(seed: int) -> None:
    before = random_character(np.random.default_rng(seed), Document())
    document = document_of(before)
    after = edits.mirror_pose("c1")(edits.mirror_pose("c1")(document)).character("c1")
    assert after.pose.rotations == pytest.approx(before.pose.rotations, abs=2e-5)
    assert after.pose.root_position == pytest.approx(before.pose.root_position, abs=1e-5)
    assert after.preserve == before.preserve
    for one, other in zip(after.effectors, before.effectors, strict=True):
        assert (one.joint, one.tolerance, one.pinned, one.enabled) == (
            other.joint, other.tolerance, other.pinned, other.enabled,
        )  # fmt: skip
        assert one.target == pytest.approx(other.target, abs=3e-5)  # type: ignore[attr-defined]


def test_a_mirrored_body_stays_in_its_place_and_faces_where_it_faced() -> None:
    character = only(new_document())
    turned = from_rotation_vector([0.0, 1.1, 0.0])
    rotations = np.array(character.pose.rotations)
    rotations[0] = turned
    rotations[SMPL_JOINTS.index("left_shoulder")] = from_rotation_vector([0.0, 0.0, 1.0])
    document = document_of(replace(character, pose=Pose([3.0, 0.9, -2.0], rotations)))
    after = edits.mirror_pose("c1")(document).character("c1")
    assert after.pose.root_position == pytest.approx([3.0, 0.9, -2.0], abs=1e-6)
    assert after.pose.rotations[0] == pytest.approx(turned, abs=1e-5)
    before, now = joints_of(document.character("c1")).positions, joints_of(after).positions
    left, right = SMPL_JOINTS.index("left_hand"), SMPL_JOINTS.index("right_hand")
    assert now[right][1] == pytest.approx(before[left][1], abs=1e-3)
    assert now[left][1] == pytest.approx(before[right][1], abs=1e-3)


def test_the_mirrored_effectors_still_fit_the_mirrored_pose(varied: Document) -> None:
    document = edits.set_pose("c1", random_pose(np.random.default_rng(11)))(varied)
    assert_at_their_joints(edits.mirror_pose("c1")(document).character("c1"))


def test_mirrored_every_effector_is_as_far_off_as_it_was() -> None:
    character = random_character(np.random.default_rng(3), Document())
    after = edits.mirror_pose("c1")(document_of(character)).character("c1")
    skeleton = skeleton_of(character)
    for one, other in zip(character.effectors, after.effectors, strict=True):
        there = other.residual(skeleton, joints_of(after))
        assert there == pytest.approx(one.residual(skeleton, joints_of(character)), abs=1e-4)


def test_a_pasted_pose_keeps_the_place_on_the_floor() -> None:
    document = two_people(6)
    source = document.character("c1")
    after = edits.paste_pose("c2", source)(document).character("c2")
    old = document.character("c2").pose.root_position
    assert after.pose.root_position[[0, 2]] == pytest.approx(old[[0, 2]])
    assert np.array_equal(after.pose.rotations, source.pose.rotations)


def test_a_pose_pasted_flipped_is_the_mirrored_one() -> None:
    document = two_people(6)
    flipped = edits.paste_pose("c1", document.character("c1"), flipped=True)(document).character("c1")
    mirrored = edits.mirror_pose("c1")(document).character("c1")
    assert flipped.pose.rotations == pytest.approx(mirrored.pose.rotations, abs=1e-6)


def test_a_motion_shows_the_frame_that_was_chosen(document: Document) -> None:
    rng = np.random.default_rng(2)
    motion = Motion(rng.normal(0, 1, (5, 3)), from_rotation_vector(rng.normal(0, 1, (5, 24, 3))))
    document = edits.import_motion("c1", motion)(document)
    assert only(document).pose == motion.pose(0)
    document = document.at_frame("c1", 3)
    assert only(document).pose == motion.pose(3)
    assert only(document.at_frame("c1", 99)).frame == 4


def test_a_slider_beyond_its_end_stops_there(document: Document) -> None:
    assert only(edits.set_beta("c1", 3, 99.0)(document)).shape.betas[3] == 5.0
    assert only(edits.set_tolerance("c1", "e1", -1.0)(document)).effectors[0].tolerance == 0.0
    assert only(edits.set_preserve_strength("c1", 7.0)(document)).preserve.strength == 1.0


@pytest.mark.parametrize("gender", ["neutral", "male", "female"])
def test_a_person_on_the_floor_still_stands_on_it_in_another_shape(document: Document, gender: str) -> None:
    body = load_body("anny")
    before = only(document)
    assert abs(lowest_sole_point(body, before.shape, before.pose)) < 1e-4
    for betas in (np.full(10, 2.0), np.full(10, -2.0)):
        after = only(edits.set_shape("c1", BodyShape(betas.astype(np.float32), gender))(document))
        assert abs(lowest_sole_point(body, after.shape, after.pose)) < 1e-3
        assert abs(lowest_sole_point(body, after.shape, after.base_pose)) < 1e-3


@pytest.mark.parametrize(("index", "value"), [(0, 3.0), (0, -3.0), (1, 3.0)])
def test_after_the_solve_hands_are_where_they_were_and_soles_on_the_floor(
    document: Document, index: int, value: float
) -> None:
    document = edits.make_strict("c1", ["e1", "e2"])(document)
    before = only(document)
    after = only(edits.chain(edits.set_beta("c1", index, value), edits.solve("c1"))(document))
    assert abs(lowest_sole_point(load_body("anny"), after.shape, after.pose)) < 4e-3
    wrist = SMPL_JOINTS.index("left_wrist")
    assert joints_of(after).positions[wrist] == pytest.approx(joints_of(before).positions[wrist], abs=5e-3)
    for one, other in zip(before.effectors, after.effectors, strict=True):
        if one.joint.endswith("ankle") and one.kind == "position":
            assert other.target - one.target == pytest.approx([0, 0, 0], abs=0.03)  # type: ignore[attr-defined]
        elif not one.loose:
            assert other == one


def test_what_is_kept_of_the_base_pose_reaches_the_solver(document: Document) -> None:
    document = edits.keep_place("c1", BODY_PARTS["left leg"], True)(document)
    document = edits.keep_shape("c1", edits.scope_joints("torso"), True)(document)
    document = edits.set_preserve_strength("c1", 0.8)(document)
    problem = problem_of(only(document))
    for j, name in enumerate(SMPL_JOINTS):
        assert problem.preserve_position[j] == np.float32(0.8 if name in BODY_PARTS["left leg"] else 0.0)
        assert problem.preserve_orientation[j] == np.float32(0.8 if name in BODY_PARTS["torso"] else 0.0)
    assert not problem_of(only(edits.keep_nothing("c1")(document))).preserve_position.any()


def test_scopes_are_the_whole_body_its_parts_or_the_selection() -> None:
    assert edits.scope_joints("whole body") == SMPL_JOINTS
    assert edits.scope_joints("head") == ("neck", "head")
    assert edits.scope_joints("selection", ["left_knee"]) == ("left_knee",)


def test_a_solution_is_folded_in(document: Document) -> None:
    pose = random_pose(np.random.default_rng(1))
    residuals = tuple(Residual(0.1, "met") for _ in only(document).effectors)
    solution = IKSolution(pose, FRESH, residuals, 3, 0.002)
    character = only(edits.with_solution("c1", solution)(document))
    assert character.pose == pose
    assert character.base_pose == only(document).base_pose


@pytest.mark.parametrize("mode", PRESERVE_MODES, ids=lambda mode: mode.id)
def test_a_mode_keeps_of_the_whole_body_what_it_says_and_leaves_the_strengths_it_does_not_use(
    document: Document, mode: PreserveMode
) -> None:
    weak = edits.set_preserve_strength("c1", 0.3, "shape")(edits.set_preserve_strength("c1", 0.6, "place")(document))
    assert (only(weak).preserve.strength, only(weak).preserve.shape_strength) == (0.6, 0.3)
    after = only(edits.set_preserve_mode("c1", mode)(weak))
    assert mode_of(after) is mode
    assert after.preserve.strength == (1.0 if mode.place else 0.6)
    assert after.preserve.shape_strength == (1.0 if mode.shape else 0.3)


def turned_pelvis(document: Document, degrees: float) -> Document:
    """Asks the pelvis to be turned about the vertical from where it is."""
    character = only(document)
    held = new_effector(character, "rotation", "pelvis")
    document = edits.add_effector("c1", held)(document)
    turn = from_rotation_vector([0.0, np.radians(degrees), 0.0])
    return edits.set_target("c1", held.id, turn @ held.target)(document)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("degrees", "mode", "noticed"), [(170, LOCAL, True), (90, LOCAL, False), (170, GLOBAL, False)])
def test_a_half_turn_away_from_places_that_are_kept_is_noticed(
    document: Document, degrees: float, mode: PreserveMode, noticed: bool
) -> None:
    angle = half_turn(only(turned_pelvis(edits.set_preserve_mode("c1", mode)(document), degrees)))
    assert angle == (pytest.approx(np.radians(degrees), abs=1e-3) if noticed else None)


def test_where_the_whole_body_is_kept_what_effectors_pose_is_free_and_a_part_alone_is_no_mode(
    document: Document,
) -> None:
    loose = [e.id for e in only(document).effectors if not e.is_active]
    assert loose
    problem = problem_of(only(edits.set_preserve_mode("c1", LOCAL)(document)))
    ankle, head = (problem.skeleton.index(name) for name in ("left_ankle", "head"))
    assert (problem.preserve_position[ankle], problem.preserve_position[head]) == (0.0, 1.0)
    part = only(edits.keep_place("c1", ["head"], True)(document))
    assert mode_of(part) is None
    assert problem_of(part).preserve_position[head] > 0


@pytest.mark.parametrize("mode", PRESERVE_MODES)
def test_something_is_kept_in_every_mode_but_global_unless_its_strength_is_none(
    document: Document, mode: PreserveMode
) -> None:
    kept = edits.set_preserve_mode("c1", mode)(document)
    assert keeps_some(only(kept)) == (mode != GLOBAL)
    for what in ("place", "shape"):
        kept = edits.set_preserve_strength("c1", 0.0, what)(kept)
    assert not keeps_some(only(kept))


def test_a_motion_says_whether_its_contacts_are_known_already() -> None:
    motion = Motion(np.zeros((3, 3), np.float32), np.tile(np.eye(3, dtype=np.float32), (3, 24, 1, 1)))
    source = only_actor(edits.import_motion("c1", motion)(new_document())).clip.source
    assert source is not None
    assert not source.knows_contacts
    source.contacts("anny")
    assert source.knows_contacts


def only_actor(document: Document) -> Actor:
    (actor,) = document.actors
    return actor
