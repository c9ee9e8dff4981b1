"""The hands: sixteen presets and the user's own, a blend, curl and spread of each finger, and mirroring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QHideEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import QLineEdit, QPushButton

from app.document import edits
from app.document.library.own_hands import LONGEST_NAME, drop_hands, keep_hands, own_hands
from app.document.model.document import Character, Document
from app.document.model.figure import body_of
from app.document.model.history import Edit
from app.document.posing.fingertips import body_follows
from app.look.theme import Theme
from app.panels.hands.blend import Blend
from app.panels.hands.frame_row import FrameRow
from app.panels.hands.grid import HandGrid
from app.panels.hands.hand_choices import OWN, SIDES, choice_titles, hands_of_choice, step_text
from app.panels.hands.picture import hand_picture
from app.panels.hands.rows import FingerBar, FingerRows
from app.panels.widgets.buttons import SegmentedControl
from app.panels.widgets.external_text import shortened
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.section import Panel, horizontal_layout, panel_layout, wrapped_label
from app.panels.widgets.value_slider import ValueSlider, scroll_to
from app.services.session import Session
from app.services.soon import soon
from solver.body.body import Body
from solver.body.fingers import angles_of, hands_bent, has_fingers, hinges_of
from solver.body.hands import Hands, hands_at_rest
from solver.errors import PoserError

if TYPE_CHECKING:
    from solver.contact.solids import Solid

AS_KNOWN = 0.005  # of an entry of a rotation, an invisible quarter of a degree
NO_FINGERS = "This body has no finger joints."
HANDS_DIFFER = "The two hands differ. A bar shows their mean; moving it sets both hands."
UNSEEN = "{} has no finger joints: what you choose here shows on our body alone."


Solids = Callable[[Document], tuple["Solid", ...]]


class HandsPanel(Panel):
    """Edits the active character's hands. folder: that of the user's own. solids: gives the things in a document that
    hands can close on.
    """

    def __init__(self, session: Session, folder: Path, solids: Solids = lambda _document: ()) -> None:
        super().__init__()
        self._solids = solids
        self._session, self._folder = session, folder
        self._last: Blend | None = None
        self._start: Hands | None = None  # of a scrub, whose intermediate values leave no trace
        self._seen: tuple[object, ...] = ()
        self._own, self._troubles = own_hands(folder)
        self.none = wrapped_label(NO_FINGERS)
        self.when = FrameRow(session, self._solves)
        self.sides = SegmentedControl([("left", "Left"), ("both", "Both"), ("right", "Right")])
        self.sides.set_current("both")
        self.sides.chosen.connect(self._turn_to)
        self.grid = HandGrid(self._picture)
        self.grid.chosen.connect(self.choose)
        self.blend = ValueSlider("Blend", 0.0, 100.0, decimals=0, suffix="%")
        self.blend.setToolTip("How far the hand has gone from what it held to what you chose")
        bind_scrub(self.blend, session, lambda: "Blend hands", self._blend_to, solve=self._solves)
        self.rows = FingerRows()
        self.differ = wrapped_label(HANDS_DIFFER)
        self.differ.hide()
        for bar in self.rows:
            bind_scrub(bar.slider, session, partial(str, bar.title), partial(self._bend, bar), solve=self._solves)
            bar.slider.finished.connect(self._forget_start)
            bar.slider.cancelled.connect(self._forget_start)
        self.to_right = QPushButton("Left to right")
        self.to_left = QPushButton("Right to left")
        for button, side in ((self.to_right, 0), (self.to_left, 1)):
            button.setToolTip("Hold the other hand the same way, mirrored")
            button.clicked.connect(partial(self._mirror, side))
        self.close_on = QPushButton("Close on what they hold")
        self.close_on.setToolTip("Bend the fingers until they lie against a prop in the hand")
        self.close_on.clicked.connect(self._close)
        self.name = QLineEdit()
        self.name.setPlaceholderText("Keep this hand as…")
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setAccessibleName("Name to keep this hand under")
        self.name.textChanged.connect(self._offer_keeping)
        self.name.textEdited.connect(lambda: self._tell(*self._troubles))  # what was wrong with another name is over
        self.name.returnPressed.connect(self._keep)
        self.keep = QPushButton("Keep")
        self.keep.clicked.connect(self._keep)
        self.drop = QPushButton("Delete")
        self.drop.setProperty("flat", True)
        self.drop.clicked.connect(self._drop)
        self.trouble = wrapped_label(role="error")
        self._parts = (
            self.when, self.sides, self.grid, self.blend, self.rows, self.differ,
            horizontal_layout(self.to_right, self.to_left),
            self.close_on,
            horizontal_layout(self.name, self.keep, self.drop),
        )  # fmt: skip
        panel_layout(self, self.none, *self._parts, self.trouble)
        self.setFocusProxy(self.grid)
        session.opened.connect(self._forget_blend)
        self._offer()

    def showEvent(self, event: QShowEvent) -> None:
        """Let even small fingers be grabbed in the view while the panel is open."""
        super().showEvent(event)
        self._session.set_view(fingers=True)

    def hideEvent(self, event: QHideEvent) -> None:
        """End that when the panel is folded."""
        super().hideEvent(event)
        self._session.set_view(fingers=False)

    @property
    def offered(self) -> Mapping[str, Hands]:
        """The user's own hands, by name, offered besides the program's."""
        return self._own

    @property
    def side(self) -> str:
        """Which hand takes what is chosen: "left", "right" or "both"."""
        return self.sides.current()

    def refresh(self) -> None:
        """Show the active character's hands."""
        active = self._session.active
        fingers = active is not None and has_fingers(body_of(active))
        self.setEnabled(active is not None)
        unseen = _without_fingers(active) if active is not None and fingers else ""
        self.none.setText(UNSEEN.format(unseen) if unseen else NO_FINGERS)
        self.none.setVisible(active is not None and (not fingers or bool(unseen)))
        for part in self._parts:
            part.setEnabled(fingers)
        self.blend.setEnabled(fingers and self._last is not None)
        self.close_on.setVisible(fingers and bool(self._solids(self._session.document)))
        self.when.show_for(active if fingers else None)
        if active is None or not fingers:
            return
        seen = (active.id, active.hands, active.body, self._sides(), self._last)
        if len(seen) != len(self._seen) or any(a is not b for a, b in zip(seen, self._seen, strict=True)):
            self._seen = seen
            self._show(active)

    def _show(self, active: Character) -> None:
        hands, body, sides = _held(active), body_of(active), self._sides()
        angles = angles_of(hands, hinges_of(body))
        for bar in self.rows:
            bar.slider.set_value(round(100 * bar.travel.of(angles, sides, bar.fingers), 1))
        self.differ.setVisible(len(sides) > 1 and any(bar.differs(angles) for bar in self.rows))
        share = self._last.share((active.id, sides), hands) if self._last is not None else None
        chosen = self._last.id if self._last is not None and share else self._known_as(hands, body, sides)
        self.grid.show_chosen(chosen)
        goal = self.grid.buttons.get(self._last.id) if self._last is not None else None
        self.blend.set_label(f"Blend: {goal.toolTip()}" if goal else "Blend")
        self.blend.set_value(round(100 * (share or 0.0), 1))
        self.drop.setEnabled(chosen.startswith(OWN))

    def _known_as(self, hands: Hands, body: Body, sides: tuple[int, ...]) -> str:
        """The id that these hands match, except for rounding in files; "" for none."""
        for id in self.grid.buttons:
            if np.abs(hands.mixed(self._goal(id, body), 1.0, sides).rotations - hands.rotations).max() < AS_KNOWN:
                return id
        return ""

    def _solves(self) -> bool:
        """Whether the body has to follow the fingers."""
        return self._session.active is not None and body_follows(self._session.active)

    def _goal(self, id: str, body: Body) -> Hands:
        return hands_of_choice(id, self._own, body)

    def _sides(self) -> tuple[int, ...]:
        return SIDES[self.side]

    def _turn_to(self, side: str) -> None:
        self.sides.set_current(side)
        self.grid.draw_again()
        self.refresh()

    def _picture(self, id: str, theme: Theme, ratio: float) -> QPixmap:
        active = self._session.active
        body = body_of(active) if active is not None and has_fingers(body_of(active)) else _default_body()
        return hand_picture(self._goal(id, body), self._sides()[0], body, theme, ratio, id)

    def choose(self, id: str) -> None:
        """Have the active person hold the hands of the chosen side as one of those offered, in one step."""
        active = self._session.active
        if active is not None:
            held, whose, last = _held(active), (active.id, self._sides()), self._last
            if last is None or last.id != id or last.share(whose, held) is None:
                last = self._last = Blend(id, self._goal(id, body_of(active)), whose, held)
            text = step_text(choice_titles(self._own)[id])
            self._session.edit(text, edits.set_hands(active.id, last.beside(held).at(1.0)), solve=self._solves())
        self._seen = ()  # the click has switched its button, whatever its outcome
        self.refresh()

    def _blend_to(self, percent: float) -> Edit | None:
        active, last = self._session.active, self._last
        if active is None or last is None:
            return None
        whose = active.id, self._sides()
        if last.share(whose, _held(active)) is None:
            last = self._last = replace(last, whose=whose, held=_held(active))
        return edits.set_hands(active.id, last.beside(_held(active)).at(percent / 100))

    def _bend(self, bar: FingerBar, percent: float) -> Edit | None:
        active = self._session.active
        if active is None:
            return None
        if self._start is None:
            self._start = _held(active)
        hinges = hinges_of(body_of(active))
        angles = bar.travel.to(angles_of(self._start, hinges), self._sides(), bar.fingers, percent / 100)
        return edits.set_hands(active.id, hands_bent(self._start, angles, hinges))

    def _forget_start(self) -> None:
        self._start = None

    def _forget_blend(self) -> None:
        """Forget the blend: another document is open, in which nothing was chosen yet."""
        self._last = None
        self.blend.set_label("Blend")
        self.refresh()

    def _mirror(self, side: int) -> None:
        active = self._session.active
        if active is not None:
            hands = _held(active)
            text = "Mirror the right hand" if side else "Mirror the left hand"
            edit = edits.set_hands(active.id, hands.mixed(hands.mirrored(), 1.0, (1 - side,)))
            self._session.edit(text, edit, solve=self._solves())

    def _close(self) -> None:
        active = self._session.active
        if active is not None:
            solids = self._solids(self._session.document)
            edit = edits.close_hands(active.id, solids, self._sides())
            self._session.edit("Close hands", edit, solve=self._solves())

    def _offer(self) -> None:
        self.grid.offer(choice_titles(self._own))
        self._offer_keeping()
        self._tell(*self._troubles)

    def _offer_keeping(self) -> None:
        self.keep.setEnabled(bool(self.name.text().strip()))

    def _keep(self) -> None:
        active = self._session.active
        if active is None or not self.keep.isEnabled():
            return
        hands, sides = _held(active), self._sides()
        if len(sides) == 1:  # the hand shown, for either side
            hands = hands.mixed(hands.mirrored(), 1.0, (1 - sides[0],))
        try:
            name = keep_hands(self._folder, self.name.text(), hands)
        except PoserError as error:
            self._refuse(error)
            return
        self.name.clear()
        self._read_again()
        self.grid.draw_again()
        self.grid.show_chosen(f"{OWN}{name}")
        kept = self.grid.buttons[f"{OWN}{name}"]
        soon(kept, kept.setFocus)  # once it is shown; keys are commands again

    def _drop(self) -> None:
        chosen = next((id for id, button in self.grid.buttons.items() if button.isChecked()), "")
        if not chosen.startswith(OWN):
            return
        try:
            drop_hands(self._folder, chosen.removeprefix(OWN))
        except PoserError as error:
            self._refuse(error)
            return
        if self._last is not None and self._last.id == chosen:
            self._last = None
        self._read_again()

    def _read_again(self) -> None:
        self._own, self._troubles = own_hands(self._folder)
        self._offer()
        self._seen = ()
        self.refresh()

    def _refuse(self, error: PoserError) -> None:
        self._tell(str(error))
        soon(self.trouble, lambda: scroll_to(self.trouble))  # once it is laid out

    def _tell(self, *troubles: str) -> None:
        self.trouble.setText("\n".join(troubles))
        self.trouble.setVisible(bool(troubles))


def _without_fingers(character: Character) -> str:
    """The file of the skin that somebody is drawn with, if that has no fingers; else ""."""
    own = character.own_skin
    return shortened(own.name) if own is not None and own.hides_fingers else ""


def _held(character: Character) -> Hands:
    return character.hands or hands_at_rest()


def _default_body() -> Body:
    from solver.body.catalog import DEFAULT_BODY, load_body

    return load_body(DEFAULT_BODY)
