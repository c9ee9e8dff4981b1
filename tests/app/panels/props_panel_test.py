"""Props in the panels: rows as people have them, and the selected one in numbers."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QColorDialog, QWidget
from window_driver import choosing, laid_out, move_held, strike, until, written

from app.document import edits
from app.document.edits.props import next_prop_id
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import surface_of
from app.panels.widgets.value_slider import ValueSlider
from app.window.editor import Editor
from solver.kinematics.rotations import from_euler

pytestmark = pytest.mark.gl
LEFT, RIGHT, KEY, HELD = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.Key, Qt.KeyboardModifier


def click(editor: Editor, widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center())
    editor.refresh()


def typed(editor: Editor, field: ValueSlider, text: str) -> None:
    """Double-click a number and type another."""
    written(editor, field, text)
    editor.refresh()


def test_the_button_beside_the_plus_asks_for_a_prop(editor: Editor) -> None:
    for kind in ("chair", "table", "cup"):
        choosing(f"Add a {kind}")
        click(editor, editor.panels.people.add_prop)
    assert [p.name for p in editor.session.document.props] == ["Chair", "Table", "Cup"]
    assert [row.name.text() for row in editor.panels.people.prop_rows] == ["Chair", "Table", "Cup"]
    assert len(editor.session.document.characters) == 1


def test_rows_of_people_and_props_are_one_list_with_one_of_them_selected(editor: Editor) -> None:
    people = editor.panels.people
    first, second = added(editor), added(editor, "ball", (1.5, 0, 0))
    editor.refresh()
    assert [row.name.text() for row in (*people.rows, *people.prop_rows)] == ["Person 1", "Box", "Ball"]
    assert [bool(r.property("selected")) for r in (*people.rows, *people.prop_rows)] == [False, False, True]
    click(editor, people.prop_rows[0])
    assert editor.session.view.prop == first.id
    click(editor, people.rows[0])
    assert editor.session.view.prop == ""
    assert [bool(r.property("selected")) for r in (*people.rows, *people.prop_rows)] == [True, False, False]
    editor.session.edit("Gone", edits.remove_prop(second.id))
    editor.refresh()
    assert len(people.prop_rows) == 1


def test_a_row_hides_locks_renames_colours_copies_and_deletes(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    added(editor)
    editor.refresh()
    row = editor.panels.people.prop_rows[0]
    click(editor, row.eye)
    assert not the_prop(editor).visible
    assert editor.viewport.scene.props == ()
    click(editor, row.eye)
    click(editor, row.lock)
    assert the_prop(editor).locked
    click(editor, row.lock)
    assert editor.session.history.steps()[-4:] == ("Hide prop", "Show prop", "Lock prop", "Unlock prop")
    written(editor, row, "Crate")
    assert the_prop(editor).name == "Crate"
    choosing("Sand")
    click(editor, row.swatch)
    assert the_prop(editor).color == "#e0af68"
    monkeypatch.setattr(QColorDialog, "getColor", lambda *_: QColor("#123456"))
    choosing("Another colour…")
    click(editor, row.swatch)
    assert the_prop(editor).color == "#123456"
    choosing("Duplicate")
    click(editor, row.more)
    assert [p.name for p in editor.session.document.props] == ["Crate", "Crate 2"]
    assert editor.session.view.prop == the_prop(editor).id
    choosing("Delete")
    QTest.mouseClick(editor.panels.people.prop_rows[1], RIGHT)
    editor.refresh()
    assert [p.name for p in editor.session.document.props] == ["Crate"]


def test_the_panel_shows_only_with_a_selected_prop_and_its_numbers_edit_it(editor: Editor) -> None:
    section = editor.panels.prop
    editor.refresh()
    assert section.isHidden()
    prop = added(editor)
    editor.refresh()
    laid_out()
    assert section.isVisible()
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    assert [round(field.value(), 1) for field in panel.sizes] == [50.0, 45.0, 50.0]
    typed(editor, panel.places[1], "30")
    assert the_prop(editor).place[1] == pytest.approx(0.3)
    typed(editor, panel.angles[1], "45")
    assert the_prop(editor).turn[0] == pytest.approx([np.sqrt(0.5), 0, np.sqrt(0.5)], abs=1e-4)
    typed(editor, panel.sizes[0], "1 m")
    assert the_prop(editor).size == pytest.approx([1.0, 0.45, 0.5])
    assert editor.session.history.steps()[-3:] == ("Move Box", "Turn Box", "Scale Box")
    start = panel.places[0].rect().center()
    QTest.mousePress(panel.places[0], LEFT, pos=start)
    for x in (5, 12, 25):
        move_held(panel.places[0], start + QPoint(x, 0))
    QTest.mouseRelease(panel.places[0], LEFT, pos=start + QPoint(25, 0))
    assert the_prop(editor).place[0] > prop.place[0]
    assert editor.session.history.steps()[-1] == "Move Box", "a scrub is one step"
    editor.session.select("c1")
    editor.refresh()
    assert section.isHidden()


def test_a_turn_typed_leaves_the_place_and_the_size_as_they_were_typed(editor: Editor) -> None:
    added(editor, "chair", (0.5, 0.2, -0.3))
    editor.refresh()
    laid_out()
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    for field, angle in zip(panel.angles, ("-90", "30", "12.5"), strict=True):
        typed(editor, field, angle)
        assert [place.text() for place in panel.places] == ["50.0 cm", "20.0 cm", "−30.0 cm"]
    assert [field.text() for field in panel.angles] == ["−90.0°", "30.0°", "12.5°"]
    assert [field.text() for field in panel.sizes] == ["45.0 cm", "90.0 cm", "45.0 cm"]
    typed(editor, panel.places[0], "10")
    assert [field.text() for field in panel.angles] == ["−90.0°", "30.0°", "12.5°"]


def three(editor: Editor) -> tuple[Prop, Prop, Prop]:
    """A box, a cylinder and a ball, turned and apart, all selected by clicks in the list; the box is the active one."""
    added(editor, "box", (0.9, 0.0, 0.3))
    added(editor, "cylinder", (-0.9, 0.2, 0.3))
    editor.session.edit("Turn", edits.set_prop_turn(the_prop(editor).id, from_euler("XYZ", np.radians([0, 30, 0]))))
    added(editor, "ball", (-0.9, 0.0, -0.8))
    editor.refresh()
    laid_out()
    rows = editor.panels.people.prop_rows
    for row in (rows[2], rows[1], rows[0]):
        keys = HELD.NoModifier if row is rows[2] else HELD.ControlModifier
        QTest.mouseClick(row, LEFT, keys, pos=QPoint(60, row.height() // 2))
        editor.refresh()
    laid_out()
    return props(editor)


def props(editor: Editor) -> tuple[Prop, Prop, Prop]:
    box, cylinder, ball = editor.session.document.props
    return box, cylinder, ball


def test_a_place_in_numbers_moves_all_selected_props_by_as_much_in_one_step(editor: Editor) -> None:
    before = three(editor)
    panel, steps = editor.panels.prop_fields.panel, len(editor.session.history.steps())
    assert panel is not None
    assert panel.several.text() == (
        "These are the numbers of “Box”. The 2 other selected props move and turn by as much, and get the same size."
    )
    assert panel.several.isVisible()
    typed(editor, panel.places[0], "120")
    assert [p.place - q.place for p, q in zip(props(editor), before, strict=True)] == [
        pytest.approx([0.3, 0.0, 0.0], abs=1e-5)
    ] * 3
    assert editor.session.history.steps()[steps:] == ("Move 3 props",)
    start = panel.places[2].rect().center()
    QTest.mousePress(panel.places[2], LEFT, pos=start)
    for x in (5, 12, 25):
        move_held(panel.places[2], start + QPoint(x, 0))
    QTest.mouseRelease(panel.places[2], LEFT, pos=start + QPoint(25, 0))
    gone = [float((p.place - q.place)[2]) for p, q in zip(props(editor), before, strict=True)]
    assert gone[0] > 0.02
    assert gone == pytest.approx([gone[0]] * 3, abs=1e-5)
    assert editor.session.history.steps()[steps:] == ("Move 3 props", "Move 3 props"), "a scrub is one step"
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert all(np.array_equal(p.place, q.place) for p, q in zip(props(editor), before, strict=True))


def test_a_turn_in_numbers_turns_each_selected_prop_by_as_much_where_it_stands(editor: Editor) -> None:
    before = three(editor)
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    typed(editor, panel.angles[1], "45")
    quarter = from_euler("XYZ", np.radians([0, 45, 0]))
    for now, then in zip(props(editor), before, strict=True):
        assert now.turn == pytest.approx(quarter @ then.turn, abs=1e-5)
        assert now.place == pytest.approx(then.place, abs=1e-5)
    assert editor.session.history.undo_text == "Turn 3 props"


def test_a_size_in_numbers_is_the_same_for_all_selected_props_and_the_round_stay_round(editor: Editor) -> None:
    three(editor)
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    typed(editor, panel.sizes[0], "30")
    sizes = [prop.size for prop in props(editor)]
    assert sizes == [pytest.approx(size) for size in ([0.3, 0.45, 0.5], [0.3, 0.6, 0.3], [0.3, 0.3, 0.3])]
    assert editor.session.history.undo_text == "Scale 3 props"


def test_a_locked_prop_keeps_its_place_among_selected_ones(editor: Editor) -> None:
    before = three(editor)
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    click(editor, editor.panels.people.prop_rows[2].lock)
    assert panel.several.text().endswith("The other selected prop moves and turns by as much, and gets the same size.")
    typed(editor, panel.places[1], "20")
    gone = [float((p.place - q.place)[1]) for p, q in zip(props(editor), before, strict=True)]
    assert gone == pytest.approx([0.2, 0.2, 0.0], abs=1e-5)


def test_a_colour_chosen_for_one_of_several_selected_props_is_that_of_all(editor: Editor) -> None:
    three(editor)
    rows, steps = editor.panels.people.prop_rows, len(editor.session.history.steps())
    choosing("Sand")
    click(editor, rows[1].swatch)
    assert {prop.color for prop in props(editor)} == {"#e0af68"}
    assert editor.session.history.steps()[steps:] == ("Change colour",)
    click(editor, rows[0])
    assert editor.panels.prop_fields.panel.several.isHidden(), "with one prop selected"
    choosing("Rose")
    click(editor, rows[1].swatch)
    assert [prop.color == "#e0af68" for prop in props(editor)] == [True, False, True], "it was not selected"


def test_what_is_round_has_one_diameter(editor: Editor) -> None:
    added(editor, "ball")
    editor.refresh()
    laid_out()
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    assert [field.label for field in panel.sizes if field.isVisible()] == ["Diameter"]
    typed(editor, panel.sizes[0], "40")
    assert the_prop(editor).size == pytest.approx([0.4, 0.4, 0.4])
    added(editor, "cylinder")
    editor.refresh()
    laid_out()
    assert [field.label for field in panel.sizes if field.isVisible()] == ["Diameter", "Height"]
    added(editor, "box")
    editor.refresh()
    laid_out()
    assert [field.label for field in panel.sizes if field.isVisible()] == ["Width", "Height", "Depth"]


@pytest.mark.slow
def test_a_size_is_reset_to_that_of_a_new_prop_of_the_kind(editor: Editor) -> None:
    for kind, usual in (("stick", ["3.0 cm", "130.0 cm"]), ("box", ["50.0 cm", "45.0 cm", "50.0 cm"])):
        added(editor, kind)
        editor.refresh()
        laid_out()
        panel = editor.panels.prop_fields.panel
        assert panel is not None
        fields = [field for field in panel.sizes if field.isVisible()]
        for field in fields:
            typed(editor, field, "7")
            choosing(f"Reset to {usual[fields.index(field)]}")
            at = field.rect().center()
            QApplication.sendEvent(field, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, field.mapToGlobal(at)))
            until(lambda: QApplication.activePopupWidget() is None)
            editor.refresh()
        assert [field.text() for field in fields] == usual


def test_the_gizmo_is_chosen_in_the_panel_too(editor: Editor) -> None:
    added(editor)
    editor.refresh()
    laid_out()
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    for tool in ("scale", "turn", "move"):
        click(editor, panel.tool.button(tool))
        assert editor.session.view.prop_tool == tool
        assert panel.tool.current() == tool


@pytest.mark.slow
def test_of_a_mesh_the_panel_says_whether_it_is_solid(editor: Editor) -> None:
    shape = surface_of("ball")
    for name, faces, said in (
        ("Melon", shape.faces, "2,208 triangles. Solid where it is thicker than about 0.83 cm."),
        ("Bowl", shape.faces[:2000], "2,000 triangles. Not solid: its surface is open."),
        ("Cave", shape.faces[:, ::-1], "Not solid: it faces inwards, as a room does."),
    ):
        mesh = PropMesh(shape.vertices, faces)
        wide = Prop(next_prop_id(editor.session.document), name, MESH, np.array([0.5, 0.4, 0.5]), mesh=mesh)
        editor.session.edit(name, edits.add_prop(wide))
        editor.refresh()
        click(editor, editor.panels.people.prop_rows[-1])
        notes = editor.panels.prop_fields.panel.notes
        assert said in notes.text()
        assert notes.isVisibleTo(editor.panels.prop_fields.panel)
