"""Drags on a timeline, each in a class of its own."""

from __future__ import annotations

from app.panels.timeline.timeline_view import TimelineView

STARTS = 3.0  # pixels: less is a click


class Drag:
    """A pressed pointer. x: where it was pressed, in pixels. moved: whether it has gone far enough to be a drag.
    of_marks: whether it is about the marks of one person or prop, and over once those of another show."""

    of_marks = False

    def __init__(self, view: TimelineView, x: float) -> None:
        self.view, self.x, self.moved = view, x, False

    def move(self, x: float, copy: bool) -> None:
        """Take the pointer's new place. copy: Ctrl is held."""
        self.moved = self.moved or abs(x - self.x) >= STARTS
        if self.moved:
            self.to(x, copy)

    def to(self, x: float, copy: bool) -> None:
        """Go on with the drag."""

    def end(self, copy: bool) -> None:
        """End the drag, as the pointer was released."""

    def cancel(self) -> None:
        """Put everything back as it was."""

    def leave(self) -> None:
        """End the drag because the marks of another show: what was done stays."""


class PlayheadDrag(Drag):
    """Look at the frame under the pointer, from the press on."""

    def __init__(self, view: TimelineView, x: float) -> None:
        super().__init__(view, x)
        self._before = view.player.frame
        self.moved = True

    def to(self, x: float, copy: bool) -> None:
        """Go to the frame there."""
        self.view.player.go_to(self.view.scale.nearest(x))

    def cancel(self) -> None:
        """Go back to where it was."""
        self.view.player.go_to(self._before)


class RangeDrag(Drag):
    """Move the range to play, or one of its ends. which: "first", "last" or "both"."""

    def __init__(self, view: TimelineView, x: float, which: str) -> None:
        super().__init__(view, x)
        clock = view.player.clock
        self._which, self._first, self._last, self._most = which, clock.first, clock.last, clock.frames - 1

    def to(self, x: float, copy: bool) -> None:
        """Move it from where it was; it never gets shorter than two frames or leaves the scene."""
        by, first, last = round((x - self.x) / self.view.scale.pixels), self._first, self._last
        if self._which == "first":
            first = min(first + by, last - 1)
        elif self._which == "last":
            last = max(last + by, first + 1)
        else:
            by = min(max(by, -first), self._most - last)
            first, last = first + by, last + by
        self.view.player.set_range(first, last)

    def cancel(self) -> None:
        """Bring the range back."""
        self.view.player.set_range(self._first, self._last)


class KeysDrag(Drag):
    """Move the selected keys, or copies of them."""

    of_marks = True

    def __init__(self, view: TimelineView, x: float, frame: int, more: bool) -> None:
        super().__init__(view, x)
        self._frame, self._more, self._from = frame, more, view.scale.at(x)
        self._fresh = frame not in view.chosen.frames
        if self._fresh:
            view.chosen.select((frame,), more)

    def to(self, x: float, copy: bool) -> None:
        """Move them by whole frames of their own clip, and bring the frame under the pointer into sight."""
        view, chosen = self.view, self.view.chosen
        if not chosen.dragging:
            chosen.grab()
        chosen.drag(round((view.scale.at(x) - self._from) * view.marks.rate), copy)
        view.scale = view.scale.showing(view.scale.nearest(x), page=False)

    def end(self, copy: bool) -> None:
        """A click selects this one key alone, or with Shift takes it out of those selected."""
        if self.moved:
            self.view.chosen.drop(copy)
        elif self._more and not self._fresh:
            self.view.chosen.toggle(self._frame)
        elif not self._more:
            self.view.chosen.select((self._frame,))

    def cancel(self) -> None:
        """Put them back."""
        self.view.chosen.cancel()

    def leave(self) -> None:
        """Leave them where they are by now."""
        self.view.chosen.drop()


class BoxDrag(Drag):
    """Select the keys in a box; a click selects none and goes to the frame."""

    of_marks = True

    def __init__(self, view: TimelineView, x: float, more: bool) -> None:
        super().__init__(view, x)
        self.here, self._more = x, more
        self._before = view.chosen.frames

    def to(self, x: float, copy: bool) -> None:
        """Extend the box, and select what is in it."""
        self.here = x
        low, high = sorted((self.view.scale.at(self.x), self.view.scale.at(x)))
        inside = {frame for frame, place in self.view.marks.keys if low <= place <= high}
        self.view.chosen.select(inside | self._before if self._more else inside)

    def end(self, copy: bool) -> None:
        """Handle a click without a box."""
        if not self.moved:
            if not self._more:
                self.view.chosen.select(())
            self.view.player.go_to(self.view.scale.nearest(self.x))

    def cancel(self) -> None:
        """Select what was selected before."""
        self.view.chosen.select(self._before)


class FootPress(Drag):
    """A press on the bar of a planted foot: a click holds it, or lets it go."""

    of_marks = True

    def __init__(self, view: TimelineView, x: float, number: int) -> None:
        super().__init__(view, x)
        self._bar = view.marks.contacts[number]

    def end(self, copy: bool) -> None:
        """Switch it, unless the pointer has gone elsewhere or the bar has: a key may have undone it meanwhile."""
        bars = self.view.marks.contacts
        if not self.moved and self._bar in bars:
            self.view.switch_contact(bars.index(self._bar))


class PanDrag(Drag):
    """Move the frames along with the pointer."""

    def __init__(self, view: TimelineView, x: float) -> None:
        super().__init__(view, x)
        self._scale = view.scale

    def to(self, x: float, copy: bool) -> None:
        """Move them from where they were."""
        self.view.scale = self._scale.panned(x - self.x)


class ScrollDrag(PanDrag):
    """Move the handle of the scroll bar."""

    def to(self, x: float, copy: bool) -> None:
        """Scroll: the bar stands for the whole scene, so the frames move by that many times more."""
        scale = self._scale
        self.view.scale = scale.panned((self.x - x) * (scale.frames - 1) / scale.span)
