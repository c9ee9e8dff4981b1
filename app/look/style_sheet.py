"""The Qt style sheet of the window, with the theme's colours left open.

Its second rule keeps the program safe: Qt takes any text with a tag in it for a page, and reads the files it names
(`<img src='file:///dev/zero'>`). No label, tool tip or message of ours or of Qt's own dialogs may understand markup.
"""

from __future__ import annotations

from string import Template

SHEET = Template("""
* { outline: 0; }
QLabel, QToolTip { qproperty-textFormat: PlainText; }
QMainWindow, QDialog { background: $panel; }
QWidget { color: $text; }
QToolTip { background: $raised; color: $text; border: 1px solid $rule; padding: 4px 8px; }

QMenuBar { background: $window; padding: 2px 8px; }
QMenuBar::item { background: transparent; padding: 4px 8px; border-radius: 4px; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $raised; border: 1px solid $rule; border-radius: 8px; padding: 4px; }
QMenuBar QMenu { menu-scrollable: 1; }
QMenu::scroller { height: 14px; }
QMenu::item { padding: ${menu_gap}px 24px ${menu_gap}px 24px; border-radius: 4px; }
QMenu::item:selected { background: $accent; color: $on_accent; }
QMenu::item:disabled { color: $faint; background: transparent; }
QMenu::separator { height: 1px; background: $rule; margin: ${rule_gap}px 8px; }
QMenu::icon { padding-left: 6px; }
QMenu::indicator { width: 12px; height: 12px; left: 6px; }

QToolBar { background: $window; border: none; border-bottom: 1px solid $rule; padding: 4px 8px; spacing: 2px; }
QToolBar::separator { width: 1px; background: $rule; margin: 4px 8px; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 4px; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $accent_soft; }
QToolButton:focus { border-color: $accent; }
QToolButton:disabled { color: $faint; }
QToolButton::menu-indicator { image: none; }
QToolButton#qt_toolbar_ext_button { qproperty-icon: url("$further"); min-width: 18px; padding: 0; border: none; }
HandGrid QToolButton { padding: 4px 0; }

QStatusBar { background: $window; border-top: 1px solid $rule; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $muted; padding: 2px 8px; }

QSplitter::handle { background: $rule; }
QScrollArea, QScrollArea > QWidget > QWidget { background: $panel; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: $thumb; border-radius: 3px; min-height: 32px; margin: 2px; }
QScrollBar::handle:vertical:hover { background: $faint; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: $thumb; border-radius: 3px; min-width: 32px; margin: 2px; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {
  background: none; width: 0; height: 0; }

QPushButton { background: $raised; border: 1px solid $rule; border-radius: 6px; padding: 5px 12px; min-height: 16px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $accent_soft; }
QPushButton:focus { border-color: $accent; }
QPushButton:checked { background: $accent_soft; border-color: $accent; }
QPushButton:checked:focus { border-color: $text; }
QPushButton:disabled { color: $faint; background: $panel; }
QPushButton:default { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton:default:focus { border-color: $text; }
QPushButton:default:disabled { color: $faint; background: $panel; border-color: $rule; }
QPushButton[flat="true"] { background: transparent; border-color: transparent; color: $accent; padding: 5px 8px; }
QPushButton[flat="true"]:hover { background: $hover; }
QPushButton[flat="true"]:focus { border-color: $accent; }
QPushButton[flat="true"]:disabled { color: $faint; }
QPushButton[segment="true"] {
  border-radius: 5px; border-color: transparent; background: transparent; padding: 4px 8px; color: $muted; }
QPushButton[segment="true"]:hover { color: $text; }
QPushButton[segment="true"]:checked { background: $raised; color: $text; border-color: $rule; }
QPushButton[segment="true"]:focus { border-color: $accent; }
QPushButton[segment="true"]:disabled { color: $faint; }
QFrame#segments { background: $groove; border: 1px solid $rule; border-radius: 7px; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: $field; border: 1px solid $rule; border-radius: 6px; padding: 3px 8px; min-height: 18px;
  selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: $accent; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: $faint; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url("$chevron"); width: 14px; height: 14px; margin-right: 8px; }
QComboBox QAbstractItemView { background: $raised; border: 1px solid $rule; padding: 4px;
  selection-background-color: $accent; selection-color: $on_accent; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
  width: 0; border: none; }

QCheckBox { spacing: 6px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid $faint; border-radius: 4px; background: $field; }
QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$check"); }
QCheckBox::indicator:focus { border-color: $accent; }
QCheckBox::indicator:checked:focus { border-color: $text; }
QCheckBox::indicator:disabled { border-color: $rule; }
QCheckBox:disabled { color: $faint; }

QListView, QTreeView, QListWidget, QTableView { background: $panel; border: none; }
QTreeWidget::item { padding: 5px 8px; }
QTreeWidget::item:selected { background: $accent_soft; color: $text; }
QTreeWidget::item:hover { background: $hover; }

QProgressBar { background: $accent_soft; border: none; border-radius: 3px; max-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QWidget#labelling { background: $window; border-bottom: 1px solid $rule; }
QProgressBar#thin { background: $rule; border-radius: 0; max-height: 2px; }
QProgressBar#thin::chunk { border-radius: 0; }
QSlider::groove:horizontal { background: $groove; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; height: 4px; border-radius: 2px; }
QSlider::handle:horizontal { background: $text; width: 12px; height: 12px; margin: -4px 0; border-radius: 6px; }

QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; button-layout: 3; }
QLabel[role="title"] { font-weight: 600; }
QLabel[role="muted"] { color: $muted; }
QLabel:disabled { color: $faint; }
QLabel[role="error"] { color: $unreachable; }
QWidget#panel { background: $panel; }
QWidget#row { background: transparent; border-radius: 6px; }
QWidget#row[hovered="true"] { background: $hover; }
QWidget#row[pinned="true"] { background: $raised; }
QWidget#row[also="true"] { background: $hover; }
QWidget#row[selected="true"] { background: $accent_soft; }
QWidget#row:focus { border: 1px solid $accent; }
QFrame#rule { background: $rule; max-height: 1px; border: none; }
QFrame#overlay { background: $raised; border: 1px solid $rule; border-radius: 10px; }
QLabel#hover { background: $raised; color: $text; border: 1px solid $rule; border-radius: 6px; padding: 3px 8px; }
QFrame#insertion { background: $accent; border: none; }
QLabel#hint { background: $raised; color: $muted; border: 1px solid $rule; border-radius: 12px; padding: 5px 14px; }
""")
