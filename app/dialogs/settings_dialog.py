"""Settings: the program's look, navigation of the view, what networks run on, which body files are used."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QColorDialog,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.dialogs import folder_dialog, messages
from app.look.theme import SPACE
from app.panels.widgets.buttons import NoWheelComboBox
from app.panels.widgets.section import horizontal_layout, wrapped_label
from app.panels.widgets.vertical_scroll import VerticalScrollArea
from app.services.device import device_choices
from app.services.settings import SettingsStore
from solver.devices import find_devices
from solver.errors import InputRefused, PoserError
from solver.estimates.plug_in_names import BUILT_IN, estimator_names

THEMES = {"dark": "Dark", "light": "Light"}
NAVIGATION = {
    "blender": "Blender: middle button orbits, Shift pans, wheel zooms",
    "maya": "Maya, Unity, Unreal: Alt with the left, middle, right button",
    "trackpad": "Trackpad: drag orbits, Shift pans, two fingers scroll",
}
COLORS = {"skin_tone": "Skin", "suit_color": "Suit"}
KEYMAPS = {"blender": "G moves, R rotates", "maya": "W moves, E rotates"}
TITLE_BAR, LEAST_FIELDS = 40, 160  # pixels that a desktop puts above a dialog; that the fields keep on any screen
BEYOND_REACH = {"stay": "It stays where you released it", "back": "It goes back to the body"}
MOVED_CONTACTS = {"hold": "They hold on, and the body follows", "go": "They are let go of"}
SMPL_NOTE = (
    "The folder with your own SMPL, SMPL-H or SMPL-X files, for new people. They are read with the smplx library, "
    'whose licence allows non-commercial use only: pip install "contrapposto[smpl]". Leave it empty for the free body.'
)


def _estimators(chosen: str) -> dict[str, str]:
    """Our own estimator and those of plug-ins, and the chosen one even if it is no longer installed."""
    names = estimator_names()
    titles = {name: "Contrapposto itself" if name == BUILT_IN else f"{name} (plug-in)" for name in names}
    return titles if chosen in titles else {**titles, chosen: f"{chosen} (not installed)"}


class Fields(VerticalScrollArea):
    """A form that scrolls if the screen has no room for all of it."""

    def __init__(self, form: QFormLayout) -> None:
        content = QWidget()
        content.setObjectName("panel")
        form.setContentsMargins(0, 0, 0, 0)
        content.setLayout(form)
        super().__init__(content, tab_stop=False)
        self.content = content

    def minimumSizeHint(self) -> QSize:
        """As wide as the fields, as they scroll only up and down."""
        width = self.content.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, LEAST_FIELDS)

    def sizeHint(self) -> QSize:
        """Room for all fields."""
        return QSize(self.whole_width(), self.height_for(self.whole_width()))

    def whole_width(self) -> int:
        """Pixels that all fields and the scroll bar need."""
        return self.content.sizeHint().width() + self.verticalScrollBar().sizeHint().width()

    def height_for(self, width: int) -> int:
        """Pixels that all fields need at a width; the longest note has more lines in a narrow form."""
        return self.content.heightForWidth(width - self.verticalScrollBar().sizeHint().width())


class SettingsDialog(QDialog):
    """Changes take effect at once."""

    def __init__(self, settings: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setWindowTitle("Settings")
        self.boxes: dict[str, QComboBox] = {}
        form = QFormLayout()
        form.setVerticalSpacing(SPACE)
        form.setHorizontalSpacing(SPACE * 2)
        for name, title, choices in (
            ("theme", "Theme", THEMES),
            ("navigation", "Navigation", NAVIGATION),
            ("keymap", "Keys", KEYMAPS),
            ("beyond_reach", "A handle out of reach", BEYOND_REACH),
            ("moved_contacts", "Contacts of a moved person", MOVED_CONTACTS),
            ("device", "Networks run on", device_choices(find_devices(), settings.values.device)),
            ("photo_estimator", "Photos are read by", _estimators(settings.values.photo_estimator)),
        ):
            box = self.boxes[name] = NoWheelComboBox()
            for id, text in choices.items():
                box.addItem(text, id)
            box.setCurrentIndex(box.findData(getattr(settings.values, name)))
            box.activated.connect(lambda _i, name=name, box=box: settings.set(**{name: box.currentData()}))
            form.addRow(wrapped_label(title), box)
        self.colors: dict[str, QPushButton] = {}
        for name, title in COLORS.items():
            button = self.colors[name] = QPushButton()
            button.setFixedSize(64, 24)
            button.clicked.connect(lambda _c=False, name=name: self._choose_color(name))
            form.addRow(wrapped_label(title), button)
        self.baselines = QCheckBox("Show classical solvers for comparison")
        self.baselines.setChecked(settings.values.show_baselines)
        self.baselines.clicked.connect(lambda on: settings.set(show_baselines=on))
        form.addRow(wrapped_label("Solvers"), self.baselines)
        self.folder = QLineEdit(settings.values.body_dir)
        self.folder.setPlaceholderText("Free body")
        self.folder.editingFinished.connect(lambda: self._set_folder(self.folder.text()))
        browse = QPushButton("Choose…")
        browse.clicked.connect(self._browse)
        form.addRow(wrapped_label("Body files"), horizontal_layout(self.folder, browse))
        self.about_files = wrapped_label(SMPL_NOTE)
        form.addRow("", self.about_files)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Close | QDialogButtonBox.StandardButton.RestoreDefaults
        )
        buttons.rejected.connect(self.reject)
        defaults = buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        defaults.setText("Restore defaults")
        defaults.clicked.connect(self._reset)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 2, SPACE * 2, SPACE * 2, SPACE * 2)
        column.setSpacing(SPACE * 2)
        self.fields = Fields(form)
        column.addWidget(self.fields, 1)
        column.addWidget(buttons)
        for button in (*self.colors.values(), browse):
            button.setAutoDefault(False)  # Enter in the folder's field would open a choice of colours
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        self._show_colors()

    def showEvent(self, event: QShowEvent) -> None:
        """Make it as wide and as high as all fields, as far as the screen allows."""
        layout, room = self.layout(), self.screen().availableGeometry().size()
        if layout is not None:
            layout.activate()
            beside = layout.sizeHint() - self.fields.sizeHint()
            width = min(self.fields.whole_width() + beside.width(), room.width())
            height = self.fields.height_for(width - beside.width()) + beside.height()
            self.resize(width, min(height, room.height() - TITLE_BAR))
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc puts back a folder that is being typed; otherwise it closes the dialog."""
        known = self._settings.values.body_dir
        if event.key() == Qt.Key.Key_Escape and self.folder.hasFocus() and self.folder.text() != known:
            self.folder.setText(known)
            return
        super().keyPressEvent(event)

    def _choose_color(self, name: str) -> None:
        color = QColorDialog.getColor(
            QColor(getattr(self._settings.values, name)), self, f"Colour of the {COLORS[name].lower()}"
        )
        if color.isValid():
            self._settings.set(**{name: color.name()})
            self._show_colors()

    def _show_colors(self) -> None:
        for name, button in self.colors.items():
            button.setStyleSheet(f"background: {getattr(self._settings.values, name)};")

    def _browse(self) -> None:
        folder = folder_dialog.choose_folder(self, "Folder with body files", self.folder.text())
        if folder:
            self.folder.setText(folder)
            self._set_folder(folder)

    def _set_folder(self, text: str) -> None:
        try:
            folder = _body_folder(text.strip(), self._settings.values.body_dir)
        except PoserError as error:
            self.folder.setText(self._settings.values.body_dir)
            messages.refuse(self, str(error))
            return
        if folder != self._settings.values.body_dir:
            self._settings.set(body_dir=folder)

    def _reset(self) -> None:
        self._settings.reset((*self.boxes, *COLORS, "show_baselines", "body_dir"))
        for name, box in self.boxes.items():
            box.setCurrentIndex(box.findData(getattr(self._settings.values, name)))
        self.baselines.setChecked(self._settings.values.show_baselines)
        self.folder.setText(self._settings.values.body_dir)
        self._show_colors()


def _body_folder(text: str, known: str) -> str:
    """The whole path of a folder that somebody typed, "" for none. InputRefused where it is another than the known one
    and holds no body files."""
    try:
        folder = str(Path(text).expanduser().resolve()) if text else ""
        if folder not in ("", known):
            from solver.body.smpl_files import files_in  # not before a folder is named

            files_in(Path(folder))
    except (OSError, RuntimeError, ValueError) as error:  # a name too long for the disk, “~” and nobody's name
        reason = str(getattr(error, "strerror", None) or error).rstrip(".")
        raise InputRefused(text[:80], f"it cannot be read ({reason})", "Check the name") from None
    return folder
