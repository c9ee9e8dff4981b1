"""Opening files into the real window: into the untouched start, beside who is there, or in place of everything."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dialog_hand import answering, button, key
from document_samples import random_pose
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from window_hand import Hand, settled, strike, until

from app.document import edits
from app.document.create import new_document
from app.document.export import export_bvh, export_pose_json
from app.document.io import save_scene
from app.document.placing import paths_of
from app.document.problem import joints_of
from app.document.state import Document, Photo, PhotoCamera
from app.panels import messages
from app.workplace import Workplace
from rendering.camera import OrbitCamera, Pinhole
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A BVH file of somebody who walks 4 m along x through the middle."""
    rng = np.random.default_rng(0)
    poses = [random_pose(rng, 0.2) for _ in range(9)]
    roots = np.stack([np.linspace(-2, 2, 9), np.full(9, 0.95), np.zeros(9)], axis=1)
    motion = Motion(roots, np.stack([p.rotations for p in poses]), 24.0)
    document = edits.import_motion("c1", motion)(new_document())
    (file,) = export_bvh(tmp_path / "walk.bvh", document.characters, whole_motion=True)
    return file


@pytest.fixture
def meadow(tmp_path: Path) -> Path:
    path = tmp_path / "meadow.png"
    Image.fromarray(np.full((240, 320, 3), (90, 140, 70), np.uint8)).save(path)
    return path


def opened(workplace: Workplace, path: Path) -> Document:
    """The document once everything of that file is in it."""
    before = workplace.session.document
    workplace.files.open_path(path)
    until(lambda: not workplace.jobs.busy and workplace.session.document is not before, 60_000)
    return workplace.session.document


def test_a_motion_takes_the_untouched_firsts_place_and_the_next_one_walks_beside(
    workplace: Workplace, walk: Path, tmp_path: Path
) -> None:
    hand = Hand(workplace)
    hand.drag(QPoint(30, 30), QPoint(130, 60))  # looking around is no work
    document = opened(workplace, walk)
    assert [c.name for c in document.characters] == ["walk"]
    motion = document.characters[0].motion
    assert motion is not None
    assert motion.root_positions[0] == pytest.approx([-2, 0.95, 0], abs=1e-3), "alone it goes where its file says"
    workplace.session.undo()
    assert [c.name for c in workplace.session.document.characters] == ["Person 1"]
    workplace.session.redo()

    document = opened(workplace, walk)
    one, other = paths_of(document.characters)
    assert np.linalg.norm(one[:, None] - other[None], axis=-1).min() > 0.8, "their paths keep clear of each other"
    second = document.characters[1]
    assert second.motion is not None
    assert np.diff(second.motion.root_positions, axis=0) == pytest.approx(
        np.diff(motion.root_positions, axis=0), abs=1e-5
    )
    assert workplace.session.view.character == second.id
    targets = {e.joint: e.target for e in second.effectors if e.kind == "position"}
    joints = joints_of(second).positions
    from solver.kinematics.skeleton import SMPL_JOINTS

    assert targets["left_wrist"] == pytest.approx(joints[SMPL_JOINTS.index("left_wrist")], abs=1e-4)


def test_people_of_a_pose_file_replace_the_untouched_first_or_stand_beside_as_a_group(
    workplace: Workplace, tmp_path: Path
) -> None:
    pair = edits.add_character(edits.duplicate_of(new_document(), "c1"))(new_document())
    export_pose_json(tmp_path / "pair.json", pair)
    alone = opened(workplace, tmp_path / "pair.json")
    assert len(alone.characters) == 2
    both = opened(workplace, tmp_path / "pair.json")
    roots = np.array([c.pose.root_position for c in both.characters])
    assert roots[3] - roots[2] == pytest.approx(roots[1] - roots[0], abs=1e-5)
    apart = np.linalg.norm((roots[:, None] - roots[None])[..., [0, 2]], axis=-1)
    assert apart[~np.eye(4, dtype=bool)].min() > 0.8


def test_somebody_who_was_edited_is_not_replaced(workplace: Workplace, walk: Path) -> None:
    workplace.session.edit("Rename", edits.rename_character("c1", "Ada"))
    assert [c.name for c in opened(workplace, walk).characters] == ["Ada", "walk"]


def test_a_new_scene_starts_with_the_start_view_and_nothing_selected(workplace: Workplace, tmp_path: Path) -> None:
    workplace.stage.start_view()
    start = workplace.viewport.camera
    hand = Hand(workplace)
    hand.drag(QPoint(30, 30), QPoint(130, 60))
    strike(workplace, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert workplace.session.selected_effectors
    assert workplace.viewport.camera != start
    strike(workplace, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    until(lambda: workplace.viewport.camera == start)
    assert workplace.session.selected_effectors == ()
    assert not workplace.session.view.joints

    camera = PhotoCamera(np.array([0, 1.5, 4]), np.eye(3), 300.0, (160.0, 120.0), (320, 240))
    photo = Photo(str(tmp_path / "none.png"), "0" * 64, camera, visible=False)
    with_photo = replace(workplace.session.document, photo=photo)
    save_scene(tmp_path / "scene.json", with_photo)
    opened(workplace, tmp_path / "scene.json")
    strike(workplace, Qt.Key.Key_0)
    assert isinstance(workplace.viewport.camera, Pinhole)
    strike(workplace, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    opened(workplace, tmp_path / "scene.json")
    assert not workplace.session.view.through_photo
    until(lambda: isinstance(workplace.viewport.camera, OrbitCamera))
    assert workplace.session.selected_effectors == ()


def test_a_picture_of_nobody_becomes_a_backdrop_with_a_figure_in_front(workplace: Workplace, meadow: Path) -> None:
    workplace.files.open_path(meadow)
    with answering(button("Cancel")) as asked:
        until(lambda: bool(asked), 60_000)
    assert workplace.session.untouched
    workplace.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Return)) as asked:
        until(lambda: bool(asked), 60_000)
    session = workplace.session
    (figure,) = session.document.characters
    assert session.document.photo is not None
    assert session.document.photo.path == str(meadow)
    assert session.view.through_photo
    assert len(figure.effectors) == len(new_document().characters[0].effectors)
    assert session.history.steps() == ("Open meadow.png",)
    settled(session)


def test_photos_dropped_together_ask_as_well(workplace: Workplace, meadow: Path) -> None:
    for _ in range(2):
        workplace.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Return), key(Qt.Key.Key_Escape)) as asked:
        until(lambda: len(asked) == 2, 60_000)
    assert "backdrop" in asked[0].more.text()
    assert "to this scene?" in asked[1].text.text()
    assert len(workplace.session.document.characters) == 1


def test_a_second_photo_asks_before_its_people_are_mixed_in(
    workplace: Workplace, meadow: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = workplace.session
    workplace.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Return)) as asked:
        until(lambda: bool(asked), 60_000)
    first = session.document
    workplace.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Escape)) as asked:
        until(lambda: bool(asked))
    assert not workplace.jobs.busy
    assert session.document.characters == first.characters

    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    workplace.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Return)) as asked:  # add; but a second photo has no place in this scene
        until(lambda: bool(refused), 60_000)
    assert "new scene" in refused[0]
    assert session.document.photo == first.photo

    workplace.files.open_path(meadow)
    with answering(button("Open as a new scene"), button("Don't save"), key(Qt.Key.Key_Return)) as asked:
        until(lambda: len(asked) == 3, 60_000)
    assert session.history.steps() == ()
    assert session.history.dirty, "it is on no disk yet"
    assert len(session.document.characters) == 1
    assert session.view.through_photo
