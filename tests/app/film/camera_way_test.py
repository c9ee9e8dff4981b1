"""A film whose camera goes through the views that a scene keeps."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from motion_samples import walker
from PySide6.QtWidgets import QApplication

from app.cli.main import main
from app.document.edits.bookmarks import keep_bookmark
from app.document.model.bookmark import Bookmark
from app.document.model.document import Document
from app.document.scene_file.io import load_scene, save_scene
from app.film.camera_way import camera_on_way
from app.film.film import Film, images_of, shots
from rendering.camera.camera import OrbitCamera

FIRST = Bookmark(2, (0.0, 0.9, 0.0), 4.0, 3.0, 0.1, 0.5)
SECOND = Bookmark(4, (0.2, 1.2, 0.4), 1.0, -3.0, 0.3, 0.9)
THIRD = replace(FIRST, slot=8, yaw=2.0)


def kept(*views: Bookmark) -> Document:
    document = walker()
    for view in views:
        document = keep_bookmark(view)(document)
    return document


def looks(camera: OrbitCamera) -> tuple[float, ...]:
    return (*camera.target, camera.distance, camera.pitch, camera.fov_y, np.cos(camera.yaw), np.sin(camera.yaw))


def seen_from(view: Bookmark) -> tuple[float, ...]:
    return looks(OrbitCamera(view.target, view.distance, view.yaw, view.pitch, view.fov_y))


def test_it_is_in_each_view_in_turn_and_rests_in_the_first_and_the_last() -> None:
    views = (FIRST, SECOND, THIRD)
    for share, view in zip((0.0, 0.5, 1.0), views, strict=True):
        assert looks(camera_on_way(views, share)) == pytest.approx(seen_from(view), abs=1e-6)
    eyes = np.array([camera_on_way(views, share).eye for share in np.linspace(0.0, 1.0, 101)])
    speed = np.linalg.norm(np.diff(eyes, axis=0), axis=1)
    assert max(speed[0], speed[-1]) < 0.1 * speed.max()


def test_it_turns_the_short_way_round() -> None:
    yaws = [camera_on_way((FIRST, SECOND), share).yaw for share in np.linspace(0.0, 1.0, 11)]
    assert np.ptp(yaws) == pytest.approx(2 * np.pi - 6.0)


def test_it_is_parallel_only_if_every_view_is() -> None:
    flat = [replace(view, flat=True) for view in (FIRST, SECOND)]
    assert camera_on_way(flat, 0.5).orthographic
    assert not camera_on_way((flat[0], SECOND), 0.0).orthographic


def test_the_motion_plays_meanwhile_and_one_view_alone_moves_nothing() -> None:
    document = kept(FIRST, SECOND)
    found = list(shots(Film(fps=10.0, through=document.bookmarks), document, OrbitCamera()))
    assert [shot.document.frames["c1"] for shot in found] == [*range(0, 60, 3)]
    assert looks(found[0].camera) == pytest.approx(seen_from(FIRST), abs=1e-6)  # type: ignore[arg-type]
    assert looks(found[-1].camera) == pytest.approx(seen_from(SECOND), abs=1e-6)  # type: ignore[arg-type]
    camera = OrbitCamera()
    assert {shot.camera for shot in shots(Film(through=(FIRST,)), document, camera)} == {camera}


def test_people_who_stand_as_they_are_are_passed_by_in_the_time_that_was_asked_for() -> None:
    document = kept(FIRST, SECOND)
    film = Film(fps=10.0, seconds=2.0, through=document.bookmarks, still=True)
    found = list(shots(film, document, OrbitCamera()))
    assert len(found) == images_of(film, document) == 20
    assert all(shot.document is document for shot in found)
    assert looks(found[0].camera) == pytest.approx(seen_from(FIRST), abs=1e-6)  # type: ignore[arg-type]
    assert looks(found[-1].camera) == pytest.approx(seen_from(SECOND), abs=1e-6)  # type: ignore[arg-type]


def test_views_go_by_their_numbers_whatever_their_order_in_the_file_is(tmp_path: Path) -> None:
    file = tmp_path / "scene.json"
    save_scene(file, kept(FIRST, SECOND, THIRD))
    content = json.loads(file.read_text(encoding="utf-8"))
    content["bookmarks"].reverse()
    file.write_text(json.dumps(content), encoding="utf-8")
    assert [view.slot for view in load_scene(file).bookmarks] == [2, 4, 8]


@pytest.mark.gl
def test_the_command_line_moves_the_camera(qapp: QApplication, tmp_path: Path) -> None:
    far = replace(FIRST, distance=9.0)
    save_scene(tmp_path / "scene.json", kept(far, replace(far, slot=4, target=(0.0, 0.9, 1.0), distance=3.0)))
    target, how = tmp_path / "shot.mp4", ["--fps", "5", "--size", "160x120", "--through-views"]
    assert main(["render", str(tmp_path / "scene.json"), "-o", str(target), *how]) == 0
    with av.open(str(target)) as film:
        found = [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(video=0)]
    skin = [int((image[..., 0] > image[..., 2] + 15).sum()) for image in found]
    assert len(found) == 10
    assert skin[-1] > 2 * skin[0], "it comes closer"


@pytest.mark.parametrize(
    ("views", "arguments", "code", "message"),
    [
        ((FIRST,), ["-o", "OUT.mp4"], 1, "it keeps fewer than two views for the camera to go through. Open it in the"),
        ((FIRST, SECOND), ["-o", "OUT.mp4", "--turntable"], 2, "leave out --turntable and --view"),
        ((FIRST, SECOND), ["-o", "OUT.png"], 2, "--through-views moves the camera of a film"),
    ],
)
def test_a_camera_that_cannot_move_is_refused_in_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    views: tuple[Bookmark, ...],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    save_scene(tmp_path / "scene.json", kept(*views))
    named = [argument.replace("OUT", str(tmp_path / "out")) for argument in arguments]
    assert main(["render", str(tmp_path / "scene.json"), "--through-views", *named]) == code
    assert message in capsys.readouterr().err
