"""The player: advances the clock that all share, by itself or step by step."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.document.model.document import Document
from app.document.model.prop_clip import changed_frames
from app.services.clock import Clock, clock_of, length_s, plays
from app.services.live_channel import LiveChannel
from app.services.session import Session
from app.services.streams import ClockStream
from app.services.view_state import selected_prop

NO_BEGIN = "The range cannot start at the last frame: it needs at least two frames"
NO_END = "The range cannot end at the first frame: it needs at least two frames"
NO_LATER_KEY, NO_EARLIER_KEY = "There is no key after this frame", "There is no key before this frame"


class Player(QObject):
    """Plays the range, or goes to a frame. Neither edits the document: what was posed at a frame is there again later.

    changed: playing began or ended. said(text): why something was not done, for the status bar. A user who takes hold
    of the time, or poses while it plays, means the frame seen: playing ends there, for a drag that went on as frames
    pass by would leave a key at each. Other edits and a change of the active person leave it playing.
    """

    changed = Signal()
    said = Signal(str)

    def __init__(self, session: Session, live: LiveChannel | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.live = live or LiveChannel(session, parent=self)
        self.live.stopped.connect(self.changed)
        self._stream: ClockStream | None = None
        self._seen = (session.history.revision, session.history.document)
        session.history.subscribe(self._document_changed)
        session.changed.connect(self._range_changed)

    @property
    def playing(self) -> bool:
        """Whether the clock runs."""
        return self.live.running

    @property
    def clock(self) -> Clock:
        """The clock, in the frames of the active person or of the one who moves longest."""
        view = self._session.view
        return clock_of(self._session.document, view.character, view.range_s)

    @property
    def frame(self) -> int:
        """The frame looked at, on the clock."""
        return self.clock.frame(self._session.view.time_s)

    @property
    def can_play(self) -> bool:
        """Whether anybody or any prop moves."""
        return plays(self._session.document)

    def toggle(self) -> None:
        """Play from the frame looked at, or pause."""
        if self.playing or self._session.in_step or not self.can_play:
            self.stop()
            self.changed.emit()
        else:
            self._play()

    def pause(self) -> bool:
        """End playing at the frame seen; False if nothing plays."""
        was = self.playing
        self.stop()
        return was

    def stop(self) -> None:
        """End playing."""
        self._stream = None
        self.live.stop()

    def go_to(self, frame: int) -> None:
        """Go to a frame of the clock; playing ends."""
        self.stop()
        self._session.look_at_time(self.clock.time(frame))

    def step(self, by: int) -> None:
        """Go on by so many frames, or back; past an end of the range to its other end, if it plays over and over."""
        clock, here = self.clock, self.frame
        around = here == (clock.last if by > 0 else clock.first) and self._session.view.loop
        self.go_to((clock.first if by > 0 else clock.last) if around else here + by)

    def to_key(self, direction: int) -> None:
        """Go to the next key (1) or the previous one (-1) of the selected prop, else of the actor whose frames are
        counted: see `Clock`."""
        clock, here = self.clock, self.frame
        prop = selected_prop(self._session.document, self._session.view)
        lead = next((actor for actor in self._session.document.actors if actor.id == clock.lead), None)
        clip = prop.clip if prop is not None else lead.clip if lead is not None else None
        frames = [round(key.frame / clip.fps * clock.fps) for key in clip.keys] if clip is not None else []
        beyond = [frame for frame in frames if (frame - here) * direction > 0]
        if beyond:
            self.go_to(min(beyond, key=lambda frame: abs(frame - here)))
        else:
            self.said.emit(NO_LATER_KEY if direction > 0 else NO_EARLIER_KEY)

    def to_end(self, last: bool) -> None:
        """Go to the first or the last frame of the range."""
        self.go_to(self.clock.last if last else self.clock.first)

    def set_loop(self, loop: bool) -> None:
        """Choose whether playing begins again at the end of the range."""
        self._session.set_view(loop=loop)

    def set_range(self, first: int, last: int) -> None:
        """Play only from one frame to another; everything if these are its ends."""
        clock = self.clock
        first, last = min(max(first, 0), clock.frames - 1), min(max(last, 0), clock.frames - 1)
        whole = (first, last) == (0, clock.frames - 1)
        if first < last:
            self._session.set_view(range_s=None if whole else (first / clock.fps, last / clock.fps))

    def begin_here(self) -> None:
        """Let the range begin at the frame looked at; if it ended before that, it now goes on to the end."""
        clock, here = self.clock, self.frame
        if here == clock.frames - 1:
            self.said.emit(NO_BEGIN)
        self.set_range(here, clock.last if clock.last > here else clock.frames - 1)

    def end_here(self) -> None:
        """Let the range end at the frame looked at; if it began after that, it now begins at the first frame."""
        clock, here = self.clock, self.frame
        if here == 0:
            self.said.emit(NO_END)
        self.set_range(clock.first if clock.first < here else 0, here)

    def play_all(self) -> None:
        """Play all there is."""
        self._session.set_view(range_s=None)

    def _play(self) -> None:
        view = self._session.view
        self._stream = ClockStream(self.clock, self.frame, view.loop)
        self._wanted = self._asked
        self.live.start("", self._stream)
        self.changed.emit()

    @property
    def _asked(self) -> tuple[object, ...]:
        view = self._session.view
        return view.range_s, view.loop, length_s(self._session.document)

    def _range_changed(self) -> None:
        """Go on playing from where it is when the range or the looping has changed."""
        if self.playing and self._asked != self._wanted:
            if self.can_play:
                self._play()
            else:
                self.stop()

    def _document_changed(self, document: Document) -> None:
        revision, before = self._seen
        self._seen = (self._session.history.revision, document)
        # the revision stays the same when a solve that was under way brings its result
        if self.playing and revision != self._session.history.revision and _posed(before, document):
            self.stop()


def _posed(before: Document, after: Document) -> bool:
    """Whether somebody was posed or a prop placed: of the keys, only the one at the frame looked at has changed."""
    props = {prop.id: prop for prop in before.props}
    for prop in after.props:
        there = props.get(prop.id)
        if there is not None and there.clip is not prop.clip:
            frames = changed_frames(there.clip, prop.clip)
            if frames in ({after.frames.get(prop.slot, 0)}, {before.frames.get(prop.slot, 0)}):
                return True
    old = {actor.id: actor for actor in before.actors}
    for actor in after.actors:
        was = old.get(actor.id)
        if was is None or was.clip.keys is actor.clip.keys or was.build != actor.build:
            continue
        then = {key.frame: key for key in was.clip.keys}
        now = {key.frame: key for key in actor.clip.keys}
        changed = {frame for frame in then.keys() | now.keys() if then.get(frame) is not now.get(frame)}
        if changed in ({after.frames.get(actor.id, 0)}, {before.frames.get(actor.id, 0)}):  # done there, or undone
            return True
    return False
