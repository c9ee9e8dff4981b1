"""The commands of the Time menu: play, go to frames and keys, the range that is played."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.panels.timeline.timeline import Timeline
from app.services.session import Session
from app.window.commands.actions import Command
from app.window.commands.rate_command import rate_command

SET_KEY = {"blender": "I", "maya": "S"}


def time_commands(session: Session, timeline: Timeline, viewport: QWidget, keymap: str) -> tuple[Command, ...]:
    """The table. Its keys belong to the view: in a field an arrow moves the cursor, on a button Space presses it."""
    player = timeline.player
    moves = lambda: player.can_play  # noqa: E731

    def command(id: str, title: str, run: object, *keys: str, icon: str = "", **more: object) -> Command:
        return Command(f"time.{id}", title, run, keys, icon, enabled=moves, within=viewport, **more)  # type: ignore[arg-type]

    return (
        command("play", "Play the motion", player.toggle, "Space", icon="play", checked=lambda: player.playing),
        command(
            "loop", "Loop", lambda: player.set_loop(not session.view.loop), icon="loop",
            checked=lambda: session.view.loop,
        ),
        command("frame_after", "Next frame", lambda: player.step(1), "Right"),
        command("frame_before", "Previous frame", lambda: player.step(-1), "Left"),
        command("key_after", "Next key", lambda: player.to_key(1), "Up"),
        command("key_before", "Previous key", lambda: player.to_key(-1), "Down"),
        command("first", "First frame of the range", lambda: player.to_end(last=False), "Shift+Left"),
        command("last", "Last frame of the range", lambda: player.to_end(last=True), "Shift+Right"),
        command(
            "set_key", "Set a key here", timeline.chosen.toggle_here, SET_KEY[keymap], icon="key",
            checked=lambda: timeline.chosen.is_here, tip="Set a key at this frame, or remove it",
        ),
        command(
            "by_joints", "Between keys by the joints alone", timeline.switch_way, "J", icon="in_between",
            checked=lambda: timeline.by_joints, tip="Between keys by the joints alone, or solve every frame",
        ),
        command("begin", "Start range here", player.begin_here, "Ctrl+Home"),
        command("end", "End range here", player.end_here, "Ctrl+End"),
        command("whole", "Whole range", player.play_all),
        rate_command(session, timeline),
    )  # fmt: skip
