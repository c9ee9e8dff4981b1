"""The timeline's context menu."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from app.panels.timeline.timeline_view import TimelineView


def fill_menu(menu: QMenu, track: TimelineView) -> None:
    """Fill in what can be done with the selected keys, the range and the frames in sight."""
    chosen, player = track.chosen, track.player
    some = bool(chosen.frames)
    for text, run, possible in (
        ("Remove this key" if chosen.is_here else "Set a key here\tI", chosen.toggle_here, True),
        ("", None, True),
        ("Copy keys\tCtrl+C", chosen.copy, some),
        ("Paste keys here\tCtrl+V", chosen.paste, chosen.can_paste),
        ("Delete keys\tDel", chosen.delete, some),
        ("Select all keys\tCtrl+A", chosen.select_all, True),
        ("", None, True),
        ("Start range here\tCtrl+Home", player.begin_here, True),
        ("End range here\tCtrl+End", player.end_here, True),
        ("Whole range", player.play_all, (track.clock.first, track.clock.last) != (0, track.clock.frames - 1)),
        ("", None, True),
        ("Show all frames\tA", track.show_all, not track.scale.whole),
    ):
        if run is None:
            menu.addSeparator()
        else:
            menu.addAction(text, run).setEnabled(possible)
