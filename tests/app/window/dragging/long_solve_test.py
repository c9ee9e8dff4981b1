"""A solve that takes long: the status bar says so instead of what was true before."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QPoint
from window_driver import ViewMouse, active, place_of, settled, until

from app.look.wording import joint_title, time_text
from app.window.editor import Editor
from app.window.user_messages import ALL_MET

pytestmark = pytest.mark.gl


def test_a_drag_whose_solve_takes_long_says_that_it_is_solved_until_the_body_is_there(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts, mouse = editor.window.status.facts, ViewMouse(editor)
    editor.refresh()
    assert facts["worst"].text() == ALL_MET
    go_on, solve = threading.Event(), editor.service._solve

    def held(*given: object) -> object:
        assert go_on.wait(60)
        return solve(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(editor.service, "_solve", held)
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(4, 4), QPoint(30, -40))
    until(lambda: facts["time"].text() == "Solving…")
    assert facts["worst"].text() == ""
    editor.refresh()
    assert facts["time"].text() == "Solving…", "also once the window is shown anew"
    assert facts["worst"].text() == ""
    go_on.set()
    settled(editor.session)
    editor.refresh()
    assert facts["time"].text().startswith("Solve ")
    assert facts["worst"].text() == ALL_MET
    assert editor.session.finding.elapsed_s > 0
    assert active(editor).effectors


def test_how_long_a_solve_took_is_said_in_three_digits() -> None:
    seconds = (0.00073, 0.0099951, 0.0711, 0.09996, 0.3311, 0.99951, 1.23882, 12.34)
    said = ["0.73 ms", "10.0 ms", "71.1 ms", "100 ms", "331 ms", "1.00 s", "1.24 s", "12.3 s"]
    assert [time_text(each) for each in seconds] == said
    assert time_text(0.0) == "–"


def test_the_spines_joints_have_names_that_people_use() -> None:
    assert [joint_title(f"spine{i}") for i in (1, 2, 3)] == ["Lower spine", "Middle spine", "Chest"]
    assert (joint_title("left_wrist"), joint_title("spine4")) == ("Left wrist", "Spine 4")
