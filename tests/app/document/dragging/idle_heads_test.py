"""The head of somebody who stands, of which nothing is asked, while a hand is dragged: it keeps its look."""

from __future__ import annotations

import numpy as np
import pytest

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from scripts.drags import head_turns
from scripts.drags.arm_drags import new
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_steps import drag_steps, handle, straight
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.stance.idle_upper_body import with_idle_head_as_posed
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import Role

PERSON = new_document().characters[0]
SKELETON, BASE = skeleton_of(PERSON), PERSON.pose
WORLD = joints_of(PERSON)
HAND = Position("left_wrist", WORLD.positions[SKELETON.index("left_wrist")])


def turned(**degrees: tuple[float, float, float]) -> Pose:
    """The base pose with joints turned in their parents' frames: pitch down, yaw to the left, tilt to the right."""
    rotations = np.array(BASE.rotations)
    for name, angles in degrees.items():
        j = SKELETON.index(name)
        rotations[j] = from_rotation_vector(np.radians(angles)) @ rotations[j]
    return Pose(BASE.root_position, rotations)


def faces(pose: Pose) -> np.ndarray:
    """(3,) degrees by which the head is turned from the base pose in the world: to the left, up, tilted to the left."""
    was, now = (
        forward_kinematics(SKELETON, each).rotations[SKELETON.index("head")].astype(np.float64) for each in (BASE, pose)
    )
    return head_turns.yaw_pitch_roll(now) - head_turns.yaw_pitch_roll(was)


def test_a_head_that_a_network_turns_as_a_hand_is_dragged_keeps_its_look() -> None:
    found = with_idle_head_as_posed(SKELETON, [HAND], BASE, turned(head=(10.0, -25.0, 5.0)))
    assert found.rotations == pytest.approx(BASE.rotations, abs=1e-5)


@pytest.mark.parametrize("yaw", [15.0, -15.0])
def test_it_faces_where_it_did_as_the_chest_turns_beneath_it(yaw: float) -> None:
    proposal = turned(spine2=(0.0, yaw, 0.0))
    assert abs(faces(proposal)[0]) > 13.0
    assert faces(with_idle_head_as_posed(SKELETON, [HAND], BASE, proposal)) == pytest.approx(np.zeros(3), abs=3.0)


def test_it_goes_along_with_a_chest_that_turns_further_than_necks_do_easily() -> None:
    found = faces(with_idle_head_as_posed(SKELETON, [HAND], BASE, turned(spine2=(0.0, 90.0, 0.0))))
    assert 50.0 < found[0] < 65.0


def test_it_tilts_less_than_a_chest_that_is_bent_over_to_a_side() -> None:
    found = faces(with_idle_head_as_posed(SKELETON, [HAND], BASE, turned(spine2=(0.0, 0.0, 15.0))))
    assert -9.0 < found[2] < -4.0


def test_as_the_trunk_bends_over_ahead_the_network_says_how_the_head_is_raised() -> None:
    proposal = turned(spine1=(75.0, 0.0, 0.0), head=(-30.0, 0.0, 0.0))
    assert with_idle_head_as_posed(SKELETON, [HAND], BASE, proposal) is proposal


@pytest.mark.parametrize(
    "asked",
    [
        [Position("left_ankle", WORLD.positions[SKELETON.index("left_ankle")])],
        [HAND, Rotation("head", np.eye(3, dtype=np.float32))],
        [HAND, LookAt("head", np.float32([0.0, 1.5, 3.0]))],
        [HAND, Position("neck", WORLD.positions[SKELETON.index("neck")])],
    ],
)
def test_a_head_that_is_asked_for_and_one_of_whom_no_hand_is_dragged_are_as_proposed(asked: list[Effector]) -> None:
    proposal = turned(head=(0.0, -25.0, 0.0))
    assert with_idle_head_as_posed(SKELETON, asked, BASE, proposal) is proposal


@pytest.mark.slow
@pytest.mark.parametrize("body", ["male", "short"])
@pytest.mark.parametrize("name", ["up", "over the head", "up ahead"])
def test_a_head_hardly_turns_as_a_hand_goes_up_high(body: str, name: str) -> None:
    found = head_turns.drag(new(body, "smplik"), np.array(head_turns.DRAGS[name]))
    assert np.abs(found.world[0][0]) < 12.0
    assert found.whole[0] < 15.0


def test_a_look_that_was_touched_stays_met_as_a_hand_goes_up() -> None:
    document = new("female", "smplik")
    person = document.character(FIRST)
    rig = rig_of(skeleton_of(person))
    (look,) = (e for e in person.effectors if isinstance(e, LookAt))
    document = edits.set_target(FIRST, look.id, np.float32([2.0, 1.5, 2.0]))(document)
    document = edits.make_strict(FIRST, [look.id])(document)
    document, hand = handle(document, rig, Role.LEFT_WRIST)
    for step in drag_steps(document, hand, straight(np.array([0.0, 0.9, 0.0]), 0.1)):
        document = step.document
    person = document.character(FIRST)
    asked = person.effector(look.id)
    assert np.degrees(asked.residual(skeleton_of(person), joints_of(person))) < 1.0
