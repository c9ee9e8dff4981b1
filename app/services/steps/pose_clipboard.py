"""Copied poses, people and props, which outlive the scene they came from and go from one window to another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication

from app.document import edits
from app.document.model.document import Character
from app.services.session import MOMENT_S, Session
from solver.errors import InputRefused, PoserError

if TYPE_CHECKING:
    from app.document.model.prop_mesh import PropMesh

KIND = "application/x-contrapposto-pose"  # what the system's clipboard calls a pose
THINGS = "application/x-contrapposto-things"  # and people and props
FILE, PICTURE = "file", "picture"  # what other programs copy


class PoseClipboard(QObject):
    """Copy from the active character, paste onto the active character; what another window copied last goes first.

    things: people and props that were copied instead, as a scene's text; empty if a pose was. own: whether here.
    meshes: those of the props that were copied here, to be shared by what is pasted.
    keys: what pastes keys, if those were copied last, on the timeline.
    foreign: what another program copied last, if it can be opened: FILE, PICTURE or "". Goes before all else.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._copied: Character | None = None
        self._elsewhere = b""  # what another window copied since
        self._text = False  # whether another program has copied words since, which may be a pose file's
        self.things, self.own, self.foreign = b"", False, ""
        self.meshes: tuple[PropMesh, ...] = ()
        self.keys: Callable[[], object] | None = None
        session.opened.connect(partial(self.keep_keys, None))
        self._system = QGuiApplication.clipboard()
        self._system.dataChanged.connect(self._look)
        self._look()

    @property
    def filled(self) -> bool:
        """Whether there is a pose to paste."""
        return self._copied is not None or bool(self._elsewhere) or self._text

    @property
    def brings_something(self) -> bool:
        """Whether there is something to paste that needs nobody to take it."""
        return bool(self.keys or self.foreign or self.things)

    def copy(self) -> None:
        """Keep the active character as it is now."""
        from app.document.library.clipboard import copied  # not needed to show the window

        self._session.settle(MOMENT_S)  # whoever was just dragged is copied as they come to be
        if self._session.active is not None:
            self.keys = None
            self._copied, self._elsewhere, self.things, self.meshes = self._session.active, b"", b"", ()
            content = QMimeData()
            content.setData(KIND, copied(self._copied))
            self._system.setMimeData(content)
            self._session.changed.emit()

    def copy_things(self, things: bytes, meshes: tuple[PropMesh, ...] = ()) -> None:
        """Keep people and props, as a scene's text, and the meshes of the props."""
        self._copied, self._elsewhere, self.things, self.own, self.meshes = None, b"", things, True, meshes
        self.keys = None
        content = QMimeData()
        content.setData(THINGS, things)
        self._system.setMimeData(content)
        self._session.changed.emit()

    def keep_keys(self, paste: Callable[[], object] | None) -> None:
        """Paste keys from now on, until something else is copied. paste: does it; None for none."""
        self.keys = paste
        self._session.changed.emit()

    def paste(self, flipped: bool = False) -> None:
        """Give the active character the copied pose, left and right exchanged if `flipped`."""
        from app.document.library.clipboard import pasted

        active = self._session.active
        if active is None:
            return
        try:
            source = self._read() or (pasted(self._elsewhere) if self._elsewhere else self._copied)
        except PoserError as error:
            self._session.refused.emit(str(error))
            return
        if source is not None:
            text = "Paste flipped pose" if flipped else "Paste pose"
            self._session.edit(text, edits.paste_pose(active.id, source, flipped))

    def _read(self) -> Character | None:
        """Somebody in the pose whose file's text another program has copied; None where it is another text, and a pose
        was copied before. Text is read only here: some systems tell the user of every program that reads it."""
        if not self._text:
            return None
        from app.document.library.clipboard import SOURCE, pasted  # not needed to show the window

        if text := self._pose_text():
            return pasted(text)
        if self._copied is None and not self._elsewhere:
            raise InputRefused(SOURCE, "holds a text that is no pose file's", "Copy a pose first")
        return None

    def has_later_pose(self) -> bool:
        """Whether another program has copied a pose file's text after people and props were copied. It is read here."""
        return bool(self._text and self._pose_text())

    def _pose_text(self) -> bytes:
        """The text that another program has copied if it is a pose file's; else nothing."""
        from app.document.exchange.file_kind import PEEKED, json_kind  # not needed to show the window

        text = self._system.text().encode("utf-8", "replace")
        return text if json_kind(text[:PEEKED]) == "pose" else b""

    def _look(self) -> None:
        """Take what another window has copied at once: its clipboard may go with it."""
        content = self._system.mimeData()
        if self._system.ownsClipboard():
            self.foreign, self._text = "", False
            return
        answers = bool(content.formats())  # each question waits for seconds where the other program hangs
        before, self.foreign = self.foreign, openable(content) if answers else ""
        had_text, self._text = self._text, answers and not self.foreign and content.hasText()
        if answers and content.hasFormat(THINGS):
            self._copied, self._elsewhere = None, b""
            self.things, self.own, self.meshes = bytes(content.data(THINGS).data()), False, ()
        elif answers and content.hasFormat(KIND):
            self._elsewhere, self.things = bytes(content.data(KIND).data()) or self._elsewhere, b""
        elif self.foreign == before:
            if self._text != had_text:
                self._session.changed.emit()
            return
        self.keys = None
        self._session.changed.emit()


def openable(content: QMimeData) -> str:
    """FILE, PICTURE, or "" if there is neither. Office programs add a picture to any text: that is text."""
    if any(url.isLocalFile() for url in content.urls()):
        return FILE
    return PICTURE if content.hasImage() and not content.hasText() else ""
