"""Motion of SMPL bodies: AMASS's .npz files onto our skeleton, by an oracle of their own, and what is refused."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats_samples import sample_motion, sample_skeleton, world_positions

from solver.errors import InputRefused
from solver.formats.smpl.motion import smpl_to_motion
from solver.formats.smpl.npz import read_smpl_npz
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, to_rotation_vector
from solver.kinematics.skeleton import SMPL_PARENTS

SKELETON = sample_skeleton()
Z_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # from our world to AMASS's
FINGERS = {156: (25, 40), 165: (28, 43)}


def arrays(frames: int = 6, width: int = 156, fps: float = 120.0, turned: bool = True) -> dict[str, Any]:
    """What AMASS stores for a person who sways: upright along Z, or along Y where not `turned`."""
    motion = sample_motion(frames, seed=3)
    world = Z_UP if turned else np.eye(3)
    local = motion.rotations.astype(np.float64)
    local[:, 0] = world @ local[:, 0]
    poses = np.zeros((frames, width // 3, 3))
    poses[:, :22] = to_rotation_vector(local[:, :22])
    if width > 66:
        poses[:, list(FINGERS.get(width, (22, 23)))] = to_rotation_vector(local[:, 22:])
    trans = motion.root_positions @ world.T - [-0.002, -0.223, 0.028]
    return {
        "poses": poses.reshape(frames, width),
        "trans": trans,
        "betas": np.zeros(16),
        "gender": np.array("female"),
        "mocap_framerate": np.array(fps),
    }


def written(path: Path, content: dict[str, Any]) -> Path:
    np.savez(path, **content)
    return path


@pytest.mark.parametrize(("width", "model"), [(66, "SMPL"), (72, "SMPL"), (156, "SMPL-H"), (165, "SMPL-X")], ids=str)
def test_rotations_come_over_joint_by_joint_from_every_model(tmp_path: Path, width: int, model: str) -> None:
    file = read_smpl_npz(written(tmp_path / "a.npz", arrays(width=width)))
    motion, report = smpl_to_motion(file, SKELETON)
    joints = 22 if width == 66 else 24
    off = geodesic_angle(motion.rotations[:, :joints], sample_motion(6, seed=3).rotations[:, :joints])
    assert np.degrees(off).max() < 0.01
    assert (report.names, report.up, report.fps, len(motion)) == (model, "+Z", 120.0, 6)


@pytest.mark.parametrize("turned", [True, False], ids=["z up", "y up"])
def test_the_hips_walk_the_files_path_at_the_scale_of_the_legs(tmp_path: Path, turned: bool) -> None:
    """The oracle places SMPL's mean joints by its own chain: rest joints, then rotations about them."""
    content = arrays(turned=turned)
    motion, report = smpl_to_motion(read_smpl_npz(written(tmp_path / "a.npz", content)), SKELETON)
    pelvis, hips = np.array([-0.002, -0.223, 0.028]), np.array([0.001, -0.091, -0.006])
    theirs = pelvis + content["trans"] + from_rotation_vector(content["poses"][:, :3]) @ hips
    if turned:
        theirs = np.stack([theirs[:, 0], theirs[:, 2], -theirs[:, 1]], axis=-1)
    ours = world_positions(SKELETON, motion)[:, [1, 2]].mean(axis=1)
    assert report.up == ("+Z" if turned else "+Y")
    assert ours == pytest.approx(theirs * report.scale, abs=1e-4)
    legs = np.linalg.norm(SKELETON.offsets[[4, 5, 7, 8]], axis=1).sum() / 2
    assert report.scale == pytest.approx(legs / 0.777, rel=1e-3)


def test_the_smplx_library_stands_where_our_skeleton_does(tmp_path: Path) -> None:
    """A body of SMPL's mean bones, posed by smplx's own kinematics from the file's numbers."""
    torch = pytest.importorskip("torch")
    lbs = pytest.importorskip("smplx.lbs")
    content = arrays(frames=3)
    motion, _ = smpl_to_motion(read_smpl_npz(written(tmp_path / "a.npz", content)), SKELETON)
    turns = torch.tensor(from_rotation_vector(content["poses"].reshape(3, -1, 3)[:, [*range(22), 25, 40]]))
    rest = torch.tensor(SKELETON.rest_positions.astype(np.float64)).expand(3, -1, -1)
    theirs = lbs.batch_rigid_transform(turns, rest, torch.tensor(SMPL_PARENTS))[0].numpy()
    theirs = (theirs - theirs[:, :1]) @ Z_UP  # back from AMASS's world to ours
    ours = world_positions(SKELETON, motion)
    assert ours - ours[:, :1] == pytest.approx(theirs, abs=1e-5)


def test_somebody_who_lies_down_is_not_taken_for_a_file_with_y_up(tmp_path: Path) -> None:
    content = arrays()
    on_the_back = np.array([[1.0, 0, 0], [0, 0.6, -0.8], [0, 0.8, 0.6]])
    content["poses"][:, :3] = to_rotation_vector(on_the_back)
    _, report = smpl_to_motion(read_smpl_npz(written(tmp_path / "a.npz", content)), SKELETON)
    assert report.up == "+Z"


def test_the_parts_do_where_the_whole_is_missing(tmp_path: Path) -> None:
    content = arrays()
    poses = content.pop("poses")
    split = content | {"root_orient": poses[:, :3], "pose_body": poses[:, 3:66], "pose_hand": poses[:, 66:]}
    file = read_smpl_npz(written(tmp_path / "a.npz", split))
    assert file.poses[:, :22].reshape(6, 66) == pytest.approx(poses[:, :66])


def test_one_pose_alone_is_a_motion_of_one_frame(tmp_path: Path) -> None:
    content = {name: value[0] if name in ("poses", "trans") else value for name, value in arrays().items()}
    assert len(read_smpl_npz(written(tmp_path / "a.npz", content))) == 1


def test_a_missing_frame_rate_is_guessed_and_told(tmp_path: Path) -> None:
    content = arrays()
    rate = content.pop("mocap_framerate")
    file = read_smpl_npz(written(tmp_path / "a.npz", content))
    assert file.fps == 30.0
    assert "he frame rate is missing" in smpl_to_motion(file, SKELETON)[1].text()
    assert read_smpl_npz(written(tmp_path / "b.npz", content | {"mocap_frame_rate": rate})).fps == 120.0


class Boom:
    """Ends the test run if anybody unpickles it."""

    def __reduce__(self) -> tuple[Callable, tuple]:
        return exec, ("raise SystemExit('a pickle was opened')",)


def test_what_is_pickled_beside_the_motion_stays_shut(tmp_path: Path) -> None:
    """AMASS's files for SMPL-X hold a pickled dictionary of markers."""
    content = arrays(width=165) | {"markers_latent_vids": np.array(Boom(), dtype=object)}
    assert len(read_smpl_npz(written(tmp_path / "a.npz", content))) == 6


@pytest.mark.parametrize("name", ["poses", "trans", "mocap_framerate"])
def test_pickled_motion_is_refused_unopened(tmp_path: Path, name: str) -> None:
    content = arrays() | {name: np.array(Boom(), dtype=object)}
    assert f", {name} holds pickled objects" in refusal(written(tmp_path / "a.npz", content))


def with_nan() -> dict[str, Any]:
    content = arrays()
    content["poses"][4, 20] = np.nan
    return content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda: {"betas": np.zeros(16), "gender": "male"}, "holds no poses"),
        (lambda: {"poses": np.zeros((2, 72))}, "holds no trans"),
        (with_nan, "poses, frame 5 holds a number that is not finite"),
        (lambda: arrays() | {"trans": np.full((6, 3), np.inf)}, "trans, frame 1 holds a number that is not finite"),
        (lambda: arrays() | {"trans": np.zeros((5, 3))}, "trans has the shape (5, 3), not (6, 3)"),
        (lambda: arrays() | {"poses": np.zeros((6, 100))}, "poses has 100 numbers a frame, not 66, 72, 156, 165"),
        (lambda: arrays() | {"poses": np.zeros((6, 52, 3))}, "poses has the shape (6, 52, 3)"),
        (lambda: arrays() | {"poses": np.full((6, 156), 90.0)}, "poses, frame 1 holds numbers beyond ±25"),
        (lambda: arrays() | {"poses": np.full((6, 156), "x")}, "not numbers"),
        (lambda: arrays() | {"poses": np.zeros((0, 156)), "trans": np.zeros((0, 3))}, "poses has 0 frames"),
        (lambda: arrays(fps=0.0), "the frame rate is impossible (0.0)"),
        (lambda: arrays() | {"mocap_framerate": np.array(np.nan)}, "the frame rate is impossible (nan)"),
        (lambda: {"root_orient": np.zeros((6, 3)), "pose_body": np.zeros((5, 63))}, "do not belong together"),
    ],
)
def test_what_is_no_motion_is_refused_in_one_line(
    tmp_path: Path, content: Callable[[], dict[str, Any]], message: str
) -> None:
    assert message in refusal(written(tmp_path / "a.npz", content()))


def test_damaged_files_are_refused_in_one_line(tmp_path: Path) -> None:
    whole = written(tmp_path / "a.npz", arrays()).read_bytes()
    for content in (b"", b"PK\x03\x04", b"some text", whole[: len(whole) // 2], whole[:40] + whole[60:]):
        (tmp_path / "b.npz").write_bytes(content)
        refusal(tmp_path / "b.npz")
    np.save(tmp_path / "c.npy", np.zeros(3))
    (tmp_path / "c.npy").rename(tmp_path / "c.npz")
    assert "is one array" in refusal(tmp_path / "c.npz")
    assert "is a folder" in refusal(tmp_path)
    assert "there is no such file" in refusal(tmp_path / "none.npz")


def test_an_array_that_announces_more_than_it_holds_is_refused(tmp_path: Path) -> None:
    header = b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000000, 156), }"
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("poses.npy", header.ljust(127) + b"\n")
    assert "a.npz, poses cannot be read" in refusal(tmp_path / "a.npz")


def refusal(path: Path) -> str:
    with pytest.raises(InputRefused) as caught:
        read_smpl_npz(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert not re.search(r"\n", message)
    assert len(message) < len(str(path)) + 250
    return message


@pytest.mark.parametrize("told", [np.zeros(3), np.full(11, np.nan), np.full(11, 9.0), np.array([7.0, *[0.0] * 10])])
def test_a_shape_that_cannot_be_ours_is_refused(tmp_path: Path, told: np.ndarray) -> None:
    np.savez(tmp_path / "a.npz", poses=np.zeros((2, 72)), trans=np.zeros((2, 3)), contrapposto_shape=told)
    with pytest.raises(InputRefused, match="does not hold a shape of our body"):
        read_smpl_npz(tmp_path / "a.npz")


@pytest.mark.parametrize("told", [np.zeros(2), np.array(5), np.array(-1), np.array(np.nan), np.array(0.5)])
def test_a_body_that_this_program_does_not_have_is_refused(tmp_path: Path, told: np.ndarray) -> None:
    np.savez(tmp_path / "a.npz", poses=np.zeros((2, 72)), trans=np.zeros((2, 3)), contrapposto_body=told)
    with pytest.raises(InputRefused, match="does not name a body of this program"):
        read_smpl_npz(tmp_path / "a.npz")


@pytest.mark.parametrize("told", [np.zeros((2, 2), np.uint8), np.zeros(3), np.zeros(10_000, np.uint8)])
def test_a_name_that_cannot_be_a_persons_is_refused(tmp_path: Path, told: np.ndarray) -> None:
    np.savez(tmp_path / "a.npz", poses=np.zeros((2, 72)), trans=np.zeros((2, 3)), contrapposto_name=told)
    with pytest.raises(InputRefused, match="does not hold a person's name"):
        read_smpl_npz(tmp_path / "a.npz")
