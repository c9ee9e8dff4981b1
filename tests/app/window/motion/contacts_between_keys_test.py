"""At frames without a key a contact's handle is on what it is to touch there, and is dragged from there."""

from __future__ import annotations

import numpy as np
import pytest
from motion_samples import look_at_frame
from prop_driver import added
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document import edits
from app.document.model.clip import JOINTS
from app.document.model.document import Character
from app.document.posing.contact_patches import patches_of, place_of_patch
from app.panels.worst_effector import worst_text
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
KEY, BETWEEN, FRAMES, AWAY_M = 5, 25, 40, 0.3
WAY = QPoint(-30, -20)


def held(character: Character) -> Contact:
    (contact,) = (e for e in character.effectors if isinstance(e, Contact))
    return contact


@pytest.fixture
def between(editor: Editor) -> Editor:
    """Somebody with a palm on a box at a key, seen at a later frame without one, gliding away from it."""
    session, pose = editor.session, active(editor).pose
    roots = np.tile(pose.root_position, (FRAMES, 1))
    roots[:, 2] += np.linspace(0.0, AWAY_M, FRAMES)
    session.edit("Import", edits.import_motion("c1", Motion(roots, np.stack([pose.rotations] * FRAMES), 30.0)))
    look_at_frame(session, "c1", KEY)
    palm = place_of_patch(active(editor), patches_of(active(editor))["left_palm"])
    box = added(editor, "box", (float(palm[0]) + 0.22, 0.0, float(palm[2])))
    session.edit("Taller", edits.set_prop_size(box.id, (0.4, 1.2, 0.4)))
    session.select("c1", [next(e.id for e in active(editor).effectors if e.joint == "left_wrist")])
    editor.refresh()
    editor.actions["contact.here"].trigger()
    settled(session)
    look_at_frame(session, "c1", BETWEEN)
    session.select("c1")
    editor.viewport.set_camera(OrbitCamera(target=(0.2, 0.8, 0.1), distance=5.0, yaw=1.0, pitch=0.25))
    editor.refresh()
    editor.session_view.refresh()
    return editor


def ring(editor: Editor) -> np.ndarray:
    id = held(active(editor)).id
    (place,) = (handle.position for handle in editor.viewport.scene.handles if handle.id == ("effector", id))
    return np.asarray(place, np.float64)


def test_its_ring_is_drawn_on_the_surface_that_the_body_has_left(between: Editor) -> None:
    contact = held(active(between))
    on_box = held(between.session.document.actor("c1").at(KEY)).target
    assert active(between).clip.key(BETWEEN) is None
    assert ring(between) == pytest.approx(on_box, abs=1e-4)
    residual = between.session.finding.residuals[active(between).effectors.index(contact)]
    assert np.linalg.norm(place_of_patch(active(between), patches_of(active(between))["left_palm"]) - on_box) > 0.1
    assert residual.state == "", "what only the key asks for is not missed here"
    between.session.select("c1", [contact.id])
    between.session_view.refresh()
    gizmo = between.viewport.scene.gizmo
    assert gizmo is not None
    assert gizmo.position == pytest.approx(on_box, abs=1e-4)
    assert active(between).clip.key(BETWEEN) is None, "who only looks sets no key"


def told(editor: Editor) -> tuple[str, str]:
    """What the contact's row says in small, and its tip."""
    editor.refresh()
    (row,) = (row for row in editor.panels.effectors.rows if row.effector_id == held(active(editor)).id)
    return row.detail.text(), row.toolTip()


def test_what_only_a_key_elsewhere_asks_for_is_not_called_missed(between: Editor) -> None:
    word, tip = told(between)
    assert word == f"At frame {KEY + 1}"
    assert f"the key at frame {KEY + 1} asks for it, this frame does not; " in tip
    assert "contact" not in worst_text(active(between), between.session.finding)
    look_at_frame(between.session, "c1", KEY)
    assert told(between)[0] != f"At frame {KEY + 1}"


def test_between_two_keys_that_both_hold_on_a_contact_that_is_missed_is_called_so(between: Editor) -> None:
    between.session.edit("Copy", edits.copy_keys("c1", [KEY], FRAMES - 2))
    between.session.edit("Go by the joints", edits.set_in_between("c1", by=JOINTS))
    between.session.edit("Away", edits.move_prop(between.session.document.props[0].id, (0.2, 0.0, 0.0)))
    look_at_frame(between.session, "c1", BETWEEN)
    assert told(between)[0] not in ("", f"At frame {KEY + 1}", f"At frame {FRAMES - 1}")


@pytest.mark.slow
def test_dragged_by_its_ring_the_hand_comes_along_by_as_much_as_the_pointer_moves(between: Editor) -> None:
    contact, wrist, start, mouse = (
        held(active(between)),
        place_of(between, "left_wrist"),
        ring(between),
        ViewMouse(between),
    )
    mouse.drag(mouse.place(start), WAY / 2, WAY)
    settled(between.session)
    after = active(between).effector(contact.id)
    assert isinstance(after, Position)
    went = after.target - wrist
    assert (mouse.place(start + went) - mouse.place(start) - WAY).manhattanLength() <= 2
    assert place_of(between, "left_wrist") == pytest.approx(after.target, abs=0.01)
    strike(between, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(between).clip.key(BETWEEN) is None
    assert held(active(between)) == contact
