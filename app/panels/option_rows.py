"""The options that a solver declares, made from their declarations: one row for each switch, number or choice."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.document import edits
from app.document.model.document import Character
from app.document.model.history import Edit
from app.document.posing.solving import ineffective_options
from app.look.theme import SPACE
from app.panels.widgets.buttons import NoWheelComboBox
from app.panels.widgets.scrub import bind_scrub
from app.panels.widgets.section import wrapped_label
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from solver.ik.options import Choice, Number, Option, Options, OptionValue, Switch


class OptionRows(QWidget):
    """A row for each option. Every change is an edit of the active character and solves it again."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._declared: tuple[Option, ...] = ()
        self.rows: dict[str, OptionRow] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE // 2)

    def show_options(self, declared: tuple[Option, ...], active: Character) -> None:
        """Show these options as they are set for the active character."""
        if declared != self._declared:
            self._declared = declared
            for row in self.rows.values():
                self._column.removeWidget(row)
                row.hide()
                row.deleteLater()
            self.rows = {option.id: _row(option, self._session) for option in declared}
            for row in self.rows.values():
                self._column.addWidget(row)
            self._line_up([row.label for row in self.rows.values() if row.label is not None])
        self.setVisible(bool(declared))
        vain = ineffective_options(active)
        for id, row in self.rows.items():
            row.show_value(active.solver_options)
            row.show_use(vain.get(id, ""))

    def _line_up(self, labels: list[QLabel]) -> None:
        """Make labels equally wide, so that what stands beside them begins at one edge."""
        for label in labels:
            label.ensurePolished()
        widest = max((label.fontMetrics().horizontalAdvance(label.text()) for label in labels), default=0)
        for label in labels:
            label.setMinimumWidth(widest)


class OptionRow(QWidget):
    """The row of one option."""

    def __init__(self, option: Option, session: Session, control: QWidget, label: str = "") -> None:
        super().__init__()
        self._option, self._session, self._control = option, session, control
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(SPACE)
        self.label = wrapped_label(label) if label else None
        if self.label is not None:
            line.addWidget(self.label)
        line.addWidget(control, 1)
        self.show_use("")
        control.setAccessibleName(option.title)

    def show_value(self, options: Options) -> None:
        """Show the value that is set, without a signal."""
        raise NotImplementedError  # each kind of row has its own; Qt's metaclass leaves no room for an ABC

    def show_use(self, vain: str) -> None:
        """Grey the row if it makes no difference. vain: why; "" if it makes one."""
        self.setEnabled(not vain)
        self._control.setToolTip(vain or self._option.tip)

    def edit_to(self, value: OptionValue) -> Edit | None:
        """The edit that sets the option for the active character; None without one."""
        active = self._session.active
        return None if active is None else edits.set_solver_option(active.id, self._option.id, value)

    def set_to(self, text: str, value: OptionValue) -> None:
        """Set the option, as a step of its own."""
        edit = self.edit_to(value)
        if edit is not None:
            self._session.edit(text, edit, solve=True)


class SwitchRow(OptionRow):
    """A box to tick."""

    def __init__(self, option: Switch, session: Session) -> None:
        self.option, self.box = option, QCheckBox(option.title)
        super().__init__(option, session, self.box)
        self.box.clicked.connect(self._clicked)

    def show_value(self, options: Options) -> None:
        """Ticked or not."""
        self.box.setChecked(self.option.of(options))

    def _clicked(self, on: bool) -> None:
        self.set_to(f"Turn {'on' if on else 'off'} “{self.option.title}”", on)


class NumberRow(OptionRow):
    """A bar to drag or to type into; one drag is one step."""

    def __init__(self, option: Number, session: Session) -> None:
        self.option = option
        self.slider = ValueSlider(
            option.title,
            option.low,
            option.high,
            default=option.default,
            decimals=option.decimals,
            suffix=option.unit and f" {option.unit}",
        )
        super().__init__(option, session, self.slider)
        bind_scrub(self.slider, session, lambda: f"Set “{option.title}”", self._edit)

    def show_value(self, options: Options) -> None:
        """The bar's length."""
        self.slider.set_value(self.option.of(options))

    def _edit(self, value: float) -> Edit | None:
        return self.edit_to(round(value, self.option.decimals))


class ChoiceRow(OptionRow):
    """A list to choose from."""

    def __init__(self, option: Choice, session: Session) -> None:
        self.option, self.box = option, NoWheelComboBox()
        for value, title in option.choices:
            self.box.addItem(title, value)
        super().__init__(option, session, self.box, option.title)
        self.box.activated.connect(self._chosen)

    def show_value(self, options: Options) -> None:
        """The choice made."""
        self.box.setCurrentIndex(self.box.findData(self.option.of(options)))

    def _chosen(self, index: int) -> None:
        self.set_to(f"Set “{self.option.title}”", str(self.box.itemData(index)))


def _row(option: Option, session: Session) -> OptionRow:
    match option:
        case Switch():
            return SwitchRow(option, session)
        case Number():
            return NumberRow(option, session)
        case Choice():
            return ChoiceRow(option, session)
