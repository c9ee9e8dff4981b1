"""With what skin the active person is drawn: our body's, or that of the user's own character."""

from __future__ import annotations

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.document import edits
from app.document.model.character import Character
from app.look.theme import SPACE
from app.panels.widgets.buttons import SegmentedControl
from app.panels.widgets.command_buttons import ActionButton
from app.panels.widgets.external_text import escaped, shortened
from app.panels.widgets.section import horizontal_layout, wrapped_label
from app.services.session import Session

OURS, OWN = "ours", "own"
NAME = 22  # characters that have room
COMMAND = "body.own_skin"
FIRST, ANOTHER = "Draw as your own character…", "Your own character…"  # what the button says


class OwnSkinRow(QWidget):
    """A switch between both skins, for somebody who has two, and a button to choose a file."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.choice = SegmentedControl([(OURS, "Our body"), (OWN, "")])
        self.choice.explain(OURS, "Draw our body, which poses the character")
        self.choice.chosen.connect(self._choose)
        self.note = wrapped_label()
        self.file: ActionButton | None = None  # made when first shown, once this is in the window
        self._line = horizontal_layout(stretch=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE // 2 + 2)
        self._title = wrapped_label("Drawn as")
        for widget in (self._title, self.choice, self._line, self.note):
            column.addWidget(widget)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the button."""
        super().showEvent(event)
        action = self.window().findChild(QAction, COMMAND)
        if self.file is None and action is not None:
            self.file = ActionButton(ANOTHER if self._title.isVisibleTo(self) else FIRST, action)
            self.file.setProperty("flat", True)
            self._line.layout().insertWidget(0, self.file)  # type: ignore[union-attr,attr-defined]

    def refresh_for(self, active: Character) -> None:
        """Show how somebody is drawn."""
        own = active.own_skin
        self._title.setVisible(own is not None)
        self.choice.setVisible(own is not None)
        self.note.setVisible(edits.has_shape_of_own(active))
        if self.file is not None:
            self.file.setText(FIRST if own is None else ANOTHER)
        if own is None:
            return
        name = shortened(own.name, NAME)
        self.choice.button(OWN).setText(escaped(name))
        self.choice.explain(OWN, f"Draw the skin of {own.name}")
        self.choice.set_current(OWN if own.shown else OURS)
        self.note.setText(f"The sliders are grey: another shape would take the handles off the joints of {name}.")

    def _choose(self, which: str) -> None:
        active = self._session.active
        if active is None or active.own_skin is None:
            return
        name = active.own_skin.name if which == OWN else "our body"
        self._session.edit(f"Draw “{active.name}” as {name}", edits.show_own_skin(active.id, which == OWN))
        self.refresh_for(self._session.active or active)
