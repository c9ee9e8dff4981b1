"""Only regular files are read: a pipe or a device is refused at once, whatever was to be read from it."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from app.document.exchange.file_kind import kind_of
from app.document.exchange.open_file import open_file
from app.document.scene_file.io import load_scene
from app.document.scene_file.photo_link import sha256_of
from solver.body.embedded_body import EmbeddedBody
from solver.errors import InputRefused
from solver.files.reading import open_regular, read_bytes, read_start
from solver.formats.bvh.read import read_bvh
from solver.formats.pose_json.write import read_pose_json
from solver.formats.smpl.npz import read_smpl_npz
from solver.photo.image_file import load_image
from solver.solvers.learned.weights import load_weights
from solver.training.data.dataset import load_pose_data
from solver.training.run.config import load_config

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices are not paths on Windows")
PATIENCE_S = 20.0  # before a reader that waits for a pipe is given up; one that refuses it takes no time at all


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def in_time(work: Callable[[], object]) -> BaseException | None:
    """What the work raised; the test fails where it is still waiting, and ends all the same."""
    raised: list[BaseException | None] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)
        else:
            raised.append(None)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    assert raised, "it waits for somebody to write into the pipe"
    return raised[0]


READERS: dict[str, Callable[[Path], object]] = {
    "bytes": lambda p: read_bytes(p, 1000),
    "the first bytes": lambda p: read_start(p, 16),
    "anything that opens": open_file,
    "a scene": load_scene,
    "a photo": load_image,
    "a BVH file": read_bvh,
    "a pose file": read_pose_json,
    "AMASS's motion": read_smpl_npz,
    "settings of a training run": load_config,
    "training data": load_pose_data,
}


@pytest.mark.parametrize("reader", READERS)
def test_a_pipe_that_nobody_writes_to_is_refused_at_once(reader: str, tmp_path: Path) -> None:
    path = pipe(tmp_path / "photo.jpg")
    error = in_time(lambda: READERS[reader](path))
    assert isinstance(error, InputRefused)
    assert str(error).startswith(f"{path} is a pipe, not a file.")


@pytest.mark.parametrize("reader", ["bytes", "anything that opens", "a photo", "a scene"])
def test_a_device_without_an_end_is_refused(reader: str) -> None:
    with pytest.raises(InputRefused, match="/dev/zero is a device, not a file"):
        READERS[reader](Path("/dev/zero"))


def test_a_socket_and_a_folder_are_refused(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        with pytest.raises(InputRefused, match="is a socket, not a file"):
            read_bytes(tmp_path / "s", 100)
    with pytest.raises(InputRefused, match="is a folder, not a file"):
        read_bytes(tmp_path, 100)


def test_a_link_to_a_file_is_read_and_a_link_to_a_pipe_is_not(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"words")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "bad").symlink_to(pipe(tmp_path / "pipe"))
    assert read_bytes(tmp_path / "link", 100) == b"words"
    with pytest.raises(InputRefused, match="is a pipe"):
        read_bytes(tmp_path / "bad", 100)


def test_a_file_beyond_the_limit_is_refused_before_a_terabyte_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(InputRefused, match="larger than 1 MB"):
        read_bytes(path, 1 << 20)
    with pytest.raises(InputRefused, match="larger than 1 MB"):
        open_regular(path, 1 << 20)
    assert sha256_of(path) == ""  # a scene that names it as its photo does not read a terabyte
    assert read_start(path, 4) == b"\0" * 4


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
def test_a_file_that_tells_no_size_is_read_nevertheless() -> None:
    assert b"Name" in read_bytes("/proc/self/status", 1 << 20)


def test_pipes_among_weights_and_bodies_are_refused(tmp_path: Path) -> None:
    weights, body = tmp_path / "weights", tmp_path / "body"
    weights.mkdir()
    body.mkdir()
    pipe(weights / "config.json")
    pipe(body / "neutral.npz")
    for work in (lambda: load_weights(weights, "smplik", "anny"), lambda: EmbeddedBody(body).faces):
        error = in_time(work)
        assert isinstance(error, InputRefused)
        assert "is a pipe" in str(error)


def test_a_pipe_as_a_scenes_photo_is_no_photo(tmp_path: Path) -> None:
    path = pipe(tmp_path / "photo.jpg")
    assert in_time(lambda: sha256_of(path)) is None
    assert isinstance(in_time(lambda: kind_of(path)), InputRefused)
    (tmp_path / "notes.json").write_text(json.dumps({"a": 1}))
    assert kind_of(tmp_path / "notes.json") == "json"


def test_a_picture_file_that_is_too_large_is_to_be_scaled_down(tmp_path: Path) -> None:
    from solver.photo.image_file import load_image

    picture = tmp_path / "huge.png"
    with picture.open("wb") as file:
        file.truncate(257 << 20)  # takes no room on the disk
    with pytest.raises(InputRefused, match="larger than 256 MB.*Scale it down first"):
        load_image(picture)
