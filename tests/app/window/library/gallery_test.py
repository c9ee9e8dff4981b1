"""The gallery of variations in the window: thumbnails that differ, a click that takes one, more like it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import given_effectors
from prop_driver import added, dragged_with_s, shown, the_prop
from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolBar
from small_window import TITLE_BAR, whole
from window_driver import ViewMouse, active, laid_out, place_of, settled, strike, until, with_keyboard

from app.dialogs.gallery import Gallery, Tile
from app.document import edits
from app.document.model.clip import Clip, Key, SourceMotion
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.fitting_effectors import new_effectors
from app.document.posing.pose_variations import base_poses, variations_of
from app.document.posing.touched_surfaces import skins_of
from app.panels.option_rows import SwitchRow
from app.viewport.thumbnails import around
from app.window.commands.command_search import CommandSearch
from app.window.controls.gallery_control import LOOKING, MORE_IN_GLOBAL, OUT_OF_DATE, STOPPED
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera, View
from solver.body.floor import posed_vertices
from solver.effectors.contact import Contact
from solver.effectors.placement import placed
from solver.effectors.resolve import Context, Figure, resolved
from solver.effectors.sources import PropSource
from solver.evaluation.speed import random_poses
from solver.ik.multi_solve.variations import APART, MOST, mean_joint_angle
from solver.ik.options import SOLID_FLOOR
from solver.ik.preserve_modes import GLOBAL, LOCAL
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl


def opened(editor: Editor, wait: bool = True) -> Gallery:
    """The gallery after a press of its key, with all its pictures."""
    strike(editor, Qt.Key.Key_V)
    gallery = editor.pose_browsers.variations.gallery
    assert gallery is not None
    if wait:
        until(lambda: bool(gallery.tiles) and all(tile.drawn for tile in gallery.tiles))
    return gallery


def click(widget: Tile) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def picture(tile: Tile) -> np.ndarray:
    image = tile.grab().toImage()
    return np.array(image.constBits()).reshape(image.height(), image.width(), 4)[..., :3].astype(float)


@pytest.mark.slow
def test_twelve_thumbnails_that_visibly_differ(editor: Editor) -> None:
    gallery = opened(editor)
    assert len(gallery.tiles) == MOST
    assert gallery.text.text().startswith("12 poses")
    pictures = [picture(tile) for tile in gallery.tiles]
    gaps = [
        (np.abs(a - b).max(axis=-1) > 40).mean() for i, a in enumerate(pictures) for b in pictures[:i]
    ]  # the share of pixels that are clearly another colour
    assert min(gaps) > 0.02


@pytest.mark.slow
def test_a_new_scene_closes_the_gallery_of_the_one_before(editor: Editor) -> None:
    gallery = opened(editor)
    assert gallery.isVisible()
    strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert editor.pose_browsers.variations.gallery is None
    assert not editor.jobs.busy
    assert opened(editor, wait=False).isVisible(), "it can be opened for the new scene"


@pytest.mark.slow
def test_a_person_hidden_in_the_scene_is_seen_in_the_gallery(editor: Editor) -> None:
    (row,) = editor.panels.people.rows
    QTest.mouseClick(row.eye, Qt.MouseButton.LeftButton)
    assert not active(editor).visible
    gallery = opened(editor)
    assert all(np.ptp(picture(tile)[20:-20, 20:-20]) > 60 for tile in gallery.tiles)


@pytest.mark.slow
def test_what_the_hand_is_on_is_in_the_pictures_and_no_other_prop(editor: Editor) -> None:
    who = active(editor).id
    for color, way in (("#ff0000", 0.35), ("#0000ff", -0.6)):
        box = added(editor, "box", (way, 0.0, 0.25))
        tall = edits.chain(edits.set_prop_size(box.id, (0.2, 1.0, 0.2)), edits.set_prop_color(box.id, color))
        editor.session.edit("Tall", tall)
    editor.session.select(who)
    shown(editor)
    red = editor.session.document.props[0]
    dragged_with_s(editor, place_of(editor, "left_wrist"), red.frame.points((0.0, 1.0, 0.0)))
    look = next(e for e in active(editor).effectors if e.kind == "lookat")
    at_blue = replace(look, source=PropSource(the_prop(editor).id, np.zeros(3)), loose=False)
    editor.session.edit("Look", edits.on_effector(who, look.id, lambda _: at_blue), solve=True)
    settled(editor.session)
    gallery = opened(editor)
    seen = np.mean([picture(tile)[20:-20, 20:-20] for tile in gallery.tiles], axis=0).reshape(-1, 3)
    assert (seen[:, 2] - seen[:, 0]).max() > 60, "the red one; colours are blue, green, red"
    assert (seen[:, 0] - seen[:, 2]).max() < 30, "nothing is blue, though they look at it"


def test_a_picture_leaves_air_above_the_head(editor: Editor) -> None:
    person, size = active(editor), QSize(130, 166)
    skin = posed_vertices(body_of(person), person.shape, person.pose)
    for yaw, pitch in ((0.0, 0.0), (0.6, 0.3), (2.0, -0.2)):
        seen = View(around([person], OrbitCamera(yaw=yaw, pitch=pitch), size), size.width(), size.height())
        spots = seen.project(skin)
        assert spots[:, 1].min() > 2.0
        assert spots[:, 1].max() < size.height() - 2.0


@pytest.mark.slow
def test_the_keys_that_opened_it_choose_take_and_close(editor: Editor) -> None:
    before, gallery = active(editor).pose, opened(editor)
    with_keyboard(gallery)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(gallery.windowHandle(), key)
    settled(editor.session)
    assert gallery.tiles[1 + gallery.columns].taken
    assert mean_joint_angle(active(editor).pose, before) >= APART
    assert len(editor.session.history.steps()) == 1
    QTest.keyClick(gallery.windowHandle(), Qt.Key.Key_Escape)
    assert editor.pose_browsers.variations.gallery is None
    opened(editor, wait=False).close()
    assert editor.pose_browsers.variations.gallery is None


def test_a_click_takes_a_pose_as_one_step_and_the_handles_stay_met(editor: Editor) -> None:
    session, before = editor.session, active(editor)
    gallery = opened(editor)
    click(gallery.tiles[3])
    assert session.history.steps() == ("Take a variation",)
    assert mean_joint_angle(active(editor).pose, before.pose) >= APART
    asked = {r.state for e, r in zip(active(editor).effectors, session.finding.residuals, strict=True) if e.is_active}
    assert asked == {"met"}
    assert gallery.isVisible()
    assert [tile.taken for tile in gallery.tiles].index(True) == 3
    click(gallery.tiles[5])
    assert session.history.steps() == ("Take a variation", "Take a variation")
    session.undo()
    session.undo()
    assert active(editor) == before


def test_a_pose_taken_before_the_solve_of_somebody_else_is_in_keeps_nobody_waiting(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = editor.session
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(session)
    gallery = opened(editor)
    other = session.document.characters[0]
    assert active(editor).id != other.id
    monkeypatch.setattr("app.services.session.MOMENT_S", 0.0)  # so that every solve takes longer than is waited
    hand = next(e for e in other.effectors if e.joint == "left_wrist")
    edit = edits.set_target(other.id, hand.id, hand.target + np.float32([0.05, 0.2, 0.1]))
    assert session.edit("Raise a hand", edit, solve=True)
    click(gallery.tiles[3])
    assert session.history.undo_text == "Take a variation"
    taken = active(editor).pose
    until(lambda: not session.solving)
    assert active(editor).pose == taken
    hands = [joints_of(one).positions[skeleton_of(one).index("left_wrist")] for one in session.document.characters]
    assert np.linalg.norm(hands[0] - hand.target - np.float32([0.05, 0.2, 0.1])) < 0.01, "the other one is solved"


@pytest.mark.slow
def test_more_like_it_shows_poses_nearer_to_the_one_that_was_taken(editor: Editor) -> None:
    gallery = opened(editor)
    assert not gallery.like.isEnabled()
    click(gallery.tiles[0])
    model = active(editor).pose
    old = gallery.tiles
    QTest.mouseClick(gallery.like, Qt.MouseButton.LeftButton)
    until(lambda: gallery.tiles is not old and bool(gallery.tiles) and all(tile.drawn for tile in gallery.tiles))
    assert "like it" in gallery.text.text()
    click(gallery.tiles[0])
    assert APART <= mean_joint_angle(active(editor).pose, model) < np.radians(25)


@pytest.mark.slow
def test_a_drag_makes_the_pictures_out_of_date_until_one_searches_again(editor: Editor) -> None:
    gallery, mouse = opened(editor), ViewMouse(editor)
    character = active(editor)
    ankle = mouse.place(joints_of(character).positions[skeleton_of(character).index("left_ankle")])
    mouse.drag(ankle, QPoint(5, -5), QPoint(30, -20))
    settled(editor.session)
    until(lambda: gallery.text.text() == OUT_OF_DATE)
    steps = editor.session.history.steps()
    click(gallery.tiles[0])
    assert editor.session.history.steps() == steps
    old = gallery.tiles
    QTest.mouseClick(gallery.search, Qt.MouseButton.LeftButton)
    until(lambda: gallery.tiles is not old and bool(gallery.tiles) and all(tile.drawn for tile in gallery.tiles))
    click(gallery.tiles[0])
    assert editor.session.history.undo_text == "Take a variation"


def hold_hips(editor: Editor) -> None:
    """Both hands on the hips, by the search for commands."""
    search = CommandSearch(editor.actions, editor.window)
    search.show()
    QTest.keyClicks(search.field, "hands on hips")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    settled(editor.session)


@pytest.mark.slow
def test_hands_on_the_hips_are_on_them_in_what_is_taken_and_the_pictures_stay(editor: Editor) -> None:
    hold_hips(editor)
    gallery = opened(editor)
    click(gallery.tiles[2])
    settled(editor.session)
    person, finding = active(editor), editor.session.finding
    skeleton, world = skeleton_of(person), joints_of(person)
    context = Context(figures={person.id: Figure(skeleton, world)}, skins=skins_of((person,)))
    held = [resolved(e, context) for e in person.effectors if isinstance(e, Contact)]
    assert len(held) == 2
    assert max(e.residual(skeleton, world) for e in held) < 3e-3
    assert {r.state for e, r in zip(person.effectors, finding.residuals, strict=True) if e.is_active} == {"met"}
    assert all(tile.isEnabled() for tile in gallery.tiles)
    assert gallery.tiles[2].taken


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_pictures_are_out_of_date_when_one_stands_otherwise(editor: Editor) -> None:
    gallery, panel = opened(editor), editor.panels.solver
    switch = panel.options.rows[SOLID_FLOOR.id]
    assert isinstance(switch, SwitchRow)
    editor.refresh()
    QTest.mouseClick(switch.box, Qt.MouseButton.LeftButton, pos=QPoint(8, switch.box.height() // 2))
    settled(editor.session)
    assert not SOLID_FLOOR.of(active(editor).solver_options)
    until(lambda: gallery.text.text() == OUT_OF_DATE)
    editor.session.undo()
    until(lambda: gallery.text.text() != OUT_OF_DATE)


def test_beside_the_view_pictures_that_arrive_leave_the_keys_where_they_are(editor: Editor) -> None:
    editor.window.resize(1024, 700)
    laid_out()
    gallery = opened(editor)
    assert not gallery.isWindow()
    assert gallery.tiles[0].hasFocus()
    old = gallery.tiles
    QTest.mouseClick(gallery.search, Qt.MouseButton.LeftButton)
    editor.viewport.setFocus()
    until(lambda: gallery.tiles is not old and bool(gallery.tiles) and gallery.tiles[-1].drawn)
    assert editor.viewport.hasFocus()
    gallery.tiles[1].setFocus()
    gallery.again.emit()
    assert gallery.hasFocus(), "the keys are not lost with the tile that had them"
    until(lambda: bool(gallery.tiles) and gallery.tiles[0].hasFocus())


def test_a_search_that_is_cancelled_says_so(editor: Editor) -> None:
    gallery = opened(editor, wait=False)
    strike(editor, Qt.Key.Key_Escape)
    until(lambda: gallery.text.text() == STOPPED)


@pytest.mark.slow
def test_where_little_is_left_open_because_of_what_is_kept_that_is_said(editor: Editor) -> None:
    session, character = editor.session, active(editor)
    session.edit("Local", edits.set_preserve_mode(character.id, LOCAL), solve=True)
    settled(session)
    gallery = opened(editor, wait=False)
    until(lambda: gallery.text.text().endswith(MORE_IN_GLOBAL))
    session.edit("Global", edits.set_preserve_mode(character.id, GLOBAL), solve=True)
    assert gallery.text.text() == OUT_OF_DATE, "who did as was said is told how to go on"
    QTest.mouseClick(gallery.search, Qt.MouseButton.LeftButton)
    until(lambda: bool(gallery.tiles) and all(tile.drawn for tile in gallery.tiles))
    assert MORE_IN_GLOBAL not in gallery.text.text()


@pytest.mark.slow
def test_where_nothing_is_left_open_that_is_said_and_is_out_of_date_once_handles_let_go(editor: Editor) -> None:
    session, character = editor.session, active(editor)
    before = character.effectors
    every = new_effectors(replace(character, effectors=()), "position", skeleton_of(character).names)
    session.edit("Hold every joint", given_effectors(character.id, every), solve=True)
    settled(session)
    gallery = opened(editor, wait=False)
    until(lambda: gallery.text.text().startswith("These handles leave no room"))
    assert gallery.tiles == []
    session.edit("Let go", given_effectors(character.id, before), solve=True)
    assert gallery.text.text() == OUT_OF_DATE


@pytest.mark.slow
def test_the_window_lives_while_pictures_are_drawn(editor: Editor) -> None:
    gallery = opened(editor, wait=False)
    until(lambda: bool(gallery.tiles))
    seen: list[int] = []
    timer = QTimer(editor)
    timer.timeout.connect(lambda: seen.append(sum(tile.drawn for tile in gallery.tiles)))
    timer.start(0)
    until(lambda: all(tile.drawn for tile in gallery.tiles))
    timer.stop()
    assert len(set(seen)) > MOST // 2  # the timer ran between most of them


def test_poses_of_clips_come_first_and_those_nearest_to_the_handles_before_them(editor: Editor) -> None:
    session, character = editor.session, active(editor)
    poses = random_poses(skeleton_of(character), 6, seed=2)
    motion = Motion(np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses]), 30.0)
    key = Key(0, poses[0], poses[0])
    other = replace(
        character, id="c9", name="Dancer", clip=Clip((key,), SourceMotion(motion, character.shape), fps=30.0)
    )
    document = session.document.with_characters((*session.document.characters, other))
    target = placed(skeleton_of(character), poses[4], ())
    asked = new_effectors(
        replace(character, pose=target, effectors=()), "position", ("left_wrist", "right_ankle", "head")
    )
    bases = base_poses(document, replace(character, effectors=asked))
    assert mean_joint_angle(bases[0], poses[4]) < 1e-3
    assert all(any(mean_joint_angle(pose, base) < 1e-3 for base in bases[:24]) for pose in poses)
    assert variations_of(document, replace(character, effectors=asked), None, lambda: False).solutions


def test_on_a_small_screen_the_gallery_leaves_the_toolbar_free_and_shows_all_of_its_tiles(editor: Editor) -> None:
    gallery = Gallery(editor.window)
    gallery.offer(12)
    gallery.say(LOOKING)
    bar = editor.window.findChild(QToolBar)
    below = bar.mapTo(editor.window, bar.rect().bottomLeft()).y()
    gallery.resize(gallery.sizeHint())
    gallery.show()
    laid_out()
    assert gallery.height() <= 700 - TITLE_BAR - below
    assert all(whole(tile) for tile in gallery.tiles)
    for _ in range(2):
        gallery.say(OUT_OF_DATE * 2)
        until(lambda: all(whole(tile) for tile in gallery.tiles))  # the line above wraps
        gallery.say(LOOKING)
    high = gallery.height()
    gallery.say(OUT_OF_DATE * 2)
    laid_out()
    until(lambda: gallery.height() == high)
    gallery.close()
