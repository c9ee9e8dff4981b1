"""Hands close on what they hold: the skin of the fingers lies against it, and does not go through."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from body_samples import official

from solver.body.body import BodyShape
from solver.body.catalog import load_body, official_body_id
from solver.body.finger_chain import JOINTS, Array, bent_points, hand_frame
from solver.body.finger_skin import finger_skins
from solver.body.fingers import LAST, MIDDLE, angles_of, hinges_of
from solver.body.hand_presets import preset_hands
from solver.body.hands import Hands, hands_at_rest, relaxed_hands, skin_with
from solver.contact.grip import closed_around, closed_on
from solver.contact.patches import patches
from solver.contact.solids import Solid, SolidForm
from solver.errors import PoserError
from solver.ik.pose_prior import natural_pose
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose, rest_pose

BODY, SHAPE = load_body("anny"), BodyShape()
TALL = BodyShape(np.array([2, 1, 1, 0, 1, 0, 0, 0, 0, 0], np.float32), "female")
RADIUS = {"ball": 0.035, "stick": 0.02}


def in_palm(shape: BodyShape, pose: Pose, side: int, what: str, away: float = 0.0) -> Solid:
    """A ball, or a stick across the palm, that lies against the hand just below the knuckles. away: metres off it."""
    rig, radius = BODY.rig(shape), RADIUS[what]
    frame = hand_frame(BODY, shape, forward_kinematics(rig, pose), side)
    knuckles = bent_points(BODY, shape, hands_at_rest())[side, 1:, 0].mean(axis=0)
    skin = BODY.vertices(shape)
    low = skin[np.linalg.norm((skin - knuckles)[:, [0, 2]], axis=1) < 0.02][:, 1].min()
    rest = np.array([knuckles[0], low - radius - away, knuckles[2]])
    place = frame.to_world(rest).astype(np.float32)
    if what == "ball":
        return Solid(SolidForm.BALL, np.full(3, 2 * radius, np.float32), place)
    along = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # its own Y along Z at rest
    size = np.array([2 * radius, 0.5, 2 * radius], np.float32)
    return Solid(SolidForm.CYLINDER, size, place, (frame.turn @ along).astype(np.float32))


def posed_fingers(shape: BodyShape, pose: Pose, hands: Hands, side: int) -> list[Array]:
    """(V, 3) metres for each finger: its skin as it is drawn, by the whole body's path."""
    skin = skin_with(BODY, shape, hands)
    matrices = skinning_matrices(BODY.rig(shape), pose)[:, :3]
    posed = np.einsum("vj,jab,vb->va", BODY.weights, matrices, np.column_stack([skin, np.ones(len(skin))]))
    return [posed[finger.vertices] for finger in finger_skins(BODY, shape, pose, side)]


def test_a_fingers_skin_alone_is_the_same_as_in_the_whole_body() -> None:
    pose, hands = natural_pose(BODY.rig(TALL)), preset_hands("claw", BODY)
    for side in (0, 1):
        skins = finger_skins(BODY, TALL, pose, side)
        for finger, whole in enumerate(posed_fingers(TALL, pose, hands, side)):
            alone = skins[finger].bent(hands.rotations[JOINTS[side, finger]].astype(np.float64))
            off = np.linalg.norm(alone - whole, axis=1)
            assert np.median(off) < 1e-5
            assert off.max() < 5e-3, "where two fingers share a vertex"


@pytest.mark.sweep
@pytest.mark.parametrize("what", ["ball", "stick"])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("posed", [partial(rest_pose), partial(natural_pose)], ids=["T-pose", "arms down"])
@pytest.mark.parametrize("shape", [SHAPE, TALL], ids=["mean", "tall"])
def test_fingers_lie_against_what_is_in_the_palm(what: str, side: int, posed: object, shape: BodyShape) -> None:
    pose: Pose = posed(BODY.rig(shape))  # type: ignore[operator]
    solid = in_palm(shape, pose, side, what)
    grip = closed_on(BODY, shape, relaxed_hands(), pose, (solid,), side)
    near = [float(solid.distances(skin).min()) for skin in posed_fingers(shape, pose, grip.hands, side)]
    assert min(near) > -2e-3, "no vertex is deeper than 2 mm"
    assert sum(distance < 3e-3 for distance in near) >= 4
    assert len(grip.fingers) >= 4
    assert grip.hands.mixed(relaxed_hands(), 1.0, (side,)) == relaxed_hands(), "the other hand stays"


@pytest.mark.slow
@pytest.mark.parametrize("shape", [SHAPE, TALL], ids=["mean", "tall"])
@pytest.mark.parametrize("radius", [0.0375, 0.025, 0.015], ids=["a cup", "a cylinder", "a stick"])
@pytest.mark.parametrize("tilt", [8, 22])
def test_fingers_lie_against_what_leans_in_the_hand(tilt: int, radius: float, shape: BodyShape) -> None:
    leant, side, rig = float(np.radians(tilt)), 0, BODY.rig(shape)
    hollow = patches(BODY, shape)["left_hand"]
    along = hollow.leaning_by(leant)
    assert np.degrees(np.arccos(along @ hollow.normal)) == pytest.approx(tilt, abs=0.1)
    outward = rig.rest_positions[rig.index("left_hand")] - rig.rest_positions[rig.index("left_wrist")]
    assert (along - hollow.normal) @ outward < 0.0, "on the thumb's side towards the wrist"
    across = np.cross(along, hollow.into)
    across /= np.linalg.norm(across)
    turn = np.stack([across, along, np.cross(across, along)], axis=1).astype(np.float32)
    middle = rig.rest_positions[rig.index(hollow.joint)] + hollow.middle_of(radius, leant)
    size = np.array([2 * radius, 0.5, 2 * radius], np.float32)
    solid = Solid(SolidForm.CYLINDER, size, middle.astype(np.float32), turn)
    hands = closed_around(BODY, shape, "left_hand", radius, True, leant)
    near = [float(solid.distances(skin).min()) for skin in posed_fingers(shape, rest_pose(rig), hands, side)]
    assert min(near) > -3e-3, "no vertex is deeper than 3 mm"
    assert max(near) < 3e-3, "all five touch"


def test_a_ball_in_the_hand_does_not_lean() -> None:
    held = closed_around(BODY, SHAPE, "left_hand", 0.03, False)
    assert closed_around(BODY, SHAPE, "left_hand", 0.03, False, 0.3) == held


def test_it_closes_as_far_whatever_the_hand_did_before() -> None:
    pose = rest_pose(BODY.rig(SHAPE))
    solid, hinges = in_palm(SHAPE, pose, 0, "stick"), hinges_of(BODY)
    bends = [
        angles_of(closed_on(BODY, SHAPE, preset_hands(id, BODY), pose, (solid,), 0).hands, hinges)[0, 1:, [0, 2, 3]]
        for id in ("fist", "spread", "flat")
    ]
    assert np.abs(np.diff(bends, axis=0)).max() < 12


def test_a_thinner_stick_is_held_by_fingers_that_are_bent_further() -> None:
    pose = rest_pose(BODY.rig(SHAPE))
    thick = in_palm(SHAPE, pose, 0, "stick")
    thin = Solid(thick.form, thick.size * np.array([0.4, 1, 0.4]), thick.place + [0, 0.012, 0], thick.turn)
    bends = [
        angles_of(closed_on(BODY, SHAPE, relaxed_hands(), pose, (solid,), 0).hands, hinges_of(BODY))[0, 1:4].sum()
        for solid in (thick, thin)
    ]
    assert bends[1] > bends[0] + 50


def test_a_finger_that_meets_nothing_closes_as_in_a_fist_beside_those_that_do() -> None:
    pose = rest_pose(BODY.rig(SHAPE))
    index = bent_points(BODY, SHAPE, hands_at_rest())[0, 1]
    small = Solid(SolidForm.BALL, np.full(3, 0.02, np.float32), (index[1] - [0, 0.022, 0]).astype(np.float32))
    grip = closed_on(BODY, SHAPE, relaxed_hands(), pose, (small,), 0)
    assert grip.fingers == (1,)
    bent = angles_of(grip.hands, hinges_of(BODY))[0]
    assert (bent[2:, MIDDLE] > 95).all()
    assert bent[1, MIDDLE] < 90
    assert (bent[2:, LAST] > 60).all()


def test_a_finger_that_is_inside_opens_as_far_as_it_can() -> None:
    pose = rest_pose(BODY.rig(SHAPE))
    tip = bent_points(BODY, SHAPE, hands_at_rest())[0, 2, 3]
    block = Solid(SolidForm.BOX, np.array([0.04, 0.05, 0.2], np.float32), tip.astype(np.float32))
    before = block.distances(posed_fingers(SHAPE, pose, hands_at_rest(), 0)[2]).min()
    grip = closed_on(BODY, SHAPE, hands_at_rest(), pose, (block,), 0)
    after = block.distances(posed_fingers(SHAPE, pose, grip.hands, 0)[2]).min()
    assert before < -0.005
    assert after > before + 0.003


def test_a_hand_within_a_wall_still_has_fingers() -> None:
    pose = rest_pose(BODY.rig(SHAPE))
    knuckles = bent_points(BODY, SHAPE, hands_at_rest())[0, :, 0].mean(axis=0).astype(np.float32)
    wall = Solid(SolidForm.BOX, np.full(3, 0.6, np.float32), knuckles)
    grip = closed_on(BODY, SHAPE, relaxed_hands(), pose, (wall,), 0)
    assert np.isfinite(grip.hands.rotations).all()
    assert grip.fingers == (0, 1, 2, 3, 4)


@pytest.mark.parametrize("solids", [0, 1])
def test_a_hand_that_holds_nothing_stays_as_it_was(solids: int) -> None:
    pose, hands = rest_pose(BODY.rig(SHAPE)), relaxed_hands()
    far = (in_palm(SHAPE, pose, 0, "ball", away=0.3),)[:solids]
    grip = closed_on(BODY, SHAPE, hands, pose, far, 0)
    assert grip.hands is hands
    assert grip.fingers == ()


@pytest.mark.slow
def test_a_hand_closes_around_what_goes_through_its_hollow_and_the_other_stays_relaxed() -> None:
    relaxed = relaxed_hands().rotations
    for side, name in enumerate(("left_hand", "right_hand")):
        for straight in (True, False):
            closed = closed_around(BODY, SHAPE, name, 0.02, straight).rotations
            assert np.abs(closed[JOINTS[side, 1:]] - relaxed[JOINTS[side, 1:]]).max() > 0.1
            assert np.array_equal(closed[JOINTS[1 - side]], relaxed[JOINTS[1 - side]])


def test_a_body_without_fingers_closes_around_nothing(tmp_path: Path) -> None:
    pytest.importorskip("smplx")
    np.savez(tmp_path / "SMPL_NEUTRAL.npz", **official("SMPL"))  # type: ignore[arg-type]
    with pytest.raises(PoserError, match="no finger joints"):
        closed_around(load_body(official_body_id(tmp_path)), SHAPE, "left_hand", 0.02, True)
