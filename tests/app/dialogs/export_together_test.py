"""Several people as GLB: one file for all of them, or one for each, as the dialog's box says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dialog_driver import answering, button, naming
from gltf_reader import read_glb
from motion_samples import look_at_frame, strolling
from prop_driver import added
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QPushButton
from window_driver import settled, strike, until

from app.dialogs.export_dialog import ExportDialog
from app.document import edits
from app.services.settings import SettingsStore
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, CONTROL, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Do = Callable[[ExportDialog], None]


def page(title: str) -> Do:
    return lambda dialog: QTest.mouseClick(
        next(b for b in dialog.format.findChildren(QPushButton) if b.text() == title), LEFT
    )


def tick(title: str) -> Do:
    """Click a box where its little square is."""

    def click(dialog: ExportDialog) -> None:
        box = next(b for b in dialog.findChildren(QCheckBox) if b.text() == title and b.isVisible())
        QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))

    return click


@pytest.fixture
def fight(editor: Editor) -> Editor:
    """Ada and Ben, who both move, and a box."""
    strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    for number, name in enumerate(("Ada", "Ben")):
        id = editor.session.document.characters[number].id
        editor.session.edit("Name", edits.rename_character(id, name))
        editor.session.edit("Walk", edits.import_motion(id, strolling(4)))
        look_at_frame(editor.session, id, 2)
    added(editor, "box")
    return editor


def export(editor: Editor, *doings: Do, end: str = "Export…") -> None:
    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        for do in doings:
            do(dialog)
        button(end)(dialog)

    with answering(answer, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CONTROL)
    until(lambda: not editor.jobs.busy)


@pytest.mark.slow
def test_everybody_and_the_props_go_into_one_glb_file_until_its_box_is_cleared_which_is_remembered(
    fight: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    naming(monkeypatch, *(tmp_path / name for name in ("all.glb", "each.glb", "again.glb")))
    export(fight, page("Mesh"))
    assert [file.name for file in tmp_path.glob("*.glb")] == ["all.glb"]
    content = read_glb(tmp_path / "all.glb").content
    assert [skin["name"] for skin in content["skins"]] == ["Ada", "Ben"]
    assert "Box" in [node["name"] for node in content["nodes"]]
    (animation,) = content["animations"]
    moved = {channel["target"]["node"] for channel in animation["channels"]}
    assert all(moved & set(skin["joints"]) for skin in content["skins"])

    export(fight, tick("Everybody in one file"))
    assert sorted(file.name for file in tmp_path.glob("each*")) == ["each_Ada.glb", "each_Ben.glb"]
    assert len(read_glb(tmp_path / "each_Ada.glb").content["skins"]) == 1
    export(fight)
    assert sorted(file.name for file in tmp_path.glob("again*")) == ["again_Ada.glb", "again_Ben.glb"]
    file = QSettings(fight.settings._store.fileName(), QSettings.Format.IniFormat)
    assert SettingsStore(file).values.glb_together is False, "the next session begins with it too"


def test_the_dialog_says_what_becomes_one_file_and_what_one_for_each(fight: Editor) -> None:
    boxes, hints = list[tuple[bool, str]](), list[str]()

    def look(dialog: ExportDialog) -> None:
        boxes.append((dialog.together.isVisible(), dialog.props.text()))
        hints.append(dialog.hint.text())

    export(
        fight, page("Mesh"), look, tick("Everybody in one file"), look, tick("Only Ben"), look, tick("Only Ben"),
        tick("With skeleton and skin, to be animated"), look, page("BVH"), look, end="Cancel",
    )  # fmt: skip
    first = "Props too, in the first file"
    assert boxes == [(True, "Props too"), (True, first), (False, "Props too"), (False, first), (False, first)]
    together, each, alone, static, bvh = hints
    assert together.startswith("Everybody with a skeleton")
    assert "all motions as one animation" in together
    assert each.endswith("One file for each person: name_Ada.glb, name_Ben.glb.")
    assert static.endswith("One file for each person: name_Ada.glb, name_Ben.glb.")
    assert "One file for each person: name_Ada.bvh, name_Ben.bvh." in bvh
    assert "file" not in alone


def test_only_one_of_several_is_asked_about_no_common_file_and_gets_theirs(
    fight: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    naming(monkeypatch, tmp_path / "ben.glb")
    export(fight, page("Mesh"), tick("Only Ben"))
    (file,) = tmp_path.glob("*.glb")
    assert [skin["name"] for skin in read_glb(file).content["skins"]] == ["Ben"]
