"""What stays as it was: the base pose, and which joints keep their place or their shape from it."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.document import edits
from app.document.model.clip import Preserve
from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.posing.modes import mode_of, off_their_places
from app.document.posing.solving import solver_heeds
from app.look.wording import joint_title, let_go_text
from app.panels.preservation_rows import PreservationRow, preservation_header
from app.panels.widgets.buttons import SegmentedControl
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.section import Section, horizontal_layout, panel_layout, vertical_layout, wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from solver.ik.preserve_modes import PRESERVE_MODES
from solver.ik.solver import PRESERVATION
from solver.rig.rig import rig_of
from solver.rig.roles import BODY_PARTS

SELECTION = "selection"
ABOUT = "Joints that you choose here stay as in the base pose while you drag others."
UNHEEDED = "Switch off “Network alone” to keep some of the base pose."  # no more lines than ABOUT: nothing moves
STRENGTH_TEXT = "Change how firmly {} is kept"


class BasePosePanel(QWidget):
    """The four modes, a strength for place and one for shape, toggles for the whole body, each part and the selection,
    and actions on the base pose."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.modes = SegmentedControl([(mode.id, mode.title) for mode in PRESERVE_MODES], columns=2)
        self.modes.chosen.connect(self._choose_mode)
        self.strengths = {
            what: ValueSlider(title, 0.0, 1.0, default=Preserve.strength, decimals=2)
            for what, title in (("place", "Keep place"), ("shape", "Keep shape"))
        }
        self._tips = {what: slider.toolTip() for what, slider in self.strengths.items()}
        for what, slider in self.strengths.items():
            bind_scrub(slider, session, partial(STRENGTH_TEXT.format, what), partial(self._set_strength, what))
        self.rows: dict[str, PreservationRow] = {}
        table = QVBoxLayout()
        table.setContentsMargins(0, 4, 0, 4)
        table.setSpacing(0)
        table.addWidget(preservation_header())
        for scope in (edits.WHOLE_BODY, *BODY_PARTS, SELECTION):
            line = PreservationRow(scope, map(str, BODY_PARTS.get(scope, ())))
            line.toggled.connect(self._toggle)
            self.rows[scope] = line
            table.addWidget(line)
        self.table = QWidget()
        self.table.setLayout(table)
        self.about = wrapped_label(ABOUT)
        self.set_base = QPushButton("Set as base")
        self.set_base.setToolTip("The pose as it is now becomes the base pose")
        self.set_base.clicked.connect(self._set_current)
        self.back = QPushButton("Return to base")
        self.back.setToolTip("Go back to the base pose; the effectors follow")
        self.back.clicked.connect(self._return)
        self.release = QPushButton("Keep nothing")
        self.release.setProperty("flat", True)
        self.release.clicked.connect(self._release)
        self.advanced = Section(
            "Advanced", vertical_layout(*self.strengths.values()), open=False, key="Base pose advanced", minor=True
        )
        panel_layout(
            self,
            horizontal_layout(self.set_base, self.back),
            self.about,
            self.modes,
            self.table,
            horizontal_layout(self.release, stretch=True),
            self.advanced,
        )

    def refresh(self) -> None:
        """Show the active character."""
        active = self._session.active
        self.setEnabled(active is not None)
        if active is None:
            return
        kept, heeded = active.preserve, solver_heeds(active, PRESERVATION)
        unheeded = "" if heeded else UNHEEDED
        off = off_their_places(active) if active.id not in self._session.live else ()
        self.about.setText(unheeded or let_go_text(off) or ABOUT)
        told = {each.joint: let_go_text([each]) for each in off}
        for control in (self.modes, *self.strengths.values(), self.table):
            control.setEnabled(heeded)
        for each in PRESERVE_MODES:
            self.modes.explain(each.id, unheeded or each.summary)
        for what, slider in self.strengths.items():
            slider.setToolTip(unheeded or self._tips[what])
        self.release.setToolTip(unheeded)
        mode = mode_of(active)
        self.modes.set_current(mode.id if mode else "")
        self.strengths["place"].set_value(round(kept.strength, 3))
        self.strengths["shape"].set_value(round(kept.shape_strength, 3))
        strengths = {"place": kept.strength, "shape": kept.shape_strength}
        own = rig_of(skeleton_of(active)).own_names
        for scope, line in self.rows.items():
            line.show_kept(self._joints(scope, active), own, kept.place, kept.shape, strengths, unheeded, told)
        self.release.setEnabled(heeded and bool(kept.place or kept.shape))
        self.back.setEnabled(active.pose != active.base_pose)
        self.set_base.setEnabled(active.pose != active.base_pose)

    def _joints(self, scope: str, active: Character) -> tuple[str, ...]:
        selected = {e.joint for e in active.effectors if e.id in self._session.view.effectors}
        return edits.scope_joints(scope, sorted(selected | self._session.view.joints))

    def _toggle(self, joints: tuple[str, ...], what: str, on: bool) -> None:
        active = self._session.active
        if active is None:
            return
        edit = (edits.keep_place if what == "place" else edits.keep_shape)(active.id, joints, on)
        self._session.edit(f"{'Keep' if on else 'Release'} {what} of {_named(joints)}", edit, solve=True)

    def _choose_mode(self, id: str) -> None:
        active = self._session.active
        mode = next(mode for mode in PRESERVE_MODES if mode.id == id)
        if active is not None:
            self._session.edit(f"Choose {mode.title}", edits.set_preserve_mode(active.id, mode), solve=True)

    def _set_strength(self, what: str, value: float) -> Edit | None:
        active = self._session.active
        return edits.set_preserve_strength(active.id, value, what) if active else None

    def _set_current(self) -> None:
        active = self._session.active
        if active is not None:
            self._session.edit("Set current pose as base pose", edits.set_current_as_base(active.id))

    def _return(self) -> None:
        active = self._session.active
        if active is not None:
            self._session.edit("Return to base pose", edits.reset_to_base(active.id))

    def _release(self) -> None:
        active = self._session.active
        if active is not None:
            self._session.edit("Keep nothing", edits.keep_nothing(active.id), solve=True)


def _named(joints: tuple[str, ...]) -> str:
    """The name of joints together: "left arm", or how many there are."""
    if len(joints) == 1:
        return joint_title(joints[0]).lower()
    for scope in (edits.WHOLE_BODY, *BODY_PARTS):
        if set(edits.scope_joints(scope)) == set(joints):
            return joint_title(scope).lower()
    return f"{len(joints)} joints"
