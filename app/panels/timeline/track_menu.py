"""The timeline's context menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu

from app.panels.timeline.timeline_view import TimelineView
from app.panels.widgets.popups import add_entry

TOO_SHORT = "a range needs at least two frames"


def fill_menu(menu: QMenu, track: TimelineView, here: int, bar: int | None = None) -> None:
    """Fill in what can be done with a planted foot, the selected keys, the range and the frames in sight.

    bar: the number of the planted foot that was clicked, if one was. here: the frame of the clock that was clicked;
    what is done there goes to it first, so that the result is seen. The keys that would do the same are named only at
    the playhead, where they act.
    """
    chosen, player = track.chosen, track.player
    at_playhead, last = here == player.frame, track.clock.frames - 1
    none_chosen = "" if chosen.frames else "select a key first"
    whole = (track.clock.first, track.clock.last) == (0, last)
    keyed = chosen.is_here if at_playhead else any(round(place) == here for _, place in track.marks.keys)

    def there(run: Callable[[], object]) -> Callable[[], object]:
        def go_and_run() -> None:
            if player.frame != here:
                player.go_to(here)
            run()

        return go_and_run

    if bar is not None:
        planted = track.marks.contacts[bar]
        side, holds = ("left", "right")[planted[0]], track.marks.holds(bar)

        def switch() -> None:
            bars = track.marks.contacts
            if planted in bars:  # what was solved meanwhile may have undone it
                track.switch_contact(bars.index(planted))

        add_entry(menu, f"Let the {side} foot go" if holds else f"Hold the {side} foot in its place", switch)
        menu.addSeparator()
    for text, keys, run, why_not in (
        ("Remove this key" if keyed else "Set a key here", "I", there(chosen.toggle_here), ""),
        ("", "", None, ""),
        ("Copy keys", "Ctrl+C", chosen.copy, none_chosen),
        ("Paste keys here", "Ctrl+V", there(chosen.paste), "" if chosen.can_paste else "no keys were copied"),
        ("Delete keys", "Del", chosen.delete, none_chosen),
        ("Select all keys", "Ctrl+A", chosen.select_all, ""),
        ("", "", None, ""),
        ("Start range here", "Ctrl+Home", there(player.begin_here), TOO_SHORT if here == last else ""),
        ("End range here", "Ctrl+End", there(player.end_here), "" if here else TOO_SHORT),
        ("Whole range", "", player.play_all, "all frames are played already" if whole else ""),
        ("", "", None, ""),
        ("Show all frames", "A", track.show_all, "they are in sight" if track.scale.whole else ""),
    ):
        if run is None:
            menu.addSeparator()
            continue
        hint = keys if at_playhead or not text.endswith(("here", "this key")) else ""
        add_entry(menu, f"{text}\t{hint}" if hint else text, run, why_not)
