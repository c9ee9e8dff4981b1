"""The timeline's context menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu

from app.panels.timeline.timeline_view import TimelineView


def fill_menu(menu: QMenu, track: TimelineView, here: int) -> None:
    """Fill in what can be done with the selected keys, the range and the frames in sight.

    here: the frame of the clock that was clicked. What is done there goes to it first, so that the result is seen; the
    keys that would do the same are named only at the playhead, where they act.
    """
    chosen, player = track.chosen, track.player
    some, at_playhead = bool(chosen.frames), here == player.frame
    keyed = chosen.is_here if at_playhead else any(round(place) == here for _, place in track.marks.keys)

    def there(run: Callable[[], object]) -> Callable[[], object]:
        def go_and_run() -> None:
            if player.frame != here:
                player.go_to(here)
            run()

        return go_and_run

    for text, keys, run, possible in (
        ("Remove this key" if keyed else "Set a key here", "I", there(chosen.toggle_here), True),
        ("", "", None, True),
        ("Copy keys", "Ctrl+C", chosen.copy, some),
        ("Paste keys here", "Ctrl+V", there(chosen.paste), chosen.can_paste),
        ("Delete keys", "Del", chosen.delete, some),
        ("Select all keys", "Ctrl+A", chosen.select_all, True),
        ("", "", None, True),
        ("Start range here", "Ctrl+Home", there(player.begin_here), True),
        ("End range here", "Ctrl+End", there(player.end_here), True),
        ("Whole range", "", player.play_all, (track.clock.first, track.clock.last) != (0, track.clock.frames - 1)),
        ("", "", None, True),
        ("Show all frames", "A", track.show_all, not track.scale.whole),
    ):
        if run is None:
            menu.addSeparator()
            continue
        hint = keys if at_playhead or not text.endswith(("here", "this key")) else ""
        menu.addAction(f"{text}\t{hint}" if hint else text, run).setEnabled(possible)
