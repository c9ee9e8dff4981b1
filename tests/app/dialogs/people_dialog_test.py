"""Who is taken from a photo: the sure and large are ticked, and mouse and keys change that."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from window_driver import activated

from app.dialogs.people_dialog import MANY, PeopleDialog
from app.document.exchange.preselection import reasons_to_leave_out

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton
SIZE = (640, 429)

Box = tuple[float, float, float, float]


def box(share: float, of: tuple[int, int] = SIZE) -> Box:
    """A box whose side is that share of the picture's."""
    return (0.0, 0.0, share * of[0], share * of[1])


@pytest.mark.parametrize(
    ("people", "said"),
    [
        ([(1.0, 0.44), (1.0, 0.38), (0.98, 0.18), (0.94, 0.11)], ["", "", "", "small"]),  # players, and one far behind
        ([(0.99, 0.19)], [""]),  # alone and sitting in a wide picture
        ([(0.99, 0.05)], ["small"]),
        ([(0.95, 0.5), (0.6, 0.5)], ["", "unsure"]),
        ([(0.5, 0.9), (0.95, 0.2)], ["unsure", ""]),  # one who may be nobody makes nobody else small
        ([(0.3, 0.05)], ["unsure"]),
        ([], []),
    ],
)
def test_only_sure_and_large_people_are_meant(people: list[tuple[float, float]], said: list[str]) -> None:
    scores, shares = [p[0] for p in people], [p[1] for p in people]
    assert list(reasons_to_leave_out(scores, [box(share) for share in shares], SIZE)) == said


@pytest.fixture
def dialog(qtbot: object) -> PeopleDialog:
    """Two who are meant, one who is small, one who may be nobody."""
    image = np.full((300, 400, 3), 90, np.uint8)
    boxes: list[Box] = [(10, 10, 100, 290), (120, 20, 220, 280), (240, 100, 260, 160), (280, 20, 380, 280)]
    dialog = PeopleDialog(image, boxes, [0.9, 0.99, 0.95, 0.3])
    qtbot.addWidget(dialog)  # type: ignore[attr-defined]
    with qtbot.waitExposed(dialog, timeout=60_000):  # type: ignore[attr-defined]
        dialog.show()
    return dialog


def test_enter_takes_the_ticked_people_wherever_the_keys_go(dialog: PeopleDialog) -> None:
    assert dialog.chosen() == [0, 1]
    assert ["small" in tick.text() for tick in dialog.ticks] == [False, False, True, False]
    QTest.keyClick(dialog.ticks[2], Qt.Key.Key_Space)
    assert dialog.chosen() == [0, 1, 2]
    QTest.keyClick(dialog.ticks[2], Qt.Key.Key_Return)
    assert dialog.result() == QDialog.DialogCode.Accepted


def test_enter_after_a_click_on_everybody_takes_everybody(qtbot: QtBot) -> None:
    dialog = PeopleDialog(np.full((300, 400, 3), 90, np.uint8), [(10, 10, 100, 290)] * MANY, [0.3] * MANY)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog, timeout=60_000):
        dialog.show()
    QTest.mouseClick(dialog.all, LEFT)
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Return)
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert dialog.chosen() == list(range(MANY))


def test_tab_goes_from_the_buttons_to_the_ticks_and_nowhere_else(dialog: PeopleDialog) -> None:
    stops: list[QWidget] = []
    dialog.ticks[0].setFocus()
    for _ in range(20):
        stops.append(dialog.focusWidget())
        QTest.keyClick(stops[-1], Qt.Key.Key_Tab)
        if dialog.focusWidget() is dialog.ticks[0]:
            break
    assert stops[:4] == dialog.ticks
    assert all(isinstance(stop, QPushButton) for stop in stops[4:])
    assert len(stops) == 7


def test_a_click_takes_a_person_in_or_out_and_nobody_cannot_be_posed(dialog: PeopleDialog) -> None:
    picture = dialog.picture

    def click(person: int) -> None:
        QTest.mouseClick(
            picture, LEFT, Qt.KeyboardModifier.NoModifier, picture.box_on_screen(person).center().toPoint()
        )

    click(3)
    assert dialog.chosen() == [0, 1, 3]
    click(0)
    click(3)
    assert dialog.chosen() == [1]
    QTest.mouseClick(dialog.ticks[1], LEFT, Qt.KeyboardModifier.NoModifier, QPoint(8, dialog.ticks[1].height() // 2))
    assert dialog.chosen() == []
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    assert "Photo alone" in dialog.becomes.text(), "the way to have the picture alone"
    assert not dialog.becomes.visibleRegion().isEmpty()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()
    click(2)
    assert "body" in dialog.becomes.text()
    click(2)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.result() == QDialog.DialogCode.Rejected


def test_forty_people_fit_a_small_screen_all_can_be_reached_and_one_button_takes_all_or_none(qtbot: object) -> None:
    boxes: list[Box] = [(40.0 * x, 60.0 * y, 40.0 * x + 38, 60.0 * y + 58) for x in range(8) for y in range(5)]
    dialog = PeopleDialog(np.full((300, 320, 3), 90, np.uint8), boxes, [0.9] * 40)
    qtbot.addWidget(dialog)  # type: ignore[attr-defined]
    with qtbot.waitExposed(dialog, timeout=60_000):  # type: ignore[attr-defined]
        dialog.show()
    assert dialog.minimumSizeHint().height() < 600
    last = dialog.ticks[-1]
    assert last.visibleRegion().isEmpty()
    activated(dialog)
    dialog.ticks[-2].setFocus()
    QTest.keyClick(dialog.ticks[-2], Qt.Key.Key_Tab)
    assert last.hasFocus()
    assert not last.visibleRegion().isEmpty()
    QTest.mouseClick(dialog.all, LEFT)
    assert dialog.chosen() == []
    assert dialog.all.text() == "Take everybody"
    QTest.mouseClick(dialog.all, LEFT)
    assert dialog.chosen() == list(range(40))


def test_what_a_missing_tick_means_is_said_where_somebody_is_doubtful_and_only_there(qtbot: object) -> None:
    statue = PeopleDialog(np.full((300, 400, 3), 90, np.uint8), [(100, 20, 300, 280)], [0.3])
    sure = PeopleDialog(np.full((300, 400, 3), 90, np.uint8), [(100, 20, 300, 280)], [0.99])
    for dialog in (statue, sure):
        qtbot.addWidget(dialog)  # type: ignore[attr-defined]
        with qtbot.waitExposed(dialog, timeout=60_000):  # type: ignore[attr-defined]
            dialog.show()
    ok = statue.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled(), "whoever is unsure is posed only if one says so"
    assert statue.doubt.isVisible()
    assert "may be nobody" in statue.doubt.text()
    assert not sure.doubt.isVisible()
    picture = statue.picture
    QTest.mouseClick(picture, LEFT, Qt.KeyboardModifier.NoModifier, picture.box_on_screen(0).center().toPoint())
    assert ok.isEnabled()
    assert statue.chosen() == [0]


def test_beside_the_tick_stands_what_somebody_looks_like(qtbot: object) -> None:
    boxes: list[Box] = [(10, 10, 190, 290), (200, 20, 390, 280)]
    dialog = PeopleDialog(np.full((300, 400, 3), 90, np.uint8), boxes, [0.13, 0.99], None, ["statue", ""])
    qtbot.addWidget(dialog)  # type: ignore[attr-defined]
    with qtbot.waitExposed(dialog, timeout=60_000):  # type: ignore[attr-defined]
        dialog.show()
    assert [tick.text() for tick in dialog.ticks] == [
        "Person 1   13% sure it's a person, like a statue",
        "Person 2   99% sure it's a person",
    ]
    tick = dialog.ticks[0]
    assert tick.visibleRegion().boundingRect().width() >= tick.sizeHint().width(), "all of it is seen"
    assert dialog.doubt.visibleRegion().boundingRect().width() == dialog.doubt.width()
    assert dialog.chosen() == [1]


def test_where_nobody_says_how_sure_it_is_no_figure_is_made_up(qtbot: object) -> None:
    boxes: list[Box] = [(10, 10, 190, 290), (200, 20, 390, 280)]
    dialog = PeopleDialog(np.full((300, 400, 3), 90, np.uint8), boxes, [None, 0.99])
    qtbot.addWidget(dialog)  # type: ignore[attr-defined]
    assert [tick.text() for tick in dialog.ticks] == ["Person 1", "Person 2   99% sure it's a person"]
    assert dialog.chosen() == [0, 1]


def test_beside_the_tick_stands_whose_pose_is_unsure_and_what_that_means(qtbot: object) -> None:
    photo, boxes = np.full((300, 400, 3), 90, np.uint8), [(10.0, 10.0, 190.0, 290.0), (200.0, 20.0, 390.0, 280.0)]
    dialog = PeopleDialog(photo, boxes, [0.13, 0.99], None, ["", ""], [True, True])
    sure = PeopleDialog(photo, boxes, [0.13, 0.99], None, ["", ""], [True, False])
    for each in (dialog, sure):
        qtbot.addWidget(each)  # type: ignore[attr-defined]
        with qtbot.waitExposed(each):  # type: ignore[attr-defined]
            each.show()
    assert dialog.ticks[1].text() == "Person 2   99% sure it's a person, pose unsure"
    assert dialog.chosen() == [1], "somebody is there all the same"
    assert dialog.pose_unsure.isVisible()
    assert [tick.text() for tick in sure.ticks] == [
        "Person 1   13% sure it's a person",
        "Person 2   99% sure it's a person",
    ], "nobody may be there at all: the pose is the lesser doubt"
    assert not sure.pose_unsure.isVisible()


def test_beside_the_tick_stands_who_is_posed_as_a_child_and_what_to_do_if_that_is_wrong(qtbot: object) -> None:
    photo, boxes = np.full((300, 400, 3), 90, np.uint8), [(10.0, 10.0, 190.0, 290.0), (200.0, 20.0, 390.0, 280.0)]
    mixed = PeopleDialog(photo, boxes, [0.98, 0.99], None, ["", ""], [False, False], [False, True])
    adults = PeopleDialog(photo, boxes, [0.98, 0.99], None, ["", ""], [False, False], [False, False])
    for each in (mixed, adults):
        qtbot.addWidget(each)  # type: ignore[attr-defined]
        with qtbot.waitExposed(each):  # type: ignore[attr-defined]
            each.show()
    assert mixed.ticks[1].text() == "Person 2   99% sure it's a person, as a child"
    assert mixed.chosen() == [0, 1]
    assert mixed.smaller.isVisible()
    assert "Presets… › Average" in mixed.smaller.text()
    assert not adults.smaller.isVisible()


def test_the_button_speaks_of_one_person_where_only_one_was_found(dialog: PeopleDialog, qtbot: object) -> None:
    alone = PeopleDialog(np.full((300, 400, 3), 90, np.uint8), [(100, 20, 300, 280)], [0.99])
    qtbot.addWidget(alone)  # type: ignore[attr-defined]
    for shown, title in ((alone, "Pose this person"), (dialog, "Pose them")):
        assert shown.buttons.button(QDialogButtonBox.StandardButton.Ok).text() == title


@pytest.mark.parametrize("ticked", [True, False])
def test_the_photo_alone_is_a_button_whoever_is_ticked(dialog: PeopleDialog, ticked: bool) -> None:
    if not ticked:
        for person in (0, 1):
            QTest.keyClick(dialog.ticks[person], Qt.Key.Key_Space)
    assert bool(dialog.chosen()) == ticked
    QTest.mouseClick(dialog.alone, LEFT)
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert dialog.taken() == []


def test_a_few_people_have_no_such_button(dialog: PeopleDialog) -> None:
    assert not dialog.all.isVisible()


@pytest.mark.parametrize("gray", [0, 90, 130, 255])
def test_the_frame_of_somebody_who_is_left_out_shows_on_dark_and_light_photos(qtbot: object, gray: int) -> None:
    dialog = PeopleDialog(np.full((300, 400, 3), gray, np.uint8), [(100, 20, 300, 280)], [0.3])
    qtbot.addWidget(dialog)  # type: ignore[attr-defined]
    with qtbot.waitExposed(dialog, timeout=60_000):  # type: ignore[attr-defined]
        dialog.show()
    frame, drawn = dialog.picture.box_on_screen(0), dialog.picture.grab().toImage()
    y = round(frame.center().y())
    across = [
        drawn.pixelColor(round(frame.left()) + x, y + down).lightness() for x in range(-3, 4) for down in range(30)
    ]
    assert max(abs(light - gray) for light in across) > 60
