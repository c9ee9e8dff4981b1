"""The dialogs that commands open over the window, each imported when it is first opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins, QPoint, QRect
from PySide6.QtWidgets import QWidget

from app.panels.widgets.popups import ask
from app.services.settings import SettingsStore
from app.window.commands.actions import Actions
from app.window.window_commands import WindowDialogs
from solver.resources import resource_folder

if TYPE_CHECKING:
    from app.window.commands.search_items import SearchItem

MANUAL = resource_folder("app").parent / "docs" / "manual" / "index.md"  # an installed package leaves out its pictures
AROUND = QMargins(8, 8, 8, 8)  # pixels between the search and the window's edges
TOP = 48  # pixels from the top of the view to the search


def dialogs_of(
    window: QWidget,
    view: QWidget,
    settings: SettingsStore,
    actions: Callable[[], Actions],
    items: Callable[[], tuple[SearchItem, ...]],
    labelling: Callable[[], bool],
) -> WindowDialogs:
    """The dialogs that menus open. actions: the commands to search, once there are any. items: what else to search.
    labelling: whether a folder is being labelled.
    """

    def open_settings() -> None:
        from app.dialogs.settings_dialog import SettingsDialog

        ask(SettingsDialog(settings, window))

    def search() -> None:
        from app.window.commands.command_search import CommandSearch

        found = CommandSearch(actions(), window, items)
        room = QRect(window.mapToGlobal(QPoint()), window.size()).marginsRemoved(AROUND)
        found.resize(found.size().boundedTo(room.size()))
        place = QRect(view.mapToGlobal(QPoint((view.width() - found.width()) // 2, TOP)), found.size())
        place.moveRight(min(place.right(), room.right()))  # in a small window it covers the panels beside the view
        place.moveBottom(min(place.bottom(), room.bottom()))
        place.moveLeft(max(place.left(), room.left()))
        found.setGeometry(place)
        found.setMaximumHeight(place.height())
        ask(found)

    def keys() -> None:
        from app.window.help import show_shortcuts

        show_shortcuts(window, settings.values, labelling())

    def show_about() -> None:
        from app.window.help import show_about

        show_about(window)

    def manual() -> None:
        from app.dialogs.manual import show_manual

        show_manual(window, MANUAL)

    return WindowDialogs(window.close, open_settings, search, keys, show_about, manual, MANUAL.is_file)
