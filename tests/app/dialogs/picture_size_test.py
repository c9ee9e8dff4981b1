"""Width and height typed in the export dialog: too much becomes the largest picture, of the same proportions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from export_driver import exported, typed
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.proportions import PrintedSize, Proportions, paper_side
from app.window.editor import Editor


@pytest.fixture
def sides(qtbot: QtBot) -> Iterator[tuple[QSpinBox, QSpinBox, Proportions]]:
    """Width and height of a picture of 600 by 640 pixels, as dialogs have them, in a window that is shown."""
    window = QWidget()
    qtbot.addWidget(window)
    width, height = paper_side(600, 16, 8192), paper_side(640, 16, 8192)
    proportions = Proportions(width, height)
    column = QVBoxLayout(window)
    for each in (width, height, proportions):
        column.addWidget(each)
    with qtbot.waitActive(window, timeout=60_000):
        window.show()
        window.activateWindow()
    yield width, height, proportions
    window.close()


@pytest.mark.parametrize(("number", "size"), [("1200", (1200, 1280)), ("99999", (7680, 8192)), ("2", (16, 17))])
def test_a_width_that_cannot_be_is_the_nearest_one_in_the_same_proportions(
    sides: tuple[QSpinBox, QSpinBox, Proportions], number: str, size: tuple[int, int]
) -> None:
    width, height, _ = sides
    typed(width, number)
    assert (width.value(), height.value()) == size
    assert width.text() == f"{size[0]} px"


def test_return_on_the_side_that_has_followed_leaves_the_one_that_was_typed(
    sides: tuple[QSpinBox, QSpinBox, Proportions],
) -> None:
    width, height, _ = sides
    typed(height, "3512")
    assert (width.value(), height.value()) == (3292, 3512)
    QTest.keyClick(width, Qt.Key.Key_Return)
    assert (width.value(), height.value()) == (3292, 3512)


def test_a_long_side_and_then_the_old_short_one_give_the_old_picture(
    sides: tuple[QSpinBox, QSpinBox, Proportions],
) -> None:
    width, height, _ = sides
    typed(height, "99999")
    assert (width.value(), height.value()) == (7680, 8192)
    typed(width, "600")
    assert (width.value(), height.value()) == (600, 640)


def test_without_proportions_both_sides_may_be_the_longest_there_is(
    sides: tuple[QSpinBox, QSpinBox, Proportions],
) -> None:
    width, height, proportions = sides
    QTest.keyClick(proportions, Qt.Key.Key_Space)
    typed(width, "99999")
    typed(height, "99999")
    assert (width.value(), height.value()) == (8192, 8192)


def test_the_size_on_paper_follows_whichever_side_is_typed(sides: tuple[QSpinBox, QSpinBox, Proportions]) -> None:
    width, height, _ = sides
    printed = PrintedSize(width, height)
    assert printed.text() == "5.1 × 5.4 cm on paper, at 300 dpi (cm, mm or in may be typed)"
    typed(height, "1280")
    assert printed.text() == "10.2 × 10.8 cm on paper, at 300 dpi (cm, mm or in may be typed)"


@pytest.mark.parametrize(
    ("length", "pixels"),
    [("17 cm", 2008), ("85mm", 1004), ("6,5 in", 1950), ('5"', 1500), ("2 * 4cm", 945), ("17 q", 17)],
)
def test_a_length_on_paper_is_turned_into_pixels(
    sides: tuple[QSpinBox, QSpinBox, Proportions], length: str, pixels: int
) -> None:
    width, height, _ = sides
    typed(width, length)
    assert (width.text(), height.value()) == (f"{pixels} px", round(pixels * 640 / 600))


@pytest.mark.gl
def test_a_picture_is_as_large_on_paper_as_was_typed(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other programs took its dots for 72 an inch: it came four times as large."""
    exported(editor, "Picture", tmp_path / "a.png", monkeypatch, lambda dialog: typed(dialog.width_px, "6 cm"))
    with Image.open(tmp_path / "a.png") as picture:
        assert 2.54 * picture.width / picture.info["dpi"][0] == pytest.approx(6, abs=0.01)
