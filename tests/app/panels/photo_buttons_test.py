"""The buttons of the photo's panel: what shows over the photo goes on and off, and people are mended, by the mouse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QMenu
from window_driver import active, place_of, press_photo_button, settled, until

from app.dialogs import typed_name
from app.document import edits
from app.document.model.document import Photo
from app.look.mnemonics import unmarked
from app.viewport.overlays.photo_matte import PhotoMatte
from app.viewport.overlays.photo_points import PhotoPoints
from app.viewport.overlays.wipe_divider import WipeDivider
from app.window.editor import Editor
from solver.camera import PinholeCamera
from solver.photo.image_file import load_image

pytestmark = pytest.mark.gl
CAMERA = PinholeCamera(np.float32([0.0, 1.0, 3.2]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))


@pytest.fixture
def seen(editor: Editor, tmp_path: Path) -> Editor:
    """Somebody with the left hand forward, before a plain picture and seen by its camera."""
    session = editor.session
    hand = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    forward = hand.target + np.float32([-0.1, 0.25, 0.3])
    session.edit("Move", edits.set_target(active(editor).id, hand.id, forward), solve=True)
    settled(session)
    path = tmp_path / "green.png"
    Image.new("RGB", (800, 600), (20, 160, 60)).save(path)
    session.edit("Photo", edits.set_photo(Photo(str(path), load_image(path).sha256, CAMERA)))
    session.set_view(through_photo=True)
    return editor


def is_shown(editor: Editor, overlay: type) -> Callable[[], bool]:
    return lambda: any(found.isVisible() for found in editor.viewport.findChildren(overlay))


@pytest.mark.sweep("view.wipe-WipeDivider")
@pytest.mark.parametrize(("id", "overlay"), [("view.points", PhotoPoints), ("view.wipe", WipeDivider)])
def test_a_button_puts_something_over_the_photo_and_is_down_until_it_takes_it_away(
    seen: Editor, id: str, overlay: type
) -> None:
    shown = is_shown(seen, overlay)
    assert not shown()
    button = press_photo_button(seen, id)
    until(lambda: shown() and button.isChecked())
    press_photo_button(seen, id)
    until(lambda: not shown() and not button.isChecked())


@pytest.mark.slow
def test_the_horizon_the_outline_and_the_photo_beside_go_on_and_off_as_well(seen: Editor) -> None:
    for id in ("view.horizon", "view.matte", "view.beside"):
        button = press_photo_button(seen, id)
        until(button.isChecked)
    assert seen.session.view.beside
    assert seen.viewport.findChild(PhotoMatte) is not None
    for id in ("view.horizon", "view.matte", "view.beside"):
        button = press_photo_button(seen, id)
        until(lambda button=button: not button.isChecked())
    assert not seen.session.view.beside


@pytest.mark.slow
def test_people_turn_front_to_back_and_a_selected_limb_is_flipped_each_in_one_step(seen: Editor) -> None:
    before, wrist = active(seen), place_of(seen, "left_wrist")
    press_photo_button(seen, "pose.turn_round")
    assert seen.session.history.undo_text == "Front or back"
    seen.session.undo()
    assert active(seen) == before
    hand = next(e for e in before.effectors if e.joint == "left_wrist")
    seen.session.select(before.id, [hand.id])
    press_photo_button(seen, "pose.flip_limb")
    assert seen.session.history.undo_text == "Flip limb in depth"
    after = place_of(seen, "left_wrist")
    assert np.linalg.norm(after - wrist) > 0.1
    assert np.abs(CAMERA.project(after) - CAMERA.project(wrist)).max() < 1.0


def test_the_next_photo_can_only_be_asked_for_where_there_are_several(seen: Editor, tmp_path: Path) -> None:
    seen.refresh()
    buttons = seen.panels.photo.buttons
    assert buttons is not None
    assert not buttons.by_id["view.next_photo"].isEnabled()
    path = tmp_path / "red.png"
    Image.new("RGB", (800, 600), (160, 20, 60)).save(path)
    seen.session.edit("Another", edits.add_photo(Photo(str(path), load_image(path).sha256, CAMERA)))
    press_photo_button(seen, "view.next_photo")
    photo = seen.session.document.photo
    assert photo is not None
    assert photo.path == str(path)


def test_a_label_is_saved_from_the_panel_and_from_the_menu_of_labels(
    seen: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tmp_path / "one.json"
    monkeypatch.setattr(typed_name, "asked_files", lambda *_: [asked])
    press_photo_button(seen, "file.save_label")
    assert len(json.loads(asked.read_text(encoding="utf-8"))["people"]) == 1
    menu = next(each for each in seen.window.menuBar().actions() if unmarked(each.text()) == "Label").menu()
    assert isinstance(menu, QMenu)
    assert seen.actions["file.save_label"] in menu.actions()
