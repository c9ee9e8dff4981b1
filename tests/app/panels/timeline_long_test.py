"""Long motions on the timeline: numbers that fit, and solving between keys that can be cancelled and gone on with."""

from __future__ import annotations

import time

import numpy as np
import pytest
from motion_samples import look_at_frame, strolling
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu
from timeline_driver import TimelineMouse, frame_of, set_moving
from window_driver import active, answer_once_shown, laid_out, move_held, settled, until

from app.document import edits
from app.look.mnemonics import unmarked
from app.panels.job_bar import JobBar
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, FRAMES = Qt.MouseButton.LeftButton, 1200


def begin_long_job(editor: Editor) -> tuple[TimelineMouse, JobBar]:
    """Raise a hand in the middle of a stroll so that the change fades over all of it; until solving is under way."""
    session = editor.session
    shares: list[float] = []
    session.edit("Import", edits.chain(edits.import_motion("c1", strolling(FRAMES)), edits.set_solver("c1", "dls")))
    session.edit("Fade", edits.set_in_between("c1", ease_s=25.0))
    settled(session)
    look_at_frame(session, "c1", FRAMES // 2)
    wrist = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    target = wrist.target + np.array([0.0, 0.2, 0.1], np.float32)  # type: ignore[attr-defined]
    raised = edits.chain(edits.make_strict("c1", [wrist.id]), edits.set_target("c1", wrist.id, target))
    editor.jobs.progressed.connect(lambda share, text: shares.append(share))
    session.edit("Raise", raised, solve=True)
    settled(session)
    editor.refresh()
    laid_out()
    (bar,) = editor.window.findChildren(JobBar)
    until(lambda: bar.isVisible() and any(shares))
    return TimelineMouse(editor), bar


@pytest.mark.slow
def test_numbers_of_a_long_motion_fit_into_their_field(editor: Editor) -> None:
    set_moving(editor, 100_000)
    mouse = TimelineMouse(editor)
    mouse.scrub(99_999)
    field = mouse.timeline.field
    assert field.number() == 100_000
    assert field.fontMetrics().horizontalAdvance("100,000") < field.width() - 8
    wide = field.width()
    set_moving(editor, 90)
    assert field.width() < wide


def test_a_comma_or_a_space_parts_thousands_and_another_comma_is_a_decimal_one(editor: Editor) -> None:
    set_moving(editor, 100_000)
    field = TimelineMouse(editor).timeline.field
    for typed, number in (("1,000", 1000), ("12,4", 12), ("99,000", 99_000), ("2 500", 2500), ("12.4", 12)):
        QTest.mouseClick(field, LEFT)
        (line,) = (each for each in field.findChildren(QLineEdit) if each.isVisible())
        QTest.keyClicks(line, typed)
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert frame_of(editor) + 1 == number, typed


@pytest.mark.slow
def test_after_cancelling_what_is_left_is_told_and_can_be_solved_from_the_menu(editor: Editor) -> None:
    mouse, bar = begin_long_job(editor)
    assert "Solving between keys, frame " in bar.title.text()
    QTest.mouseClick(bar.cancel, LEFT)
    until(lambda: not editor.jobs.busy)
    left = editor.in_betweens.missing("c1")
    assert left > FRAMES // 4
    until(lambda: f"{left:,} frames follow the joints alone" in editor.window.status.notices.shown)
    entries: list[str] = []

    def pick(menu: QMenu) -> None:
        entries.extend(unmarked(action.text()) for action in menu.actions())
        (rest,) = (
            action for action in menu.actions() if unmarked(action.text()) == f"Solve the {left:,} remaining frames"
        )
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(rest).center())

    steps = editor.session.history.steps()
    answer_once_shown(QMenu, pick)
    QTest.mouseClick(mouse.timeline.between, LEFT)
    assert f"Solve the {left:,} remaining frames" in entries
    until(lambda: not editor.jobs.busy and not editor.in_betweens.missing("c1"))
    assert editor.session.history.steps() == steps, "it belongs to the step that was there"
    entries.clear()
    answer_once_shown(QMenu, lambda menu: _note(menu, entries))
    QTest.mouseClick(mouse.timeline.between, LEFT)
    assert entries
    assert not any(entry.startswith("Solve the") for entry in entries), "nothing is left"


def _note(menu: QMenu, entries: list[str]) -> None:
    entries.extend(unmarked(action.text()) for action in menu.actions())
    QTest.keyClick(menu, Qt.Key.Key_Escape)


@pytest.mark.slow
def test_solving_rests_while_a_hand_moves_the_playhead_and_then_goes_on(editor: Editor) -> None:
    mouse, _bar = begin_long_job(editor)
    pieces: list[float] = []
    places = [mouse.on("ruler", frame) for frame in range(0, FRAMES, 30)]
    mouse.drag(places[0], places[1], release=False)
    editor.jobs.progressed.connect(lambda share, text: pieces.append(share))
    begun = time.monotonic()
    while time.monotonic() < begun + 1.0:
        for place in places:
            move_held(mouse.track, place)
    assert len(pieces) <= 1, "the piece that was under way has come to its end, and no other began"
    mouse.release(places[-1])
    assert editor.in_betweens.missing("c1")
    until(lambda: not editor.jobs.busy and not editor.in_betweens.missing("c1"))
