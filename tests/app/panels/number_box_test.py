"""Boxes for numbers take a comma as who types it means it, show what they took, and let nothing else in."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.look.theme import THEMES, apply_theme
from app.panels.timeline.number_field import NumberField
from app.panels.widgets.number_box import DecimalBox, WholeBox
from app.window.start import make_application


def typed(qtbot: QtBot, box: QSpinBox | QDoubleSpinBox, text: str) -> tuple[float, str]:
    """What a box of 1 to 9,000 that had 7 has, and shows, after that was typed."""
    qtbot.addWidget(box)
    box.setRange(1, 9000)
    box.setSuffix(" px")
    box.setValue(7)
    box.show()
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)
    return box.value(), box.text()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("25", 25),
        ("2,5", 2),
        ("2.7", 3),
        ("1,920", 1920),
        ("1920", 1920),
        ("12,40", 12),
        ("0", 1),
        ("", 7),
        ("12e3x4", 1234),
        ("1 920", 1920),
        ("606*2", 1212),
        ("606*", 606),
        ("(3+4)*100", 700),
        ("1,920/2", 960),
        ("-5", 5),
        ("9000*2", 9000),
        ("99999", 9000),
        ("99999999999999999999", 9000),
        ("3-5", 1),
    ],
)
def test_a_whole_number_is_rounded_and_a_comma_before_three_digits_is_none(
    qtbot: QtBot, text: str, number: int
) -> None:
    assert typed(qtbot, WholeBox(), text) == (number, f"{number} px")


@pytest.mark.parametrize(
    ("text", "number", "shown"),
    [
        ("2,5", 2.5, "2.5 px"),
        ("2.54", 2.5, "2.5 px"),
        ("6", 6.0, "6 px"),
        ("1 234,5", 1234.5, "1234.5 px"),
        (",", 7.0, "7 px"),
        ("2,5*2", 5.0, "5 px"),
        ("99999", 9000.0, "9000 px"),
        ("0,5", 1.0, "1 px"),
    ],
)
def test_a_comma_is_a_decimal_one_where_there_are_decimals(qtbot: QtBot, text: str, number: float, shown: str) -> None:
    box = DecimalBox()
    box.setDecimals(1)
    assert typed(qtbot, box, text) == (number, shown)


def test_a_number_beyond_all_frames_is_the_largest_that_can_be_told(qtbot: QtBot) -> None:
    field, wanted = NumberField("Frame", ""), list[int]()
    qtbot.addWidget(field)
    field.wanted.connect(wanted.append)
    field.show()
    field.open_editor()
    line = field.focusWidget() or field
    QTest.keyClicks(line, "1e30")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert wanted == [2**31 - 1]


@pytest.mark.parametrize("kind", [WholeBox, DecimalBox])
def test_a_number_begins_where_text_does_in_other_fields(qtbot: QtBot, kind: type[QSpinBox | QDoubleSpinBox]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    application, column = make_application(), QVBoxLayout(window)
    before = application.styleSheet()
    box, line = kind(), QLineEdit("7")
    box.setValue(7)
    column.addWidget(box)
    column.addWidget(line)
    apply_theme(application, THEMES["dark"])
    with qtbot.waitExposed(window, timeout=60_000):
        window.show()
    places = []
    for edit in (box.lineEdit(), line):
        edit.home(False)
        cursor = edit.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        places.append(edit.mapTo(window, cursor.center()).x())
    application.setStyleSheet(before)
    assert abs(places[0] - places[1]) <= 4
