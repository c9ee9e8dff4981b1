"""Variations in the window: the search in the background, thumbnails one by one, and taking one as a step."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer

from app.document.model.document import Character
from app.look.theme import SPACE
from app.services.jobs import Cancelled, Jobs, Progress
from app.services.session import Session
from app.services.settings import SettingsStore
from rendering.view.viewport import Viewport
from solver.kinematics.pose import Pose

if TYPE_CHECKING:
    from app.dialogs.gallery import Gallery
    from app.viewport.thumbnails import Thumbnails
    from solver.ik.beyond.variations import Variations

LOOKING = "Looking for other poses that meet the same handles…"
OUT_OF_DATE = "The handles have changed since. Search again for poses that meet them."


class GalleryControl(QObject):
    """Opens the gallery and fills it. The pictures are drawn between events, so that the window stays alive."""

    def __init__(self, session: Session, jobs: Jobs, settings: SettingsStore, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._jobs, self._settings, self._viewport = session, jobs, settings, viewport
        self.gallery: Gallery | None = None
        self._asked: Character | None = None
        self._found: Variations | None = None
        self._thumbnails: Thumbnails | None = None
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._draw_one)
        session.changed.connect(self._check)

    def open(self) -> None:
        """Show the gallery, with variations of the active character."""
        from app.dialogs.gallery import Gallery  # not before it is asked for: the window starts without it

        if self.gallery is None:
            gallery = self.gallery = Gallery(self._viewport.window())
            gallery.taken.connect(self._take)
            gallery.more.connect(self._more)
            gallery.again.connect(self._search)
            gallery.closed.connect(self._closed)
            gallery.adjustSize()
            gallery.move(self._viewport.window().mapToGlobal(QPoint(SPACE, SPACE * 12)))  # beside the figure
        self.gallery.show()
        self._search()

    def close(self) -> None:
        """Close the gallery and let go of what draws for it."""
        if self.gallery is not None:
            self.gallery.close()

    def _search(self, model: Pose | None = None) -> None:
        active = self._session.active
        if active is None or self.gallery is None:
            return
        self._session.solve_now()
        active = self._session.active
        assert active is not None
        self._asked, self._found = active, None
        self.gallery.offer(0)
        self.gallery.say(LOOKING)
        document = self._session.document

        def work(_progress: Progress, cancelled: Cancelled) -> Variations:
            from app.document.posing.varying import variations_of  # not before it is asked for: it loads the compiler

            return variations_of(document, active, model, cancelled)

        self._jobs.run("Looking for variations", work, partial(self._arrived, active, model is not None))

    def _more(self, number: int) -> None:
        if self._found is not None and number < len(self._found.solutions):
            self._search(self._found.solutions[number].pose)

    def _arrived(self, asked: Character, alike: bool, found: Variations) -> None:
        if self.gallery is None or asked is not self._asked:
            return
        self._found = found
        self.gallery.offer(len(found.solutions))
        self.gallery.say(told(found, alike))
        self._check()
        self._next.start()

    def _draw_one(self) -> None:
        gallery, found, asked = self.gallery, self._found, self._asked
        if gallery is None or found is None or asked is None:
            return
        waiting = next((i for i, tile in enumerate(gallery.tiles) if not tile.drawn), None)
        if waiting is None:
            return
        from app.dialogs.gallery import TILE
        from app.viewport.thumbnails import Thumbnails

        if self._thumbnails is None:
            self._thumbnails = Thumbnails(self._settings)
        ratio = gallery.devicePixelRatioF()
        size = round(TILE.width() * ratio), round(TILE.height() * ratio)
        pose = replace(asked, pose=found.solutions[waiting].pose)
        pixels = self._thumbnails.draw(pose, self._viewport.camera, size)
        gallery.tiles[waiting].show_picture(pixels, ratio)
        self._next.start()

    def _take(self, number: int) -> None:
        if self._found is None or self._asked is None or self.gallery is None:
            return
        asked, solution = self._asked, self._found.solutions[number]
        self._session.take_solution("Take a variation", asked.id, asked.frame, solution)
        self.gallery.mark(number)

    def _check(self) -> None:
        """Whether the pictures are still for the handles that are there."""
        gallery, asked = self.gallery, self._asked
        if gallery is None or asked is None or self._found is None:
            return
        out = not _still_asks(self._session, asked)
        gallery.set_out_of_date(out)
        if out:
            gallery.say(OUT_OF_DATE)

    def _closed(self) -> None:
        self._asked = self._found = None
        if self._thumbnails is not None:
            self._thumbnails.close()
            self._thumbnails = None
        if self.gallery is not None:
            self.gallery.deleteLater()
            self.gallery = None


def told(found: Variations, alike: bool) -> str:
    """What was found, for the user."""
    from solver.ik.beyond.variations import MOST

    count = len(found.solutions)
    kind = " like it" if alike else ""
    if count == MOST:
        return f"{count} poses{kind} that meet the same handles. Click one to take it."
    if count:
        only = "Only one pose" if count == 1 else f"Only {count} poses"
        return f"{only}{kind} that meet{'s' * (count == 1)} these handles and look{'s' * (count == 1)} different."
    return "These handles leave no room for a pose that looks different. Make some of them loose, or switch them off."


def _still_asks(session: Session, asked: Character) -> bool:
    now = next((c for c in session.document.characters if c.id == asked.id and c.frame == asked.frame), None)
    if now is None or now.shape != asked.shape or now.body != asked.body:
        return False
    return [e for e in now.effectors if e.asks] == [e for e in asked.effectors if e.asks]
