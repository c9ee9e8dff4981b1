"""Going through a folder of pictures: each is opened, corrected and kept as it is left, with its label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from os.path import isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.document.exchange.label_opening import LabelPicture, PeopleReader, open_picture
from app.document.exchange.label_sequence import LabelSequence, read_sequence
from app.document.exchange.label_state import PictureState, Stage
from app.labelling import texts
from app.labelling.first_look import FirstLook
from app.labelling.first_words import first_words, why_not_seen
from app.labelling.left_pictures import LeftPicture, LeftPictures
from app.labelling.open_picture import OpenPicture
from app.labelling.read_ahead import ReadAhead
from app.labelling.values import LabelQuestions, PictureView, Standing, note_on, standing_of
from app.services.background.jobs import Jobs, Work
from app.services.session import Session
from app.services.soon import soon

KEPT_VIEW = ("body_opacity", "beside", "horizon", "wipe")  # besides what every new document keeps


class Labelling(QObject):
    """A folder being labelled. changed: another picture, or another state of it. said(text): for the status bar;
    retracted(text): no longer, as it was about a picture that is not open any more.

    shown: another picture is open. ended: the folder was closed; the last picture's scene stays open.
    sequence: the folder's pictures in order. place: that of the open one, None before the first.
    """

    changed = Signal()
    said = Signal(str)
    retracted = Signal(str)
    shown = Signal()
    ended = Signal()

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        reader: Callable[[], PeopleReader],
        questions: LabelQuestions,
        view: PictureView,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._reader, self._ask = session, jobs, reader, questions
        self._give = view.give
        self.look = FirstLook(view.shows, self)
        self.look.seen.connect(self.changed)
        self._ahead = ReadAhead(self)
        self.sequence = LabelSequence()
        self.place: int | None = None
        self._open = OpenPicture(session, questions, reader, self._reloaded)
        self._wanted: int | None = None
        self._step = 1
        self._unchecked = False
        self._was_dirty = False
        self._left = LeftPictures()
        self._told: list[str] = []  # about the open picture
        self._passed: list[str] = []  # about those that were skipped since
        session.opened.connect(self._opened_elsewhere)
        session.changed.connect(self._edited)
        jobs.finished.connect(lambda: soon(self, self._job_over))

    @property
    def active(self) -> bool:
        """Whether a folder is open."""
        return bool(self.sequence.every)

    @property
    def state(self) -> PictureState:
        """The state of the open picture, as its label has it."""
        return self.sequence.states[self.place] if self.place is not None else PictureState()

    @property
    def opening(self) -> str:
        """The name of the picture being opened, "" for none."""
        return self.sequence.every[self._wanted].picture.name if self._wanted is not None else ""

    @property
    def dirty(self) -> bool:
        """Whether the open picture was changed since it was last kept."""
        return self.place is not None and self._session.unsaved

    @property
    def note(self) -> str:
        """The note on the open picture, "" for none."""
        if self.place is None:
            return ""
        return note_on(self._open.picture, self._open.looked_over, self.state.stage)

    def standing(self) -> Standing:
        """What the bar shows."""
        return standing_of(self.sequence, self.place, self._wanted, self.dirty, self.note, self.look.taken)

    def open(self, folder: Path) -> None:
        """Look through a folder and open its first picture that nobody checked."""
        look: Work = lambda progress, _cancelled: read_sequence(folder, progress)  # noqa: E731
        self._jobs.run(f"Looking through {folder.name}", look, self._looked_through)

    def move(self, step: int, unchecked: bool = False) -> None:
        """Go on to the next picture (1) or back to the previous one (-1); if `unchecked`, to the next unchecked one.

        The open one is kept as it is, with its label.
        """
        self._session.end_key_repeat()
        start = self._wanted if self._wanted is not None else self.place
        if start is None or self._session.in_step or self._is_being_read():
            return
        place = self.sequence.following(start, step, unchecked)
        if place is None:
            self.said.emit(self.standing().none_left if unchecked else texts.LAST if step > 0 else texts.FIRST)
        elif self._ask.may_leave() and self.keep():
            self._go(place, step, unchecked)

    def go_to(self, place: int) -> None:
        """Go to the picture at a place, from 0. The open one is kept as it is, with its label."""
        free = not self._session.in_step and not self._is_being_read()
        if place != self.place and free and self._ask.may_leave() and self.keep():
            self._go(place, 1)

    def confirm(self, usable: bool = True) -> None:
        """The open picture is checked, or with `usable` False left out: keep it as that and go on to the next.

        Not before it has been seen.
        """
        self._session.end_key_repeat()
        if self.place is None or self._session.in_step or self._is_being_read():
            return
        stage, files = self.state.stage, self.sequence.every[self.place]
        if self._wanted is not None or not self.look.taken:
            self._tell(why_not_seen(self.opening, files, self._session.document))
            return
        if usable and not self._open.picture.fits:
            self._ask.refuse(f"{files.picture}: {texts.ANEW}")
            return
        if stage is Stage.REFUSED and not self._ask.replace(files.label.name, self.state.reason):
            return
        there = stage is (Stage.CHECKED if usable else Stage.UNUSABLE)
        if (self.dirty or self.note or not there) and not self._write(checked=usable, usable=usable):
            return
        self.changed.emit()
        if self.sequence.following(self.place, 1) is not None:
            self.move(1)
        else:
            self.said.emit(self.standing().at_the_end)

    def take_back(self) -> None:
        """The open picture counts as not checked again, or as not left out; it stays open."""
        self._session.end_key_repeat()
        if self.state.is_decided and self._wanted is None and not self._session.in_step and self._write(False, True):
            self.changed.emit()

    def _is_being_read(self) -> bool:
        """Whether something of the open picture is, which would be lost; the user is told."""
        reading = self.place is not None and self._wanted is None and self._jobs.awaited
        if reading:
            self._tell(texts.READING)
        return reading

    def keep(self) -> bool:
        """Write scene and label of the open picture if it was changed; False if that failed, after telling the user.

        A checked picture that is changed has to be checked again.
        """
        if self.place is None:
            return True
        stage = self.state.stage
        if stage is Stage.REFUSED:
            return not self.dirty or self._open.write_scene(self.sequence, self.place)
        if not self.dirty and stage is not Stage.NEW and not self._open.picture.stale:
            return True
        return self._write(checked=False, usable=stage is not Stage.UNUSABLE)

    def saved(self) -> None:
        """The scene was saved by the usual command: its label goes along, even where the scene went elsewhere."""
        session = self._session
        if self.place is None or self._open.busy or session.history.document is self._open.kept:
            return
        if session.path == self.sequence.every[self.place].scene:
            self._open.seen = session.seen
        if self.state.stage is not Stage.REFUSED:
            self._write(checked=False, usable=self.state.stage is not Stage.UNUSABLE)
        self.changed.emit()

    def close(self) -> None:
        """Leave the folder. The picture's scene stays open, kept if that is possible."""
        if self.active:
            self.keep()
            counted = self.standing().counted
            self._end()
            self.said.emit(texts.STOPPED.format(counted))

    def stop(self) -> None:
        """Let the thread that reads ahead end."""
        self._ahead.stop()

    def _looked_through(self, sequence: LabelSequence) -> None:
        if not self._ask.may_open():
            return
        if self.active:
            self._end()
        self.sequence = sequence
        if sequence.passed_over:
            self.said.emit(sequence.passed_over)
        self._go(sequence.first(), 1, unchecked=True)

    def _go(self, place: int, step: int, unchecked: bool = False) -> None:
        """Open a picture; `step`: which way to go on if it cannot be read, to the next unchecked one if `unchecked`."""
        self._wanted, self._step, self._unchecked = place, step, unchecked
        path = self.sequence.every[place].picture
        picture = self._ahead.take(path)
        if picture is not None:
            self._arrive(place, picture)
            return
        if not self._ahead.has(path) and isfile(self.sequence.every[place].scene):
            self._ahead.drop()
            work = self._opening(place)
        else:
            self._ahead.begin(path, self._opening(place))
            reader = self._reader()
            work = self._ahead.waiting(reader.shown, reader.so_far)
        self._jobs.run(f"Opening {path.name}", work, partial(self._arrive, place))
        self.changed.emit()

    def _opening(self, place: int) -> Work:
        files = self.sequence.every[place]
        reader = replace(self._reader(), shown=self._ahead.show, so_far=self._ahead.so_far)
        return lambda progress, cancelled: open_picture(files, place + 1, reader, progress, cancelled)

    def _arrive(self, place: int, picture: LabelPicture | None) -> None:
        if place != self._wanted or picture is None:
            return
        self._wanted = None
        self._ahead.forget(self.sequence.every[place].picture)
        before, self.sequence.states[place] = self.sequence.states[place], picture.state
        if picture.document is None:
            self._passed.append(f"Skipped: {self._why_passed(place)}")
            self.said.emit(self._passed[-1])
            self._go_past(place)
        elif self.keep():  # what was done while it was being opened
            if picture.state.row != before.row:
                self._open.write_coco(self.sequence)
            self._show(place, picture)
        self.changed.emit()

    def _why_passed(self, place: int) -> str:
        return self.sequence.every[place].by_name(self.sequence.states[place].reason)

    def _go_past(self, place: int) -> None:
        on = self.sequence.following(place, self._step, self._unchecked)
        if on is None and self.place is None:  # any other, beginning with the first
            on = self.sequence.following(-1, 1)
        if on is not None and on != self.place:
            self._go(on, self._step, self._unchecked)
        elif self.place is None:
            reason = self._why_passed(place)  # that of the last one; often all share it
            self._end()
            self._ask.refuse(f"{texts.NOBODY} {reason}")
        elif self._step > 0:
            self.said.emit(self.standing().at_the_end)

    def _show(self, place: int, picture: LabelPicture) -> None:
        session, document, scene = self._session, picture.document, self.sequence.every[place].scene
        assert document is not None
        self._leave()
        while self._told:
            self.retracted.emit(self._told.pop())
        self._told, self._passed = self._passed, []
        left = None if picture.now else self._left.back_to(scene, picture.seen)
        kept = {name: getattr(session.view, name) for name in KEPT_VIEW}
        self.look.begin()
        self._give(picture.image, document.photo)
        with self._open.changing():
            session.open(document if left is None else left.past.document, scene, picture.seen)
            if left is not None:
                session.findings.remember(left.findings)
                session.history.resume(left.past)
            shown = document.photo is not None
            session.set_view(through_photo=shown, saved_opacity=kept["body_opacity"], **kept)
        self.place = place
        self._open.opened(picture)
        self.shown.emit()
        text, first = first_words(picture, self._open.kept)
        if first is not None:
            session.select(first.id)
        if text:
            self._tell(text)
        after = self.sequence.following(place, self._step)
        if after is not None:
            self._ahead.begin(self.sequence.every[after].picture, self._opening(after))

    def _tell(self, text: str) -> None:
        """Say something about the open picture."""
        self._told.append(text)
        self.said.emit(text)

    def _leave(self) -> None:
        """Keep the open picture's undo steps, if its scene's file holds the picture as it is now."""
        history = self._session.history
        if self.place is not None and history.document is self._open.kept and not self._open.picture.now:
            history.close_step()
            left = LeftPicture(history.past(), self._session.findings.known())
            self._left.leave(self.sequence.every[self.place].scene, self._open.seen, left)

    def _write(self, checked: bool, usable: bool) -> bool:
        assert self.place is not None
        return self._open.write(self.sequence, self.place, checked, usable)

    def _reloaded(self) -> None:
        """The open picture shows as its files have it now, and has to be seen anew."""
        self.look.begin()
        self.changed.emit()

    def _end(self) -> None:
        self._ahead.drop()
        self._left = LeftPictures()
        self.sequence = LabelSequence()
        self.place = self._wanted = None
        self._give(None, None)
        self.ended.emit()

    def _job_over(self) -> None:
        """A picture that no job will bring any more was cancelled."""
        if self._wanted is not None and not self._jobs.busy:
            self._wanted = None
            if self.place is None:
                self._end()
            self.changed.emit()

    def _opened_elsewhere(self) -> None:
        """Another document is open that is none of the folder's."""
        if self.active and self.place is not None and not self._open.busy:
            self._end()

    def _edited(self) -> None:
        if self.place is not None:  # how strongly bodies show stays from picture to picture: nothing to save
            self._session.set_view(saved_opacity=self._session.view.body_opacity)
        if self.place is not None and self.dirty != self._was_dirty:
            self._was_dirty = self.dirty
            self.changed.emit()
