"""The mouse over the timeline, and somebody to move."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from sample_files import CLIPS
from window_driver import NO_KEYS, activated, active, laid_out, move_held, settled, until

from app.document import edits
from app.document.model.actor import with_clip
from app.document.model.character import Character
from app.document.model.document import Document
from app.panels.timeline.lanes import lanes_of
from app.panels.timeline.timeline import Timeline
from app.panels.timeline.track import Track
from app.window.editor import Editor
from solver.kinematics.pose import Motion

LEFT = Qt.MouseButton.LeftButton
FRAMES, KEYS = 201, (40, 60, 130)  # of the fixture `desk`: its length, and where keys are besides the first


def gliding(character: Character, frames: int, fps: float = 30.0) -> Motion:
    """The character's pose moved half a metre over the floor."""
    way = np.linspace(0, 0.5, frames)[:, None] * np.array([1.0, 0, 0])
    pose = character.pose
    return Motion(pose.root_position + way, np.broadcast_to(pose.rotations, (frames, 24, 3, 3)), fps)


def set_moving(editor: Editor, frames: int, keys: tuple[int, ...] = (), id: str = "c1", fps: float = 30.0) -> None:
    """Give a person a motion with keys at these frames besides the first, as a document that was opened has it."""
    session = editor.session
    session.edit("Import", edits.import_motion(id, gliding(session.document.character(id), frames, fps)))

    def with_keys(document: Document) -> Document:
        character, actor = document.character(id), document.actor(id)
        clip = actor.clip
        for frame in keys:
            clip = clip.with_key(actor.key_at(frame))
        return document.with_character(with_clip(character, clip, character.frame))

    if keys:
        session.edit("Keys", with_keys)
    settled(session)
    session.history.mark_saved()
    editor.refresh()
    laid_out()  # the timeline takes room from the view


def keys_of(editor: Editor, id: str = "c1") -> list[int]:
    return [key.frame for key in editor.session.document.actor(id).clip.keys]


def frame_of(editor: Editor, id: str = "c1") -> int:
    return editor.session.document.character(id).frame


class TimelineMouse:
    """Presses, drags and keys on the timeline of a window."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor

    @property
    def timeline(self) -> Timeline:
        return self.editor.panels.timeline

    @property
    def track(self) -> Track:
        return self.timeline.track

    def on(self, lane: str, frame: float) -> QPoint:
        """Where a frame is: on the "ruler", the "keys" or the bar of the "range"."""
        lanes = lanes_of(self.track.marks)
        y = {"range": lanes.ruler / 2, "ruler": lanes.ruler + 6, "keys": (lanes.keys + lanes.others) / 2}[lane]
        return QPoint(round(self.track.scale.x(frame)), round(y))

    def drag(
        self, start: QPoint, *places: QPoint, keys: Qt.KeyboardModifier = NO_KEYS, release: bool = True,
        button: Qt.MouseButton = LEFT,
    ) -> None:  # fmt: skip
        QTest.mousePress(self.track, button, keys, start)
        for place in places:
            move_held(self.track, place, keys, button)
        if release:
            self.release((start, *places)[-1], keys, button)

    def release(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEYS, button: Qt.MouseButton = LEFT) -> None:
        QTest.mouseRelease(self.track, button, keys, place)
        QApplication.processEvents()

    def click(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        QTest.mouseClick(self.track, LEFT, keys, place)

    def scrub(self, *frames: int) -> None:
        """Drag the playhead over the places of these frames."""
        places = [self.on("ruler", frame) for frame in frames]
        self.drag(places[0], *places)
        settled(self.editor.session)

    def to_frame(self, frame: int) -> None:
        """Type the number of a frame."""
        self.activate()
        QTest.mouseClick(self.timeline.field, LEFT)
        for key in str(frame + 1):
            self.press(key)
        self.press(Qt.Key.Key_Return)
        settled(self.editor.session)
        self.editor.refresh()

    def strike(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press a key of the keyboard while the timeline has the focus."""
        self.activate()
        self.track.setFocus()
        self.editor.refresh()
        self.press(key, keys)

    def press(self, key: Qt.Key | str, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press a key of the keyboard: the window gives it to whatever has the focus."""
        QTest.keyClick(self.editor.window.windowHandle(), key, keys)
        QApplication.processEvents()

    def activate(self) -> None:
        """Give the window the keyboard."""
        activated(self.editor.window)


def with_motion_opened(editor: Editor) -> TimelineMouse:
    """The window with a motion that was opened from a file, at its first frame."""
    editor.files.open_path(CLIPS / "reach.bvh")
    until(lambda: active(editor).clip.source is not None)
    settled(editor.session)
    editor.refresh()
    laid_out()
    return TimelineMouse(editor)
