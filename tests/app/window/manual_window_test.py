"""The manual in its window: opened from the Help menu, read by links, keys and the search field."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from window_driver import strike, until, with_keyboard

from app.dialogs.manual import NOT_HERE, ManualWindow
from app.dialogs.manual_page import MARGIN
from app.dialogs.manual_text import slug, target
from app.look.theme import DARK, LIGHT
from app.window.editor import Editor
from app.window.window_dialogs import MANUAL

pytestmark = pytest.mark.gl
KEY, HELD, LEFT = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton
ROOT = MANUAL.parents[2]


@pytest.fixture
def manual(editor: Editor) -> ManualWindow:
    strike(editor, KEY.Key_F1, HELD.ShiftModifier)
    window = windows(editor)[0]
    with_keyboard(window)
    return window


def windows(editor: Editor) -> list[ManualWindow]:
    return [w for w in editor.window.findChildren(ManualWindow) if w.isVisible()]


def click_link(manual: ManualWindow, link: str) -> None:
    """Click the first place of the page that is a link to this."""
    page = manual.page
    cursor = page.textCursor()
    for place in range(page.document().characterCount() - 1):
        cursor.setPosition(place + 1)
        if cursor.charFormat().anchorHref() == link:
            page.setTextCursor(cursor)
            page.ensureCursorVisible()
            QTest.mouseClick(page.viewport(), LEFT, HELD.NoModifier, page.cursorRect().center() + QPoint(2, 0))
            return
    raise AssertionError(link)


def test_the_manual_opens_once_beside_the_work(editor: Editor, manual: ManualWindow) -> None:
    assert "Manual" in manual.windowTitle() or manual.windowTitle() == "The manual"
    assert not manual.isModal()
    editor.actions["help.manual"].trigger()
    assert windows(editor) == [manual]
    QTest.keyClick(manual, KEY.Key_Escape)
    until(lambda: not windows(editor))


def test_links_go_to_pages_and_to_headings_and_keys_go_back(manual: ManualWindow) -> None:
    click_link(manual, "hands.md")
    assert manual.page.path().name == "hands.md"
    assert manual.windowTitle() == "Hands – Manual"
    QTest.keyClick(manual, KEY.Key_Left, HELD.AltModifier)
    assert manual.page.path() == MANUAL
    assert manual.forward.isEnabled()
    QTest.mouseClick(manual.forward, LEFT)
    assert manual.page.path().name == "hands.md"
    click_link(manual, "hands.md#hands-over-time")
    until(lambda: manual.page.verticalScrollBar().value() > 1000)
    QTest.mouseClick(manual.contents, LEFT)
    assert manual.page.path() == MANUAL


@pytest.mark.slow
def test_pictures_are_no_wider_than_the_page(manual: ManualWindow) -> None:
    manual.page.open(MANUAL.parent / "moving.md")
    for width in (400, 700):
        manual.resize(width, 600)
        until(lambda: manual.page.document().idealWidth() <= manual.page.viewport().width())
        assert manual.page.document().idealWidth() > width - 6 * MARGIN


@pytest.mark.slow
def test_text_goes_on_right_below_a_picture(manual: ManualWindow) -> None:
    manual.page.open(MANUAL.parent / "photo.md")
    document = manual.page.document()
    until(lambda: document.idealWidth() <= manual.page.viewport().width())
    layout = document.documentLayout()
    blocks = [document.findBlockByNumber(number) for number in range(document.blockCount())]
    pictures = [block for block in blocks if block.text() == "\ufffc"]
    assert pictures
    for block in pictures:
        picture, below = layout.blockBoundingRect(block), layout.blockBoundingRect(block.next())
        assert picture.height() > 5 * MARGIN
        assert 0 <= below.top() - picture.bottom() < 2 * MARGIN


def test_the_page_goes_along_with_the_theme(editor: Editor, manual: ManualWindow) -> None:
    def grounds() -> set[str]:
        document, found = manual.page.document(), set()
        cursor = manual.page.textCursor()
        for place in range(document.characterCount() - 1):
            cursor.setPosition(place + 1)
            if cursor.charFormat().fontFixedPitch():
                found.add(cursor.charFormat().background().color().name())
        return found

    assert grounds() == {DARK.raised}
    editor.actions["view.light"].trigger()
    until(lambda: grounds() == {LIGHT.raised})


def test_a_word_is_found_from_its_first_letter_on_and_round_the_end(manual: ManualWindow) -> None:
    QTest.keyClick(manual, KEY.Key_F, HELD.ControlModifier)
    QTest.keyClicks(manual.search, "library")
    first = manual.page.textCursor().selectionStart()
    assert manual.page.textCursor().selectedText().lower() == "library"
    places = set()
    for _ in range(40):
        QTest.keyClick(manual.search, KEY.Key_Return)
        places.add(manual.page.textCursor().selectionStart())
    assert first in places
    assert manual.found.text() == ""
    QTest.keyClicks(manual.search, "xyz")
    assert manual.found.text() == NOT_HERE
    assert manual.isVisible()  # Return closed nothing


def test_a_link_to_what_is_no_page_is_left_to_the_system(manual: ManualWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url.toLocalFile()))
    manual.page.anchorClicked.emit("../scene.schema.json")
    manual.page.anchorClicked.emit("../../../../../../../etc/passwd")
    manual.page.anchorClicked.emit("https://example.org/")
    assert asked == [str(ROOT / "docs" / "scene.schema.json")]
    assert manual.page.path() == MANUAL


def test_every_link_of_every_page_leads_somewhere() -> None:
    from manual_test import LINK

    for page in MANUAL.parent.glob("*.md"):
        for _picture, link in LINK.findall(page.read_text(encoding="utf-8")):
            found = target(page, link, ROOT)
            assert found is not None, (page.name, link)
            path, heading = found
            if heading:
                titles = [
                    line.lstrip("# ") for line in path.read_text(encoding="utf-8").splitlines() if line[:1] == "#"
                ]
                assert heading in map(slug, titles), link


def test_nothing_outside_the_programs_folder_is_a_target(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret")
    assert target(MANUAL, str(tmp_path / "secret.md"), ROOT) is None
    assert target(MANUAL, "#moving", ROOT) == (MANUAL, "moving")


def test_a_page_without_its_pictures_tells_them_in_words(editor: Editor, tmp_path: Path) -> None:
    page = tmp_path / "docs" / "manual" / "hands.md"
    page.parent.mkdir(parents=True)
    page.write_text((MANUAL.parent / "hands.md").read_text(encoding="utf-8"), encoding="utf-8")
    window = ManualWindow(editor.window, page)
    window.show()
    assert "Picture: The index finger is being dragged; its joints are lit" in window.page.toPlainText()
    assert "\ufffc" not in window.page.toPlainText(), "no picture is missing in the text"
    window.close()
