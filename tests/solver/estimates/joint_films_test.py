"""Films of joints' places: HumanML3D's, text-to-motion networks', Human3.6M's, whatever their axes and their unit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats_samples import sample_motion

from app.document.exchange.open_file import Opened, open_file
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.over_time.shown_motion import shown_motion
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import lowest_point
from solver.errors import InputRefused
from solver.estimates.joint_films import H36M_17, joint_film
from solver.estimates.joints_to_motion import film_to_motion
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import SMPL_ROLES, Role

BODY = load_body("anny")
TALL = BodyShape(np.array([2, 0, 0, 1, 0, 0, 0, 0, 0, 0], np.float32))
FRAMES = 10
LIMBS = [SMPL_ROLES.index(role) for role in SMPL_ROLES[:22] if role not in (Role.NECK, Role.SPINE1, Role.SPINE2)]


def walk() -> Motion:
    motion = sample_motion(FRAMES, seed=3, swing=0.25)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = from_rotation_vector(np.linspace([0, 2.0, 0], [0.2, 0.8, 0], FRAMES))
    rotations[:, 20:] = np.eye(3)
    way = np.linspace([0.5, 1.0, 0], [0.4, 1.1, 1.2], FRAMES)
    return Motion(way.astype(np.float32), rotations.astype(np.float32), 20)


def joints(shape: BodyShape = TALL) -> np.ndarray:
    """(F, 24, 3) metres, Y up."""
    skeleton, motion = BODY.skeleton(shape), walk()
    return np.stack([forward_kinematics(skeleton, motion.pose(i)).positions for i in range(FRAMES)])


def h36m() -> np.ndarray:
    """(F, 17, 3) in the order of its documentation: spine and nose between their neighbours."""
    order = [SMPL_ROLES.index(role or Role.SPINE2) for role in H36M_17]
    return joints()[:, order]


def shown(path: Path) -> tuple[Opened, Character]:
    found = open_file(path)
    assert found.edit is not None
    return found, found.edit(Document()).characters[0]


def posed(person: Character) -> np.ndarray:
    motion = shown_motion(person)
    poses = [person.pose] if motion is None else [motion.pose(i) for i in range(len(motion))]
    return np.stack([forward_kinematics(skeleton_of(person), pose).positions for pose in poses])


def about_hips(places: np.ndarray) -> np.ndarray:
    return places - places[:, 1:3].mean(axis=1, keepdims=True)


def off_mm(person: Character, truth: np.ndarray) -> float:
    return float(1e3 * np.linalg.norm(about_hips(posed(person)) - about_hips(truth), axis=2)[:, LIMBS].max())


Z_UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
FILES: dict[str, Any] = {
    "HumanML3D": lambda: joints()[:, :22].astype(np.float32),
    "SMPL's 24": joints,
    "centimetres, z up": lambda: 100 * joints()[:, :22] @ Z_UP,
    "millimetres, y down": lambda: 1000 * joints()[:, :22] * [1, -1, -1],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_joints_are_where_the_file_has_them_on_a_person_of_that_build(tmp_path: Path, name: str) -> None:
    np.save(tmp_path / "a.npy", FILES[name]())
    found, person = shown(tmp_path / "a.npy")
    assert off_mm(person, joints()) < 35
    assert np.mean(np.linalg.norm(about_hips(posed(person)) - about_hips(joints()), axis=2)) < 0.005
    motion = shown_motion(person)
    assert motion is not None
    way, told = (places[:, 0] - places[0, 0] for places in (posed(person), joints()))
    assert way == pytest.approx(told, abs=0.02)
    assert "frames a second were assumed" in found.hint
    lows = [lowest_point(BODY, person.shape, motion.pose(i)) for i in range(FRAMES)]
    assert np.quantile(lows, 0.1) == pytest.approx(0, abs=0.005)


@pytest.mark.slow
def test_human36m_s_17_joints_pose_limbs_and_leave_feet_to_the_body(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", positions_3d=h36m())
    _, person = shown(tmp_path / "a.npz")
    ends = [SMPL_ROLES.index(role) for role in (Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.LEFT_ANKLE, Role.RIGHT_ANKLE)]
    off = np.linalg.norm(about_hips(posed(person)) - about_hips(joints()), axis=2)[:, ends]
    assert off.max() < 0.02


@pytest.mark.slow
def test_somebody_whose_pelvis_was_put_to_one_place_stands_on_the_floor(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", h36m() - h36m()[:, :1])
    _, person = shown(tmp_path / "a.npy")
    motion = shown_motion(person)
    assert motion is not None
    lows = [lowest_point(BODY, person.shape, motion.pose(i)) for i in range(FRAMES)]
    assert max(map(abs, lows)) < 0.06
    assert np.ptp(posed(person)[:, 0, 1]) > 0.02  # the pelvis goes up and down instead


@pytest.mark.slow
def test_of_mdm_s_samples_the_first_comes_in_as_long_as_it_is_and_that_is_told(tmp_path: Path) -> None:
    samples = np.stack([joints()[:, :22].transpose(1, 2, 0)] * 3)
    told: Any = {"motion": samples, "text": ["a person walks"] * 3, "lengths": np.array([6, 10, 10]), "num_samples": 3}
    np.save(tmp_path / "results.npy", told)
    found, person = shown(tmp_path / "results.npy")
    assert len(posed(person)) == 6
    assert found.hint.startswith("Only the first of 3 motions was read; to open another one, save results[“motion”][i]")


@pytest.mark.slow
def test_one_pose_of_joints_is_a_still(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", joints()[0, :22])
    found, person = shown(tmp_path / "a.npy")
    assert off_mm(person, joints()[:1]) < 35
    assert found.hint == ""


@pytest.mark.slow
@pytest.mark.parametrize("body", ["anny", "anny:child"])
def test_other_bodies_take_the_pose_at_their_own_size(body: str) -> None:
    film, told = joint_film(joints()[:, :22], "a.npy"), []
    assert film is not None
    small = load_body(body)
    shape = BodyShape(np.array([-2, 1, 0, 0, 0, 0, 0, 0, 0, 0], np.float32), "female")
    motion, report = film_to_motion(film, small, shape, lambda share, text: told.append(text))
    assert told == [f"Posing frame 1 of {FRAMES}"]
    assert report.scale == pytest.approx(small.rig(shape).leg_length / BODY.rig(TALL).leg_length, rel=1e-3)
    posed_here = np.stack([forward_kinematics(small.skeleton(shape), motion.pose(i)).positions for i in range(FRAMES)])
    for a, b in (
        (Role.LEFT_ELBOW, Role.LEFT_WRIST),
        (Role.RIGHT_HIP, Role.RIGHT_KNEE),
        (Role.RIGHT_KNEE, Role.RIGHT_ANKLE),
    ):
        ours, theirs = (p[:, SMPL_ROLES.index(b)] - p[:, SMPL_ROLES.index(a)] for p in (posed_here, joints()))
        cosine = (ours * theirs).sum(1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
        assert np.degrees(np.arccos(np.clip(cosine, -1, 1))).max() < 12


BAD: list[tuple[Any, str]] = [
    (
        np.zeros((100, 263)),
        "holds HumanML3D's 263 features a frame, not joints. Save its joints, as its recover_from_ric",
    ),
    (np.zeros((100, 251)), "holds KIT's 251 features a frame, not joints"),
    (
        joints()[:, [15, *range(16)]],
        "holds 17 points in an order that is not known. Save SMPL's 22 joints, or Human3.6M's",
    ),
    (np.zeros((5, 22, 3)), "holds 22 points in an order that is not known"),
    (np.full((5, 22, 3), np.nan), "[0, 0, 0] holds a number that is not finite (NaN)"),
    (np.zeros((5, 19, 3)), "has a layout that is not known (a single array, 5 x 19 x 3)"),
    (np.zeros((0, 22, 3)), "has a layout that is not known (a single array, 0 x 22 x 3)"),
    (np.broadcast_to(joints()[0, :22], (3001, 22, 3)), "has 3,001 frames of joints. Save at most 3,000 at a time"),
    (np.array({"motion": np.zeros((2, 25, 6, 60))}, object), "has a layout that is not known (motion)"),
]


@pytest.mark.parametrize(("content", "words"), BAD)
def test_what_is_not_joints_is_told_with_the_way_out(tmp_path: Path, content: Any, words: str) -> None:
    np.save(tmp_path / "a.npy", content)
    with pytest.raises(InputRefused, match=re.escape(words)):
        open_file(tmp_path / "a.npy")


def test_legs_without_length_are_refused() -> None:
    places = np.zeros((2, 22, 3))
    places[:, [1, 4, 7], 0], places[:, [2, 5, 8], 0] = 0.1, -0.1
    film = joint_film(places, "a.npy")
    assert film is not None
    with pytest.raises(InputRefused, match="has legs without length"):
        film_to_motion(film, BODY, TALL)


def test_a_limb_without_a_direction_is_named_with_its_frame() -> None:
    places = joints()[:, :22].copy()
    places[6, 20] = places[6, 18]
    film = joint_film(places, "a.npy")
    assert film is not None
    with pytest.raises(InputRefused, match="frame 7 has two joints of a limb at one place"):
        film_to_motion(film, BODY, TALL)


@pytest.mark.slow
def test_somebody_who_is_there_takes_the_film_and_keeps_their_shape(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", joints()[:, :22])
    first = open_file(tmp_path / "a.npy")
    assert first.edit is not None
    document = first.edit(Document())
    before = document.characters[0]
    np.save(tmp_path / "b.npy", joints(BodyShape())[:4, :22])
    again = open_file(tmp_path / "b.npy", character_id=before.id)
    assert again.edit is not None
    (after,) = again.edit(document).characters
    assert len(after.clip) == 4
    assert after.shape == before.shape
