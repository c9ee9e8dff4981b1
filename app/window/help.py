"""What the Help menu shows."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.dialogs.message_dialog import MessageDialog
from app.dialogs.settings_dialog import NAVIGATION
from app.dialogs.shortcuts_dialog import ShortcutsDialog
from app.panels.widgets.popups import ask
from app.services.settings import Settings
from app.window.commands.posing_commands import KEYMAPS, with_first
from app.window.commands.time_commands import SET_KEY
from app.window.controls.prop_control import SCALE_KEY
from app.window.shortcuts_page import LABELLING, SECTIONS, Rows
from solver.effectors.kinds import kinds


def show_shortcuts(parent: QWidget, settings: Settings, labelling: bool) -> None:
    """Mouse and keys on one page. labelling: whether it begins with the keys for that."""
    note = f"Navigation: {NAVIGATION[settings.navigation]}. See the settings."
    page = sorted(shortcuts_page(settings), key=lambda section: labelling and section[0] != LABELLING)
    ask(ShortcutsDialog(parent, page, note))


def shortcuts_page(settings: Settings) -> list[tuple[str, Rows]]:
    """The sections of the page, with the keys as in the settings."""
    keys = KEYMAPS[settings.keymap]
    titles = ", ".join(kind.title.lower() for kind, has_key in with_first(kinds()) if has_key and kind.handle in keys)
    words = {
        **keys,
        "set_key": SET_KEY[settings.keymap],
        "scale": SCALE_KEY[settings.keymap],
        "kinds": titles,
    }
    return [
        (title, tuple((what.format(**words), does.format(**words)) for what, does in rows)) for title, rows in SECTIONS
    ]


def show_about(parent: QWidget) -> None:
    """Version and licences."""
    from app import __version__

    more = (
        "Pose 3D characters with a few handles.\n\nCode under Apache-2.0. The body is made from MakeHuman data (CC0); "
        "the photo models are BlazePose (Apache-2.0). See assets/README.md."
    )
    MessageDialog(parent, f"Contrapposto {__version__}", more, title="About").ask()
