"""Labelling in the window: its commands and its bar. The labelling itself is loaded with the first folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from os.path import isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from app.dialogs import messages
from app.panels.widgets.external_text import shortened
from app.services.background.jobs import Jobs
from app.services.background.photo_import import PhotoImport, recovery_options
from app.services.body_choice import BodyChoice
from app.services.session import Session
from app.services.settings import SettingsStore
from app.window.commands.actions import Command
from app.window.controls.file_hooks import FileHooks
from solver.errors import InputRefused, PoserError

if TYPE_CHECKING:
    from app.document.exchange.label_opening import PeopleReader
    from app.document.model.document import Photo
    from app.labelling.bar import LabelBar
    from app.labelling.labelling import Labelling
    from app.viewport.overlays.photo_pixels import PhotoPixels
    from rendering.view.viewport import Viewport
    from solver.photo.image_file import PhotoImage

THEN = "Then the pictures in “{}” are opened one after another, for you to label the people in them."
CHECK, LEAVE_OUT, GO_TO, STOP = "Ctrl+Return", "Ctrl+Shift+Return", "Ctrl+G", "Ctrl+W"


class LabelControl(QObject):
    """Between the window and a folder being labelled. said(text): for the status bar; retracted(text): no longer.
    changed: the state changed.

    may_leave: whether the open scene may make way for the next picture. may_open(then): likewise for anything else;
    asks about unsaved work, saying what comes next.
    """

    said = Signal(str)
    retracted = Signal(str)
    changed = Signal()

    def __init__(
        self,
        *,
        session: Session,
        jobs: Jobs,
        settings: SettingsStore,
        photos: PhotoImport,
        body: BodyChoice,
        may_leave: Callable[[], bool],
        may_open: Callable[[str], bool],
        view: Viewport,
        pixels: PhotoPixels,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session, self._jobs, self._settings, self._photos, self._body = session, jobs, settings, photos, body
        self._may_leave, self._may_open, self._window = may_leave, may_open, window
        self._view, self._pixels = view, pixels
        self._given_up = -1  # the revision of the document that may go
        self._folder = ""  # the name of the folder last asked for
        self.labelling: Labelling | None = None
        self.bar: LabelBar | None = None

    def commands(self) -> tuple[Command, ...]:
        """What menus and the command search offer."""

        def command(id: str, title: str, run: Callable[[Labelling], object], *keys: str, tip: str = "") -> Command:
            def act() -> None:
                if self.labelling is not None:
                    run(self.labelling)

            return Command(f"label.{id}", title, act, keys, enabled=lambda: self.active, tip=tip)

        return (
            Command(
                "file.label", "Label a folder of pictures…", self.choose,
                tip="Label a folder of pictures: correct the people in one after another, and keep a label of each",
            ),
            Command(
                "file.save_label", "Save label…", self.save_label,
                enabled=lambda: not self.active and self._session.document.photo is not None,
                tip="Save label: who is in the photo, as SMPL parameters, camera and joints, JSON and .npz",
            ),
            command("checked", "Checked, next picture", lambda folder: folder.confirm(), CHECK, "Ctrl+Enter"),
            command(
                "unusable", "Left out, next picture", lambda folder: folder.confirm(usable=False), LEAVE_OUT,
                "Ctrl+Shift+Enter", tip="Left out: the picture is no good for labels",
            ),
            replace(
                command("take_back", "Take the decision back", lambda folder: folder.take_back(),
                        tip="Take the decision back: the picture counts as not checked again"),
                enabled=lambda: self.labelling is not None and self.labelling.state.is_decided,
            ),
            command("next", "Next picture", lambda folder: folder.move(1), "Alt+Right"),
            command("previous", "Previous picture", lambda folder: folder.move(-1), "Alt+Left"),
            command(
                "unchecked", "Next unchecked picture", lambda folder: folder.move(1, unchecked=True), "Alt+Shift+Right",
            ),
            command("go_to", "Go to picture…", self._ask_where_to_go, GO_TO,
                    tip="Go to picture: one of the folder, by its number or its name"),
            command("stop", "Stop labelling", lambda folder: folder.close(), STOP),
        )  # fmt: skip

    @property
    def active(self) -> bool:
        """Whether a folder is open."""
        return self.labelling is not None and self.labelling.active

    @property
    def opening(self) -> str:
        """The name of the picture that is being opened, "" for none."""
        return self.labelling.opening if self.labelling is not None else ""

    def choose(self) -> None:
        """Ask for a folder and open it."""
        from app.dialogs.folder_dialog import choose_folder
        from app.document.exchange.label_files import FOLDER

        start = self._settings.usual_folder(self._session.path)
        if start.name == FOLDER:  # the scene is one of a folder labelled before
            start = start.parent
        folder = choose_folder(self._window, "Label a folder of pictures", str(start))
        if folder:
            self.open(Path(folder))

    def open(self, folder: Path) -> None:
        """Open a folder of pictures; nothing is asked about one without any."""
        from app.document.exchange.label_files import FOLDER, files_of

        try:
            files_of(folder, folder / FOLDER)
        except PoserError as error:
            messages.refuse(self._window, str(error))
            return
        self._given_up, self._folder = -1, folder.name
        if self._may_take_place():
            self._made().open(folder)

    def save_label(self) -> None:
        """Ask for a name and write the label of the scene's photo, as a checked one."""
        from app.dialogs.typed_name import asked_files
        from app.document.exchange.label import label_of, write_label
        from app.document.exchange.label_files import label_place
        from app.document.scene_file.own_files import own_files, what_it_is

        session = self._session
        if session.document.photo is None:
            return
        start = label_place(Path(session.document.photo.path))
        own = own_files(session.document, session.path)
        if what_it_is(start, own):  # a scene bears its photo's name, too
            start = start.with_stem(f"{start.stem}_label")
        for path in asked_files(self._window, "Save label", str(start), "Label (*.json)", ".json"):
            session.solve_now()
            try:
                if what := what_it_is(path, own):
                    raise InputRefused(path, f"is {what}, which the label would replace", "Give the label another name")
                write_label(path, label_of(session.document, path.absolute().parent, checked=True))
            except PoserError as error:
                messages.refuse(self._window, str(error))
                continue
            self.said.emit(f"Saved {path.name}, and the same as arrays beside it.")
            return

    def may_go(self) -> bool:
        """Whether the open scene may go: a picture of a folder is kept without asking."""
        if not self._may_leave():
            return False
        if self.labelling is not None and self.active:
            self.labelling.keep()  # if that fails, the user is told, and the usual question follows
        return True

    def hooks(self) -> FileHooks:
        """What it has a say in when files are opened and saved."""
        return FileHooks(self.may_go, self.keep, self.open)

    def keep(self) -> bool | None:
        """Save scene and label of the open picture; False if that failed, None where no folder's picture is open."""
        labelling = self.labelling
        if labelling is None or labelling.place is None:
            return None
        if kept := labelling.keep():
            self.said.emit(f"Saved {labelling.sequence.every[labelling.place].scene.name} and its label.")
        return kept

    def saved(self) -> None:
        """Note that the scene was saved by the usual command."""
        if self.labelling is not None:
            self.labelling.saved()

    def stop(self) -> None:
        """Let the thread that reads ahead end."""
        if self.labelling is not None:
            self.labelling.stop()

    def _ask_where_to_go(self, labelling: Labelling) -> None:
        from app.dialogs.picture_choice import ListedPicture, ask_where_to_go
        from app.labelling.bar import STATES

        listed, sequence = [], labelling.sequence
        for number, (files, state) in enumerate(zip(sequence.every, sequence.states, strict=True), start=1):
            name, (stage, _) = files.picture.name, STATES.get(state.stage, ("", ""))
            listed.append(ListedPicture(str(number), f"{number}   {shortened(name)}   {stage}", f"{number}  {name}"))
        if key := ask_where_to_go(listed, labelling.place or 0, self._window):
            labelling.go_to(int(key) - 1)

    def _made(self) -> Labelling:
        if self.labelling is None:
            from app.labelling.labelling import Labelling
            from app.labelling.values import RELOAD, SAVE_ANYWAY, LabelQuestions, PictureView

            answers = {messages.RELOAD: RELOAD, messages.SAVE_ANYWAY: SAVE_ANYWAY}

            window = self._window
            questions = LabelQuestions(
                may_leave=self._may_leave,
                may_open=self._may_take_place,
                refuse=lambda text: messages.refuse(window, text),
                replace=lambda name, reason: messages.ask_to_replace_label(window, name, reason),
                changed=lambda name: answers.get(messages.ask_about_changed_scene(window, name), ""),
            )
            view = PictureView(self._give, self._shows)
            self.labelling = Labelling(self._session, self._jobs, self._reader, questions, view, self)
            self._view.painted.connect(self.labelling.look.painted)
            self.labelling.said.connect(self.said)
            self.labelling.retracted.connect(self.retracted)
            self.labelling.shown.connect(self._shown)
            self.labelling.ended.connect(self._ended)
            self.labelling.changed.connect(self._changed)
        return self.labelling

    def _may_take_place(self) -> bool:
        """Whether the open scene may go. Asked before and after looking through a folder; the user is asked once."""
        if self._session.history.revision != self._given_up and not self._may_open(THEN.format(self._folder)):
            return False
        self._given_up = self._session.history.revision
        return True

    def _give(self, image: PhotoImage | None, photo: Photo | None) -> None:
        if image is None or photo is None:
            self._pixels.take_back()
        elif _is_of(Path(photo.path), Path(image.path)):  # the scene's other photos may be in front
            self._pixels.give(photo.path, photo.sha256, image.rgb)

    def _shows(self) -> bool:
        photo = self._session.document.photo
        hidden = photo is None or not photo.visible or not self._session.view.through_photo
        return hidden or self._view.scene.backplate is not None

    def _reader(self) -> PeopleReader:
        from app.document.exchange.label_opening import PeopleReader

        values, photos = self._settings.values, self._photos
        return PeopleReader(
            self._body.id(), self._body.known(), values.photo_estimator, recovery_options(values), photos.reading.emit,
            photos.seen.emit,
        )  # fmt: skip

    def _shown(self) -> None:
        self._settings.add_recent(self._made().sequence.every[0].picture.parent)
        if self.bar is None:
            from app.labelling.bar import LabelBar

            native = QKeySequence(CHECK).toString(QKeySequence.SequenceFormat.NativeText)
            self.bar = LabelBar(native)
            self.bar.moved.connect(lambda step: self._made().move(step))
            self.bar.confirmed.connect(lambda: self._made().confirm())
            self.bar.closed.connect(lambda: self._made().close())
            holder = self._view.parentWidget()
            layout = holder.layout() if holder is not None else None
            if layout is not None:
                layout.insertWidget(0, self.bar)  # type: ignore[attr-defined]  # a column
        self.bar.show()
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _ended(self) -> None:
        if self.bar is not None:
            self.bar.hide()
        self.changed.emit()

    def _changed(self) -> None:
        labelling, bar = self.labelling, self.bar
        if labelling is not None and labelling.active and bar is not None:
            bar.show_standing(labelling.standing())
        self.changed.emit()


def _is_of(photo: Path, picture: Path) -> bool:
    """Whether a scene's photo is a picture: the same file, or one of its name whose own place is empty by now."""
    return photo.resolve() == picture.resolve() or (photo.name == picture.name and not isfile(photo))
