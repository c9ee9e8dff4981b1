"""The cards of a gallery: they never lie on top of each other, whatever the room, not even for the first picture."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QEvent, QObject
from pytestqt.qtbot import QtBot

from app.dialogs.gallery import Gallery


class Painted(QObject):
    """Counts how often a card was painted, and how often while two of them overlapped."""

    def __init__(self, gallery: Gallery) -> None:
        super().__init__(gallery)
        self.gallery, self.times, self.overlapping = gallery, 0, 0
        for tile in gallery.tiles:
            tile.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint:
            self.times += 1
            pairs = combinations(self.gallery.tiles, 2)
            self.overlapping += any(a.geometry().intersects(b.geometry()) for a, b in pairs)
        return False


@pytest.mark.parametrize("then", [(448, 300), (448, 618), (330, 300)])
def test_cards_are_never_painted_on_top_of_each_other(qtbot: QtBot, then: tuple[int, int]) -> None:
    gallery = Gallery(None)  # type: ignore[arg-type]
    qtbot.addWidget(gallery)
    gallery.resize(598, 618)
    with qtbot.waitExposed(gallery, timeout=60_000):
        gallery.show()
    gallery.offer(12)
    painted = Painted(gallery)
    qtbot.waitUntil(lambda: painted.times > 0, timeout=60_000)
    columns, before = gallery.columns, painted.times
    gallery.resize(*then)
    qtbot.waitUntil(lambda: painted.times > before, timeout=60_000)
    qtbot.wait(50)
    assert gallery.columns != columns
    assert painted.overlapping == 0
