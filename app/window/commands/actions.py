"""Every command of the window in one table; menus, toolbar, shortcuts and the command search are made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from app.look.icons import icon
from app.look.mnemonics import unmarked
from app.look.theme import Theme
from app.panels.widgets.external_text import escaped
from app.window.commands.why_grey import reason_of

# All others are done once, however long their key is held, as a switch would flicker.
GO_ON_WHILE_HELD = frozenset({
    "edit.undo", "edit.redo", "edit.next_person", "edit.previous_person", "edit.next_effector",
    "edit.previous_effector", "label.next", "label.previous", "pose.library_next", "pose.library_previous",
    "time.frame_after", "time.frame_before", "time.key_after", "time.key_before", "view.undo", "view.redo",
    "view.nearer", "view.farther", "view.turn_left", "view.turn_right", "view.turn_up", "view.turn_down",
})  # fmt: skip


# What of these menus goes on beside a drag: all else there would change the scene, or ask or open something.
BESIDE_A_DRAG = frozenset({
    "edit.undo", "edit.redo", "edit.delete", "pose.remove_person", "pose.pin", "prop.scale", "time.play", "file.save",
    "file.quit",
})  # fmt: skip
SHIFT = Qt.KeyboardModifier.ShiftModifier
NOT_BESIDE = ("file.", "edit.", "pose.", "body.", "contact.", "prop.", "time.", "label.", "help.", "view.next_photo")


def waits_for_release(id: str) -> bool:
    """Whether a command means nothing in the middle of a drag: what is dragged would not be the same afterwards."""
    return id.startswith(NOT_BESIDE) and id not in BESIDE_A_DRAG


def always() -> bool:
    """Whether a command that nothing hinders can be run."""
    return True


@dataclass(frozen=True)
class Command:
    """One command. id: "menu.name". shortcuts: key sequences as text, the first one shown in menus.

    enabled, checked: asked whenever the window refreshes; checked is None for a command that is not a switch.
    within: the part of the window where its keys work, None for all of it: elsewhere they mean something else.
    alone: they do not work in what lies over that part.
    title_now: a title that changes with the document ("Undo Move left wrist").
    """

    id: str
    title: str
    run: Callable[[], object]
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    enabled: Callable[[], bool] = always
    checked: Callable[[], bool] | None = None
    title_now: Callable[[], str] | None = None
    tip: str = ""
    within: QWidget | None = None
    alone: bool = False


class Actions:
    """The commands as QActions of one window. run: runs one, or says why not."""

    def __init__(
        self, commands: tuple[Command, ...], parent: QWidget, run: Callable[[Command], object] = lambda each: each.run()
    ) -> None:
        self.commands: Mapping[str, Command] = {command.id: command for command in commands}
        if len(self.commands) != len(commands):
            raise ValueError("two commands have the same id")
        self._run = run
        self._actions: dict[str, QAction] = {}
        for command in commands:
            action = QAction(command.title, parent)
            action.setObjectName(command.id)
            action.setShortcuts([QKeySequence(keys) for keys in command.shortcuts])
            action.setAutoRepeat(command.id in GO_ON_WHILE_HELD)
            action.setCheckable(command.checked is not None)
            action.setIconVisibleInMenu(False)
            action.triggered.connect(lambda _checked=False, each=command: run(each))
            action.setToolTip(_tip(command))
            if command.within is not None:
                context = Qt.ShortcutContext
                action.setShortcutContext(
                    context.WidgetShortcut if command.alone else context.WidgetWithChildrenShortcut
                )
            (command.within or parent).addAction(action)
            self._actions[command.id] = action

    def __getitem__(self, id: str) -> QAction:
        return self._actions[id]

    @property
    def letters_with_alt(self) -> frozenset[str]:
        """The letters that mean something with Alt alone; in upper case."""
        keys = (keys.rpartition("+") for command in self.commands.values() for keys in command.shortcuts)
        return frozenset(key for held, _, key in keys if held == "Alt" and len(key) == 1)

    def run_as(self, id: str, work: Callable[[], object]) -> None:
        """Do something that may be done whenever a command may, in place of its own work; else say why not."""
        self._run(replace(self.commands[id], run=work))

    def refresh(self) -> None:
        """Ask every command for its state."""
        for id, command in self.commands.items():
            action = self._actions[id]
            if (can := command.enabled()) != action.isEnabled():
                action.setEnabled(can)
                action.setToolTip(_tip(command) if can else f"{_tip(command)}\n{why_not(id)}")
            if command.checked is not None:
                action.setChecked(command.checked())
            if command.title_now is not None and (text := escaped(command.title_now())) != unmarked(action.text()):
                action.setText(text)  # else it stays as a menu that shows may have marked it

    def why_grey_at(self, event: QKeyEvent) -> str:
        """Why the command of a key cannot be run, where its key works at all; "" if the key has no grey command."""
        held, key = event.modifiers(), event.key()
        typed = held & ~Qt.KeyboardModifier.KeypadModifier
        ways = {held: None, typed: None}
        if not Qt.Key.Key_A <= key <= Qt.Key.Key_Z:
            # A sign such as "?" takes Shift on some keyboards, and means the same with it, unless that means its own.
            ways[typed & ~SHIFT] = None
        for way in ways:
            struck = QKeySequence(QKeyCombination(way, Qt.Key(key)))
            for id, command in self.commands.items():
                action = self._actions[id]
                if struck in action.shortcuts() and not action.isEnabled() and _works_here(command):
                    title = command.title_now() if command.title_now is not None else command.title
                    return f"“{title.rstrip('…')}” is not possible now: {reason_of(id)}."
        return ""

    def restyle(self, theme: Theme) -> None:
        """Draw the icons in the theme's colours."""
        for id, command in self.commands.items():
            if command.icon:
                checked = theme.accent if command.checked is not None else ""
                self._actions[id].setIcon(icon(command.icon, theme.muted, theme.faint, checked))


def _works_here(command: Command) -> bool:
    """Whether its keys work where the keyboard is."""
    within, focus = command.within, QApplication.focusWidget()
    if within is None or within is focus:
        return True
    return focus is not None and not command.alone and within.isAncestorOf(focus)


def why_not(id: str) -> str:
    """Why a command that is grey cannot be run now."""
    return f"Not now: {reason_of(id)}"


def _tip(command: Command) -> str:
    keys = ", ".join(QKeySequence(k).toString(QKeySequence.SequenceFormat.NativeText) for k in command.shortcuts[:1])
    text = command.tip or command.title.rstrip("…")
    return f"{text} ({keys})" if keys else text
