"""Exporting, with the questions that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from os.path import isfile  # False for a name too long, where Path's raises OSError
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.dialogs import messages
from app.panels.widgets.popups import ask
from app.services.background.jobs import Jobs, Progress, Work, refusal_kept
from app.services.clock import plays
from app.services.session import Session
from app.services.settings import SettingsStore
from solver.errors import InputRefused, PoserError

if TYPE_CHECKING:
    from app.dialogs.export_dialog import ExportChoice
    from app.document.exchange.onto.own_character import PosedCharacter
    from app.document.model.document import Character
    from app.film.main_thread import MainThreadCaller
    from app.window.controls.joint_mapping import JointMapping
    from app.window.exporting import ViewCapture


CHARACTER = "the file of your character"
Refused = Callable[[InputRefused], None]
Write = Callable[[Path, Refused], bool]  # False if the file stays as it is, and another one may be named


class FileExports(QObject):
    """The exports of one window. message(text): for the status bar. folder: where the first one is proposed.
    joints: what the user said about joints of files."""

    message = Signal(str)

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        settings: SettingsStore,
        pictures: ViewCapture,
        folder: Callable[[], str],
        joints: Callable[[], JointMapping],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session, self._jobs, self._settings = session, jobs, settings
        self._pictures, self._usual_folder, self._window = pictures, folder, window
        self._joints = joints
        self._rigs: dict[str, Path] = {}  # the character that the last one went onto, by the name of the own skin posed
        self._typed: Path | None = None  # a name that stands for another format, which was chosen then
        self._picture: tuple[ExportChoice, tuple[int, int]] | None = None  # the last one, and the view's size then
        self._folder: Path | None = None  # where the last export of this window went

    def begin(self, format: str = "") -> None:
        """Ask what to export and where, and do it; who names no file is back in the dialog.

        format: a page of the dialog, by default the last one used.
        """
        work = _work()
        size = self._pictures.size()
        whole = work.all_or_none_in_view(self._session.document, self._pictures.camera(), size)
        active = self._session.active
        known = self._joints().file_of(active) if active is not None else None
        rig, usual = known or self._rigs.get(_own_file(active)), self._usual_folder()
        dialog = work.ExportDialog(
            self._session,
            self._settings.values,
            size,
            format,
            self._window,
            whole,
            rig,
            usual,
            self._like_last(size),
        )
        self._typed = None

        def chosen() -> bool:
            choice = dialog.choice()
            done = self._chosen(choice, usual, dialog.turn_to)
            if done and choice.format == "png" and not self._session.view.through_photo:
                self._picture = choice, size
            return done

        ask(dialog, chosen)

    def _like_last(self, size: tuple[int, int]) -> ExportChoice | None:
        """What was chosen for the last picture, so that several are alike; as large as the view, which has that size in
        pixels, if that picture was. A photo's camera says itself how large its pictures are."""
        if self._picture is None or self._session.view.through_photo:
            return None
        last, view = self._picture
        return replace(last, size=size) if last.size == view else last

    def _chosen(self, choice: ExportChoice, usual: str, turn_to: Callable[[str], None]) -> bool:
        """Ask where to, and write; False if the user names no file, or there is nothing to write. usual: the folder to
        propose for the first one. turn_to: called with the format that a name stands for, if that is wanted instead."""
        work = _work()

        def change(typed: Path) -> None:
            self._typed = typed
            turn_to(typed.suffix.lower()[1:])

        self._settings.set(export_format=choice.format)
        if choice.format in ("bvh", "glb"):
            self._settings.set(bvh_names=choice.names, bvh_unit=choice.unit, glb_together=choice.together)
        if choice.rig is not None:
            return self._onto(choice, choice.rig, change)
        stem = work.suggested_stem(self._session.document, self._session.active, choice, self._session.path)
        own = work.own_files(self._session.document, self._session.path)
        opened = self._settings.values.recent
        folder = self._folder or Path(usual)
        proposed = self._typed or folder / f"{stem}.{choice.format}"
        start = str(work.safe_path(proposed.with_suffix(f".{choice.format}"), own, opened))
        kinds = next((many for many in (work.MESH_FORMATS, work.MOVING) if choice.format in many), ())
        suffixes = [f".{kind}" for kind in (choice.format, *kinds)]
        films: dict[str, bytes] = {}
        others, filter = [f".{kind}" for kind in work.SUFFIX_FILTERS], work.SUFFIX_FILTERS[choice.format]
        return self._next(
            work.asked_files(self._window, "Export", start, filter, *suffixes, others=others, change=change),
            lambda target, refused: self._write(choice, target, own, films, refused),
        )

    def _next(self, named: Iterator[Path], write: Write) -> bool:
        """Write the next file that the user names; where it is refused, say so and ask for another name. False if none
        is named, or no name would help."""

        def refused(why: InputRefused) -> None:
            messages.refuse(self._window, str(why))
            self._next(named, write)

        for target in named:
            try:
                if write(target, refused):
                    return True
            except InputRefused as why:
                messages.refuse(self._window, str(why))
            except PoserError as error:  # of what is exported: another name would not help
                messages.refuse(self._window, str(error))
                break
        return False

    def _write(
        self, choice: ExportChoice, target: Path, own: Mapping[Path, str], films: dict[str, bytes], refused: Refused
    ) -> bool:
        work = _work()
        self._session.solve_now()
        document, active = self._session.document, self._session.active
        files = work.files_of(document, choice, target)
        work.check_not_own_files(files, own)
        there = [file for file in files if file != target and isfile(file)]
        if there and not messages.ask_to_replace(self._window, there[0].name, len(there) - 1):
            return False
        if choice.format in work.MOVING:
            film = work.film_work(document, choice, target, self._pictures, self._main_thread, films)
            self._run(target, film, refused)
            return True
        if choice.format == "png":
            picture = work.picture_work(choice, target, self._pictures, self._main_thread, films)
            self._run(target, picture, refused)
            return True

        begun: list[Path] = []

        def write(progress: Progress = lambda share, text: None) -> list[Path]:
            return work.export(  # type: ignore[no-any-return]
                document, active, choice, target, self._pictures, progress, begun
            )

        moves = choice.whole_motion and plays(document)
        if choice.format in work.MESH_FORMATS or moves:  # takes a second or more and needs nothing from the window
            self._run(
                target, lambda progress, cancelled: write(progress), refused, lambda: self._given_up(begun, len(files))
            )
        else:
            self._written(write())
        return True

    def _run(self, target: Path, work: Work, refused: Refused, given_up: Callable[[], object] = lambda: None) -> None:
        """Write in the background. given_up: called if the user cancels that."""

        def ended(found: list[Path] | InputRefused) -> None:
            if isinstance(found, InputRefused):
                refused(found)
            else:
                self._written(found)

        self._jobs.run(f"Writing {target.name}", refusal_kept(work), ended, target.name, given_up=given_up)

    def _onto(self, choice: ExportChoice, rig: Path, change: Callable[[Path], None]) -> bool:
        """Ask for the name of the user's character as posed, and write it; False if the user names none. change: called
        with a name that stands for another format, if that is wanted instead."""
        work, self._rigs[_own_file(self._session.active)] = _work(), rig
        kind = "bvh" if rig.suffix.lower() == ".bvh" else "glb"
        suffixes = [f".{kind}", *([".vrm"] if rig.suffix.lower() == ".vrm" else [])]
        start = str((self._folder or rig.parent) / f"{rig.stem}_posed.{kind}")
        others, filter = [f".{other}" for other in work.SUFFIX_FILTERS], work.SUFFIX_FILTERS[kind]
        return self._next(
            work.asked_files(self._window, "Export", start, filter, *suffixes, others=others, change=change),
            lambda target, refused: self._write_onto(choice, rig, target, refused),
        )

    def _write_onto(self, choice: ExportChoice, rig: Path, target: Path, refused: Refused) -> bool:
        from app.window.controls.own_character_export import OwnCharacterExport

        work = _work()
        self._session.solve_now()
        document, active = self._session.document, self._session.active
        work.check_not_own_files([target], work.own_files(document, self._session.path) | {rig: CHARACTER})
        if active is not None:
            origin = self._joints().origin_of(active)
            person = origin[1] if origin is not None and origin[0] == rig else None

            def shown(progress: Progress) -> Character:
                whole = work.shown_over_time(document, choice.span, progress) if choice.whole_motion else document
                return whole.character(active.id)  # type: ignore[no-any-return]

            onto = OwnCharacterExport(shown, rig, target, choice.whole_motion, person)
            onto.begin(self._jobs, self._joints(), self._posed, refused)
        return True

    def _posed(self, posed: PosedCharacter) -> None:
        self._folder = posed.file.parent
        self.message.emit(f"Wrote {posed.file.name} in {posed.file.parent}. {posed.hint}".strip())

    def _written(self, files: list[Path]) -> None:
        self._folder = files[0].parent
        names = ", ".join(file.name for file in files)
        self.message.emit(f"Wrote {names} in {files[0].parent}.")

    def _given_up(self, written: list[Path], wanted: int) -> None:
        """Say what was written before the user cancelled: it stays, as it may have taken the place of an older file."""
        if len(written) == wanted:  # the last one was too far on
            self._written(written)
        elif written:
            self._folder = written[0].parent
            names, verb = ", ".join(file.name for file in written), "was" if len(written) == 1 else "were"
            done = f"{len(written)} {verb} written in {self._folder}: {names}."
            self.message.emit(f"Cancelled. Of {wanted} files, {done}")

    @cached_property
    def _main_thread(self) -> MainThreadCaller:
        from app.film.main_thread import MainThreadCaller  # only once a film is written

        return MainThreadCaller(self)


def _own_file(character: Character | None) -> str:
    """The name of the file whose skin somebody has; "" for who has ours."""
    return character.own_skin.name if character is not None and character.own_skin is not None else ""


def _work() -> ModuleType:
    """What exporting needs: the window starts without it."""
    from app.window import export_imports

    return export_imports
