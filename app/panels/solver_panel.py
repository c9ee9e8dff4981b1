"""Which solver poses the character, what it met and how fast, another solution, and effector recovery."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QPushButton, QWidget

from app.document import edits
from app.document.problem import can_have_other
from app.document.state import Character
from app.panels.widgets.buttons import CalmComboBox
from app.panels.widgets.readout import Readout
from app.panels.widgets.section import fill, note, row
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from app.services.settings import SettingsStore
from app.theme import SPACE
from app.wording import amid, effector_title, reason_text, residual_text
from solver.ik.catalog import SOLVERS, STAND_IN, refusal_of, try_again
from solver.ik.problem import Reason

RAW_TIP = "Show what the network alone says, without the exact stage that meets the effectors"
NO_NETWORK = "Only SMPL-IK and ProtoRes have a network"
OTHER_TIP = "Show another pose that meets the same effectors; again for the next one (O)"
NO_OTHER = "There must be an effector, and the exact stage at work"


class SolverPanel(QWidget):
    """recover_asked(count, threshold in metres): the user wants effectors recovered from the pose.

    other_asked(): another pose for the same effectors.
    """

    recover_asked = Signal(int, float)
    other_asked = Signal()

    def __init__(self, session: Session, settings: SettingsStore) -> None:
        super().__init__()
        self._session, self._settings = session, settings
        self.choice = CalmComboBox()
        for spec in SOLVERS:
            self.choice.addItem(spec.title, spec.id)
        self.choice.activated.connect(self._choose)
        self.summary = note()
        self.refusal = note(role="error")
        self.raw = QCheckBox("Network alone")
        self.raw.clicked.connect(self._show_raw)
        self.other = QPushButton("Other solution")
        self.other.clicked.connect(self.other_asked)
        self.time, self.worst, self.met = Readout(), Readout(), Readout()
        facts = QWidget()
        form = QFormLayout(facts)
        form.setContentsMargins(0, SPACE // 2, 0, SPACE // 2)
        form.setVerticalSpacing(SPACE // 2)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # a long name must not widen the panel
        for title, value in (("Solve time", self.time), ("Effectors met", self.met), ("Worst effector", self.worst)):
            value.show_text("–")
            label = note(title)
            label.setWordWrap(False)
            form.addRow(label, value)
        self.count = ValueSlider("Recover at most", 1, 24, default=8, decimals=0)
        self.threshold = ValueSlider("Stop below", 0.1, 10.0, default=1.0, decimals=1, suffix=" cm")
        self.count.set_value(settings.values.recover_count)
        self.threshold.set_value(settings.values.recover_threshold * 100)
        self.count.finished.connect(self._keep)
        self.threshold.finished.connect(self._keep)
        self.recover = QPushButton("Recover effectors")
        self.recover.setToolTip("Find the few effectors that bring this pose about, in place of the present ones")
        self.recover.clicked.connect(
            lambda: self.recover_asked.emit(round(self.count.value()), self.threshold.value() / 100)
        )
        fill(
            self,
            self.choice,
            self.summary,
            self.refusal,
            row(self.raw, self.other),
            facts,
            self.count,
            self.threshold,
            row(self.recover, stretch=True),
        )

    def refresh(self) -> None:
        """Show the active character."""
        active = self._session.active
        self.setEnabled(active is not None)
        if active is None:
            return
        self.choice.setCurrentIndex(self.choice.findData(active.solver))
        self._show_solver(active)
        self.time.show_text(time_text(active))
        self.worst.show_text(worst_text(active) or "–")
        live = [r for r in active.residuals if r.state != "disabled"]
        good = sum(r.state != "unreachable" for r in live)
        self.met.show_text(f"{good} of {len(live)}" if live else "–")

    def _show_solver(self, active: Character) -> None:
        spec, refusal = SOLVERS[active.solver], refusal_of(active.solver, active.body)
        self.summary.setText(spec.summary)
        self.refusal.setText(f"{refusal} {stands_in()}" if refusal else "")
        self.refusal.setVisible(bool(refusal))
        alone = spec.learned and not refusal
        self.raw.setEnabled(alone)
        self.raw.setChecked(alone and active.raw)
        self.raw.setToolTip(RAW_TIP if alone else NO_NETWORK)
        self.other.setEnabled(can_have_other(active))
        self.other.setToolTip(OTHER_TIP if can_have_other(active) else NO_OTHER)

    def _choose(self, index: int) -> None:
        active = self._session.active
        if active is not None:
            id = str(self.choice.itemData(index))
            try_again()
            self._session.edit(f"Choose solver {SOLVERS[id].title}", edits.set_solver(active.id, id), solve=True)

    def _show_raw(self, on: bool) -> None:
        active = self._session.active
        if active is not None:
            text = "Show the network alone" if on else "Let the exact stage follow"
            self._session.edit(text, edits.set_raw(active.id, on), solve=True)

    def _keep(self) -> None:
        self._settings.set(recover_count=round(self.count.value()), recover_threshold=self.threshold.value() / 100)


def stands_in() -> str:
    """Who solves in place of a solver that cannot be loaded."""
    return f"{SOLVERS[STAND_IN].title} stands in."


def time_text(character: Character) -> str:
    """The last solve's time, "–" before the first."""
    return f"{character.elapsed_s * 1000:.2f} ms" if character.elapsed_s > 0 else "–"


def worst_text(character: Character, reasons: Sequence[Reason | None] = ()) -> str:
    """The effector that is furthest from what it may be, by how much, and why if that is known; "" without any.

    An unreachable one counts before those within tolerance, then the larger error; angles are weighed as an arm's
    length would turn them into metres.
    """
    if len(character.residuals) != len(character.effectors):
        return ""
    reasons = reasons or (None,) * len(character.effectors)
    rank = {"unreachable": 2, "tolerated": 1, "met": 0}
    found = [
        (rank[r.state], r.value * (1.0 if e.kind == "position" else 0.5), e, r, why)
        for e, r, why in zip(character.effectors, character.residuals, reasons, strict=True)
        if r.state in rank
    ]
    if not found:
        return ""
    _, _, effector, residual, reason = max(found, key=lambda f: f[:2])
    text = f"{residual_text(effector.kind, residual)} ({effector_title(effector).lower()})"
    return f"{text}: {amid(reason_text(reason))}" if reason else text
