"""The status bar names the device that posed; the settings choose it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_driver import settled, until

from app.dialogs.settings_dialog import SettingsDialog
from app.document import edits
from app.window.editor import Editor
from solver import devices

pytestmark = pytest.mark.gl


@pytest.fixture(autouse=True)
def choice() -> Iterator[None]:
    yield
    devices.choose(devices.AUTO)


def posed(editor: Editor) -> str:
    """What the status bar says after an edit."""
    character = editor.session.document.characters[0]
    effector = next(e for e in character.effectors if e.joint == "left_wrist")
    target = effector.target + np.array([0.0, 0.1, 0.1], np.float32)  # type: ignore[attr-defined]
    editor.session.edit("Move", edits.set_target(character.id, effector.id, target), solve=True)
    settled(editor.session)
    until(lambda: bool(editor.window.status.facts["device"].text()))
    return editor.window.status.facts["device"].text()


def test_a_small_network_poses_on_the_processor_whatever_card_there_is(editor: Editor) -> None:
    assert editor.settings.values.device == "auto"
    assert posed(editor) == "CPU"


@pytest.mark.parametrize("choice", ["cuda", "mps"])
def test_a_chosen_device_is_named_or_what_is_missing(editor: Editor, choice: str) -> None:
    editor.settings.set(device=choice)
    name = choice.upper()
    until(lambda: posed(editor).startswith((name, f"CPU ({name}: ")))
    editor.settings.set(device="cpu")
    until(lambda: posed(editor) == "CPU")


def test_the_dialog_offers_the_devices_of_this_machine_and_takes_effect_at_once(editor: Editor) -> None:
    dialog = SettingsDialog(editor.settings, editor.window)
    dialog.show()
    box = dialog.boxes["device"]
    assert [box.itemData(i) for i in range(box.count())][:2] == ["auto", "cpu"]
    assert {box.itemData(i) for i in range(box.count())} == {"auto", *(d.id for d in devices.find_devices())}
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert editor.settings.values.device == "cpu"
    assert devices.chosen() == "cpu"
    dialog.close()
    dialog.deleteLater()
