"""The active character's effectors."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.document import edits
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.posing.fingertips import finger_name
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.solving import kind_has_effect, solver_heeds, solver_takes, was_solved
from app.look.theme import SPACE
from app.look.wording import joint_title, surface_text
from app.panels.effector_row import EffectorRow, EffectorStatus
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.popups import show_menu
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.section import wrapped_label
from app.services.session import MOMENT_S, Session
from solver.effectors.effector import Effector
from solver.ik.solver import TOLERANCE
from solver.rig.rig import rig_of
from solver.solvers.catalog import spec_of

ROWS_AT_ONCE = 50  # a row costs some milliseconds, and the window must not freeze for a thousand
EMPTY = "No effectors. Double-click a joint in the view, or add one with +."
NOBODY = "They pose somebody: add a person first."


class EffectorsPanel(QWidget):
    """One row for each effector, and a menu to add more."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.rows: list[EffectorRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SPACE, 0, SPACE, SPACE)
        self._column.setSpacing(2)
        self.empty: QLabel = wrapped_label(EMPTY)
        self.empty.setContentsMargins(SPACE, 0, SPACE, 0)
        self._column.addWidget(self.empty)
        self.add = IconButton("add", "Add an effector")
        self.add.clicked.connect(self.open_add_menu)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)

    def refresh(self) -> None:
        """Show the active character."""
        from app.document.over_time.asked_elsewhere import asked_elsewhere  # loaded once there is somebody to show

        active = self._session.active
        effectors = active.effectors if active else ()
        self.add.setEnabled(active is not None)
        self.empty.setVisible(not effectors)
        self.empty.setText(EMPTY if active else NOBODY)
        while len(self.rows) > len(effectors):
            last = self.rows.pop()
            last.hide()
            last.deleteLater()
        for effector in effectors[len(self.rows) :][:ROWS_AT_ONCE]:
            self._add_row(effector)
        if len(self.rows) < len(effectors):
            self._later.start()
        alone = active is not None and not was_solved(active)
        tolerates = active is None or solver_heeds(active, TOLERANCE)
        finding = self._session.finding
        residuals, reasons = finding.residuals, finding.reasons
        names = self._session.document.names
        elsewhere = asked_elsewhere(active) if active else {}
        for i, (row, effector) in enumerate(zip(self.rows, effectors, strict=False)):  # the others follow
            status = EffectorStatus(
                residual=residuals[i],
                reason=reasons[i],
                supported=active is not None and solver_takes(active, effector.kind, effector.joint),
                alone=alone,
                tolerates=tolerates,
                has_effect=active is None or kind_has_effect(active, effector.kind),
                surface=surface_text(effector, active.id if active else "", names),
                finger=finger_name(active, effector) if active else "",
                elsewhere=elsewhere.get(effector.id),
            )
            row.show_effector(effector, status, selected=effector.id in self._session.view.effectors)

    def add_effector(self, kind: str, joint: str) -> None:
        """Add an effector that holds the joint as it is, once the body has come to where it goes, and select it."""
        self._session.settle(MOMENT_S)
        active = self._session.active
        if active is None:
            return
        effector = new_effector(active, kind, joint)
        text = f"Add {effector.spec.title.lower()} to {joint_title(joint).lower()}"
        if self._session.edit(text, edits.add_effector(active.id, effector), solve=True):
            self._session.select(active.id, [effector.id])

    def open_add_menu(self) -> None:
        """Open the menu of kinds, body parts and joints."""
        from app.panels.effector_menu import fill_add_menu  # menus are loaded when first asked for

        active = self._session.active
        if active is None:
            return
        spec, joints = spec_of(active.solver), self._session.view.joints
        place = self.add.mapToGlobal(QPoint(0, self.add.height()))
        has_effect, own = partial(kind_has_effect, active), rig_of(skeleton_of(active)).own_names
        show_menu(self, place, lambda menu: fill_add_menu(menu, spec, joints, self.add_effector, has_effect, own))

    def _add_row(self, effector: Effector) -> None:
        """Add a row. A row shows whatever effector is at its place in the list, so focus and scroll position stay."""
        row = EffectorRow(effector)
        row.pressed.connect(self._select)
        row.menu.connect(self._open_menu)
        row.stepped.connect(lambda step: self._go_on(row, step))
        row.strict_clicked.connect(self._toggle_strict)
        row.pin_clicked.connect(self._toggle_pin)
        row.enable_clicked.connect(self._toggle_enabled)
        row.delete_clicked.connect(self._delete)
        bind_scrub(
            row.tolerance,
            self._session,
            lambda: "Change tolerance",
            lambda value: self._set_tolerance(row.effector_id, value),
        )
        self.rows.append(row)
        self._column.addWidget(row)
        row.show()

    def _go_on(self, row: EffectorRow, step: int) -> None:
        place = self.rows.index(row) + step
        if 0 <= place < len(self.rows):
            self.rows[place].setFocus(Qt.FocusReason.TabFocusReason)

    def _select(self, id: str, extend: bool) -> None:
        chosen = self._session.view.effectors
        self._session.select(self._session.view.character, chosen ^ {id} if extend else {id})

    def _open_menu(self, id: str, place: QPoint) -> None:
        from app.panels.effector_menu import effector_menu

        if id not in self._session.view.effectors:
            self._select(id, extend=False)
        show_menu(self, place, lambda menu: effector_menu(menu, self._session, id))

    def _set_tolerance(self, id: str, value: float) -> Edit | None:
        active = self._session.active
        return edits.set_tolerance(active.id, id, value) if active else None

    def _toggle_strict(self, id: str) -> None:
        active = self._session.active
        if active is not None:
            strict = active.effector(id).is_strict
            edit = edits.make_loose(active.id, [id]) if strict else edits.make_strict(active.id, [id])
            self._session.edit("Make loose" if strict else "Make strict", edit, solve=True)

    def _toggle_pin(self, id: str) -> None:
        active = self._session.active
        if active is not None:
            pinned = not active.effector(id).pinned
            text = "Pin effector" if pinned else "Unpin effector"
            self._session.edit(text, edits.set_pinned(active.id, id, pinned), solve=True)

    def _toggle_enabled(self, id: str) -> None:
        active = self._session.active
        if active is not None:
            on = not active.effector(id).enabled
            text = "Switch effector on" if on else "Switch effector off"
            self._session.edit(text, edits.set_enabled(active.id, id, on), solve=True)

    def _delete(self, id: str) -> None:
        active = self._session.active
        if active is not None:
            self._session.edit("Delete effector", edits.remove_effectors(active.id, [id]), solve=True)
