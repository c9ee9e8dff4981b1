"""In the window: an edited frame no longer pops, for the frames about it are solved while one looks."""

from __future__ import annotations

import numpy as np
import pytest
from document_samples import only
from motion_samples import look_at_frame, strolling
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, laid_out, settled, until

from app.document import edits
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.touched_surfaces import skins_of
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from solver.body.floor import lowest_sole_point
from solver.effectors.contact import Contact
from solver.effectors.resolve import Context, Figure, resolved
from solver.kinematics.skeleton import SMPL_JOINTS

WRIST, ANKLE = SMPL_JOINTS.index("left_wrist"), SMPL_JOINTS.index("left_ankle")


def wrists(editor: Editor) -> np.ndarray:
    """(F, 3) metres, where the left wrist is in every frame, from the source motion."""
    document = editor.session.history.document
    shown = [only(document.at_frame("c1", frame)) for frame in range(60)]
    beneath = [joints_of(only(edits.set_pose("c1", c.base_pose)(document))).positions[WRIST] for c in shown]
    return np.stack([joints_of(c).positions[WRIST] for c in shown]) - np.stack(beneath)


@pytest.mark.gl
def test_a_drag_at_one_frame_is_played_without_a_pop(editor: Editor) -> None:
    session = editor.session
    session.edit("Import", edits.import_motion("c1", strolling()))
    settled(session)
    look_at_frame(session, "c1", 30)
    editor.refresh()
    laid_out()
    mouse = ViewMouse(editor)
    wrist = next(e for e in only(session.document).effectors if e.joint == "left_wrist")
    mouse.drag(mouse.place(wrist.target), QPoint(5, -20), QPoint(20, -60), QPoint(30, -90))
    settled(session)
    until(lambda: not editor.jobs.busy and not session.solving and not editor.in_betweens.missing("c1"))
    steps = session.history.steps()
    assert steps[-1] == "Move left wrist · position"
    moved = np.linalg.norm(wrists(editor), axis=-1)
    assert moved[30] > 0.1
    assert (moved[16:45] > 0).all()
    assert not moved[:16].any()
    assert not moved[45:].any()
    assert np.abs(np.diff(moved)).max() < 0.25 * moved[30]
    shown = [(span.first, span.last) for span in session.document.actors[0].spans()]
    assert shown == [(16, 29), (31, 44)]
    session.undo()
    assert not np.any(wrists(editor))


@pytest.mark.slow
@pytest.mark.gl
def test_hands_on_hips_and_a_lifted_foot_hold_in_every_frame_between(editor: Editor, a_quick_finger: None) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    QTest.mouseClick(editor.panels.timeline.animate[0], Qt.MouseButton.LeftButton)
    search = CommandSearch(editor.actions, editor.window)
    search.show()
    QTest.keyClicks(search.field, "hands on hips")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    settled(session)
    editor.player.go_to(20)
    editor.refresh()
    laid_out()
    ankle = next(e for e in active(editor).effectors if e.joint == "left_ankle" and e.kind == "position")
    mouse.drag(mouse.place(ankle.target), QPoint(0, -5), QPoint(0, -20), QPoint(4, -35))
    settled(session)
    until(lambda: not editor.jobs.busy and not session.solving and not editor.in_betweens.missing("c1"))
    lifted = []
    for frame in range(0, 21, 2):
        editor.player.go_to(frame)
        person = active(editor)
        skeleton, world = skeleton_of(person), joints_of(person)
        context = Context(figures={person.id: Figure(skeleton, world)}, skins=skins_of((person,)))
        held = [resolved(e, context) for e in person.effectors if isinstance(e, Contact)]
        assert len(held) == 2
        assert max(e.residual(skeleton, world) for e in held) < 2e-3
        assert lowest_sole_point(body_of(person), person.shape, person.pose) > -0.005
        lifted.append(world.positions[ANKLE, 1])
    assert (np.diff(lifted) > 0).all()
    assert lifted[-1] - lifted[0] > 0.05
