"""The view goes along with whoever follows trackers."""

from __future__ import annotations

import numpy as np
import pytest
from trackers_driver import click, playing, tracking
from window_driver import until

from app.window.editor import Editor

pytestmark = pytest.mark.gl


@pytest.mark.slow
def test_the_view_goes_with_the_follower_back_again_and_to_the_kept_motion(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def beside() -> np.ndarray:
        root = editor.session.shown.characters[0].pose.root_position
        return np.array(editor.viewport.camera.target) - root * [1.0, 0.0, 1.0]

    panel, view = playing(editor, monkeypatch), editor.viewport
    first, own = view.camera, beside()
    click(panel.follow_button)
    until(lambda: np.linalg.norm(np.subtract(view.camera.target, first.target)) > 0.05)
    assert beside() == pytest.approx(own, abs=1e-6)
    click(panel.record_button)
    until(lambda: len(tracking(editor).take or ()) > 20)
    click(panel.follow_button)
    assert view.camera.target == pytest.approx(first.target, abs=1e-6)
    assert panel.latency.text() == "–"
    click(panel.keep_button)
    until(lambda: editor.session.history.steps() == ("Record trackers",))
    until(lambda: not editor.jobs.busy)
    assert beside() == pytest.approx(own, abs=1e-6)
    assert np.linalg.norm(np.subtract(view.camera.target, first.target)) > 0.01
