"""A page of the manual: Markdown with its pictures, no wider than the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser

from app.dialogs.manual_text import slug, target, text_of
from app.look.theme import SPACE, current_theme

MARGIN = 24  # logical pixels around the text
TAKEN_AT = 1.5  # device pixels to a logical one, on the screen most pictures were taken on
LINE_PERCENT = 135
LARGER = {1: 8.0, 2: 3.5, 3: 1.5}  # points by which headings are larger than the text
_SMOOTH = Qt.TransformationMode.SmoothTransformation
SETTLED_MS = 120  # after the last resize, before pictures are scaled again


class ManualPage(QTextBrowser):
    """opened(title): a page shows. elsewhere(path): a link to a file that is not a page was clicked.

    root: the program's folder, outside of which nothing is opened.
    """

    opened = Signal(str)
    elsewhere = Signal(object)

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root = root
        self.setObjectName("manual")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setAccessibleName("Page of the manual")
        self.document().setDocumentMargin(MARGIN)
        self.anchorClicked.connect(self._follow)
        self.sourceChanged.connect(self._format)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._width, self._theme = 0, current_theme()
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._fit)

    def path(self) -> Path:
        """The file of the page shown."""
        return Path(self.source().toLocalFile())

    def open(self, path: Path, heading: str = "") -> None:
        """Show a page, from a heading on if one is named as in links."""
        url = QUrl.fromLocalFile(str(path))
        if heading:
            url.setFragment(heading)
        self.setSource(url, QTextDocument.ResourceType.MarkdownResource)
        self._go_to(heading)

    def find_next(self, text: str, anew: bool = False) -> bool:
        """Select the next place of a text, from the top again after the last; return whether there is one."""
        cursor = self.textCursor()
        if anew:
            cursor.setPosition(cursor.selectionStart())
            self.setTextCursor(cursor)
        if self.find(text):
            return True
        self.moveCursor(QTextCursor.MoveOperation.Start)
        return self.find(text)

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """Load pictures, no wider than there is room; nothing from outside the program's folder."""
        found = target(self.path(), _plain(QUrl(name)), self._root)
        if found is None:
            return None
        if type == QTextDocument.ResourceType.MarkdownResource.value:
            return text_of(found[0], self._root)
        if type != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(type, name)
        image = QImage(str(found[0]))
        wide = min(round(image.width() / TAKEN_AT), self._room())
        ratio = self.devicePixelRatioF()
        if round(wide * ratio) < image.width():
            smooth = image.scaledToWidth(round(wide * ratio), _SMOOTH)
            smooth.setDevicePixelRatio(ratio)
            return smooth
        image.setDevicePixelRatio(image.width() / wide)
        return image

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scale pictures to the new width once it has settled."""
        super().resizeEvent(event)
        if self._width and self._room() != self._width:
            self._settled.start()

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._width and self._theme is not current_theme():
            self._settled.start()

    def _room(self) -> int:
        return max(self.viewport().width() - 2 * MARGIN - 2 * SPACE, 64)

    def _fit(self) -> None:
        bar = self.verticalScrollBar()
        share = bar.value() / max(bar.maximum(), 1)
        self.reload()
        bar.setValue(round(share * bar.maximum()))

    def _follow(self, link: QUrl) -> None:
        found = target(self.path(), _plain(link), self._root)
        if found is None:
            return
        path, heading = found
        if path.suffix == ".md":
            self.open(path, heading)
        else:
            self.elsewhere.emit(path)

    def _go_to(self, heading: str) -> None:
        block = self.document().begin()
        while heading and block.isValid():
            if block.blockFormat().headingLevel() and slug(block.text()) == heading:
                self.setTextCursor(QTextCursor(block))
                self.verticalScrollBar().setValue(self.verticalScrollBar().value() + self.cursorRect().top() - SPACE)
                return
            block = block.next()

    def _format(self) -> None:
        """Give headings, lines, code and tables our look, as Qt takes no style sheet for Markdown."""
        self._width, self._theme = self._room(), current_theme()
        document, block, title = self.document(), self.document().begin(), ""
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if level == 1 and not title:
                title = block.text()
            _format_block(block, level, self.font())
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _format_table(frame)
        self.opened.emit(title)


def _plain(link: QUrl) -> str:
    """The link as on the page, or the file's path if Qt has put the page's folder before it."""
    heading = f"#{link.fragment()}" if link.hasFragment() else ""
    return link.toLocalFile() + heading if link.isLocalFile() else link.toString()


def _format_block(block: QTextBlock, level: int, font: QFont) -> None:
    theme, cursor = current_theme(), QTextCursor(block)
    form = QTextBlockFormat()
    if not any(style.isImageFormat() for _, style in _pieces(block)):  # it would leave a gap below a picture
        form.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    if level:
        form.setTopMargin(SPACE * (3 if level > 1 else 1))
        form.setBottomMargin(SPACE)
    cursor.mergeBlockFormat(form)
    cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
    if level:
        heading = QTextCharFormat()
        heading.setFontPointSize(font.pointSizeF() + LARGER.get(level, 0.0))
        heading.setFontWeight(QFont.Weight.DemiBold)
        cursor.mergeCharFormat(heading)
    for piece in _pieces(block):
        if piece[1].fontFixedPitch():
            code = QTextCharFormat()
            code.setBackground(QColor(theme.raised))
            cursor.setPosition(piece[0].position())
            cursor.setPosition(piece[0].position() + piece[0].length(), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(code)


def _pieces(block: QTextBlock) -> list[tuple[Any, QTextCharFormat]]:
    found, each = [], block.begin()
    while not each.atEnd():
        found.append((each.fragment(), each.fragment().charFormat()))
        each += 1
    return found


def _format_table(table: QTextTable) -> None:
    form = table.format()
    form.setBorder(1)
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorderBrush(QColor(current_theme().rule))
    form.setBorderCollapse(True)
    form.setCellPadding(6)
    table.setFormat(form)
