"""A scene of a newer version in the real window: what is unknown is shown as such and can be lived with."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_driver import settled, strike, until

from app.document.posing.create import new_document
from app.document.scene_file.io import scene_text
from app.panels.effector_row import EffectorRow
from app.panels.widgets.notices import reading_ms
from app.window.editor import Editor
from app.window.files import NEWER_HINT

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("unfolded")]
MAGNET = {"id": "t1", "type": "magnet", "joint": "left_wrist", "pull": 1.5}


@pytest.fixture
def tomorrow(tmp_path: Path) -> Path:
    """A scene with a solver and an effector that nobody has heard of."""
    value = json.loads(scene_text(new_document(), tmp_path))
    value["version"] = 99
    value["characters"][0]["solver"] = "dream-ik"
    value["characters"][0]["clip"]["keys"][0]["effectors"].append(MAGNET)
    path = tmp_path / "tomorrow.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def people(editor: Editor) -> list[dict[str, Any]]:
    return list(json.loads(scene_text(editor.session.document, Path("/")))["characters"])


def opened(editor: Editor, path: Path) -> EffectorRow:
    """The last row of the list once the scene is there."""
    editor.files.open_path(path)
    until(lambda: editor.session.path == path)
    settled(editor.session)
    editor.refresh()
    row = editor.panels.effectors.rows[-1]
    assert row.effector_id == "t1"
    return row


def test_what_is_unknown_is_shown_as_such_and_said_once(editor: Editor, tomorrow: Path) -> None:
    said: list[str] = []
    editor.files.message.connect(said.append)
    row = opened(editor, tomorrow)
    assert len([text for text in said if "newer version" in text]) == 1
    assert "newer version: kept, not used" in row.toolTip()
    assert not row.joint.isEnabled()
    assert not any(part.isEnabled() for part in (row.tolerance, row.strict, row.pin, row.enable))
    assert row.delete.isEnabled()
    solver = editor.panels.solver
    assert "dream-ik" in solver.choice.currentText()
    assert "dream-ik" in solver.refusal.text()
    assert "stands in" in solver.refusal.text()


@pytest.mark.slow
def test_the_notice_of_a_newer_scene_can_be_read_before_that_of_the_stand_in(editor: Editor, tomorrow: Path) -> None:
    line, said = editor.window.status, []
    line.notices.changed.connect(lambda text: said.append((time.monotonic(), text)))
    opened(editor, tomorrow)
    assert line.notice.text() == f"Opened tomorrow.json. {NEWER_HINT}"
    assert line.notice.isVisible()
    until(lambda: "stands in" in line.notice.text())
    (first, newer), (second, stands_in) = said
    assert "dream-ik" in stands_in
    assert 1000 * (second - first) > 0.95 * reading_ms(newer)


def test_it_can_be_selected_duplicated_deleted_and_taken_back(editor: Editor, tomorrow: Path) -> None:
    row = opened(editor, tomorrow)
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=row.joint.geometry().center())
    assert editor.session.view.effectors == {"t1"}
    editor.refresh()
    assert not any(field.isVisible() for field in (*editor.panels.target.places, *editor.panels.target.angles))
    strike(editor, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    settled(editor.session)
    assert [person["clip"]["keys"][0]["effectors"][-1] for person in people(editor)] == [MAGNET, MAGNET]
    assert [person["solver"] for person in people(editor)] == ["dream-ik", "dream-ik"]
    editor.session.undo()
    editor.session.select("c1", ["t1"])
    strike(editor, Qt.Key.Key_Delete)
    settled(editor.session)
    assert MAGNET not in people(editor)[0]["clip"]["keys"][0]["effectors"]
    editor.session.undo()
    settled(editor.session)
    assert people(editor)[0]["clip"]["keys"][0]["effectors"][-1] == MAGNET


def test_the_list_of_solvers_forgets_the_unknown_one_once_another_is_chosen(editor: Editor, tomorrow: Path) -> None:
    opened(editor, tomorrow)
    choice = editor.panels.solver.choice
    shown = choice.count()
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Home)
    choice.activated.emit(choice.currentIndex())
    settled(editor.session)
    editor.refresh()
    assert choice.count() == shown - 1
    assert people(editor)[0]["solver"] != "dream-ik"
