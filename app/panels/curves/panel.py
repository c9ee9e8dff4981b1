"""The panel of curves below the timeline: the choice of what is drawn, and the drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from app.document.curves.values import FEET, MISS, PLACE, SPEED, CurveRequest, Curves
from app.document.model.actor import Actor
from app.document.model.figure import skeleton_of
from app.look.theme import SPACE, current_theme
from app.look.wording import joint_title
from app.panels.curves.curve_worker import CurveWorker
from app.panels.curves.palette import colors
from app.panels.timeline.track import Track
from app.panels.widgets.buttons import IconButton, NoWheelComboBox
from app.panels.widgets.section import wrapped_label
from app.services.session import Session
from app.services.settings import SettingsStore
from solver.rig.rig import rig_of

if TYPE_CHECKING:
    from app.panels.curves.plot import Plot

TITLES = {SPEED: "Speed", FEET: "Foot skate", PLACE: "Effector position", MISS: "Effector error"}
SHORTEST = 120  # pixels
AGAIN_MS = 80  # after which to check again whether a drag has ended


class CurvesPanel(QWidget):
    """Curves of the active person's motion. Whether it shows is a setting; while nobody moves, it never does.

    Nothing is computed while it is hidden, and until it first shows, nothing is in it.

    plot: None until there is something to draw, as it takes a third of a second to load.
    """

    def __init__(self, session: Session, settings: SettingsStore, track: Track) -> None:
        super().__init__()
        self._session, self._settings, self._track = session, settings, track
        self.worker = CurveWorker(self)
        self.plot: Plot | None = None
        self.curves = Curves()
        self._shown: tuple[Actor, CurveRequest, float] | None = None
        self._joints: tuple[str, ...] = ()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumHeight(SHORTEST)
        self._filled = False
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self._again.timeout.connect(self.follow)
        self.worker.done.connect(self.follow)
        track.zoomed.connect(self._refit)
        session.changed.connect(self.follow)
        settings.changed.connect(self._show_if_wanted)
        self._show_if_wanted()

    def _fill(self) -> None:
        """Make what is in it."""
        from app.panels.curves.legend import Legend  # not loaded for windows that show no curves

        self._filled = True
        self.what, self.joint = NoWheelComboBox(), NoWheelComboBox()
        self.close_button = IconButton("down", "Hide the curves (C)")
        self.message = wrapped_label()
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setMargin(2 * SPACE)
        self._place = QWidget()
        self._stack = QStackedLayout(self._place)
        self._stack.addWidget(self.message)
        self.legend = Legend(self._place)
        self._lay_out()
        self.what.activated.connect(self._choose)
        self.joint.activated.connect(lambda _place: self.follow())
        self.close_button.clicked.connect(lambda: self.set_shown(False))
        self.legend.toggled.connect(self._draw_again)

    def sizeHint(self) -> QSize:
        """As tall as it was left."""
        return QSize(400, self._settings.values.curves_height)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the timeline gets."""
        return QSize(120, SHORTEST)

    def set_shown(self, shown: bool) -> None:
        """Show the curves or hide them, in the next window as well."""
        if shown != self._settings.values.curves:
            self.keep_height()
            self._settings.set(curves=shown)

    def keep_height(self) -> None:
        """Remember how tall it was drawn."""
        if self.isVisible():
            self._settings.set(curves_height=max(self.height(), SHORTEST))

    def stop(self) -> None:
        """Compute nothing any more."""
        self.worker.stop()

    def follow(self) -> None:
        """Show what is asked for, for the person and the frame looked at; called often, so it does little."""
        self._show_if_wanted()
        if not self.isVisible():
            return
        from app.document.curves.curves import why_no_curves  # not loaded for windows that show no curves

        self._fill_joints()
        actor, wanted = self._actor(), self._wanted()
        lacks = why_no_curves(actor, wanted)
        if lacks or actor is None:
            self._say(lacks)
            return
        rate = self._track.marks.rate
        if self._shown is None or self._shown[0] is not actor or self._shown[1:] != (wanted, rate):
            known = self.worker.known(actor, wanted)
            if known is not None:
                self._shown = actor, wanted, rate
                self._show(known, rate)
            elif self._session.in_step:
                self._again.start()  # a drag changes the motion with each move
            else:
                document = self._session.history.document
                self.worker.ask(actor, wanted, document.actors, document.props)
        self._follow_frame()

    def showEvent(self, event: QShowEvent) -> None:
        """Be up to date when shown."""
        super().showEvent(event)
        self.follow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the names at the upper right."""
        super().resizeEvent(event)
        if self._filled:
            self._place_legend()

    def changeEvent(self, event: QEvent) -> None:
        """Draw again when the theme changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._draw_again()

    def _lay_out(self) -> None:
        for what, title in TITLES.items():
            self.what.addItem(title, what)
        self.what.setCurrentIndex(self.what.findData(self._settings.values.curves_what))
        self.what.setToolTip("What is drawn, before the edit and after it")
        self.what.setAccessibleName("What is drawn")
        self.joint.setToolTip("Whose speed is drawn")
        self.joint.setAccessibleName("Joint")
        row = QHBoxLayout()
        row.setContentsMargins(SPACE, 4, SPACE, 4)
        row.setSpacing(SPACE)
        for box in (self.what, self.joint):
            box.setMinimumWidth(60)
            box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToContents)  # the contents differ for each selection
            row.addWidget(box)
        row.addStretch(1)
        row.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self._place, 1)

    def _show_if_wanted(self) -> None:
        shown = self._settings.values.curves and self._track.player.can_play
        if shown != self.isHidden():
            return
        if shown and not self._filled:
            self._fill()  # while it is hidden: what is put into a visible widget would show only later
        self.keep_height()
        self.setVisible(shown)

    def _choose(self) -> None:
        self._settings.set(curves_what=self.what.currentData())
        self.follow()

    def _actor(self) -> Actor | None:
        id = self._session.view.character
        return next((actor for actor in self._session.history.document.actors if actor.id == id), None)

    def _wanted(self) -> CurveRequest:
        """What is wanted, with only what the choice depends on, so that another selection does not affect feet."""
        what, chosen = self.what.currentData(), self._session.selected_effectors
        if what == SPEED:
            return CurveRequest(what, joint=self.joint.currentData() or self._selected_joint())
        return CurveRequest(what, effector=chosen[0].id if chosen and what != FEET else "")

    def _selected_joint(self) -> str:
        chosen, joints = self._session.selected_effectors, sorted(self._session.view.joints)
        return chosen[0].joint if chosen else joints[0] if joints else next(iter(self._joints), "")

    def _fill_joints(self) -> None:
        active = self._session.active
        names = rig_of(skeleton_of(active)).own_names if active is not None else ()
        if names != self._joints:
            self._joints, chosen = names, self.joint.currentData()
            self.joint.clear()
            self.joint.addItem("", "")
            for name in names:
                self.joint.addItem(joint_title(name), name)
            self.joint.setCurrentIndex(max(self.joint.findData(chosen), 0))
        self.joint.setVisible(self.what.currentData() == SPEED and bool(names))
        if names:
            chosen = bool(self._session.selected_effectors or self._session.view.joints)
            # the joint first: a narrow box cuts the end
            text = f"{joint_title(self._selected_joint())} ({'selected' if chosen else 'nothing selected'})"
            if text != self.joint.itemText(0):
                self.joint.setItemText(0, text)

    def _say(self, text: str) -> None:
        self._shown = None
        self.message.setText(text)
        self._stack.setCurrentWidget(self.message)
        self.legend.hide()

    def _show(self, curves: Curves, rate: float) -> None:
        if curves.lacks:
            shown = self._shown
            self._say(curves.lacks)
            self._shown, self.curves = shown, curves
            return
        if self.plot is None:
            from app.panels.curves.plot import Plot

            self.plot = Plot(self._track)
            self._stack.addWidget(self.plot)
        self.curves = curves
        two = any(line.before is not None for line in curves.lines)
        found = [each for line in curves.lines for each in (line.after, line.before) if each is not None]
        widest = max((float(np.nanmax(np.abs(each), initial=0.0)) for each in found), default=0.0)
        tones = colors(current_theme(), len(curves.lines))
        self.legend.show_lines(tuple(line.name for line in curves.lines), tones, curves.unit, widest, two)
        self.plot.show_curves(curves, rate, self.legend.hidden_lines())
        self._stack.setCurrentWidget(self.plot)
        self.legend.show()
        self._place_legend()
        self._follow_frame()

    def _draw_again(self) -> None:
        if self._shown is not None:
            self._show(self.curves, self._shown[2])

    def _follow_frame(self) -> None:
        plot, active = self.plot, self._session.active
        if plot is None or active is None or self._stack.currentWidget() is self.message:
            return
        plot.show_frame(self._track.player.frame)
        for entry, line in zip(self.legend.entries, self.curves.lines, strict=True):
            if active.frame < len(line.after):
                before = None if line.before is None else float(line.before[active.frame])
                entry.show_values(before, float(line.after[active.frame]))

    def _refit(self) -> None:
        if self.plot is not None and self.isVisible():
            self.plot.refit()

    def _place_legend(self) -> None:
        self.legend.fit(self._place.width() - SPACE)
        self.legend.move(max(self._place.width() - self.legend.width() - SPACE, 0), 6)
        self.legend.raise_()
