"""Which solver poses the character, what it met and how fast, another solution, and effector recovery."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.document import edits
from app.document.model.document import Character
from app.document.posing.solving import can_have_other, has_active_effectors, refusal_for
from app.look.theme import SPACE
from app.look.wording import (
    heeds_text,
    met_text,
    time_text,
)
from app.panels.option_rows import OptionRows
from app.panels.widgets.buttons import NoWheelComboBox
from app.panels.widgets.external_text import shortened
from app.panels.widgets.readout import Readout
from app.panels.widgets.section import Panel, Section, horizontal_layout, panel_layout, vertical_layout, wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from app.panels.worst_effector import stand_in_text, worst_text
from app.services.session import Session
from app.services.settings import SettingsStore
from app.services.soon import soon
from solver.effectors.kinds import kinds
from solver.solvers.catalog import SOLVERS, STAND_IN, spec_of, try_again

if TYPE_CHECKING:
    from app.panels.error_curve import ErrorCurve
    from app.services.background.effector_recovery import ErrorsByCount

SHOWN_MS = 30  # after which what has just come up has its place
OTHER_TIP = "Show another pose that meets the same effectors; press again for the next one (O)"
COMPARE_TIP = "What every solver makes of the same effectors, side by side (Shift+V)"
VARIATIONS_TIP = "A gallery of poses that meet the same effectors and look different (V)"
NO_OTHER = "Needs an effector, and “Network alone” switched off"
NOT_ASKED = "Needs an effector"
OF_PHOTOS = "People from photos get no more either; left at 8, they get up to 10 where 8 leave the pose far off"


class SolverChoice(NoWheelComboBox):
    """A list of solvers that says below each what it is good for."""

    def explain(self, row: int, *lines: str) -> None:
        """Set what is said below a row."""
        self.setItemData(row, lines, Qt.ItemDataRole.UserRole + 1)
        self.setItemData(row, "\n".join(lines), Qt.ItemDataRole.ToolTipRole)

    def showPopup(self) -> None:
        """Open the list, wide enough for sentences."""
        from app.panels.widgets.described_item_delegate import (  # when it first opens: the window starts without it
            ROOM,
            DescribedItemDelegate,
        )

        if not isinstance(self.itemDelegate(), DescribedItemDelegate):
            self.setItemDelegate(DescribedItemDelegate(self, Qt.ItemDataRole.UserRole + 1))
        self.view().setMinimumWidth(ROOM)
        super().showPopup()


class SolverPanel(Panel):
    """recover_asked(count, threshold in metres, kinds): the user wants effectors of these kinds recovered from the
    pose. count_asked(n): as many of those recovered.

    other_asked(): another pose for the same effectors. variations_asked(): a gallery of them. compare_asked(): what
    every solver makes of them. errors: how far off the pose is by the number of effectors just recovered, None if none.
    """

    recover_asked = Signal(int, float, frozenset)
    count_asked = Signal(int)
    other_asked = Signal()
    variations_asked = Signal()
    compare_asked = Signal()

    def __init__(self, session: Session, settings: SettingsStore) -> None:
        super().__init__()
        self._session, self._settings = session, settings
        self.errors: Callable[[], ErrorsByCount | None] = lambda: None
        self.choice = SolverChoice()
        self.choice.setSizeAdjustPolicy(SolverChoice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(8)  # a long title does not widen the panel
        self.choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.choice.activated.connect(self._choose)
        self.compare = QPushButton("Compare…")
        self.compare.clicked.connect(self.compare_asked)
        self.summary, self.heeds = wrapped_label(role="text"), wrapped_label()
        self.refusal = wrapped_label(role="error")
        self.options = OptionRows(session)
        self.other = QPushButton("Other solution")
        self.other.clicked.connect(self.other_asked)
        self.variations = QPushButton("Variations…")
        self.variations.clicked.connect(self.variations_asked)
        self.time, self.worst, self.met = Readout(), Readout(), Readout()
        facts = QWidget()
        form = QFormLayout(facts)
        form.setContentsMargins(0, SPACE // 2, 0, SPACE // 2)
        form.setVerticalSpacing(SPACE // 2)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # a long name must not widen the panel
        for title, value in (("Solve time", self.time), ("Effectors met", self.met), ("Worst effector", self.worst)):
            value.show_text("–")
            label = wrapped_label(title)
            label.setWordWrap(False)
            form.addRow(label, value)
        self.count = ValueSlider("Recover at most", 1, 24, default=8, decimals=0)
        self.count.setToolTip(f"{self.count.toolTip()}. {OF_PHOTOS}")
        self.threshold = ValueSlider("Stop below", 0.1, 10.0, default=1.0, decimals=1, suffix=" cm")
        self.count.set_value(settings.values.recover_count)
        self.threshold.set_value(settings.values.recover_threshold * 100)
        settings.changed.connect(self.refresh)
        self.count.finished.connect(self._keep)
        self.threshold.finished.connect(self._keep)
        self.kinds = {kind.id: QCheckBox(f"{kind.title}s") for kind in kinds() if kind.recovered_on != ()}
        for id, box in self.kinds.items():
            box.setChecked(id not in settings.values.recover_without.split())
            box.setToolTip(f"Whether recovery may take {box.text().lower()}")
            box.clicked.connect(self._keep)
        self.recover = QPushButton("Recover effectors")
        self.recover.setToolTip("Replace the present effectors with the few that reproduce this pose")
        self.recover.clicked.connect(self._ask)
        self.curve: ErrorCurve | None = None
        self._asked_at: int | None = None  # the revision at which the user asked for recovery, until it is there
        self._place = QVBoxLayout()
        self._offer_recovery()
        expert = vertical_layout(
            self.heeds, self.options, self.count, self.threshold, horizontal_layout(*self.kinds.values(), stretch=True)
        )
        self.advanced = Section("Advanced", expert, open=False, key="Solver advanced", minor=True)
        panel_layout(
            self,
            horizontal_layout(self.choice, self.compare),
            self.summary,
            self.refusal,
            horizontal_layout(self.other, self.variations),
            facts,
            horizontal_layout(self.recover, stretch=True),
            self.advanced,
        )
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.addLayout(self._place)

    def refresh(self) -> None:
        """Show the active character."""
        active = self._session.active
        self._show_curve(self.errors())
        self.setEnabled(active is not None)
        if active is None:
            for fact in (self.time, self.met, self.worst):  # else they would be a deleted person's
                fact.show_text("–")
            return
        self._offer(active.solver)
        self._show_solver(active)
        finding = self._session.finding
        self.time.show_text(time_text(finding.elapsed_s))
        self.worst.show_text(worst_text(active, replace(finding, reasons=())) or "–")
        self.met.show_text(met_text(finding.residuals))

    def focus_recovery(self) -> None:
        """Give the keys to the error curve if there is one, else to the button that makes it."""
        curve = self.curve if self.errors() is not None else None
        (curve or self.recover).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _offer(self, chosen: str) -> None:
        """Fill the menu with all solvers, baselines only if one is chosen or the settings ask for them.

        A chosen one known only to a newer version comes last.
        """
        every = self._settings.values.show_baselines
        offered = {spec.id: spec.title for spec in SOLVERS if every or not spec.baseline or spec.id == chosen}
        offered.setdefault(chosen, f"{shortened(chosen, 30)} (newer version)")
        if [self.choice.itemData(i) for i in range(self.choice.count())] != list(offered):
            self.choice.clear()
            for row, (id, title) in enumerate(offered.items()):
                self.choice.addItem(title, id)
                if id in SOLVERS:
                    self.choice.explain(row, SOLVERS[id].summary, heeds_text(SOLVERS[id]))
        self.choice.setCurrentIndex(self.choice.findData(chosen))

    def _show_solver(self, active: Character) -> None:
        spec, refusal = spec_of(active.solver), refusal_for(active)
        self.summary.setText(spec.summary)
        self.heeds.setText(heeds_text(spec))
        self.refusal.setText(f"{refusal} {stand_in_text()}" if refusal else "")
        self.refusal.setVisible(bool(refusal))
        self.options.show_options(spec.options if not refusal else SOLVERS[STAND_IN].options, active)
        self.compare.setEnabled(has_active_effectors(active))
        self.compare.setToolTip(COMPARE_TIP if has_active_effectors(active) else NOT_ASKED)
        self.other.setEnabled(can_have_other(active))
        self.other.setToolTip(OTHER_TIP if can_have_other(active) else NO_OTHER)
        self.variations.setEnabled(can_have_other(active))
        self.variations.setToolTip(VARIATIONS_TIP if can_have_other(active) else NO_OTHER)

    def _choose(self, index: int) -> None:
        active = self._session.active
        if active is not None:
            id = str(self.choice.itemData(index))
            if id not in SOLVERS:
                return
            try_again()
            self._session.edit(f"Choose solver {SOLVERS[id].title}", edits.set_solver(active.id, id), solve=True)

    def _show_curve(self, found: ErrorsByCount | None) -> None:
        if found is not None and self.curve is None:
            from app.panels.error_curve import ErrorCurve  # when it first shows, for the window starts without

            self.curve = ErrorCurve()
            self.curve.chosen.connect(self.count_asked)
            self._place.addWidget(self.curve)
        if found is not None and self.curve is not None:
            self.curve.show_errors(found.errors_m, found.taken)
        if self.curve is not None:
            self.curve.setVisible(found is not None)
        if found is not None and self._asked_at is not None and self._session.history.revision > self._asked_at:
            self._asked_at = None
            soon(self, self._bring_curve_up, SHOWN_MS)

    def _bring_curve_up(self) -> None:
        """Scroll until the curve is in sight: on a small screen it comes up below the panels' end."""
        place = self.parentWidget()
        while place is not None and not isinstance(place, QScrollArea):
            place = place.parentWidget()
        if place is not None and self.curve is not None and self.curve.isVisible():
            place.ensureWidgetVisible(self.curve, 0, SPACE)

    def _ask(self) -> None:
        self._asked_at = self._session.history.revision
        self.recover_asked.emit(round(self.count.value()), self.threshold.value() / 100, self._chosen_kinds())

    def _chosen_kinds(self) -> frozenset[str]:
        return frozenset(id for id, box in self.kinds.items() if box.isChecked())

    def _keep(self) -> None:
        self._settings.set(
            recover_count=round(self.count.value()), recover_threshold=self.threshold.value() / 100,
            recover_without=" ".join(id for id in self.kinds if id not in self._chosen_kinds()),
        )  # fmt: skip
        self._offer_recovery()

    def _offer_recovery(self) -> None:
        self.recover.setEnabled(bool(self._chosen_kinds()))
