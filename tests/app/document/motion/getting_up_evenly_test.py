"""What people of several builds do with feet and knees as they get up between two keys, by the benchmark's measures."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.model.figure import skeleton_of
from app.document.over_time.getting_up.rising import Rising
from app.document.over_time.getting_up.routes import LIMBS_M_S, limbs_s
from app.document.over_time.getting_up.stage_poses import Build, Frame
from app.document.over_time.getting_up.stages import UNDER
from app.document.posing.solving import floor_of
from scripts.motions.getting_up_between_keys import WAYS, getting_up, measured
from scripts.motions.walks_between_keys import FPS, PEOPLE, Person, joints_over_time
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS

SMALL, MAN = Person("anny", "neutral", -2.5, "smplik"), Person("anny", "male", 0.0, "dls")


@pytest.mark.slow
@pytest.mark.parametrize(("way", "person"), [("from the knees", PEOPLE["child"]), ("from the heels", SMALL)])
def test_the_foot_of_a_small_person_who_steps_out_of_kneeling_goes_through_the_air(way: str, person: Person) -> None:
    """It swept over the floor by 5 and 30 cm: the body was brought over the knee, and the foot stayed behind."""
    assert measured(getting_up(WAYS[way], person)).feet < 30.0, "millimetres"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["from the back", "from the back, hasty"])
def test_the_foot_of_a_tall_person_that_comes_below_the_seat_goes_through_the_air(way: str) -> None:
    """It swept over the floor by 14 cm in one frame: it was lifted by less than it was in the floor."""
    assert measured(getting_up(WAYS[way], PEOPLE["tall"])).feet < 30.0, "millimetres"


@pytest.mark.slow
def test_who_sits_on_the_heels_is_not_thrown_up_as_the_feet_turn_onto_their_toes() -> None:
    """A knee that bore could not bend as far as its foot was lifted, went into the floor, and the body off it."""
    roots = np.array([world.positions[0] for world in joints_over_time(getting_up(WAYS["from the heels"], MAN))[:8]])
    assert np.linalg.norm(np.diff(roots, 3, axis=0), axis=1).max() * FPS**3 < 700.0, "m/s³"


def test_a_foot_that_comes_close_to_where_it_is_to_stand_comes_right_there() -> None:
    """It was put down up to 5 cm beside, and slid there as its owner rose."""
    document = getting_up(WAYS["from the knees"], SMALL)
    actor, person = document.actor("c1"), document.character("c1")
    rig, pose = rig_of(skeleton_of(person)), actor.clip.keys[-1].pose
    floor = floor_of(person.body, person.shape, None, person.solver_options)
    assert floor is not None
    ankle = forward_kinematics(rig, pose).positions[rig.joint(LEGS[0].end)] * [1.0, 0.0, 1.0]
    frame = Frame.of(rig, np.zeros(3), 0.3, 0)
    for beside, steps in ((0.03, False), (0.2, True)):
        origin = ankle - frame.place(UNDER.x, 0.0, UNDER.z) + [beside, 0.0, 0.0]
        rising = Rising.to(Build(rig, person.body, person.shape, floor), pose, frame._replace(origin=origin))
        assert rising.steps == steps
        off = rising.frame.place(UNDER.x, 0.0, UNDER.z) - ankle
        assert np.isclose(np.linalg.norm(off), beside if steps else 0.0, atol=1e-6), "metres"


def test_the_further_a_limb_goes_beside_the_pelvis_the_more_time_it_needs() -> None:
    person = getting_up(WAYS["from the knees"], SMALL).character("c1")
    rig, rest = rig_of(skeleton_of(person)), person.pose
    rotations = np.array(rest.rotations)
    shoulder, hand = rig.joint(ARMS[0].root), rig.joint(ARMS[0].end)
    rotations[shoulder] = from_rotation_vector(np.array([np.pi / 2, 0.0, 0.0])).astype(np.float32)
    swung = Pose(rest.root_position + np.array([0.0, 1.0, 0.0], np.float32), rotations)
    moved = Pose(swung.root_position + np.array([2.0, 0.0, 0.0], np.float32), rotations)
    places = [forward_kinematics(rig, pose).positions for pose in (rest, swung)]
    straight = float(np.linalg.norm((places[1] - places[1][0] - places[0] + places[0][0])[hand]))
    needed = limbs_s(rig, [rest, swung, moved])
    assert needed[0] * LIMBS_M_S > straight > 0.1, "metres: it goes round the shoulder"
    assert needed[1] == pytest.approx(0.0, abs=1e-6), "the whole body's way is none of a limb's"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["from the seat", "from the seat to the knees"])
def test_a_hand_that_goes_far_is_not_hurried(way: str) -> None:
    """From the floor behind to the knee, or over to the other side, it went at 6.7 and 7.7 m/s."""
    assert measured(getting_up(WAYS[way], PEOPLE["male"])).speed < 6.5, "metres a second"
