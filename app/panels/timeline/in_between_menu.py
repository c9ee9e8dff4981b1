"""The timeline's menu for how frames between keys come about: solved or not, and how edits fade."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from app.document import edits
from app.document.over_time.in_betweens import missing
from app.panels.widgets.popups import grey_out
from app.services.session import Session

FADES_S = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)


class InBetweenSwitch(Protocol):
    """Switches between solving in-betweens and moving joints evenly from key to key."""

    @property
    def by_joints(self) -> bool:
        """Whether in-betweens move each joint evenly from key to key."""
        ...

    def switch_in_betweens(self) -> None:
        """Switch over."""
        ...

    def solve_rest(self) -> None:
        """Solve what was given up."""
        ...


def fill_in_between_menu(menu: QMenu, session: Session, switch: InBetweenSwitch) -> None:
    """Fill in the two ways from key to key, what is left to solve and, over a source motion, how long edits fade."""
    active = session.active
    if active is None:
        return
    way = QActionGroup(menu)
    for text, by_joints in (("Every frame is solved", False), ("Joints alone, evenly from key to key", True)):
        action = menu.addAction(text, switch.switch_in_betweens)
        action.setCheckable(True)
        action.setChecked(switch.by_joints == by_joints)
        grey_out(action, "" if len(active.clip) > 1 else "the active person stands still")
        way.addAction(action)
        if action.isChecked():
            action.triggered.disconnect()  # it is so already
    document = session.history.document
    left = missing(document.actor(active.id), document.actors, document.props)
    count = sum(each.last - each.first + 1 for each in left)
    if count:
        menu.addSeparator()
        menu.addAction(f"Solve the {count:,} remaining frames" if count > 1 else "Solve the remaining frame",
                       switch.solve_rest)  # fmt: skip
    if active.clip.source is None:
        menu.addSeparator()
        steps, now_steps = menu.addAction("Feet step from place to place"), active.clip.between.steps
        steps.setCheckable(True)
        steps.setChecked(now_steps)
        steps.triggered.connect(partial(_set_steps, session, active.id, not now_steps))
        grey_out(steps, "nothing is solved between keys" if switch.by_joints else "")
        return
    menu.addSeparator()
    fade, now = QActionGroup(menu), active.clip.between.ease_s
    for seconds in sorted({*FADES_S, now}):
        action = menu.addAction(f"Edits fade within {seconds:g} s", partial(_set_fade, session, active.id, seconds))
        action.setCheckable(True)
        action.setChecked(seconds == now)
        fade.addAction(action)


def _set_steps(session: Session, id: str, steps: bool) -> None:
    session.edit("Let feet step" if steps else "Let feet slide", edits.set_in_between(id, steps=steps))


def _set_fade(session: Session, id: str, seconds: float) -> None:
    session.edit("Let edits fade", edits.set_in_between(id, ease_s=seconds))
