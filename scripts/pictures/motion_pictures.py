"""Pictures of motions for the manual: the timeline, keys, trackers, and what is exported."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest

from app.benchmark.walk import walk
from app.dialogs.export_dialog import ExportDialog
from app.dialogs.joint_map_dialog import JointMapDialog
from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import contact_of, patches_of
from scripts.pictures.manual_studio import LEFT, SIZE, Picture, Studio
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.formats.bvh.mapping import question_about
from solver.formats.bvh.read import read_bvh
from solver.formats.bvh.write import write_bvh
from solver.rig.roles import Role


def timeline(studio: Studio) -> QPixmap:
    """A walk with a raised hand: the view, and everything the timeline shows."""
    studio.fresh()
    _walker(studio)
    studio.session.set_view(before=True)
    below, view = studio.area(studio.editor.panels.timeline), studio.area(studio.view)
    return studio.screen(QRect(view.left(), view.top(), view.width(), below.bottom() - view.top() + 1))


def _walker(studio: Studio) -> None:
    _open_walk(studio)
    hand = studio.place(Role.LEFT_WRIST)
    studio.drag(studio.view, hand, *(QPoint(3 * n, -14 * n) for n in range(1, 11)))
    studio.rest_pointer()


def _open_walk(studio: Studio) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "walk.bvh")
        write_bvh(path, load_body(DEFAULT_BODY).skeleton(BodyShape()), walk())
        studio.open(path)
    studio.editor.window.resize(SIZE[0], 740)
    studio.editor.player.go_to(54)
    studio.look(target=(0, 1.0, 1.75), distance=5.6, yaw=1.0, pitch=0.1)


def planted_feet(studio: Studio) -> QPixmap:
    """A range within a walk, a selected key, and planted feet that are held."""
    studio.fresh()
    _walker(studio)
    player, track = studio.editor.player, studio.editor.panels.timeline
    player.set_range(20, 105)
    player.go_to(88)
    studio.strike(Qt.Key.Key_I)
    track.chosen.select((54,))
    QTest.mouseClick(track.feet, LEFT)
    player.go_to(71)
    studio.settle()
    return studio.screen(studio.area(track))


def onion(studio: Studio) -> QPixmap:
    """The keys before and after, as onion skin."""
    studio.fresh()
    _walker(studio)
    for frame in (20, 88):
        studio.editor.player.go_to(frame)
        studio.strike(Qt.Key.Key_I)
    studio.editor.player.go_to(54)
    studio.session.select(studio.person.id)
    studio.session.set_view(onion=True)
    studio.look(target=(0, 0.84, 1.95), distance=6.3, yaw=0.95, pitch=0.1)
    studio.rest_pointer()
    return studio.screen(studio.area(studio.view).adjusted(60, 20, -40, -60))


def before_and_after(studio: Studio) -> QPixmap:
    """A walk with lowered hips, and the motion as it was."""
    studio.fresh()
    _open_walk(studio)
    studio.move(Role.PELVIS, (0.0, -0.2, 0.12))
    studio.session.select(studio.person.id)
    studio.strike(Qt.Key.Key_M)
    studio.look(target=(0, 0.84, 1.75), distance=5.2, yaw=0.95, pitch=0.1)
    studio.rest_pointer()
    return studio.screen(studio.area(studio.view).adjusted(100, 20, -100, -40))


def curves(studio: Studio) -> QPixmap:
    """The speed of a raised hand, before and after, below the timeline."""
    studio.fresh()
    _walker(studio)
    panel, timeline = studio.editor.panels.curves, studio.editor.panels.timeline
    panel.set_shown(True)
    studio.until(lambda: bool(panel.curves.lines))
    studio.settle()
    picture = studio.screen(studio.area(timeline) | studio.area(panel))
    panel.set_shown(False)
    return picture


def two_people(studio: Studio) -> QPixmap:
    """A walker, and a person who stood still and now waves."""
    studio.fresh()
    _walker(studio)
    studio.strike(Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    id = studio.person.id
    QTest.mouseClick(studio.editor.panels.timeline.animate[0], LEFT)
    x, _, z = studio.person.pose.root_position.tolist()
    studio.session.edit("Move", edits.move_character(id, (0.2 - x, 0.0, 2.9 - z)))
    studio.editor.player.go_to(40)
    studio.move(Role.RIGHT_WRIST, (-0.15, 0.75, 0.15))
    studio.editor.player.go_to(80)
    studio.move(Role.RIGHT_WRIST, (0.25, -0.15, 0.0))
    studio.editor.player.go_to(54)
    studio.session.select(id)
    studio.look(target=(0.35, 1.0, 2.2), distance=6.0, yaw=0.7, pitch=0.1)
    studio.rest_pointer()
    below, view = studio.area(studio.editor.panels.timeline), studio.area(studio.view)
    return studio.screen(QRect(view.left(), view.top(), view.width(), below.bottom() - view.top() + 1))


def trackers(studio: Studio) -> QPixmap:
    """A person walking by six trackers, with a take being recorded."""
    studio.fresh()
    studio.posture(1, 2)
    control = studio.editor.trackers
    control.open()
    panel = control.panel
    assert panel is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "walk.bvh")
        write_bvh(path, load_body(DEFAULT_BODY).skeleton(BodyShape()), walk())
        control.play(path)
        studio.until(lambda: bool(panel.rows.rows))
    assert control.tracking is not None
    studio.look(target=(-0.2, 0.66, 1.85), distance=6.4, yaw=-0.9, pitch=0.1)
    studio.rest_pointer()
    QTest.mouseClick(panel.record_button, LEFT)
    take = control.tracking.take
    assert take is not None
    walker = lambda: float(studio.session.shown.characters[0].pose.root_position[2])  # noqa: E731
    studio.until(lambda: take.length_s > 1.0 and 1.5 < walker() < 1.65)
    place, view = studio.area(panel), studio.area(studio.view)
    picture = studio.screen(QRect(place.left(), place.top(), view.right() - 60 - place.left(), place.height()))
    QTest.mouseClick(panel.follow_button, LEFT)
    control.tracking.take = None
    control.close()
    return picture


def export_glb(studio: Studio) -> QPixmap:
    """The dialog, at the mesh page, for a person who moves."""
    return _dialog(studio, "mesh")


def export_film(studio: Studio) -> QPixmap:
    """The dialog, at the film page."""
    return _dialog(studio, "film")


def export_own(studio: Studio) -> QPixmap:
    """The dialog, at the page of the user's own character."""
    return _dialog(studio, "own", Path("robot.glb"))


def _dialog(studio: Studio, format: str, rig: Path | None = None) -> QPixmap:
    studio.fresh()
    _walker(studio)
    editor = studio.editor
    dialog = ExportDialog(studio.session, editor.settings.values, (1440, 900), format, editor.window, True, rig)
    dialog.show()
    studio.settle()
    dialog.setFocus()
    picture = studio.screen(studio.area(dialog).adjusted(1, 1, -1, -1))
    dialog.close()
    return picture


def joint_map(studio: Studio) -> QPixmap:
    """The dialog for a rig that calls its right joints left."""
    studio.fresh()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "knight.bvh")
        write_bvh(path, load_body(DEFAULT_BODY).skeleton(BodyShape()), walk(60), names="mixamo")
        text = path.read_text().replace(":Left", ":Other").replace(":Right", ":Left").replace(":Other", ":Right")
        path.write_text(text)
        question = question_about(read_bvh(path))
    assert question is not None, "its sides are exchanged"
    dialog = JointMapDialog(path.name, question.skeleton, question.guess, studio.editor.window)
    dialog.show()
    studio.settle()
    picture = studio.screen(studio.area(dialog).adjusted(1, 1, -1, -1))
    dialog.close()
    return picture


def prop_keys(studio: Studio) -> QPixmap:
    """A box lifted between two palms, on its way from key to key, and its keys on the timeline."""
    studio.fresh()
    session, player, timeline = studio.session, studio.editor.player, studio.editor.panels.timeline
    x, y, z = studio.person.pose.root_position.tolist()
    box = replace(new_prop(session.document, "box"), size=np.array([0.4, 0.25, 0.3]), color="#b5894f")
    box = replace(box, place=np.array([x, y - 0.2, z + 0.33]))
    session.edit("Add Box", edits.add_prop(box))
    for patch, side in (("left_palm", 1.0), ("right_palm", -1.0)):
        source, place, normal = spot_of(box, (0.5 * side, 0.5, 0.0), (side, 0.0, 0.0))
        palm = replace(contact_of(patches_of(studio.person)[patch], place, normal), source=source)
        session.edit("Hold", edits.hold(studio.person.id, palm), solve=True)
    timeline.start_animating()
    session.set_view(prop=box.id)
    timeline.start_animating()
    for frame, way in ((60, (0.0, 0.4, 0.05)), (100, (0.25, -0.1, 0.0))):
        player.go_to(frame)
        session.edit("Move Box", edits.move_prop(box.id, way), solve=True)
        studio.settle()
    studio.until(lambda: not studio.editor.in_betweens.missing(studio.person.id))
    studio.editor.window.resize(SIZE[0], 740)
    player.go_to(40)
    studio.look(target=(x, 1.05, z + 0.1), distance=3.7, yaw=0.75, pitch=0.12)
    studio.rest_pointer()
    below, view = studio.area(timeline), studio.area(studio.view)
    return studio.screen(QRect(view.left(), view.top(), view.width(), below.bottom() - view.top() + 1))


MOTION_PICTURES: dict[str, Picture] = {
    "timeline": timeline,
    "planted-feet": planted_feet,
    "onion-skin": onion,
    "before-and-after": before_and_after,
    "curves": curves,
    "two-people": two_people,
    "prop-keys": prop_keys,
    "trackers": trackers,
    "export-glb": export_glb,
    "export-film": export_film,
    "export-own": export_own,
    "joint-map": joint_map,
}
