"""Which joint of a foreign skeleton is which of ours: a figure to point at, and a list to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, QStringListModel
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.dialogs import messages
from app.dialogs.joint_picture import JointPicture
from app.dialogs.typed_name import asked_files
from app.look.theme import SPACE
from app.panels.widgets.buttons import NoWheelComboBox
from app.panels.widgets.external_text import in_title
from app.panels.widgets.section import wrapped_label
from app.panels.widgets.vertical_scroll import VerticalScrollArea
from solver.errors import PoserError
from solver.rig.foreign_skeleton import ForeignSkeleton
from solver.rig.front_view import front_view
from solver.rig.joint_guess import JointGuess
from solver.rig.joint_map_check import MapFault, check_joint_map, swapped_sides, wrong_sides
from solver.rig.joint_map_file import labels_of, write_joint_map
from solver.rig.joint_recognition import REQUIRED
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, SPINE, Role
from solver.sentences import sentence_case

NOBODY = "—"
WANTED = QSize(1000, 720)  # logical pixels
LIST_WIDTH, FRAME = 400, 48  # pixels
ORDER: tuple[Role, ...] = (
    Role.PELVIS, *SPINE, *HEAD_AND_NECK, *(role for limb in (*LEGS, *ARMS) for role in limb.joints),
)  # fmt: skip
TIPS = {
    "foot": "Where the toes bend",
    "hand": "All fingers as one, at the middle knuckle; fingers are recognised by their own names",
    "collar": "The collar bone, where the shoulder begins to move",
}
ABOUT = "Choose a row, then click its joint in the picture. It is remembered for every file with these joints."
MEND = "“Swap left and right” puts that right; “OK” leaves it as it is."
WHICH = "Which joint is which?"
FITS = "Each joint is there once, and all of them hang together."


class JointMapDialog(QDialog):
    """Asks which joint is which. name: of the file. guess: what the list starts with, and what is doubtful in it."""

    def __init__(self, name: str, skeleton: ForeignSkeleton, guess: JointGuess, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Joint map of {in_title(name)}")
        self._skeleton, self._guess = skeleton, guess
        self._doubts = dict(guess.doubts)
        self._faults: list[MapFault] = []
        self._model = QStringListModel([NOBODY, *skeleton.labels], self)
        self.boxes: dict[str, NoWheelComboBox] = {}
        self.titles: dict[str, QLabel] = {}
        self.notes: dict[str, QLabel] = {}
        self._selected = ORDER[0].value
        self.picture = JointPicture(skeleton, front_view(skeleton, guess.joints), self)
        self.picture.picked.connect(self._pick)
        self.heading, self.message = wrapped_label(guess.question or WHICH, role="title"), wrapped_label()
        self._asks_of_fault = any(fault.text == guess.question for fault in check_joint_map(skeleton, guess.joints))
        self.swap = self._button("Swap left and right", self._swap, "Exchange all left and right joints")
        self.again = self._button("Start over", self._start_over, "Back to what was recognised")
        self.write = self._button("Save as a file…", self._write, "For the command line: convert --joint-map FILE")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._area = self._rows()
        size = WANTED.boundedTo(self.screen().availableSize() - QSize(FRAME, FRAME))
        self._lay_out(min(LIST_WIDTH, size.width() - self.picture.minimumWidth() - 6 * SPACE))
        self.resize(size)
        self._fill(guess.joints)
        first = next((role for role in REQUIRED if role in self._doubts or role not in guess.joints), ORDER[0].value)
        self.boxes[first].setFocus()
        self._select(first)

    def joints(self) -> dict[str, int]:
        """Our joint name -> index, as chosen."""
        return {role: box.currentIndex() - 1 for role, box in self.boxes.items() if box.currentIndex() > 0}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A row that gets the keyboard, or a click on its title, is the one that a click in the picture is for."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress):
            role = next(role for role, box in self.boxes.items() if watched in (box, self.titles[role]))
            if watched is self.titles[role]:
                self.boxes[role].setFocus()
            if role != self._selected:
                self._select(role)
        return super().eventFilter(watched, event)

    def _lay_out(self, list_width: int) -> None:
        side = QVBoxLayout()
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(SPACE)
        for widget in (self.heading, wrapped_label(ABOUT)):
            side.addWidget(widget)
        side.addWidget(self._area, 1)
        tools = QHBoxLayout()
        for button in (self.swap, self.again):
            tools.addWidget(button)
        tools.addStretch(1)
        side.addLayout(tools)
        side.addWidget(self.message)
        holder = QWidget()
        holder.setLayout(side)
        holder.setFixedWidth(list_width)
        body = QHBoxLayout()
        body.setSpacing(SPACE * 2)
        body.addWidget(self.picture, 1)
        body.addWidget(holder)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 2, SPACE * 2, SPACE * 2, SPACE * 2)
        column.setSpacing(SPACE * 2)
        column.addLayout(body, 1)
        footer = QHBoxLayout()
        footer.addWidget(self.write)
        footer.addStretch(1)
        footer.addWidget(self.buttons)
        column.addLayout(footer)

    def _rows(self) -> VerticalScrollArea:
        holder, grid = QWidget(), QGridLayout()
        holder.setObjectName("panel")
        holder.setLayout(grid)
        grid.setContentsMargins(0, 0, SPACE, 0)
        grid.setVerticalSpacing(SPACE // 2)
        grid.setColumnStretch(1, 1)
        for row, role in enumerate(ORDER):
            box, title, note = NoWheelComboBox(), QLabel(sentence_case(role.words)), QLabel()
            box.setModel(self._model)
            box.setMinimumContentsLength(12)
            box.setSizeAdjustPolicy(NoWheelComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setAccessibleName(role.words)
            box.currentIndexChanged.connect(lambda _index, role=role.value: self._changed(role))
            title.setToolTip(TIPS.get(role.part, ""))
            title.setBuddy(box)
            note.setProperty("role", "muted")
            note.setWordWrap(True)
            grid.addWidget(title, 2 * row, 0)
            grid.addWidget(box, 2 * row, 1)
            grid.addWidget(note, 2 * row + 1, 1)
            self.boxes[role], self.titles[role], self.notes[role] = box, title, note
            box.installEventFilter(self)
            title.installEventFilter(self)
        grid.setRowStretch(2 * len(ORDER), 1)
        return VerticalScrollArea(holder, tab_stop=False)

    def _button(self, title: str, run: object, tip: str) -> QPushButton:
        button = QPushButton(title)
        button.setProperty("flat", True)
        button.setAutoDefault(False)
        button.setToolTip(tip)
        button.clicked.connect(run)
        return button

    def _fill(self, joints: Mapping[str, int]) -> None:
        for role, box in self.boxes.items():
            box.blockSignals(True)
            box.setCurrentIndex(joints.get(role, -1) + 1)
            box.blockSignals(False)
        self._show()

    def _changed(self, role: str) -> None:
        self._doubts.pop(role, None)  # somebody has looked at it
        self._show()

    def _pick(self, joint: int) -> None:
        self.boxes[self._selected].setFocus()
        self.boxes[self._selected].setCurrentIndex(joint + 1)

    def _select(self, role: str) -> None:
        self._selected = role
        self._area.ensureWidgetVisible(self.boxes[role], 0, 4 * SPACE)
        self._show()

    def _swap(self) -> None:
        wrong = wrong_sides(self._skeleton, self.joints())
        self._doubts.clear()
        self._fill(swapped_sides(self.joints(), wrong or ("leg", "arm")))

    def _start_over(self) -> None:
        self._doubts = dict(self._guess.doubts)
        self._fill(self._guess.joints)

    def _write(self) -> None:
        start = str(Path.home() / "joints.json")
        for target in asked_files(self, "Save the joint map", start, "*.json", ".json"):
            try:
                write_joint_map(target, labels_of(self._skeleton, self.joints()))
                return
            except PoserError as error:
                messages.refuse(self, str(error))

    def _show(self) -> None:
        """Say what is wrong and what is doubtful, beside the rows and below them."""
        joints = self.joints()
        self._faults = check_joint_map(self._skeleton, joints)
        mended = self._asks_of_fault and all(fault.text != self._guess.question for fault in self._faults)
        self.heading.setText(WHICH if mended else self._guess.question or WHICH)
        blocking = [fault for fault in self._faults if fault.blocking]
        wrong = {role for fault in self._faults for role in fault.roles}
        told = {role for fault in self._faults if fault.sides for role in fault.roles}  # in one sentence
        for role, title in self.titles.items():
            _wear(title, "error" if role in wrong else "")
            note = self._doubts.get(role, "")
            self.notes[role].setText(f"Guessed {note}" if note.startswith("by ") else sentence_case(note))
            self.notes[role].setVisible(bool(note) and role not in told)
        more = f" {len(self._faults) - 1} more to put right." if len(self._faults) > 1 else ""
        said = f"{self._faults[0].text}{more}" if self._faults else FITS
        if self._faults and self._faults[0].sides:
            said = MEND if said == self._guess.question else f"{said} {MEND}"
        self.message.setText(said)
        _wear(self.message, "error" if self._faults else "muted")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not blocking)
        self.picture.show_map(joints, tuple(self._doubts), self._selected)


def _wear(label: QLabel, role: str) -> None:
    """Give a label another role in the style sheet."""
    if label.property("role") != role:
        label.setProperty("role", role)
        label.style().unpolish(label)
        label.style().polish(label)
