"""The rows for preservation: body parts, which unfold into their joints, with a toggle for place and one for shape."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.document.model.clip import EMPTY
from app.look.theme import SPACE
from app.look.wording import joint_title
from app.panels.widgets.buttons import IconButton

COLUMN, FOLD = 38, 20  # pixels of width
PALEST = 0.25  # share of its colour that a toggle keeps as strength goes to zero
TIPS = {"place": "Keep place: the global position", "shape": "Keep shape: the local orientation"}


class PreservationRow(QWidget):
    """Two toggles for a set of joints: all of them on, some, or none.

    toggled(joints, "place" or "shape", on): by the user. children_rows: those of the parts, made when first shown;
    only joints that the person has show.
    """

    toggled = Signal(tuple, str, bool)

    def __init__(self, title: str, parts: Iterable[str] = (), depth: int = 0) -> None:
        super().__init__()
        self._parts = tuple(parts)
        self._joints: tuple[str, ...] = ()
        self._kept = {"place": frozenset[str](), "shape": frozenset[str]()}
        self._strengths: Mapping[str, float] = {}
        self._on: dict[str, bool] = {}
        self._unheeded, self._open = "", False
        self._own: Collection[str] = self._parts
        self._off: Mapping[str, str] = EMPTY
        self.buttons: dict[str, IconButton] = {}
        self.children_rows: dict[str, PreservationRow] = {}
        line = QHBoxLayout()
        line.setContentsMargins(depth * (SPACE * 2), 0, 0, 0)
        line.setSpacing(2)
        self.title = QLabel(joint_title(title))
        if depth:
            self.title.setProperty("role", "muted")
        self.fold: IconButton | None = None  # only where there is something to unfold
        if self._parts:
            self.fold = IconButton("right", "Show the joints")
            self.fold.setFixedSize(FOLD, 22)
            self.fold.clicked.connect(self.toggle_fold)
            line.addWidget(self.fold)
        else:
            line.addSpacing(FOLD + line.spacing())
        line.addWidget(self.title, 1)
        for what in ("place", "shape"):
            button = IconButton(what, TIPS[what])
            button.setFixedSize(COLUMN, 24)
            button.clicked.connect(lambda _checked=False, what=what: self._clicked(what))
            self.buttons[what] = button
            line.addWidget(button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(line)

    def toggle_fold(self) -> None:
        """Show or hide the joints of this part."""
        self._open = not self._open
        if not self.children_rows:
            self._make_children()
        self._show_children()
        if self.fold is not None:
            self.fold.set_icon("down" if self._open else "right")

    def _show_children(self) -> None:
        for joint, child in self.children_rows.items():
            child.setVisible(self._open and joint in self._own)

    def _make_children(self) -> None:
        for joint in self._parts:
            child = self.children_rows[joint] = PreservationRow(joint, depth=1)
            child.toggled.connect(self.toggled)
            child.show_kept((joint,), (joint,), **self._kept, strengths=self._strengths, unheeded=self._unheeded,
                            off=self._off)  # fmt: skip
            self._column.addWidget(child)

    def show_kept(
        self,
        joints: tuple[str, ...],
        own: Collection[str],
        place: frozenset[str],
        shape: frozenset[str],
        strengths: Mapping[str, float],
        unheeded: str = "",
        off: Mapping[str, str] = EMPTY,
    ) -> None:
        """Show which of `joints` are kept.

        own: those that the person has, who may lack some: the others do not count, and are kept or released along with
        them. strengths: how firmly, 0..1, for "place" and "shape"; weak ones are paler. unheeded: why that makes no
        difference, "" if it does. off: of joints that are kept in place and yet are elsewhere, how far and why.
        """
        self._joints, self._kept, self._unheeded = joints, {"place": place, "shape": shape}, unheeded
        self._strengths, self._own, self._off = strengths, own, off
        there = [joint for joint in joints if joint in own]
        for what, kept in self._kept.items():
            count = sum(joint in kept for joint in there)
            self._on[what] = bool(there) and count == len(there)
            tone = "accent" if self._on[what] else "tolerated" if count else "faint"
            let_go = [off[joint] for joint in there if joint in off] if what == "place" else []
            tone = "unreachable" if let_go else tone
            button = self.buttons[what]
            strength = strengths.get(what, 1.0)
            button.set_icon(what, tone, _fullness(strength))
            button.setEnabled(bool(there))
            some = f" ({count} of {len(there)})" if 0 < count < len(there) else ""
            firmly = f", at strength {strength:.2g}" if count and strength < 1.0 else ""
            button.setToolTip(unheeded or "\n".join([TIPS[what] + some + firmly, *let_go]))
        for joint, child in self.children_rows.items():
            child.show_kept((joint,), (joint,), place, shape, strengths, unheeded, off)
        self._show_children()

    def _clicked(self, what: str) -> None:
        if self._joints:
            self.toggled.emit(self._joints, what, not self._on[what])


def _fullness(strength: float) -> float:
    """How full of colour a toggle is that is on: at the least strength it still differs from one that is off."""
    return PALEST + (1.0 - PALEST) * strength if strength > 0.0 else 0.0


def preservation_header() -> QWidget:
    """The titles over the two columns of toggles."""
    head = QWidget()
    line = QHBoxLayout(head)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(2)
    line.addWidget(QLabel(), 1)
    for title, tip in (("Place", TIPS["place"]), ("Shape", TIPS["shape"])):
        label = QLabel(title)
        label.setProperty("role", "muted")
        label.setToolTip(tip)
        small = label.font()
        small.setPointSizeF(max(small.pointSizeF() - 1.5, 7.0))
        label.setFont(small)
        label.setFixedWidth(COLUMN)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        line.addWidget(label)
    return head
