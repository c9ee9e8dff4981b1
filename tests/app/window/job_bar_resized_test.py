"""The bar of what runs, while the window is made smaller and larger."""

from __future__ import annotations

import pytest
from small_window import make_small, whole
from window_driver import laid_out, until

from app.window.editor import Editor

pytestmark = pytest.mark.gl


def test_the_bar_of_what_runs_stays_whole_and_over_the_hint_while_the_window_is_resized(editor: Editor) -> None:
    bar, jobs, hint, size = editor.job_bar, editor.jobs, editor.window.hint, editor.window.size()

    def is_over_the_hint() -> bool:
        stacked = editor.viewport.children()  # from the lowest to the topmost
        return stacked.index(bar) > stacked.index(hint)

    editor.window.set_hint("Drag a handle to pose, or do something that takes very many words to say", "Drag a handle")
    jobs.started.emit("Finding the people")
    jobs.progressed.emit(0.3, "")
    until(bar.isVisible)
    make_small(editor)
    assert bar.geometry().intersects(hint.geometry())
    assert is_over_the_hint()
    assert all(whole(part) for part in (bar.title, bar.bar, bar.cancel))
    jobs.progressed.emit(0.4, "Drawing the end of the scene.mp4: frame 12 of 300")
    assert bar.title.text() == "Frame 12 of 300", "how far it is, where there is no room for of what"
    assert bar.title.toolTip() == "Drawing the end of the scene.mp4: frame 12 of 300"
    editor.window.set_hint("Drag a joint to pose, or do something that takes very many words to say", "Drag a joint")
    assert is_over_the_hint()
    editor.window.resize(size)
    laid_out()
    assert abs(bar.geometry().center().x() - editor.viewport.rect().center().x()) <= 1
    jobs.finished.emit()
