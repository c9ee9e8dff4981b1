"""A scene does not decide which folders are read: body files that it names are used only if the user agrees."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dialog_driver import answering, button
from PySide6.QtCore import Qt
from window_driver import active, strike, until

from app.cli.main import main
from app.dialogs import messages
from app.document.exchange.open_file import open_file
from app.document.exchange.pose_exchange import pose_file_of
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, save_scene
from app.document.scene_file.read import UnapprovedBodyFolder
from app.services.body_choice import BodyChoice
from app.services.settings import SettingsStore
from app.window.editor import Editor
from solver.body.catalog import official_body_id
from solver.formats.pose_json.write import write_pose_json
from solver.resources import resource_folder

pytest.importorskip("smplx")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Our own body in the layout of an official file."""
    with np.load(resource_folder("assets", "body") / "neutral.npz") as file:
        names = ("v_template", "shapedirs", "J_regressor", "weights", "f", "kintree_table")
        arrays = {name: file[name] for name in names}
    (tmp_path / "body").mkdir()
    np.savez(tmp_path / "body" / "SMPL_NEUTRAL.npz", **arrays)
    return tmp_path / "body"


@pytest.fixture
def scene(folder: Path, tmp_path: Path) -> Path:
    """A scene as somebody else may send it: it names the folder."""
    path = tmp_path / "sent.json"
    save_scene(path, new_document())
    content = json.loads(path.read_text())
    content["characters"][0]["body"] = f"smpl:{folder}"
    path.write_text(json.dumps(content))
    return path


def test_a_scene_that_names_a_folder_is_refused_unless_it_was_chosen(scene: Path, folder: Path) -> None:
    with pytest.raises(UnapprovedBodyFolder, match="which you have not chosen") as refusal:
        load_scene(scene)
    assert str(refusal.value).startswith(f"{scene}, characters[0].body: ")
    assert str(folder) in str(refusal.value)
    assert load_scene(scene, [f"smpl:{folder}"]).characters[0].body == f"smpl:{folder}"


def test_nothing_of_the_folder_is_touched_before_one_agrees(scene: Path, folder: Path) -> None:
    (folder / "SMPL_NEUTRAL.npz").write_bytes(b"damaged")  # to read it would be refused otherwise
    with pytest.raises(UnapprovedBodyFolder):
        open_file(scene)


def test_the_command_line_takes_the_folder_that_body_names_and_no_other(
    scene: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.bvh"
    assert main(["export", str(scene), "-o", str(out)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "name that folder with --body" in said
    assert not out.exists()
    assert main(["export", "--body", str(tmp_path), str(scene), "-o", str(out)]) == 1
    assert main(["export", "--body", str(folder), str(scene), "-o", str(out)]) == 0
    assert out.exists()


def test_the_folder_of_the_settings_is_chosen(store: SettingsStore, scene: Path, folder: Path) -> None:
    choice = BodyChoice(store)
    assert choice.known() == frozenset()
    store.set(body_dir=str(folder))
    assert choice.known() >= {f"smpl:{folder}", official_body_id(folder)}
    assert open_file(scene, bodies=choice.known()).document is not None


@pytest.mark.slow
@pytest.mark.gl
def test_a_new_person_has_our_own_body_where_the_chosen_one_is_gone_until_another_is_chosen(
    editor: Editor, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    editor.settings.set(body_dir=str(tmp_path / "gone"))
    for people in (2, 3):
        strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
        until(lambda people=people: len(editor.session.document.characters) == people)  # type: ignore[misc]
        assert active(editor).body == "anny"
    assert len(refused) == 1, "it is said once"
    assert "there is no such folder" in refused[0]
    assert refused[0].endswith("The free body is used instead.")
    editor.settings.set(body_dir=str(folder))
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    until(lambda: len(editor.session.document.characters) == 4)
    assert active(editor).body == f"smpl:{folder}"


def test_a_pose_file_brings_no_folder_of_its_own(folder: Path, tmp_path: Path) -> None:
    document = new_document()
    person = pose_file_of(document, tmp_path).people[0]
    content = replace(pose_file_of(document, tmp_path), people=(replace(person, body=f"smpl:{folder}"),))
    write_pose_json(tmp_path / "pose.json", content)
    edit = open_file(tmp_path / "pose.json").edit
    assert edit is not None
    assert [c.body for c in edit(document).characters] == ["anny", "anny"]


@pytest.mark.slow
@pytest.mark.gl
def test_the_window_asks_and_the_body_stays_the_scenes_when_it_is_saved(
    editor: Editor, scene: Path, folder: Path
) -> None:
    before = editor.session.document
    said: list[str] = []

    def leave(dialog: Any) -> None:
        said.append(dialog.more.text())
        button("Cancel")(dialog)

    with answering(leave) as asked:
        editor.files.open_path(scene)
        until(lambda: bool(asked) and not editor.jobs.busy)
    assert str(folder) in said[0]
    assert editor.session.document is before
    with answering(button("Use them")):
        editor.files.open_path(scene)
        until(lambda: editor.session.path == scene)
    assert editor.session.document.characters[0].body == f"smpl:{folder}"
    assert editor.files.save()
    assert json.loads(scene.read_text())["characters"][0]["body"] == f"smpl:{folder}"
    document = editor.session.document
    editor.files.open_path(scene)  # and does not ask again
    until(lambda: editor.session.document is not document)
