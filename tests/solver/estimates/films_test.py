"""Motions of data sets and of estimators of films come in upright, on the floor, at their rate, whatever axis is up."""

from __future__ import annotations

import json
import pickle
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from estimates_samples import BODY
from formats_samples import sample_motion

from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.document.over_time.shown_motion import shown_motion
from solver.body.body import BodyShape
from solver.body.floor import lowest_point
from solver.errors import InputRefused
from solver.formats.smpl.motion import MEAN_BODIES
from solver.formats.smpl.write import smpl_arrays
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, to_rotation_vector

SKELETON = BODY.skeleton(BodyShape())
SKELETON_LEG = BODY.rig(BodyShape()).leg_length
FRAMES = 12
PELVIS = np.array(MEAN_BODIES["SMPL"].pelvis)
TO_Y = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
UPRIGHT = np.eye(3)
TO_CAMERA = np.diag([1.0, -1.0, -1.0]) @ TO_Y


def walk(seed: int = 5) -> Motion:
    """Somebody of our body who moves, a metre above the floor."""
    motion = sample_motion(FRAMES, seed=seed, swing=0.25)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = from_rotation_vector(np.linspace([0, 0, 0], [0, 1.0, 0], FRAMES))
    rotations[:, 22:] = np.eye(3)
    way = np.linspace([0, 1.9, 0], [0.4, 2.0, 1.2], FRAMES)
    return Motion(way.astype(np.float32), rotations.astype(np.float32))


def numbers(upright: np.ndarray = UPRIGHT, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """(F, 72) and (F, 3) of SMPL's mean body, Z up, then turned."""
    told = smpl_arrays(SKELETON, walk(seed))
    poses, trans = told["poses"].astype(np.float64), told["trans"].astype(np.float64)
    poses[:, :3] = to_rotation_vector(upright @ np.asarray(from_rotation_vector(poses[:, :3])))
    return np.concatenate([poses[:, :66], np.zeros((FRAMES, 6))], axis=1), (trans + PELVIS) @ upright.T - PELVIS


def saved(folder: Path, content: Any) -> Path:
    path = folder / "film.pkl"
    path.write_bytes(pickle.dumps(content))
    return path


def people(path: Path) -> list[Motion]:
    found = open_file(path)
    assert found.edit is not None
    shown = [shown_motion(person) for person in found.edit(Document()).characters]
    assert all(motion is not None for motion in shown)
    return [motion for motion in shown if motion is not None]


def assert_walks(motion: Motion, fps: float, grounded: bool = True, seed: int = 5) -> None:
    truth = walk(seed)
    assert motion.fps == pytest.approx(fps)
    assert np.degrees(geodesic_angle(motion.rotations, truth.rotations)).max() < 0.5
    way = motion.root_positions - motion.root_positions[0]
    assert way == pytest.approx(truth.root_positions - truth.root_positions[0], abs=0.003)
    if grounded:
        lows = [lowest_point(BODY, BodyShape(), motion.pose(f)) for f in range(FRAMES)]
        assert np.quantile(lows, 0.1) == pytest.approx(0, abs=0.005)


def aist(scale: float | None) -> dict[str, Any]:
    poses, trans = numbers(TO_Y if scale else np.eye(3))
    scaled = (
        {"smpl_scaling": np.array([scale]), "smpl_loss": 1.5} if scale else {"full_pose": np.zeros((FRAMES, 24, 3))}
    )
    return {"smpl_poses": poses.astype(np.float32), "smpl_trans": (trans * (scale or 1.0)).astype(np.float32), **scaled}


def wham(count: int = 1) -> dict[int, dict[str, Any]]:
    """With the kind of dictionary that WHAM saves."""
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    for number in range(count):
        (pose, trans), (pose_world, trans_world) = numbers(TO_CAMERA), numbers(TO_Y)
        found[number].update(pose=pose, trans=trans + [1.5 * number, 1.0, 6.0], pose_world=pose_world)
        found[number].update(trans_world=trans_world - trans_world[0], betas=np.zeros((FRAMES, 10)))
        found[number].update(verts=np.zeros((FRAMES, 5, 3)), frame_ids=np.arange(FRAMES))
    return found


def of_3dpw() -> dict[str, Any]:
    poses, trans = numbers(TO_Y)
    tables = {"poses": [poses, poses], "trans": [trans, trans + [1.5, 0.6, 0.0]], "genders": ["m", "f"]}
    return {"sequence": "courtyard", **tables, "cam_poses": np.tile(np.eye(4), (FRAMES, 1, 1))}


def motion_x() -> np.ndarray:
    table = np.zeros((FRAMES, 322))
    poses, trans = numbers(TO_Y)
    table[:, :66] = poses[:, :66]
    table[:, 309:312] = trans
    return table


FILMS: dict[str, tuple[Any, float]] = {
    "AIST++": (aist(93.8), 60),
    "EDGE": (aist(None), 30),
    "WHAM": (wham(), 30),
    "poses of a dictionary, at a rate": ({"poses": numbers()[0], "trans": numbers()[1], "mocap_framerate": 120.0}, 120),
    "y down": ({"pose": numbers(TO_CAMERA)[0], "transl": numbers(TO_CAMERA)[1], "fps": np.float32(25)}, 25),
    "matrices": (
        {"poses": np.asarray(from_rotation_vector(numbers()[0].reshape(FRAMES, 24, 3))), "trans": numbers()[1]}, 30,
    ),
    "root and body apart, at a rate": (
        {"global_orient": numbers()[0][:, :3], "body_pose": numbers()[0][:, 3:], "transl": numbers()[1], "fps": 24}, 24,
    ),
}  # fmt: skip


def gvhmr() -> dict[str, Any]:
    poses, trans = numbers(TO_Y)
    told = {
        "global_orient": poses[:, :3],
        "body_pose": poses[:, 3:66],
        "transl": trans,
        "betas": np.zeros((FRAMES, 10)),
    }
    return {"smpl_params_global": told, "smpl_params_incam": told, "K_fullimg": np.eye(3)}


def slahmr() -> dict[str, Any]:
    poses, trans = numbers(TO_CAMERA)
    path = np.stack([trans, trans + [1.5, 0.0, 0.0]])
    return {"root_orient": np.stack([poses[:, :3]] * 2), "pose_body": np.stack([poses[:, 3:66]] * 2), "trans": path}


def test_gvhmr_s_and_slahmr_s_films_saved_as_arrays_walk_as_well(tmp_path: Path) -> None:
    packed: dict[str, Any] = {name: np.array(value, object) for name, value in gvhmr().items()}
    np.savez(tmp_path / "a.npz", **packed)
    (motion,) = people(tmp_path / "a.npz")
    assert np.degrees(geodesic_angle(motion.rotations, walk().rotations)).max() < 0.5
    np.savez(tmp_path / "b.npz", **slahmr())
    for motion in people(tmp_path / "b.npz"):
        assert_walks(motion, 30)


@pytest.mark.parametrize("name", FILMS)
def test_a_film_walks_as_its_person_did(tmp_path: Path, name: str) -> None:
    content, fps = FILMS[name]
    (motion,) = people(saved(tmp_path, content))
    assert_walks(motion, fps)


def test_motion_x_s_table_and_json_are_films_as_well(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", motion_x())
    (motion,) = people(tmp_path / "x.npy")
    assert np.degrees(geodesic_angle(motion.rotations, walk().rotations)).max() < 0.5
    told = {"poses": numbers(TO_Y)[0].tolist(), "trans": numbers(TO_Y)[1].tolist(), "fps": 30}
    (tmp_path / "x.json").write_text(json.dumps(told))
    (motion,) = people(tmp_path / "x.json")
    assert_walks(motion, 30)


def test_a_rate_that_the_file_does_not_say_is_told(tmp_path: Path) -> None:
    assert open_file(saved(tmp_path, aist(90.0))).hint.startswith("The frame rate was taken to be that of AIST++, 60")
    assert open_file(saved(tmp_path, aist(None))).hint == "The frame rate is missing; 30 frames a second were assumed."


def test_people_of_one_film_keep_their_heights_to_each_other(tmp_path: Path) -> None:
    first, second = people(saved(tmp_path, of_3dpw()))
    assert_walks(first, 30)
    assert_walks(second, 30, grounded=False)
    apart = second.root_positions - first.root_positions
    scale = SKELETON_LEG / MEAN_BODIES["SMPL"].leg
    assert apart[:, 1] == pytest.approx(0.6 * scale, abs=0.01)
    assert np.linalg.norm(apart[:, [0, 2]], axis=1) == pytest.approx(1.5 * scale, abs=0.01)


def test_a_film_moves_the_character_that_was_asked_for(tmp_path: Path) -> None:
    path = saved(tmp_path, aist(90.0))
    first = open_file(path)
    assert first.edit is not None
    document = first.edit(Document())
    again = open_file(path, character_id=document.characters[0].id)
    assert again.edit is not None
    assert len(again.edit(document).characters) == 1


def holed(content: Any) -> Any:
    """With a NaN in the fifth frame of each person."""
    if isinstance(content, dict):
        return {name: holed(value) for name, value in content.items()}
    if isinstance(content, list):
        return [holed(value) for value in content]
    if isinstance(content, np.ndarray) and FRAMES in content.shape[:2]:
        content = np.array(content, np.float64)
        (content if len(content) == FRAMES else content[1])[4].flat[0] = np.nan
    return content


@pytest.mark.parametrize(
    ("content", "whose"),
    [*((content, "") for content, _ in FILMS.values()), (gvhmr(), ""), (of_3dpw(), " of person 1"),
     (slahmr(), " of person 2"), (motion_x(), "")],
)  # fmt: skip
def test_at_a_frame_with_a_number_that_is_not_finite_the_pose_before_stands_in(
    tmp_path: Path, content: Any, whose: str
) -> None:
    whole, path = people(saved(tmp_path, content)), saved(tmp_path, holed(content))
    for motion, own in zip(people(path), whole, strict=True):
        frame = 4 if whose.endswith("2") and own is whole[0] else 3
        assert np.degrees(geodesic_angle(motion.rotations[4], own.rotations[frame])).max() < 0.5
        assert np.degrees(geodesic_angle(motion.rotations[5:], own.rotations[5:])).max() < 0.5
    told = f"frame 5 of {FRAMES}{whose} held a number that is not finite (NaN or infinite): the pose before stands in"
    assert told in open_file(path).hint.replace("Frame 5", "frame 5")


def test_of_a_film_of_several_who_has_no_whole_frame_is_left_out(tmp_path: Path) -> None:
    content = of_3dpw()
    content["trans"][1] = np.full((FRAMES, 3), np.nan)
    path = saved(tmp_path, content)
    assert len(people(path)) == 1
    assert "1 of 2 people was left out: in each frame a number is not finite" in open_file(path).hint


def change(content: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {name: value for name, value in {**content, **changes}.items() if value is not None}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (change(aist(90.0), smpl_trans=None), "holds smpl_poses, but no smpl_trans. Save smpl_trans as well"),
        (change(aist(90.0), smpl_scaling=np.zeros(1)), "smpl_scaling holds no single scale above 0"),
        (change(aist(90.0), smpl_poses=np.zeros((FRAMES, 70))), "poses has 70 numbers a frame, not 66, 72, 156, 165"),
        (
            change(aist(90.0), smpl_trans=np.full((FRAMES, 3), np.nan)),
            "smpl_trans[0, 0] holds a number that is not fin",
        ),
        ({0: change(wham()[0], trans_world=None)}, "0, trans_world holds pose_world, but no trans_world"),
        (change(of_3dpw(), trans=None), "poses does not say where each of its people is. Save trans of each person"),
        ({"poses": numbers()[0], "trans": numbers()[1], "fps": 0.0}, "fps holds no possible frame rate"),
        (
            {"smpl_params_global": {"body_pose": np.zeros((FRAMES, 63))}},
            "smpl_params_global holds no global_orient, body",
        ),
        (
            {**slahmr(), "trans": np.zeros((3, FRAMES, 3))},
            "holds 3, 2 and 2 people in trans, root_orient and pose_body",
        ),
        ({name: table[:0] for name, table in slahmr().items()}, "trans holds no people. Save at least one"),
        ({"poses": numbers()[0] * 60, "trans": numbers()[1]}, "holds numbers beyond ±25.133. Angles are radians"),
    ],
)
def test_a_near_miss_is_named_with_its_place(tmp_path: Path, content: Any, words: str) -> None:
    with pytest.raises(InputRefused, match=re.escape(words)):
        open_file(saved(tmp_path, content))
