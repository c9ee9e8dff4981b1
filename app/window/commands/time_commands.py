"""The commands of the Time menu: playing, going to frames and keys, the range to play."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from app.look.theme import SPACE
from app.panels.timeline.key_owner import can_resize, key_owner
from app.panels.timeline.stride_slider import StrideSlider
from app.panels.timeline.timeline import ANIMATE, Timeline
from app.panels.widgets.popups import show_menu
from app.services.session import Session
from app.window.commands.actions import Command

RATES = (12.0, 15.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 120.0)  # frames a second
SET_KEY = {"blender": "I", "maya": "S"}


def time_commands(session: Session, timeline: Timeline, viewport: QWidget, keymap: str) -> tuple[Command, ...]:
    """The table. Its keys work in the view: in a field an arrow moves the cursor, and on a button Space presses it."""
    player = timeline.player
    moves = lambda: player.can_play  # noqa: E731

    def command(id: str, title: str, run: object, *keys: str, icon: str = "", **more: object) -> Command:
        return Command(f"time.{id}", title, run, keys, icon, enabled=moves, within=viewport, **more)  # type: ignore[arg-type]

    def set_key() -> None:
        if moves():
            timeline.chosen.toggle_here()
        else:
            timeline.start_animating()

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
        Command(
            "time.set_key", "Set a key here", set_key, (SET_KEY[keymap],), "key", within=viewport,
            enabled=lambda: moves() or timeline.can_animate, checked=lambda: timeline.chosen.is_here,
            tip="Set a key at this frame, or remove it. In a still scene: Animate",
        ),
        command(
            "by_joints", "Between keys by the joints alone", timeline.switch_in_betweens, "J", icon="in_between",
            checked=lambda: timeline.by_joints, tip="Between keys by the joints alone, or solve every frame",
        ),
        command("begin", "Start range here", player.begin_here, "Ctrl+Home"),
        command("end", "End range here", player.end_here, "Ctrl+End"),
        command("whole", "Whole range", player.play_all),
        Command(
            "time.cut", "Cut to range", timeline.retiming.cut, enabled=lambda: not timeline.retiming.why_not_cut,
            tip="Keep only the frames of the range, of everybody and every prop; keys outside it go",
        ),
        Command("time.animate", "Animate", timeline.start_animating, enabled=lambda: timeline.can_animate, tip=ANIMATE),
        rate_command(session, timeline),
        Command(
            "time.speed", "Speed…", timeline.retiming.ask_speed, enabled=lambda: not timeline.retiming.why_no_speed,
            tip="Let this person or prop go faster or slower, recorded motion and keys alike",
        ),
    )  # fmt: skip


def stride_command(stride: StrideSlider, type_it: Callable[[], object]) -> Command:
    """The command that lets a motion's stride be typed."""
    return Command(
        "time.stride", "Stride…", type_it, enabled=lambda: stride.usable,
        tip="How far the motion goes over the floor: 100% is as recorded, in proportion to the legs",
    )  # fmt: skip


def rate_command(session: Session, below: QWidget) -> Command:
    """The command that offers other rates. below: the widget over which their menu opens."""

    def can() -> bool:
        return can_resize(key_owner(session))

    def rate() -> float:
        owner = key_owner(session)
        return owner.clip.fps if owner is not None and owner.clip is not None else 0.0

    def title() -> str:
        return f"Frame rate ({rate():g} a second)…" if can() else "Frame rate…"

    def choose(fps: float) -> None:
        owner = key_owner(session)
        if owner is not None:
            session.edit(f"Frame rate {fps:g}", owner.set_rate(fps))

    def fill(menu: QMenu) -> None:
        now = rate()
        group = QActionGroup(menu)
        for fps in sorted({*RATES, now}):
            action = menu.addAction(f"{fps:g} frames a second", partial(choose, fps))
            action.setCheckable(True)
            action.setChecked(fps == now)
            group.addAction(action)

    def ask() -> None:
        if can():
            show_menu(below, below.mapToGlobal(QPoint(SPACE, 0)), fill)

    return Command(
        "time.rate", "Frame rate…", ask, enabled=can, title_now=title,
        tip="Frame rate of this person or prop: keys stay on their frames. A motion from a file has its own, see Speed",
    )  # fmt: skip
