"""Framing takes in the whole of people, also where the head is larger than an adult's."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from window_driver import active, settled, strike, until

from app.document import edits
from app.document.model.figure import body_of, whole_points
from app.document.posing.create import new_character
from app.viewport.camera.framing import is_wholly_in_view
from app.viewport.picture import camera_of
from app.window.editor import Editor
from rendering.camera.camera import View
from solver.body.body import BodyShape
from solver.body.floor import posed_vertices


@pytest.mark.gl
@pytest.mark.parametrize("key", [Qt.Key.Key_A, Qt.Key.Key_F])
def test_a_chibi_is_framed_with_all_of_its_head(editor: Editor, key: Qt.Key) -> None:
    editor.session.edit("Body", edits.set_body("c1", "anny:chibi", BodyShape()), solve=True)
    settled(editor.session)
    strike(editor, key)
    until(lambda: is_wholly_in_view(editor.viewport.current_view, active(editor)))


@pytest.mark.parametrize("body", ["anny:chibi", "anny:child", "anny"])
def test_a_picture_shows_the_whole_of_any_body(body: str) -> None:
    from app.document.model.document import Document

    character = new_character(Document(), body=body)
    document = edits.add_character(character)(Document())
    pixels = View(camera_of(document, "front", 0.6), 600, 1000).project(
        posed_vertices(body_of(character), character.shape, character.pose)
    )
    assert np.all((pixels >= 0) & (pixels <= (600, 1000)))


def test_an_adults_joints_are_enough() -> None:
    from app.document.model.document import Document

    assert len(whole_points(new_character(Document()))) == 24
