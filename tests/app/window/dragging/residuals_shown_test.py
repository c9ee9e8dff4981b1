"""What the list says of how well effectors are met is true of the frame and the poses that show."""

from __future__ import annotations

import pytest
from motion_samples import strolling
from PySide6.QtCore import Qt
from timeline_driver import TimelineMouse
from window_driver import active, move_held, settled, strike

from app.document import edits
from app.document.model.figure import skeleton_of
from app.document.posing.sources import with_resolved_targets
from app.panels.effector_row import EffectorRow
from app.window.editor import Editor
from solver.effectors.contact import Contact
from solver.ik.residuals import residuals

pytestmark = pytest.mark.gl
SHIFT = Qt.KeyboardModifier.ShiftModifier
HELD_AT = 10


@pytest.fixture
def two(editor: Editor) -> Editor:
    """A second person, active, stands near the first one."""
    strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    editor.session.edit("Nearer", edits.move_character(active(editor).id, [-0.5, 0.0, 0.0]), solve=True)
    settled(editor.session)
    editor.refresh()
    return editor


@pytest.fixture
def beside(two: Editor) -> Editor:
    """The first one strolls, and frame 11 shows."""
    two.session.edit("Import", edits.import_motion("c1", strolling(60)))
    two.refresh()
    TimelineMouse(two).to_frame(HELD_AT)
    return two


def contact_row(editor: Editor) -> EffectorRow:
    (at,) = [i for i, e in enumerate(active(editor).effectors) if isinstance(e, Contact)]
    return editor.panels.effectors.rows[at]


def off_mm(editor: Editor) -> float:
    """How far the palm is from where the other one's shoulder is now."""
    now = with_resolved_targets(editor.session.document).character("c2")
    found = zip(now.effectors, residuals(skeleton_of(now), now.pose, now.effectors), strict=True)
    return next(1000 * residual.value for e, residual in found if isinstance(e, Contact))


def said(metres: float) -> str:
    return f"{metres:.1f} mm" if metres < 100 else f"{metres / 10:.1f} cm"


@pytest.mark.slow
def test_while_scrubbing_the_row_of_a_contact_says_how_far_the_hand_is_at_each_frame(beside: Editor) -> None:
    beside.actions["contact.shoulder"].trigger()
    settled(beside.session)
    beside.refresh()
    assert contact_row(beside).detail.text().startswith("On Person 1's")
    mouse, shown = TimelineMouse(beside), []
    mouse.drag(mouse.on("ruler", HELD_AT), mouse.on("ruler", HELD_AT + 5), release=False)
    for frame in (30, 50, HELD_AT):
        move_held(mouse.track, mouse.on("ruler", frame))
        beside.refresh()
        row = contact_row(beside)
        assert row.error.text() == said(off_mm(beside))
        (drawn,) = [h.state for h in beside.session_view._scene().handles if h.shape == "contact"]
        shown.append((row.detail.text() == f"At frame {HELD_AT + 1}", drawn))
    mouse.release(mouse.on("ruler", HELD_AT))
    assert shown == [(True, "waiting"), (True, "waiting"), (False, "met")]


@pytest.mark.slow
def test_a_frame_at_which_nothing_was_solved_is_not_said_to_be_out_of_reach(beside: Editor) -> None:
    beside.actions["contact.shoulder"].trigger()
    settled(beside.session)
    TimelineMouse(beside).to_frame(50)
    assert beside.session.unexplained_character is None
    assert contact_row(beside).toolTip().endswith(f"this frame does not; {said(off_mm(beside))} off")


def test_a_contact_that_was_just_made_tells_nothing_until_it_is_solved_and_the_other_rows_stay(two: Editor) -> None:
    before = {row.effector_id: row.error.text() for row in two.panels.effectors.rows}
    two.actions["contact.shoulder"].trigger()
    two.refresh()
    assert two.session.solving
    made = contact_row(two)
    assert (made.error.text(), made.toolTip().rpartition(": ")[2]) == ("–", "waiting")
    others = {row.effector_id: row.error.text() for row in two.panels.effectors.rows if row is not made}
    assert others == {id: before[id] for id in others}
    settled(two.session)
    two.refresh()
    assert made.error.text() == said(off_mm(two))
