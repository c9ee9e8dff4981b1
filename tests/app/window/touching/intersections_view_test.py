"""Intersections in the window: the menu tints skin that is where it cannot be, and once it is out it is plain again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from window_driver import settled, strike, until

from app.document import edits
from app.document.edits.props import add_prop
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.services.view_state import cleared
from app.window.editor import Editor
from rendering.scene.style import LOOKS, Style
from rendering.scene.values import NO_DOTS, Scene
from solver.rig.roles import Role

pytestmark = pytest.mark.gl


def redness(editor: Editor, scene: Scene) -> np.ndarray:
    """(H, W) of a picture of the scene: by how much red is stronger than green and blue."""
    view = editor.viewport
    picture = np.asarray(view.grab_scene(scene, view.camera, (500, 500), transparent=False))[..., :3].astype(int)
    return np.asarray(picture[..., 0] - picture[..., 1:].max(axis=-1))


def reds(editor: Editor, style: Style | None = None) -> int:
    """How many pixels of the view are clearly redder for the tint."""
    scene = replace(editor.viewport.scene, handles=(), joints=NO_DOTS, root=None, gizmo=None)
    scene = replace(scene, style=style) if style else scene
    plain = replace(scene, figures=tuple(replace(figure, warned=None) for figure in scene.figures))
    return int((redness(editor, scene) - redness(editor, plain) > 40).sum())


def looked_through(editor: Editor) -> None:
    """Until what is shown now has been looked through for intersections."""
    editor.refresh()
    assert editor.viewport.scene is not None
    intersections = editor.session_view._intersections
    assert intersections is not None
    until(lambda: not intersections.searching)
    editor.refresh()


def put_hand(editor: Editor, place: np.ndarray) -> None:
    """The left hand's target there."""
    person = editor.session.document.characters[0]
    hand = next(e for e in person.effectors if e.joint == Role.LEFT_WRIST)
    editor.session.edit("Move", edits.set_target(person.id, hand.id, place), solve=True)
    settled(editor.session)


def belly(editor: Editor) -> np.ndarray:
    person = editor.session.document.characters[0]
    return np.asarray(joints_of(person).positions[skeleton_of(person).index(Role.SPINE1)], np.float64)


@pytest.mark.slow
def test_the_menu_tints_a_hand_in_the_belly_in_every_look_and_it_clears_as_the_hand_comes_out(editor: Editor) -> None:
    before = editor.session.document.characters[0].effectors
    at_rest = next(e.target for e in before if e.joint == Role.LEFT_WRIST)
    put_hand(editor, belly(editor) + [0.08, 0.0, 0.06])
    editor.refresh()
    assert reds(editor) == 0
    action = editor.actions["view.intersections"]
    action.trigger()
    looked_through(editor)
    assert action.isChecked()
    for look in LOOKS:
        assert reds(editor, Style(look)) > 30, look
    assert cleared(editor.session.view).intersections  # the next scene shows them as well
    assert all(figure.warned is None for figure in editor.viewport.scene.without_tools().figures)

    put_hand(editor, at_rest)
    looked_through(editor)
    assert reds(editor) == 0


@pytest.mark.slow
def test_the_key_hides_what_it_showed(editor: Editor) -> None:
    put_hand(editor, belly(editor) + [0.08, 0.0, 0.06])
    shift = Qt.KeyboardModifier.ShiftModifier
    strike(editor, Qt.Key.Key_T, shift)
    looked_through(editor)
    assert reds(editor) > 60
    strike(editor, Qt.Key.Key_T, shift)
    editor.refresh()
    assert not editor.actions["view.intersections"].isChecked()
    assert reds(editor) == 0


@pytest.mark.slow
def test_a_box_another_person_and_the_floor_tint_too(editor: Editor) -> None:
    session = editor.session
    editor.actions["view.intersections"].trigger()
    looked_through(editor)
    assert reds(editor) == 0
    x, _, z = session.document.characters[0].pose.root_position
    box = Prop("box", "Box", "box", np.array([0.5, 0.5, 0.5]), place=np.array([x, 0.0, z]))
    session.edit("Add", add_prop(box))
    looked_through(editor)
    in_box = reds(editor)
    assert in_box > 30
    session.undo()
    looked_through(editor)
    assert reds(editor) == 0
    session.edit("Lower", edits.move_character(session.document.characters[0].id, np.array([0.0, -0.3, 0.0])))
    looked_through(editor)
    assert reds(editor) > 20
    session.undo()
    editor.actions["pose.duplicate"].trigger()
    settled(session)
    first, second = session.document.characters
    apart = second.pose.root_position - first.pose.root_position
    session.edit("Meet", edits.move_character(second.id, np.array([0.15, 0.0, 0.0]) - apart))
    looked_through(editor)
    assert all(figure.warned is not None for figure in editor.viewport.scene.figures)
    assert reds(editor) > 60


def test_a_tint_that_is_unchanged_stays_the_same_object_and_is_forgotten_once_stopped(editor: Editor) -> None:
    put_hand(editor, belly(editor) + [0.08, 0.0, 0.06])
    editor.actions["view.intersections"].trigger()
    looked_through(editor)
    document, scene = editor.session.document, editor.viewport.scene
    intersections = editor.session_view._intersections
    assert intersections is not None
    assert scene.figures[0].warned is not None
    assert intersections.over(scene, document).figures[0].warned is scene.figures[0].warned
    intersections.stop()
    assert not intersections.searching
    bare = replace(scene, figures=tuple(replace(figure, warned=None) for figure in scene.figures))
    assert intersections.over(bare, document).figures[0].warned is None
