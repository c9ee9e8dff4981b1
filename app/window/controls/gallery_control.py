"""Galleries in the window: the work in the background, thumbnails one by one, and taking a pose as a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, QTimer, Signal

from app.dialogs.gallery import Gallery, Tiles
from app.document.model.document import Character
from app.document.posing.modes import keeps_some
from app.document.posing.surroundings import asks_the_same, same_surroundings
from app.look.theme import SPACE
from app.services.background.jobs import Cancelled, Jobs, Progress
from app.services.session import Session
from app.services.settings import SettingsStore
from app.viewport.thumbnails import Thumbnails, around
from rendering.camera.camera import OrbitCamera
from rendering.view.viewport import Viewport
from solver.compile_events import telling_of_compiling
from solver.ik.solution import IKSolution
from solver.kinematics.pose import Pose

if TYPE_CHECKING:
    from solver.ik.multi_solve.variations import Variations

LOOKING = "Looking for other poses that meet the same handles…"
COMPILING = "Preparing the solver (once, about {} min)…"  # on a new machine
STOPPED = "Stopped. Search again for other poses."
MINUTES, WITH_DEFAULT = 1, 3  # that it takes, and where the solver in use is still being prepared, too
MORE_IN_GLOBAL = "Choose Global under Base pose for more."
OUT_OF_DATE = "Handles or settings have changed since. Search again for poses that fit."


class GalleryControl(QObject):
    """Opens a gallery and fills it. The pictures are drawn between events, so that the window stays alive.

    searching: it is about to look for poses that fit the handles as they are.
    """

    gallery: Tiles | None
    searching = Signal()

    def __init__(self, session: Session, jobs: Jobs, settings: SettingsStore, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._jobs, self._settings, self._viewport = session, jobs, settings, viewport
        self.gallery = None
        self._document = session.document  # as it was when the poses were asked for
        self._asked: Character | None = None
        self._found: Sequence[IKSolution | None] = ()
        self._told, self._looking = "", False
        self._thumbnails: Thumbnails | None = None
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._draw_one)
        session.changed.connect(self._check)
        session.opened.connect(self.close)  # its people are in another scene

    @property
    def _window(self) -> Any:  # the MainWindow, which this room does not know
        return self._viewport.window()

    def open(self) -> None:
        """Show the gallery, for the active character as it is."""
        new = self.gallery is None
        gallery = self.gallery = self.gallery or self._make()
        self._search()
        if new:
            gallery.closed.connect(self._closed)
            self._put(gallery)
        gallery.show()
        gallery.take_focus()

    def close(self) -> None:
        """Close the gallery and let go of what draws for it."""
        if self.gallery is not None:
            self.gallery.close()

    def _put(self, gallery: Tiles) -> None:
        """Let it float beside the figure, or where it would cover that, stand beside the view."""
        window = self._window
        if window.covered_by(gallery):
            gallery.become_docked()
            window.dock(gallery, gallery.wide_in(window.room_to_dock()))
        else:
            gallery.place(window.mapToGlobal(QPoint(SPACE, SPACE * 12)))  # beside the figure

    def _make(self) -> Tiles:
        """An empty gallery."""
        raise NotImplementedError  # each has its own; Qt's metaclass leaves no room for an ABC

    def _search(self) -> None:
        """Begin to look for what the gallery shows."""
        raise NotImplementedError

    def _outdated(self) -> str:
        """What the gallery says once its pictures are for handles that have changed."""
        raise NotImplementedError

    def _begin(self) -> Character | None:
        """The active character, solved, which the gallery is now about; None if there is nobody or no gallery."""
        if self._session.active is None or self.gallery is None:
            return None
        self.searching.emit()
        self._session.solve_now()
        self._document, self._asked, self._found = self._session.document, self._session.active, ()
        return self._asked

    def _say(self, text: str) -> None:
        """Say what the pictures are, as long as they are not out of date."""
        self._told = text
        if self.gallery is not None:
            self.gallery.say(text)

    def _minutes(self) -> int:
        """How long compiling takes from here, about."""
        return MINUTES if self._session.service.awake else WITH_DEFAULT

    def _as_found(self, number: int) -> Character | None:
        """The character as it would be with a tile's pose."""
        solution = self._found[number] if number < len(self._found) else None
        return None if solution is None or self._asked is None else replace(self._asked, pose=solution.pose)

    def _seen(self, number: int) -> OrbitCamera:
        """The camera of a tile's picture, which the figure fills."""
        character, gallery = self._as_found(number), self.gallery
        assert character is not None
        assert gallery is not None
        return around([character], self._viewport.camera, gallery.tiles[number].picture)

    def _draw_one(self) -> None:
        gallery = self.gallery
        if gallery is None:
            return
        waiting = next((i for i, tile in enumerate(gallery.tiles) if not tile.drawn and self._as_found(i)), None)
        character = None if waiting is None else self._as_found(waiting)
        if waiting is None or character is None:
            return
        if self._thumbnails is None:
            self._thumbnails = Thumbnails(self._settings)
        tile, ratio = gallery.tiles[waiting], gallery.devicePixelRatioF()
        size = round(tile.picture.width() * ratio), round(tile.picture.height() * ratio)
        picture = self._thumbnails.draw(character, self._seen(waiting), size, self._document.props)
        tile.show_picture(picture, ratio)
        self._next.start()

    def _check(self) -> None:
        """Check whether the pictures are still for the present handles, and which of them is the pose shown."""
        gallery, asked = self.gallery, self._asked
        if not self._session.document.characters:
            self.close()  # there is nobody to search for
            return
        if gallery is None or asked is None or self._looking:
            return
        now = next((c for c in self._session.document.characters if (c.id, c.frame) == (asked.id, asked.frame)), None)
        shown = None if now is None else next((i for i in range(len(self._found)) if self._shows(now, i)), None)
        gallery.mark(shown)
        out = now is None or not self._still_asks(now, asked)
        gallery.set_out_of_date(out)
        gallery.say(self._outdated() if out else self._told)

    def _shows(self, now: Character, number: int) -> bool:
        solution = self._found[number]
        return solution is not None and now.pose == solution.pose

    def _still_asks(self, now: Character, asked: Character) -> bool:
        """Whether a character would be given the same poses as when it was asked about."""
        if now.shape != asked.shape or now.body != asked.body or now.hands != asked.hands:
            return False
        if dict(now.solver_options) != dict(asked.solver_options) or not asks_the_same(now, asked):
            return False
        return same_surroundings(self._document, self._session.document, now)

    def _closed(self) -> None:
        self._asked, self._found = None, ()
        if self._thumbnails is not None:
            self._thumbnails.close()
            self._thumbnails = None
        if self.gallery is not None:
            if not self.gallery.isWindow():
                self._window.undock(self.gallery)
                self._viewport.setFocus()
            self.gallery.deleteLater()
            self.gallery = None


class VariationsControl(GalleryControl):
    """The gallery of other poses for the same handles."""

    gallery: Gallery | None
    _compiles = Signal(object)  # from whichever thread compiles: who was asked about

    def __init__(self, *parts: object) -> None:
        super().__init__(*parts)  # type: ignore[arg-type]
        self._compiles.connect(self._tell_of_compiling)

    def _make(self) -> Gallery:
        gallery = Gallery(self._viewport.window())
        gallery.taken.connect(self._take)
        gallery.more.connect(self._more)
        gallery.again.connect(self._search)
        return gallery

    def _outdated(self) -> str:
        return OUT_OF_DATE

    def _still_asks(self, now: Character, asked: Character) -> bool:
        if (now.solver, now.preserve) != (asked.solver, asked.preserve):
            return False
        if keeps_some(now) and now.base_pose != asked.base_pose:
            return False
        return super()._still_asks(now, asked)

    def _search(self, model: Pose | None = None) -> None:
        active = self._begin()
        if active is None or self.gallery is None:
            return
        self.gallery.offer(0)
        self._looking = True
        self._say(LOOKING)
        document = self._session.document

        def work(_progress: Progress, cancelled: Cancelled) -> Variations:
            from app.document.posing.pose_variations import (
                variations_of,  # only once it is asked for: it loads the compiler
            )

            with telling_of_compiling(partial(self._compiles.emit, active)):
                return variations_of(document, active, model, cancelled)

        found, stopped = partial(self._arrived, active, model is not None), partial(self._stopped, active)
        self._jobs.run("Looking for variations", work, found, given_up=stopped)

    def _tell_of_compiling(self, asked: Character) -> None:
        if asked is self._asked and self._looking:
            self._say(COMPILING.format(self._minutes()))

    def _more(self, number: int) -> None:
        solution = self._found[number] if number < len(self._found) else None
        if solution is not None:
            self._search(solution.pose)

    def _arrived(self, asked: Character, alike: bool, found: Variations) -> None:
        if self.gallery is None or asked is not self._asked:
            return
        self._found, self._looking = found.solutions, False
        self.gallery.offer(len(found.solutions))
        self._say(result_text(found, alike, keeps_some(asked)))
        self._check()
        self._next.start()

    def _stopped(self, asked: Character) -> None:
        if asked is self._asked:
            self._looking = False
            self._say(STOPPED)

    def _take(self, number: int) -> None:
        solution, asked = self._found[number], self._asked
        if solution is not None and asked is not None:
            self._session.take_solution("Take a variation", asked.id, asked.frame, solution)


def result_text(found: Variations, alike: bool, kept: bool) -> str:
    """What was found, for the user. kept: what is kept of the base pose may be why there is no more."""
    from solver.ik.multi_solve.variations import MOST

    count = len(found.solutions)
    kind = " like it" if alike else ""
    if count == MOST:
        return f"{count} poses{kind} that meet the same handles. Click one to take it."
    if count:
        only = "Only one pose" if count == 1 else f"Only {count} poses"
        text = f"{only}{kind} that meet{'s' * (count == 1)} these handles and look{'s' * (count == 1)} different."
        return f"{text} {MORE_IN_GLOBAL}" if kept else text
    if kept:
        return f"What is kept of the base pose leaves no room for a pose that looks different. {MORE_IN_GLOBAL}"
    return "These handles leave no room for a pose that looks different. Make some of them loose, or switch them off."
