"""Cutting everybody to the range, and another speed for whoever's keys the timeline shows."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from app.document import edits
from app.document.model.actor import Actor
from app.document.model.clip import Clip
from app.document.model.document import Document
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip
from app.panels.timeline.key_owner import PersonKeys, key_owner
from app.panels.widgets.popups import ask
from app.services.player import Player
from app.services.session import Session

NO_RANGE = "choose a range first, by the grips of the bar above the ruler"
NO_FRAMES = "what is selected stands still"


class Retiming:
    """What the timeline's menu and the commands do to frames. below: the widget over which the dialog opens."""

    def __init__(self, session: Session, player: Player, below: QWidget) -> None:
        self._session, self._player, self._below = session, player, below

    @property
    def why_not_cut(self) -> str:
        """Why nothing can be cut now, "" if it can."""
        clock = self._player.clock
        return NO_RANGE if (clock.first, clock.last) == (0, clock.frames - 1) else ""

    @property
    def why_no_speed(self) -> str:
        """Why there is no speed to change, "" if there is."""
        owner = key_owner(self._session)
        return NO_FRAMES if owner is None or owner.clip is None or len(owner.clip) < 2 else ""

    def cut(self) -> None:
        """Keep what everybody and every prop does within the range, and its keys; nothing where all is the range."""
        if self.why_not_cut:
            return
        from app.document.over_time.retiming.cut import trimmed_to  # only once it is asked for

        self._player.stop()
        clock = self._player.clock
        part = partial(trimmed_to, first_s=clock.first / clock.fps, last_s=clock.last / clock.fps)
        if self._session.edit("Cut to range", part):
            self._session.set_view(range_s=None)

    def ask_speed(self) -> None:
        """Ask for another speed and give it to the selected prop, else to the active person, or to everything."""
        owner = key_owner(self._session)
        if owner is None or owner.clip is None or self.why_no_speed:
            return
        from app.panels.timeline.speed_dialog import SpeedDialog  # only once it is asked for

        self._player.stop()
        name = owner.person.name if isinstance(owner, PersonKeys) else owner.prop.name
        recorded = isinstance(owner, PersonKeys) and owner.clip.source is not None
        document = self._session.document
        others = sum(map(_moves, document.actors)) + sum(map(_moves, document.props)) > 1
        dialog = SpeedDialog(name, len(owner.clip), owner.clip.fps, recorded, others, self._below.window())
        if not ask(dialog):
            return
        frames, count, span = dialog.frames.value(), len(owner.clip), self._session.view.range_s
        faster, text = (count - 1) / (frames - 1), f"Speed {dialog.percent.value():g}%"
        whole = others and dialog.everything.isChecked()
        holds = not isinstance(owner, PersonKeys) and not whole  # whoever holds on to a prop is solved anew
        edit = every_speed(document, faster) if whole else owner.set_speed(frames)
        if self._session.edit(text, edit, solve=holds) and span is not None:
            self._session.set_view(range_s=(span[0] / faster, span[1] / faster))


def every_speed(document: Document, faster: float) -> Edit:
    """Let everybody and every prop that moves go so many times faster. PoserError for an impossible number of
    frames."""

    def frames(clip: Clip | PropClip) -> int:
        return max(round((len(clip) - 1) / faster) + 1, 2)

    people = (edits.set_speed(each.id, frames(each.clip)) for each in document.actors if _moves(each))
    props = (edits.set_prop_speed(each.id, frames(each.clip)) for each in document.props if each.clip and _moves(each))
    return edits.chain(*people, *props)


def _moves(each: Actor | Prop) -> bool:
    return each.clip is not None and len(each.clip) > 1
