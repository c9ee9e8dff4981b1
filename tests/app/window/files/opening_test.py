"""Opening files into the real window: into the untouched start, beside who is there, or in place of everything."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from copies import copy_of
from dialog_driver import answering, button, key
from document_samples import random_pose, whole_motion
from photographed_people import CAMERA, put_before_green
from PIL import Image
from prop_driver import added
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from window_driver import ViewMouse, active, opened, place_of, settled, strike, until

from app.dialogs import messages
from app.document import edits
from app.document.exchange.export import export_bvh, export_pose_json
from app.document.model.document import Photo
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from app.document.posing.placing import paths_of
from app.document.scene_file.io import save_scene
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera, PhotoView
from solver.camera import PinholeCamera
from solver.effectors.contact import Contact
from solver.effectors.resolve import tied_figures
from solver.effectors.sources import PropSource
from solver.kinematics.pose import Motion

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("photos_read_once")]


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


def drop(editor: Editor, path: Path) -> None:
    """Drop a file or a folder onto the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    editor.window.dropEvent(
        QDropEvent(
            QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
    )


def test_a_motion_that_does_not_say_how_fast_it_is_is_told_of_until_that_is_undone(editor: Editor, walk: Path) -> None:
    lines = walk.read_text().splitlines()
    walk.write_text("\n".join("Frame Time: 0" if line.startswith("Frame Time") else line for line in lines) + "\n")
    opened(editor, walk)
    notices = editor.window.status.notices
    assert notices.shown == "Opened walk.bvh. The frame time is 0; 30 frames a second were assumed."
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert notices.shown == ""


def test_a_motion_takes_the_untouched_firsts_place_and_the_next_one_walks_beside(
    editor: Editor, walk: Path, tmp_path: Path
) -> None:
    mouse = ViewMouse(editor)
    mouse.drag(QPoint(30, 30), QPoint(130, 60))  # looking around is not work
    document = opened(editor, walk)
    assert [c.name for c in document.characters] == ["walk"]
    motion = whole_motion(document.characters[0])
    assert motion.root_positions[0] == pytest.approx([-2, 0.95, 0], abs=1e-3), "alone it goes where its file says"
    editor.session.undo()
    assert [c.name for c in editor.session.document.characters] == ["Person 1"]
    editor.session.redo()

    document = opened(editor, walk)
    one, other = paths_of(document.characters)
    assert np.linalg.norm(one[:, None] - other[None], axis=-1).min() > 0.8, "their paths keep clear of each other"
    second = document.characters[1]
    assert np.diff(whole_motion(second).root_positions, axis=0) == pytest.approx(
        np.diff(motion.root_positions, axis=0), abs=1e-5
    )
    assert editor.session.view.character == second.id
    targets = {e.joint: e.target for e in second.effectors if e.kind == "position"}
    joints = joints_of(second).positions
    from solver.kinematics.skeleton import SMPL_JOINTS

    assert targets["left_wrist"] == pytest.approx(joints[SMPL_JOINTS.index("left_wrist")], abs=1e-4)


@pytest.mark.slow
def test_people_of_a_pose_file_replace_the_untouched_first_or_stand_beside_as_a_group(
    editor: Editor, tmp_path: Path
) -> None:
    pair = edits.add_character(copy_of(new_document(), "c1"))(new_document())
    export_pose_json(tmp_path / "pair.json", pair)
    alone = opened(editor, tmp_path / "pair.json")
    assert len(alone.characters) == 2
    both = opened(editor, tmp_path / "pair.json")
    roots = np.array([c.pose.root_position for c in both.characters])
    assert roots[3] - roots[2] == pytest.approx(roots[1] - roots[0], abs=1e-5)
    apart = np.linalg.norm((roots[:, None] - roots[None])[..., [0, 2]], axis=-1)
    assert apart[~np.eye(4, dtype=bool)].min() > 0.8


def test_an_edited_person_is_not_replaced(editor: Editor, walk: Path) -> None:
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    assert [c.name for c in opened(editor, walk).characters] == ["Ada", "walk"]


@pytest.mark.slow
def test_a_new_scene_starts_with_the_start_view_and_nothing_selected(editor: Editor, tmp_path: Path) -> None:
    editor.session_view.start_view()
    start = editor.viewport.camera
    mouse = ViewMouse(editor)
    mouse.drag(QPoint(30, 30), QPoint(130, 60))
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert editor.session.selected_effectors
    assert editor.viewport.camera != start
    strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    until(lambda: editor.viewport.camera == start)
    assert editor.session.selected_effectors == ()
    assert not editor.session.view.joints

    camera = PinholeCamera(np.array([0, 1.5, 4]), np.eye(3), 300.0, (160.0, 120.0), (320, 240))
    photo = Photo(str(tmp_path / "none.png"), "0" * 64, camera, visible=False)
    with_photo = replace(editor.session.document, photos=(photo,))
    save_scene(tmp_path / "scene.json", with_photo)
    opened(editor, tmp_path / "scene.json")
    strike(editor, Qt.Key.Key_0)
    assert isinstance(editor.viewport.camera, PhotoView)
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    opened(editor, tmp_path / "scene.json")
    assert not editor.session.view.through_photo
    until(lambda: isinstance(editor.viewport.camera, OrbitCamera))
    assert editor.session.selected_effectors == ()


@pytest.mark.slow
def test_people_of_a_pose_file_hold_on_to_each_other_and_not_to_strangers_of_the_same_id(
    editor: Editor, tmp_path: Path
) -> None:
    """One has a hand on a box, the other one's hand is on their shoulder; then they come to somebody with a ball."""
    session = editor.session
    at = place_of(editor, "left_wrist")
    box = added(editor, "box", (float(at[0]) + 0.22, 0.0, float(at[2])))
    session.edit("Taller", edits.set_prop_size(box.id, (0.4, 1.2, 0.4)))
    held = next(e.id for e in active(editor).effectors if e.joint == "left_wrist")
    session.select("c1", [held])
    editor.refresh()
    editor.actions["contact.here"].trigger()
    assert any(isinstance(e.source, PropSource) for e in active(editor).effectors)
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(session)
    editor.refresh()
    editor.actions["contact.shoulder"].trigger()
    settled(session)
    export_pose_json(tmp_path / "pair.json", session.document)
    session.history.mark_saved()
    strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    ball = added(editor, "ball")
    assert ball.id == box.id
    there, holder, friend = opened(editor, tmp_path / "pair.json").characters
    assert tied_figures(friend.effectors) == {holder.id} != {there.id}
    palm = next(e for e in holder.effectors if isinstance(e, Contact))
    assert palm.source is None, "the ball is not the box"
    assert np.linalg.norm(palm.target - holder.pose.root_position) < 1.0, "it stays at the hand"


def test_a_scene_whose_photo_shows_is_seen_by_the_photos_camera_and_0_leaves_it(editor: Editor, tmp_path: Path) -> None:
    put_before_green(editor, tmp_path, CAMERA)
    save_scene(tmp_path / "scene.json", editor.session.document)
    editor.session.history.mark_saved()
    strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    start = editor.viewport.camera
    opened(editor, tmp_path / "scene.json")
    assert editor.session.view.through_photo
    until(lambda: editor.viewport.camera == PhotoView(CAMERA))
    strike(editor, Qt.Key.Key_0)
    until(lambda: editor.viewport.camera == start)


@pytest.mark.slow
def test_a_picture_of_nobody_becomes_a_backdrop_with_a_figure_in_front(editor: Editor, meadow: Path) -> None:
    editor.files.open_path(meadow)
    with answering(button("Cancel")) as asked:
        until(lambda: bool(asked), 60_000)
    assert editor.session.untouched
    editor.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Return)) as asked:
        until(lambda: bool(asked), 60_000)
    session = editor.session
    (figure,) = session.document.characters
    assert session.document.photo is not None
    assert session.document.photo.path == str(meadow)
    assert session.view.through_photo
    assert len(figure.effectors) == len(new_document().characters[0].effectors)
    assert session.history.steps() == ("Open meadow.png",)
    settled(session)


def test_photos_dropped_together_ask_as_well(editor: Editor, meadow: Path) -> None:
    for _ in range(2):
        editor.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Return), key(Qt.Key.Key_Escape)) as asked:
        until(lambda: len(asked) == 2, 60_000)
    assert "backdrop" in asked[0].more.text()
    assert "to this scene?" in asked[1].text.text()
    assert len(editor.session.document.characters) == 1


def test_a_second_photo_asks_before_its_people_are_mixed_in(editor: Editor, meadow: Path) -> None:
    session = editor.session
    editor.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Return)) as asked:
        until(lambda: bool(asked), 60_000)
    first = session.document
    editor.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Escape)) as asked:
        until(lambda: bool(asked))
    assert not editor.jobs.busy
    assert session.document.characters == first.characters

    editor.files.open_path(meadow)
    with answering(key(Qt.Key.Key_Return), key(Qt.Key.Key_Return)) as asked:  # add; it goes behind who is there
        until(lambda: len(session.document.photos) == 2, 60_000)
    assert "behind the people of this scene" in asked[1].more.text()
    assert session.document.characters == first.characters

    editor.files.open_path(meadow)
    with answering(button("Open as a new scene"), button("Don't save"), key(Qt.Key.Key_Return)) as asked:
        until(lambda: len(asked) == 3, 60_000)
    assert session.history.steps() == ()
    assert session.history.dirty, "it is on no disk yet"
    assert len(session.document.characters) == 1
    assert session.view.through_photo


@pytest.mark.parametrize("broken", [b"\x89PNG\r\n\x1a\nno picture at all", b"plain text"])
def test_a_broken_picture_is_refused_before_anything_is_asked(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: bytes
) -> None:
    path = tmp_path / "broken.png"
    path.write_bytes(broken)
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    before, told = editor.session.document, []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: told.append(text))
    drop(editor, path)
    until(lambda: bool(told))
    assert "broken.png" in told[0]
    assert editor.session.document is before


def test_a_file_of_another_program_is_refused_with_how_it_comes_in_all_the_same(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: told.append(text))
    for name, way_out in (("man.fbx", "BVH"), ("Man.BLEND", "GLB"), ("clip.mov", "pictures")):
        (tmp_path / name).write_bytes(b"\0binary\0")
        told.clear()
        drop(editor, tmp_path / name)
        until(lambda: bool(told))
        assert name in told[0]
        assert way_out in told[0]


def test_a_folder_dropped_on_unsaved_work_says_what_comes_after_saving(
    editor: Editor, tmp_path: Path, meadow: Path
) -> None:
    folder = tmp_path / "beach"
    folder.mkdir()
    meadow.rename(folder / meadow.name)
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    with answering(button(messages.CANCEL)) as asked:
        drop(editor, folder)
    more = asked[0].more.text()  # type: ignore[attr-defined]
    assert "lost if you don't save" in more
    assert "“beach”" in more
    assert "label" in more


@pytest.mark.slow
def test_a_glb_file_that_moves_comes_in_with_its_motion(editor: Editor, walk: Path, tmp_path: Path) -> None:
    from app.document.exchange.skinned_export import export_skinned

    drop(editor, walk)
    until(lambda: bool(editor.session.history.steps()))
    for whole, name in ((True, "moves.glb"), (False, "still.glb")):
        export_skinned(tmp_path / name, editor.session.document.characters[:1], whole_motion=whole)
    told: list[str] = []
    editor.files.step_message.connect(told.append)
    for name in ("moves.glb", "still.glb"):
        drop(editor, tmp_path / name)
        until(lambda name=name: any(name in text for text in told))  # type: ignore[misc]
    assert told == ["Opened moves.glb.", "Opened still.glb."]
    assert [len(actor.clip) for actor in editor.session.document.actors] == [9, 9, 1]


def test_two_people_below_the_root_of_a_scene_both_come_in_by_their_names(editor: Editor, walk: Path) -> None:
    hierarchy, frames = walk.read_text().removeprefix("HIERARCHY").split("MOTION\n")
    tree, rows = hierarchy.replace("ROOT", "JOINT"), frames.splitlines()
    beside = [" ".join([f"{float(row.split()[0]) + 100.0:g}", *row.split()[1:]]) for row in rows[2:]]
    both = "\n".join([*rows[:2], *(f"{row} {other}" for row, other in zip(rows[2:], beside, strict=True))])
    anna, ben = (re.sub(r"(JOINT) (\w+)", rf"\1 {name}:\2", tree) for name in ("Anna", "Ben"))
    walk.write_text(f"HIERARCHY\nROOT Scene\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{anna}{ben}}}\nMOTION\n{both}\n")
    drop(editor, walk)
    until(lambda: bool(editor.session.history.steps()))
    actors = editor.session.document.actors
    assert [len(actor.clip) for actor in actors] == [9, 9]
    assert [row.name.text() for row in editor.panels.people.rows] == ["Anna", "Ben"]
    first, second = (person.pose.root_position for person in editor.session.document.characters)
    assert np.linalg.norm(second - first) > 0.9


def test_all_people_of_a_bvh_file_come_in_and_things_stay_away(editor: Editor, walk: Path) -> None:
    hierarchy, frames = walk.read_text().split("MOTION\n")
    lamp = "ROOT lamp\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n"
    rows = frames.splitlines()
    both = "\n".join([*rows[:2], *(f"{row} 5 {row}" for row in rows[2:])])
    walk.write_text(f"{hierarchy}{lamp}{hierarchy.removeprefix('HIERARCHY')}MOTION\n{both}\n")
    drop(editor, walk)
    until(lambda: bool(editor.session.history.steps()))
    actors = editor.session.document.actors
    assert [len(actor.clip) for actor in actors] == [9, 9]
    names = [person.name for person in editor.session.document.characters]
    assert names == ["walk", "walk 2"], "their joints do not say who they are"
    assert len({actor.id for actor in actors}) == 2
