"""Opening and saving, with the questions that belong to them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from os.path import isdir
from pathlib import Path, PureWindowsPath
from types import ModuleType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QFileDialog, QWidget

from app.dialogs import messages
from app.document.edits import add_prop
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.services.background.jobs import Cancelled, Jobs, Progress
from app.services.background.photo_import import PhotoImport
from app.services.body_choice import BodyChoice
from app.services.session import Session
from app.services.settings import SettingsStore
from app.services.view_state import as_saved
from app.window.controls.file_hooks import FileHooks
from app.window.photo_files import PhotoFiles
from solver.errors import PoserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.document.exchange.open_file import JointsUnclear, Opened
    from app.document.exchange.prop_file import PropFile
    from app.document.model.history import Edit
    from app.document.scene_file.read import UnapprovedBodyFolder
    from app.window.controls.joint_mapping import JointMapping
    from app.window.controls.own_skin_control import OwnSkinControl
    from app.window.exporting import ViewCapture
    from app.window.file_exports import FileExports
    from solver.estimates.several_pictures import SeveralPictures

    Unclear = JointsUnclear | SeveralPictures  # what the user has to say before a file can be read

NEWER_HINT = "It was saved by a newer version of Contrapposto: what this version does not know is kept but not used."


class Files(QObject):
    """What the File menu does.

    message(text): for the status bar. step_message(text): likewise, about the step by which something has just come in.
    asking: a question about unsaved work comes up.
    saved: the scene was written.
    """

    message = Signal(str)
    step_message = Signal(str)
    asking = Signal()
    opened = Signal()
    saved = Signal()

    def __init__(
        self,
        *,
        session: Session,
        jobs: Jobs,
        settings: SettingsStore,
        photos: PhotoImport,
        pictures: ViewCapture,
        body: BodyChoice,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session, self._jobs, self._settings = session, jobs, settings
        self.hooks = FileHooks()
        self._ready, self._pictures, self._body, self._window = photos.ready, pictures, body, window
        self.photos = PhotoFiles(session, jobs, photos, window, self._folder, self.open_path, self._done)
        self.photos.step_message.connect(self.step_message)

    @cached_property
    def exports(self) -> FileExports:
        """The exports of this window."""
        from app.window.file_exports import FileExports  # only once something is exported

        exports = FileExports(
            self._session, self._jobs, self._settings, self._pictures, self._folder, lambda: self.joints, self._window
        )
        exports.message.connect(self.message)
        return exports

    @cached_property
    def joints(self) -> JointMapping:
        """What the user said about joints of files."""
        from app.window.controls.joint_mapping import JointMapping  # only once a file is opened

        joints = JointMapping(self._session, self._jobs, self._settings, self._window)
        joints.message.connect(self.step_message)
        return joints

    @cached_property
    def own_skins(self) -> OwnSkinControl:
        """The user's own characters in the view."""
        from app.window.controls.own_skin_control import OwnSkinControl  # only once a file is chosen

        control = OwnSkinControl(self._session, self._jobs, self._settings, self.joints, self._window)
        control.message.connect(self.step_message)
        return control

    def choose_own_skin(self) -> None:
        """Ask for the file of the user's own character, and draw the active person with its skin."""
        self.own_skins.choose()

    def has_person(self) -> bool:
        """Whether there is an active person."""
        return self._session.active is not None

    def has_joint_map(self) -> bool:
        """Whether the active person has a motion that came from a file."""
        return not self._why_no_joint_map()

    def joint_map_title(self) -> str:
        """The command's title, with the reason why there is no joint map."""
        why = self._why_no_joint_map()
        return f"Joint map… ({why})" if why else "Joint map…"

    def _why_no_joint_map(self) -> str:
        active = self._session.active
        source = active.clip.source if active is not None else None
        return "no motion from a file" if source is None else "the motion was recorded" if source.recorded else ""

    def edit_joint_map(self) -> None:
        """Show which joint of the active person's file is which, and let it be changed."""
        self.joints.edit()

    def fresh(self) -> Document:
        """A new document, with our own body if the chosen one cannot be loaded, which a message then says."""
        try:
            return new_document(self._body.id())
        except PoserError as error:
            messages.refuse(self._window, f"{error} The free body is used instead.")
            return new_document(self._body.fall_back())

    def new(self) -> None:
        """A new scene."""
        if self.may_close():
            self._session.open(self.fresh())
            self.opened.emit()

    def open(self) -> None:
        """Ask for a file and open it."""
        self._ready.begin()
        path, _ = QFileDialog.getOpenFileName(self._window, "Open", self._folder(), _work().OPEN_FILTER)
        if path:
            self.open_path(Path(path))

    def open_motion(self) -> None:
        """Ask for a motion and open it."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Open a motion", self._folder(), _work().MOTION_FILTER)
        if path:
            self.open_path(Path(path))

    def add_mesh(self) -> None:
        """Ask for a mesh file and add it as a prop."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Prop from a mesh file", self._folder(), _work().PROP_FILTER
        )
        if path:
            self.open_path(Path(path))

    def expect(self, path: Path) -> None:
        """Get ready for a file that may be opened soon: dragged over the window, or pointed at in the recent ones."""
        self._ready.expect(path)

    def open_path(self, path: Path, at: NDArray[np.float64] | None = None, of: str = "") -> None:
        """Open a file of any kind; people of a pose or a motion go beside the others, or replace the initial one.

        A folder's pictures are labelled. at: (3,) metres, where to put a prop, or people beside others; by default
        where there is room. of: the picture that is wanted of a file of several, as `open_file` takes it.
        """
        if isdir(path):
            self.hooks.open_folder(path)
            return
        body, known = self._body.id(), self._body.known()
        asks_first, maps = not self._session.untouched, self.joints.maps

        def read(progress: Progress, cancelled: Cancelled) -> Opened | UnapprovedBodyFolder | Unclear:
            work = _work()
            try:
                found: Opened = work.open_file(
                    path, body=body, bodies=known, progress=progress, joint_maps=maps(), ask_joints=True, of=of
                )
                if found.photo is not None and asks_first:
                    # no question about a file that turns out to be no picture
                    return replace(found, picture=work.load_image(found.photo))
                return found
            except (work.UnapprovedBodyFolder, work.JointsUnclear, work.SeveralPictures) as unclear:
                return unclear  # type: ignore[no-any-return]

        self._jobs.run(f"Opening {path.name}", read, lambda found: self._take(path, found, at))

    def save(self) -> bool:
        """Save under the present name, or ask for one."""
        if (kept := self.hooks.keep()) is not None:
            return kept
        path = self._session.path
        if path is None:
            return self.save_as()
        if _work().changed_on_disk(path, self._session.seen):
            answer = messages.ask_to_overwrite(self._window, path.name)
            if answer == messages.SAVE_AS:
                return self._save_as(_work().free_beside(_work().with_ending(path, ".json")))
            if answer != messages.SAVE_ANYWAY:
                return False
        return self._save_to(path)

    def save_as(self) -> bool:
        """Ask for a name and save; the proposed one is that of the photo, if the scene has none."""
        photo = self._session.document.photo
        name = f"{PureWindowsPath(photo.path).stem}.scene.json" if photo is not None else "scene.json"
        path = self._session.path
        return self._save_as(_work().with_ending(path, ".json") if path else Path(self._folder()) / name)

    def _save_as(self, start: Path) -> bool:
        named = _work().asked_files(self._window, "Save scene", str(start), "Scene (*.json)", ".json")
        return any(self._save_to(target) for target in named)  # until one is written, or the user cancels

    def may_close_window(self) -> bool:
        """Whether the window may close: no film or picture is being written, or the user gives it up; see may_close."""
        writing = self._jobs.writing
        if writing and not messages.ask_to_stop_writing(self._window, writing, self._jobs.idle):
            return False
        return self.may_close()

    def may_close(self, then: str = "") -> bool:
        """Whether the open document may go: it is saved, or the user saves or gives it up.

        then: a sentence on what comes next, if that is not plain.
        """
        if not self.hooks.may_go():
            return False
        if not self._session.unsaved:
            return True
        name = f"“{self._session.path.name}”" if self._session.path else "this scene"
        self.asking.emit()
        answer = messages.ask_to_save(self._window, name, then)
        self._session.close_step()  # no drag outlasts the question, and what is put off would wait for its end
        return self.save() if answer == messages.SAVE else answer == messages.DISCARD

    def _save_to(self, path: Path) -> bool:
        self._session.solve_now()
        try:
            seen = _work().save_scene(path, as_saved(self._session.document, self._session.view))
        except PoserError as error:
            messages.refuse(self._window, str(error))
            return False
        self._session.saved_as(path, seen)
        self.saved.emit()
        self._settings.add_recent(path)
        self.message.emit(f"Saved {path.name}.")
        return True

    def _take(self, path: Path, found: Opened | UnapprovedBodyFolder | Unclear, at: NDArray[np.float64] | None) -> None:
        """Do with a file what it is there for, or first ask what it leaves open and read it again."""
        from app.window.file_imports import (  # loaded by now, as it has read the file
            JointsUnclear,
            SeveralPictures,
            UnapprovedBodyFolder,
            newer_version,
        )

        if isinstance(found, UnapprovedBodyFolder):
            if messages.ask_to_use_body(self._window, path.name, found.folder):
                self._body.accept(found.body)
                self.open_path(path, at)
        elif isinstance(found, JointsUnclear):
            if self.joints.ask(path, found.questions):
                self.open_path(path, at)
        elif isinstance(found, SeveralPictures):
            from app.dialogs.picture_choice import ask_for_picture  # only once there are several

            if key := ask_for_picture(path.name, found.pictures, self._window):
                self.open_path(path, at, key)
        elif found.photo is not None:
            self.photos.read(path, found.photo, found.picture, self.may_close)
        elif found.document is not None:
            if self.may_close():
                self._session.open(found.document, path, found.seen)
                self._done(path, NEWER_HINT if newer_version(found.document) else "")
        elif found.prop is not None:
            self._add_prop(path, found.text, found.prop, at)
        elif found.edit is not None:
            self._apply(path, found, found.edit, at)

    def _add_prop(self, path: Path, text: str, file: PropFile, at: NDArray[np.float64] | None) -> None:
        from app.viewport.prop_place import floor_ahead  # only once a mesh is opened

        wish = floor_ahead(self._pictures.camera()) if at is None else at
        prop = file.placed(self._session.document, wish)
        if self._session.edit(text, add_prop(prop)):
            self._session.set_view(prop=prop.id)
            self.step_message.emit(f"Added {path.name}. {file.notes}")

    def _apply(self, path: Path, found: Opened, edit: Edit, at: NDArray[np.float64] | None) -> None:
        """Take in a file's people, a pose or a motion, where there is room for them."""
        from app.document.exchange import import_placement as placement  # not needed to show the window

        session, before = self._session, self._session.document
        beside = edit if at is None else placement.placed_at(edit, at)
        placed = placement.placed_in_empty_scene(edit) if session.untouched else placement.placed_before_photo(beside)
        if not session.edit(found.text, placed):
            return
        self.joints.remember(path, added := placement.added_people(before, session.document))
        session.select(added[0].id)
        photo = session.document.photo  # people who came without a photo may be outside the one there
        stays = session.view.through_photo and at is not None  # dropped there: they are seen
        session.set_view(through_photo=stays or (photo is not None and photo is not before.photo))
        unseen = _work().hidden_colours(added, self._settings.values.look)
        self._done(path, f"{found.hint} {unseen}".strip(), self.step_message)

    def _done(self, path: Path, hint: str = "", said: SignalInstance | None = None) -> None:
        from app.library.folders import in_library  # only once a file is opened

        if in_library(path):  # a card that was dragged out: dialogs go on beginning among the user's files
            told = f"Added “{path.stem}”."
        else:
            self._settings.add_recent(path)
            told = f"Opened {path.name}."
        (said or self.message).emit(f"{told} {hint}".strip())
        self.opened.emit()

    def _folder(self) -> str:
        return str(self._settings.usual_folder(self._session.path))


def _work() -> ModuleType:
    """What opening and saving need: the window starts without it."""
    from app.window import file_imports

    return file_imports
