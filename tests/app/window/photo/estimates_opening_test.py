"""An estimator's file in the real window: its people come with the picture beside it, or beside who is there."""

from __future__ import annotations

import json
import pickle
import threading
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, opened, settled, strike, until

from app.cli.main import main
from app.dialogs import messages
from app.dialogs.settings_dialog import SettingsDialog
from app.document.model.figure import joints_of
from app.document.scene_file.io import load_scene
from app.viewport.photo_reading import PhotoReading
from app.window.editor import Editor
from rendering.camera.camera import PhotoView
from solver.body.body import BodyShape
from solver.body.catalog import load_body

pytestmark = pytest.mark.gl
BODY = load_body("anny")
STANDING = {
    0: (400, 130), 15: (392, 122), 16: (408, 122), 17: (380, 128), 18: (420, 128), 1: (400, 180), 2: (360, 182),
    3: (300, 190), 4: (245, 185), 5: (440, 182), 6: (500, 190), 7: (555, 185), 8: (400, 320), 9: (376, 322),
    10: (372, 425), 11: (370, 525), 12: (424, 322), 13: (428, 425), 14: (430, 525), 19: (445, 550), 21: (428, 540),
    22: (355, 550), 24: (372, 540),
}  # fmt: skip


@pytest.fixture
def key_points(tmp_path: Path) -> Path:
    """OpenPose's file of two people with outstretched arms, and the picture that they were seen in."""
    people = []
    for shift in (-140, 140):
        flat = np.zeros((25, 3))
        for number, (x, y) in STANDING.items():
            flat[number] = x / 2 + shift + 200, y, 0.9
        people.append({"pose_keypoints_2d": flat.ravel().tolist()})
    path = tmp_path / "team_keypoints.json"
    path.write_text(json.dumps({"version": 1.3, "people": people}))
    Image.fromarray(np.full((600, 800, 3), (90, 140, 70), np.uint8)).save(tmp_path / "team.png")
    return path


def test_key_points_open_as_people_before_their_picture(editor: Editor, key_points: Path) -> None:
    document = opened(editor, key_points)
    assert len(document.characters) == 2
    assert document.photo is not None
    assert document.photo.path.endswith("team.png")
    assert isinstance(editor.viewport.camera, PhotoView), "the view looks through the picture's camera"
    camera = document.photo.camera
    for person, shift in zip(document.characters, (-140, 140), strict=True):
        hips = camera.project(person.pose.root_position)
        assert hips == pytest.approx([400 + shift, 312], abs=25)
        assert 3 <= len(person.effectors) <= 8
    editor.session.undo()
    assert [person.name for person in editor.session.document.characters] == ["Person 1"]
    assert editor.session.document.photo is None


@pytest.mark.slow
@pytest.mark.usefixtures("few_handles")
def test_people_of_a_second_picture_are_seen_before_that_one(editor: Editor, key_points: Path) -> None:
    second = key_points.with_name("guests_keypoints.json")
    second.write_text(key_points.read_text())
    Image.new("RGB", (800, 600), (140, 90, 70)).save(second.with_name("guests.png"))
    opened(editor, key_points)
    strike(editor, Qt.Key.Key_0)
    assert not editor.session.view.through_photo
    document = opened(editor, second)
    assert [Path(photo.path).name for photo in document.photos] == ["guests.png", "team.png"]
    assert editor.viewport.camera == PhotoView(document.photos[0].camera)
    assert [person.id for person in document.characters].index(active(editor).id) == 2
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [Path(photo.path).name for photo in editor.session.document.photos] == ["team.png"]


@pytest.mark.slow
def test_a_handle_of_somebody_imported_can_be_dragged(editor: Editor, key_points: Path) -> None:
    person = opened(editor, key_points).characters[0]
    end = next(e for e in person.effectors if e.joint.rpartition("_")[2] in ("wrist", "hand", "elbow"))
    mouse = ViewMouse(editor)
    start = mouse.place(end.target)
    mouse.drag(start, start + QPoint(15, 25))
    settled(editor.session)
    now = editor.session.document.character(person.id)
    assert np.linalg.norm(joints_of(now).positions - joints_of(person).positions, axis=1).max() > 0.03


@pytest.mark.slow
@pytest.mark.usefixtures("few_handles")
def test_the_bar_tells_how_far_an_import_is_and_cancel_leaves_it_between_two_people(
    editor: Editor, key_points: Path
) -> None:
    before, told = editor.session.document, []
    editor.jobs.progressed.connect(lambda _share, text: told.append(text))
    opened(editor, key_points)
    assert told == [*(f"{what} person {n} of 2" for what in ("Posing", "Handles for") for n in (1, 2))]
    editor.session.undo()
    told.clear()
    editor.files.open_path(key_points)
    editor.jobs.cancel()
    until(lambda: not editor.jobs.busy)
    assert len(told) <= 1
    assert editor.session.document.characters == before.characters


@pytest.mark.slow
@pytest.mark.usefixtures("few_handles")
def test_what_is_left_out_of_a_file_is_said_in_the_status_bar(editor: Editor, key_points: Path) -> None:
    Image.new("RGB", (200, 150)).save(key_points.parent / "team.png")
    assert opened(editor, key_points).photo is None, "the points lie outside it"
    until(lambda: bool(editor.window.status.notices.shown))
    said = "team.png is smaller than the picture in which the points were found, and was left out."
    assert editor.window.status.notices.shown == f"Opened team_keypoints.json. {said}"


def test_a_file_with_nan_is_refused_in_the_window_and_nothing_is_lost(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = editor.session.document
    np.savez(tmp_path / "a.npz", global_orient=np.full((1, 3), np.nan), body_pose=np.zeros((1, 69)))
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    editor.files.open_path(tmp_path / "a.npz")
    until(lambda: bool(refused), 60_000)
    assert "a.npz, global_orient[0, 0] holds a number that is not finite (NaN)" in refused[0]
    assert editor.session.document is before


def test_key_points_with_nan_are_refused_in_the_window_with_their_line(
    editor: Editor, key_points: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, content = editor.session.document, json.loads(key_points.read_text())
    content["people"][0]["pose_keypoints_2d"][4] = float("nan")
    key_points.write_text(json.dumps(content, indent=0))
    line = key_points.read_text().splitlines().index("NaN,") + 1
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    editor.files.open_path(key_points)
    until(lambda: bool(refused), 60_000)
    assert f"{key_points.name}, line {line}, column 1 holds NaN, which is not a number. Put a number" in refused[0]
    assert editor.session.document is before


@pytest.mark.slow
def test_convert_writes_the_same_people_without_a_window(key_points: Path, tmp_path: Path) -> None:
    assert main(["convert", str(key_points), "-o", str(tmp_path / "out.json"), "-q"]) == 0
    document = load_scene(tmp_path / "out.json")
    assert len(document.characters) == 2
    assert document.photo is not None
    assert document.photo.camera.image_size == (800, 600)


SLOW = """
import threading
begun, go_on = threading.Event(), threading.Event()
def estimate(rgb, focal_px):
    begun.set()
    go_on.wait(60)
    return []
"""


@pytest.mark.slow
@pytest.mark.usefixtures("few_handles")
def test_esc_lets_go_of_an_estimator_that_takes_long_and_the_window_goes_on(
    editor: Editor, key_points: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "site" / "slow-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[contrapposto.estimators]\nslow = slow_estimator:estimate\n")
    (tmp_path / "site" / "slow_estimator.py").write_text(SLOW)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    slow = import_module("slow_estimator")
    editor.settings.set(photo_estimator="slow")
    before = editor.session.document
    editor.files.open_path(key_points.parent / "team.png")
    until(slow.begun.is_set)
    until(lambda: editor.viewport.findChild(PhotoReading) is not None)  # it may be at work before that is made
    shown = editor.viewport.findChild(PhotoReading)
    assert shown is not None
    until(shown.isVisible)
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    until(lambda: not editor.jobs.busy)
    assert not shown.isVisible()
    assert editor.session.document is before
    assert not slow.go_on.is_set(), "it is still at work"
    assert len(opened(editor, key_points).characters) == 2
    slow.go_on.set()
    until(lambda: not any(thread.name == "estimator slow" for thread in threading.enumerate()))


def test_an_installed_estimator_can_be_chosen_and_reads_the_next_photo(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "site" / "blind-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: blind\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[contrapposto.estimators]\nblind = blind_estimator:estimate\n")
    (tmp_path / "site" / "blind_estimator.py").write_text(
        "def estimate(rgb, focal_px):\n    raise OSError('no light')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    dialog = SettingsDialog(editor.settings, editor.window)
    dialog.show()
    box = dialog.boxes["photo_estimator"]
    assert [box.itemData(i) for i in range(box.count())] == ["built-in", "blind"]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert editor.settings.values.photo_estimator == "blind"
    dialog.close()
    picture = tmp_path / "a.png"
    Image.fromarray(np.full((240, 320, 3), 90, np.uint8)).save(picture)
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    before = editor.session.document
    editor.files.open_path(picture)
    until(lambda: bool(refused), 60_000)
    assert "The estimator “blind” failed: OSError: no light." in refused[0]
    assert editor.session.document is before


@pytest.mark.slow
def test_a_dance_of_a_data_set_plays_on_a_new_person(editor: Editor, tmp_path: Path) -> None:
    turns = np.zeros((40, 72))
    turns[:, 3 * 16 + 2] = np.linspace(0, -1.2, 40)  # the left arm goes down
    path = np.linspace([0, 100, 0], [90, 100, 0], 40)
    (tmp_path / "dance.pkl").write_bytes(
        pickle.dumps({"smpl_poses": turns, "smpl_trans": path, "smpl_scaling": np.array([90.0]), "smpl_loss": 0.1})
    )
    document = opened(editor, tmp_path / "dance.pkl")
    (dancer,) = document.characters
    assert dancer.name == "dance"
    assert len(dancer.clip) == 40
    began = joints_of(dancer).positions
    strike(editor, Qt.Key.Key_Space)
    until(lambda: editor.session.document.characters[0].frame > 15)
    strike(editor, Qt.Key.Key_Space)
    later = joints_of(editor.session.document.characters[0]).positions
    assert later[0, 0] > began[0, 0] + 0.2
    assert later[20, 1] < began[20, 1] - 0.2
    assert began[:, 1].min() > 0


@pytest.mark.slow
def test_joints_of_a_text_to_motion_network_open_as_a_person(editor: Editor, tmp_path: Path) -> None:
    skeleton = BODY.skeleton(BodyShape())
    joints = np.stack([skeleton.rest_positions[:22] + [0.02 * i, 1.0, 0] for i in range(30)])
    np.save(tmp_path / "walk.npy", joints)
    document = opened(editor, tmp_path / "walk.npy")
    (walker,) = document.characters
    assert len(walker.clip) == 30
    assert joints_of(walker).positions[:22, 0] == pytest.approx(joints[0, :, 0], abs=0.03)
