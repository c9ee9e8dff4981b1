"""Panels show the document and edit it, one undo step for each scrub."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from window_driver import active, laid_out, settled

from app.dialogs import messages
from app.dialogs.export_dialog import ExportDialog
from app.document import edits
from app.document.in_photo.focal_length import set_focal
from app.document.model.document import Photo
from app.document.model.figure import joints_of, skeleton_of
from app.document.scene_file.io import load_scene
from app.look.theme import current_theme
from app.panels.widgets.value_slider import ValueSlider
from app.services.settings import Settings
from app.viewport.tools.clicks import add_to_joint
from app.window.editor import Editor
from solver.camera import PinholeCamera
from solver.focal_length import FILM_DIAGONAL_MM
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def scrub(slider: ValueSlider, *steps: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Drag within the bar by pixels from its middle."""
    from window_driver import move_held

    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, keys, middle)
    for step in steps:
        move_held(slider, middle + QPoint(step, 0), keys)
    QTest.mouseRelease(slider, LEFT, keys, middle + QPoint(steps[-1], 0))


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_a_shape_scrub_is_one_step_solves_and_keeps_the_feet_on_the_floor(editor: Editor) -> None:
    from app.document.model.figure import body_of
    from solver.body.floor import lowest_sole_point

    panel, before = editor.panels.body, active(editor)
    scrub(panel.sliders[0], 10, 30, 60)
    settled(editor.session)
    after = active(editor)
    assert after.shape.betas[0] > 0.5
    assert len(editor.session.history.steps()) == 1
    assert editor.session.history.undo_text == f"Change {panel.sliders[0].label.lower()}"
    assert abs(lowest_sole_point(body_of(after), after.shape, after.pose)) < 0.01
    asked = [r.state for e, r in zip(after.effectors, editor.session.finding.residuals, strict=True) if e.is_active]
    assert asked == ["met"] * len(asked)
    editor.session.undo()
    assert active(editor) == before


@pytest.mark.usefixtures("unfolded")
def test_escape_during_a_scrub_takes_it_back(editor: Editor) -> None:
    from window_driver import move_held

    slider, before = editor.panels.body.sliders[1], editor.session.document
    QTest.mousePress(slider, LEFT, Qt.KeyboardModifier.NoModifier, slider.rect().center())
    move_held(slider, slider.rect().center() + QPoint(40, 0))
    assert editor.session.document != before
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    QTest.mouseRelease(slider, LEFT, Qt.KeyboardModifier.NoModifier, slider.rect().center())
    assert editor.session.document == before
    assert editor.session.history.steps() == ()


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_the_sliders_carry_the_bodys_own_labels_and_reset(editor: Editor) -> None:
    from app.document.model.figure import body_of

    panel = editor.panels.body
    editor.refresh()
    assert [s.label for s in panel.sliders] == list(body_of(active(editor)).component_names)
    panel.sliders[2].commit(1.5)
    panel.sliders[3].commit(-1.0)
    assert panel.sliders[3].text().startswith("−1")
    panel.reset.setEnabled(True)
    QTest.mouseClick(panel.reset, LEFT)
    assert not active(editor).shape.betas.any()


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_gender_changes_the_body(editor: Editor) -> None:
    editor.panels.body.gender.chosen.emit("female")
    assert active(editor).shape.gender == "female"
    editor.refresh()
    assert editor.panels.body.gender.current() == "female"


@pytest.mark.slow
def test_the_effector_list_shows_and_edits(editor: Editor) -> None:
    panel = editor.panels.effectors
    editor.refresh()
    assert [row.effector_id for row in panel.rows] == [e.id for e in active(editor).effectors]
    row = panel.rows[0]
    scrub(row.tolerance, 10, 20)
    assert active(editor).effectors[0].tolerance > 0.1
    QTest.mouseClick(row.pin, LEFT)
    assert active(editor).effectors[0].pinned
    QTest.mouseClick(row.enable, LEFT)
    assert not active(editor).effectors[0].enabled
    QTest.mouseClick(row, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(60, 10))
    assert editor.session.view.effectors == {row.effector_id}
    QTest.mouseClick(row.delete, LEFT)
    assert row.effector_id not in {e.id for e in active(editor).effectors}
    assert len(editor.session.history.steps()) == 4
    settled(editor.session)
    editor.refresh()
    assert len(panel.rows) == len(active(editor).effectors)


def test_a_value_that_rounds_to_nothing_has_no_sign(qtbot: object) -> None:
    slider = ValueSlider("Height", -3.0, 3.0, default=0.0, decimals=2)
    slider.set_value(-0.004)
    assert slider.text() == "0.00"
    slider.set_value(-0.006)
    assert slider.text() == "−0.01"


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_a_long_name_does_not_widen_the_panel(editor: Editor) -> None:
    solver = editor.panels.solver
    before = solver.minimumSizeHint().width()
    solver.worst.show_text("12.3 cm (left shoulder · position), or one that is longer")
    laid_out()
    assert solver.minimumSizeHint().width() <= max(before, solver.worst.width() + 40)


def test_the_target_in_numbers(editor: Editor) -> None:
    chosen = active(editor).effectors[0]
    editor.session.select(active(editor).id, [chosen.id])
    editor.refresh()
    field = editor.panels.target.places[1]
    assert field.value() == pytest.approx(chosen.target[1] * 100, abs=0.1)
    field.commit(120.0)
    assert active(editor).effector(chosen.id).target[1] == pytest.approx(1.2)


def test_rotations_in_degrees_do_not_jump_at_gimbal_lock(editor: Editor) -> None:
    add_to_joint(editor.session, "rotation", "head")
    id = next(iter(editor.session.view.effectors))
    angles = editor.panels.target.angles
    editor.refresh()
    for axis, degrees in ((0, 30.0), (1, 90.0), (2, 20.0)):
        angles[axis].commit(degrees)
    editor.refresh()
    assert [round(a.value(), 1) for a in angles] == [30.0, 90.0, 20.0]
    assert active(editor).effector(id).enabled


def test_keeping_a_part_keeps_all_its_joints_and_shows_what_is_partly_kept(editor: Editor) -> None:
    panel = editor.panels.base_pose
    editor.refresh()
    QTest.mouseClick(panel.rows["left leg"].buttons["place"], LEFT)
    assert active(editor).preserve.place == set(edits.SCOPES["left leg"])
    editor.refresh()
    assert " of " not in panel.rows["left leg"].buttons["place"].toolTip(), "all of it is kept"
    assert (
        f"({len(edits.SCOPES['left leg'])} of {len(SMPL_JOINTS)})"
        in panel.rows["whole body"].buttons["place"].toolTip()
    )
    QTest.mouseClick(panel.rows["left leg"].fold, LEFT)
    knee = panel.rows["left leg"].children_rows["left_knee"].buttons["place"]
    QTest.mouseClick(knee, LEFT)
    assert "left_knee" not in active(editor).preserve.place


def test_the_selection_is_a_scope(editor: Editor) -> None:
    editor.session.select(active(editor).id, joints=["left_elbow", "neck"])
    editor.refresh()
    QTest.mouseClick(editor.panels.base_pose.rows["selection"].buttons["shape"], LEFT)
    assert active(editor).preserve.shape == {"left_elbow", "neck"}


@pytest.mark.slow
def test_people_are_added_hidden_locked_renamed_and_removed(editor: Editor) -> None:
    people = editor.panels.people
    QTest.mouseClick(people.add, LEFT)
    editor.refresh()
    assert len(people.rows) == 2
    second = people.rows[1]
    assert editor.session.view.character == second.character_id
    QTest.mouseClick(second.eye, LEFT)
    QTest.mouseClick(second.lock, LEFT)
    second.start_renaming()
    QTest.keyClicks(second.editor, "Grace")
    QTest.keyClick(second.editor, Qt.Key.Key_Return)
    found = editor.session.document.character(second.character_id)
    assert (found.name, found.visible, found.locked) == ("Grace", False, True)
    people.remove(second.character_id)
    editor.refresh()
    assert len(people.rows) == 1
    assert editor.session.view.character == people.rows[0].character_id


def photo(height: float = 1.5) -> Photo:
    tilt = from_rotation_vector(np.array([-0.2, 0.0, 0.0]))  # looks down a little
    camera = PinholeCamera(np.array([0.3, height, 4.0]), tilt, 1200.0, (400.0, 300.0), (800, 600))
    return Photo("team.jpg", "0" * 64, camera)


def test_a_longer_lens_keeps_people_on_the_floor_and_of_their_size_on_the_picture(editor: Editor) -> None:
    session = editor.session
    session.edit("Photo", edits.set_photo(photo()))
    editor.refresh()
    before = active(editor)

    def seen() -> np.ndarray:
        found, camera = active(editor), session.document.photo.camera
        points = joints_of(found).positions[
            [skeleton_of(found).index(j) for j in ("left_ankle", "right_ankle", "head")]
        ]
        local = (points - camera.position) @ camera.rotation
        return camera.focal_px * local[:, :2] / -local[:, 2:]

    old = seen()
    session.edit("Lens", set_focal(session.document, 2400.0))
    assert np.abs(seen()[:2] - old[:2]).max() < 0.03 * np.linalg.norm(old[2] - old[0])
    height = np.linalg.norm(old[2] - old[0])
    assert np.linalg.norm(seen()[2] - seen()[0]) == pytest.approx(height, rel=0.06)
    assert active(editor).pose.root_position[1] == pytest.approx(before.pose.root_position[1], abs=1e-5)
    editor.refresh()
    assert editor.panels.photo.focal.value() == round(2400.0 / 1000.0 * FILM_DIAGONAL_MM, 1)


def test_the_photo_panel_shows_and_edits(editor: Editor) -> None:
    panel = editor.panels.photo
    editor.refresh()
    assert panel.opacity.isHidden()
    editor.session.edit("Photo", edits.set_photo(photo()))
    editor.refresh()
    assert not panel.opacity.isHidden()
    panel.opacity.commit(0.4)
    panel.shown.click()
    found = editor.session.document.photo
    assert (found.opacity, found.visible) == (pytest.approx(0.4), False)
    QTest.mouseClick(panel.remove, LEFT)
    assert editor.session.document.photo is None


def test_bodies_fade_before_the_photo_alone_and_it_is_no_step_of_undo(editor: Editor) -> None:
    from window_driver import move_held

    panel, session = editor.panels.photo, editor.session
    session.edit("Photo", edits.set_photo(replace(photo(), visible=False)))
    session.set_view(through_photo=True)
    editor.refresh()
    steps = session.history.steps()
    scrub(panel.bodies, -20, -20)
    faded = session.view.body_opacity
    assert 0.0 <= faded < 1.0
    assert [figure.opacity for figure in editor.viewport.scene.figures] == [faded]
    QTest.mousePress(panel.bodies, LEFT, Qt.KeyboardModifier.NoModifier, panel.bodies.rect().center())
    move_held(panel.bodies, panel.bodies.rect().center() + QPoint(-30, 0))
    assert session.view.body_opacity < faded
    QTest.keyClick(panel.bodies, Qt.Key.Key_Escape)
    QTest.mouseRelease(panel.bodies, LEFT, Qt.KeyboardModifier.NoModifier, panel.bodies.rect().center())
    assert session.view.body_opacity == faded
    assert session.history.steps() == steps
    session.set_view(through_photo=False)
    editor.refresh()
    assert [figure.opacity for figure in editor.viewport.scene.figures] == [1.0]
    assert not panel.bodies.isEnabled()


def test_how_strongly_bodies_show_is_saved_with_the_scene_and_another_scene_does_not_take_it_over(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, session, scene = editor.panels.photo, editor.session, tmp_path / "scene.json"
    session.edit("Photo", edits.set_photo(replace(photo(), visible=False)))
    session.saved_as(scene)
    session.set_view(through_photo=True)
    editor.refresh()
    assert not editor.window.isWindowModified()
    scrub(panel.bodies, -20, -40)
    faded = session.view.body_opacity
    assert 0.0 < faded < 1.0
    editor.refresh()
    assert editor.window.isWindowModified()
    monkeypatch.setattr(messages, "ask_to_save", lambda *_args: messages.CANCEL)
    assert not editor.files.may_close()
    editor.actions["file.save"].trigger()
    assert not session.unsaved
    session.open(editor.files.fresh())
    assert session.view.body_opacity == 1.0
    session.open(load_scene(scene), scene)
    assert session.view.body_opacity == faded
    assert not session.unsaved
    session.set_view(through_photo=True)
    editor.refresh()
    assert panel.bodies.value() == round(faded, 3)
    assert [figure.opacity for figure in editor.viewport.scene.figures] == [faded]


def test_the_export_dialog_remembers_and_offers_what_fits(editor: Editor) -> None:
    settings = Settings(bvh_names="mixamo", bvh_unit="cm")
    dialog = ExportDialog(editor.session, settings, (800, 600), "bvh", editor.window)
    choice = dialog.choice()
    assert (choice.format, choice.names, choice.unit) == ("bvh", "mixamo", "cm")
    assert dialog.only_active.isHidden()
    assert choice.size == (800, 600)
    dialog.deleteLater()


def test_numbers_of_pixels_keep_away_from_the_edge_of_their_fields(editor: Editor) -> None:
    dialog = ExportDialog(editor.session, Settings(), (800, 600), "png", editor.window)
    dialog.show()
    for box in (dialog.width_px, dialog.height_px):
        picture, ground = box.grab().toImage(), current_theme().field
        middle = range(6, picture.height() - 6)
        assert all(picture.pixelColor(x, y).name() == ground for x in range(3, 7) for y in middle)
        assert any(picture.pixelColor(x, y).name() != ground for x in range(7, 20) for y in middle)
    dialog.deleteLater()


def test_a_picture_as_large_as_a_wide_photo_keeps_its_proportions(editor: Editor) -> None:
    dialog = ExportDialog(editor.session, Settings(), (12_000, 4_000), "png", editor.window)
    assert dialog.choice().size == (8192, 2731)
    dialog.deleteLater()


def test_a_mesh_is_exported_in_the_format_that_is_chosen(editor: Editor) -> None:
    dialog = ExportDialog(editor.session, Settings(), (800, 600), "mesh", editor.window)
    assert dialog.choice().format == "glb"
    assert "Y up" in dialog.hint.text()
    dialog.mesh.setCurrentIndex(dialog.mesh.findData("stl"))
    assert dialog.choice().format == "stl"
    dialog.deleteLater()


def test_every_control_has_a_name_for_a_screen_reader(editor: Editor) -> None:
    nameless = [
        type(w).__name__
        for w in editor.window.findChildren(QWidget)
        if isinstance(w, ValueSlider) and not w.accessibleName()
    ]
    assert nameless == []
