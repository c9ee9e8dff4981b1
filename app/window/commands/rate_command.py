"""The frame rate of a person who is posed over time."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from app.document import edits
from app.look.theme import SPACE
from app.panels.widgets.popups import show_menu
from app.services.session import Session
from app.window.commands.actions import Command

RATES = (12.0, 15.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 120.0)  # frames a second


def rate_command(session: Session, below: QWidget) -> Command:
    """The command that offers other rates. below: the widget that their menu opens over."""

    def can() -> bool:
        active = session.active
        return active is not None and active.clip.source is None and len(active.clip) > 1

    def title() -> str:
        active = session.active
        return f"Frame rate ({active.clip.fps:g} a second)…" if active is not None and can() else "Frame rate…"

    def choose(fps: float) -> None:
        active = session.active
        if active is not None:
            session.edit(f"Frame rate {fps:g}", edits.set_clip_rate(active.id, fps))

    def fill(menu: QMenu) -> None:
        active = session.active
        now = active.clip.fps if active is not None else 0.0
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
        tip="Frame rate of this person: keys stay on their frames. A motion from a file keeps its own",
    )  # fmt: skip
