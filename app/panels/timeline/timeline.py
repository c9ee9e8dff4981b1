"""The timeline below the view: buttons, the frame's number, and the track of frames and keys."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from app.document import edits
from app.document.model.clip import JOINTS, SOLVED
from app.document.over_time.source_motion import has_before
from app.look.theme import SPACE
from app.panels.timeline.key_owner import PersonKeys, PropKeys, can_resize, key_owner
from app.panels.timeline.key_selection import KeySelection
from app.panels.timeline.number_field import NumberField
from app.panels.timeline.retiming import Retiming
from app.panels.timeline.stride_slider import StrideSlider
from app.panels.timeline.track import Track
from app.panels.widgets.buttons import HoldButton, IconButton
from app.panels.widgets.elided import ElidedText
from app.panels.widgets.popups import add_entry, show_menu
from app.services.clock import length_s
from app.services.player import Player
from app.services.session import Session

ROOMY, NARROWEST = 452, 356  # pixels: below the first there is no button for what the context menu also offers
STEPS = 530  # from here on there is room for buttons that step by a frame, as arrow keys do, and the number of frames
STEADY = 560  # from here on buttons that cannot be used stay, disabled, so that the numbers beside them do not move
WIDE, STRIDE_PX = 640, 140  # pixels: from the first on there is room for the stride, and how much it takes
BEFORE = "Ghost of the motion before the edit (M); hold to see it alone (N)"
JOINTS_WAY = "Ghost of the joints' way from key to key, which is not solved (M); hold to see it alone (N)"
NO_BEFORE = "Ghost of the motion before the edit (M): there is nothing to compare with"
FEET = "Hold planted feet where the motion is edited"
NO_FEET = "Hold planted feet: only for a person with a recorded motion"
BY_SOLVER = "How the frames between keys are made: every frame is solved (J)"
BY_JOINTS = "How the frames between keys are made: each joint just turns evenly, and nobody rides a prop (J)"
FIRST_LENGTH = 120  # frames given to a still person where nobody moves
ANIMATE = f"Give this person {FIRST_LENGTH} frames, or as many as the others have; posing at a frame sets a key there"
ANIMATE_PROP = "Let this prop move for as long as the others do; moving it at a frame sets a key there"
STILL = {PersonKeys: "A still pose", PropKeys: "A prop that stands still"}


class Timeline(QWidget):
    """The time for everybody, and the keys of the active person or the selected prop. said(text): for the status bar.
    solve_asked: frames whose solving was cancelled are to be solved after all. typed: a number was typed in a field,
    and the keyboard is free.

    If nobody moves it is a quiet strip of one line.
    """

    said = Signal(str)
    solve_asked = Signal()
    typed = Signal()

    def __init__(self, session: Session, player: Player) -> None:
        super().__init__()
        self._session, self.player = session, player
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.chosen = KeySelection(session, self)
        self.retiming = Retiming(session, player, self)
        self.track = Track(session, player, self.chosen)
        self.setFocusProxy(self.track)  # F6 comes to the keys; Shift+Tab goes on to the buttons above
        self.to_key = (
            IconButton("key_before", "Previous key (Down)"),
            IconButton("key_after", "Next key (Up)"),
        )
        self.step = (
            IconButton("frame_before", "Previous frame (Left)"),
            IconButton("frame_after", "Next frame (Right)"),
        )
        self.play = IconButton("play", "Play the motion (Space)", checkable=True)
        self.loop = IconButton("loop", "Loop", checkable=True)
        self.key = IconButton("key", "Set a key at this frame, or remove it", checkable=True)
        self.feet = IconButton("feet", FEET, checkable=True)
        self.before = HoldButton("before", BEFORE)
        self.between = IconButton("in_between", BY_SOLVER, checkable=True)
        self.curves = IconButton("curves", "Curves of the motion, before and after the edit (C)", checkable=True)
        self.all = IconButton("all_frames", "Show all frames (A on the timeline); the wheel zooms")
        self.field = NumberField("Frame", "Current frame: click to type a number")
        self.length = NumberField("Frames", "Number of frames: click to type")
        self.of = QLabel(" of ")
        self.of.setProperty("role", "muted")
        self.label = ElidedText(tone="muted")
        self.stride = StrideSlider(session)
        self.stride.setFixedWidth(STRIDE_PX)
        self.animate = tuple(_animate() for _ in range(2))
        self._connect()
        self.controls, self.still = self._controls(), self._strip()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.controls, self.track, self.still):
            column.addWidget(widget)
        self.refresh()

    def refresh(self) -> None:
        """Show the whole timeline if anybody moves, else one line."""
        moves, active = self.player.can_play, self._session.active
        if not moves:
            self.player.stop()
        for widget in (self.controls, self.track):
            widget.setVisible(moves)
        self.still.setVisible(not moves)
        owner = key_owner(self._session)
        self.still_words.setText(STILL[type(owner)] if owner is not None else "")
        for button in self.animate:
            button.setVisible(self.can_animate)
            button.setToolTip(ANIMATE_PROP if isinstance(owner, PropKeys) else ANIMATE)
        for each in (self.of, self.length):
            each.setVisible(can_resize(owner))
        recorded = active is not None and active.clip.source is not None
        self.feet.setEnabled(recorded and isinstance(owner, PersonKeys))
        self.feet.setToolTip(FEET if self.feet.isEnabled() else NO_FEET)
        self.before.setEnabled(active is not None and has_before(active.clip))
        self.before.setToolTip(BEFORE if recorded else JOINTS_WAY if self.before.isEnabled() else NO_BEFORE)
        self._show_where_room()
        self._follow()

    @property
    def can_animate(self) -> bool:
        """Whether the selected prop or, without one, the active person is still."""
        owner = key_owner(self._session)
        return owner is not None and (owner.clip is None or len(owner.clip) == 1)

    def start_animating(self) -> None:
        """Let the selected prop or the active person, who is still, begin to move: as long as the others do, so that
        all loop together."""
        owner = key_owner(self._session)
        if owner is None or not self.can_animate:
            return
        fps = owner.clip.fps if owner.clip is not None else self.player.clock.fps
        frames = round(length_s(self._session.document) * fps) + 1 if self.player.can_play else FIRST_LENGTH
        if isinstance(owner, PropKeys) and owner.clip is None:
            self._session.edit("Animate", edits.animate_prop(owner.prop.id, frames, fps), solve=True)
            self.refresh()
        else:
            self._set_length("Animate", frames)

    @property
    def by_joints(self) -> bool:
        """Whether the active person's frames between keys go by the joints alone."""
        active = self._session.active
        return active is not None and active.clip.between.by == JOINTS

    def switch_in_betweens(self) -> None:
        """Switch the frames between keys from being solved to going by the joints alone, or back."""
        active, by = self._session.active, SOLVED if self.by_joints else JOINTS
        if active is not None:
            text = "Solve between keys" if by == SOLVED else "Go by the joints between keys"
            self._session.edit(text, edits.set_in_between(active.id, by=by))
            self.refresh()

    def solve_rest(self) -> None:
        """Have frames solved whose solving was cancelled."""
        self.solve_asked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the room there is to buttons without a key of their own."""
        super().resizeEvent(event)
        self.between.setVisible(self.width() >= ROOMY)
        for button in self.step:
            button.setVisible(self.width() >= STEPS)
        self._show_where_room()

    def _connect(self) -> None:
        for told in (self.chosen.said, self.player.said):
            told.connect(self.said)
        self.chosen.changed.connect(self._follow)
        for direction, button in zip((-1, 1), self.to_key, strict=True):
            button.clicked.connect(lambda _checked=False, to=direction: self.player.to_key(to))
        for direction, button in zip((-1, 1), self.step, strict=True):
            button.setAutoRepeat(True)
            button.clicked.connect(lambda _checked=False, by=direction: self.player.step(by))
        self.play.clicked.connect(self.player.toggle)
        self.loop.clicked.connect(self.player.set_loop)
        self.key.clicked.connect(self._toggle_key)
        self.feet.clicked.connect(self._hold_feet)
        self.before.clicked.connect(self._show_before)
        self.before.held.connect(lambda on: self._session.set_view(peek=on))
        self.between.clicked.connect(self._open_in_between_menu)
        self.all.clicked.connect(self.track.show_all)
        for begin in self.animate:
            begin.clicked.connect(self.start_animating)
        self.field.wanted.connect(lambda number: self.player.go_to(number - 1))
        self.length.wanted.connect(lambda number: self._set_length("Length", number))
        for field in (self.field, self.length):
            # In the view as well, arrows and Space go on from the frame that was typed.
            field.closed.connect(self.typed)
        self.track.number_asked.connect(lambda: self.field.open_editor(back=self.track))
        self.track.in_betweens_switched.connect(self.switch_in_betweens)
        self.track.menu_filled.connect(self._offer_more)
        self.player.changed.connect(self._show_playing)
        self.track.zoomed.connect(self._show_zoom)
        self._session.changed.connect(self._follow)

    def _controls(self) -> QWidget:
        row = QWidget()
        row.setMinimumWidth(NARROWEST)
        row.setMinimumHeight(34)  # as with the button Animate, the highest
        line = QHBoxLayout(row)
        line.setContentsMargins(SPACE, 3, SPACE, 3)
        line.setSpacing(2)
        for button in (
            self.to_key[0],
            self.step[0],
            self.play,
            self.step[1],
            self.to_key[1],
            self.loop,
            self.key,
            self.feet,
            self.before,
            self.between,
        ):
            line.addWidget(button)
        line.addSpacing(SPACE)
        line.addWidget(self.field)
        line.addWidget(self.of)
        line.addWidget(self.length)
        line.addSpacing(SPACE)
        line.addWidget(self.label, 1)
        line.addWidget(self.stride)
        line.addWidget(self.animate[0])
        line.addWidget(self.curves)
        line.addWidget(self.all)
        return row

    def _strip(self) -> QWidget:
        row = QWidget()
        row.setFixedHeight(32)
        line = QHBoxLayout(row)
        line.setContentsMargins(2 * SPACE, 0, SPACE, 0)
        self.still_words = QLabel()
        self.still_words.setProperty("role", "muted")
        line.addWidget(self.still_words, 1)
        line.addWidget(self.animate[1])
        return row

    def _follow(self) -> None:
        """Show the present time; called often, so it does little."""
        if not self.controls.isVisibleTo(self):
            return
        self.track.follow()
        clock, frame = self.track.clock, self.player.frame
        self.field.set_most(clock.frames)
        self.field.set_number(frame + 1)
        owner = key_owner(self._session)
        length = len(owner.clip) if owner is not None and owner.clip is not None else 1
        self.length.set_most(length)
        self.length.set_number(length)
        time, frames = f"{frame / clock.fps:.2f} s", f"of {clock.frames:,}"
        if self.chosen.progress:
            self.label.set_text(self.chosen.progress)
        elif self.length.isVisibleTo(self):
            self.label.set_text(time, shorter="")
        else:
            self.label.set_text(f"{frames}  ·  {time}", shorter=frames)
        self.loop.setChecked(self._session.view.loop)
        self.key.setChecked(self.chosen.is_here)
        self.feet.setChecked(self.track.marks.held and not self.track.marks.free)  # else a click holds all of them
        self.before.setChecked(self._session.view.before)
        self.between.setChecked(self.by_joints)
        self.between.setToolTip(BY_JOINTS if self.by_joints else BY_SOLVER)

    def _show_playing(self) -> None:
        self.play.setChecked(self.player.playing)
        self.play.set_icon(*(("pause", "accent") if self.player.playing else ("play", "muted")))

    def _show_zoom(self) -> None:
        self.all.setEnabled(not self.track.scale.whole)

    def _show_where_room(self) -> None:
        for button in (self.feet, self.before):
            button.setVisible(button.isEnabled() or self.width() >= STEADY)
        for button in self.to_key:  # somebody still has no key to go to, and the word Animate needs the room
            button.setVisible(not self.can_animate or self.width() >= STEADY)
        self.stride.refresh()
        self.stride.setVisible(self.stride.usable and self.width() >= WIDE)

    def _toggle_key(self) -> None:
        self.chosen.toggle_here()
        self.key.setChecked(self.chosen.is_here)  # even if it had to stay

    def _show_before(self) -> None:
        self._session.set_view(before=self.before.isChecked())

    def _hold_feet(self, hold: bool) -> None:
        active = self._session.active
        if active is not None:
            text = "Hold planted feet" if hold else "Let planted feet go"
            self._session.edit(text, edits.set_in_between(active.id, contacts=hold))

    def _open_in_between_menu(self) -> None:
        self.between.setChecked(self.by_joints)  # the menu decides, not the click
        place = self.between.mapToGlobal(self.between.rect().bottomLeft())
        show_menu(self, place, self._fill_in_betweens)

    def _fill_in_betweens(self, menu: QMenu) -> None:
        from app.panels.timeline.in_between_menu import fill_in_between_menu  # only once it is asked for

        fill_in_between_menu(menu, self._session, self)

    def _offer_more(self, menu: QMenu) -> None:
        menu.addSeparator()
        add_entry(menu, "Cut to range", self.retiming.cut, self.retiming.why_not_cut)
        add_entry(menu, "Speed…", self.retiming.ask_speed, self.retiming.why_no_speed)
        if isinstance(key_owner(self._session), PersonKeys):
            menu.addSeparator()
            self._fill_in_betweens(menu.addMenu("Between keys"))

    def _set_length(self, text: str, frames: int) -> None:
        owner = key_owner(self._session)
        if owner is not None:
            self._session.edit(text, owner.set_length(frames))
            self.refresh()


def _animate() -> QPushButton:
    button = QPushButton("Animate")
    button.setFlat(True)
    button.setToolTip(ANIMATE)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
