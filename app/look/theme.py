"""The look of the window: two palettes, one style sheet on an 8-point grid."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from app.look.style_sheet import SHEET

BASE = "fusion"  # Qt's style below our sheet
LOW_SCREEN = 800  # logical pixels
MENU_GAPS, LOW_MENU_GAPS = (5, 4), (2, 2)  # pixels above and below an entry, and a line between entries
SPACE = 8  # every margin and gap is a multiple of half of this


@dataclass(frozen=True)
class Theme:
    """Colours by role, as #rrggbb. `rule` is the hairline between areas, `field` the ground of what can be typed in,
    `groove` that of choices side by side and of sliders, `thumb` the handle of a scroll bar."""

    id: str
    window: str
    panel: str
    raised: str
    hover: str
    field: str
    groove: str
    thumb: str
    rule: str
    text: str
    muted: str
    faint: str
    accent: str
    accent_soft: str
    on_accent: str
    met: str
    tolerated: str
    unreachable: str

    def state_color(self, state: str) -> str:
        """The colour of an effector's state; the same three tones as the handles in the view."""
        return {"met": self.met, "tolerated": self.tolerated, "unreachable": self.unreachable}.get(state, self.faint)


DARK = Theme(
    id="dark",
    window="#15171b",
    panel="#1c1f24",
    raised="#262a31",
    hover="#2f343d",
    field="#121417",
    groove="#121417",
    thumb="#3b424d",
    rule="#2a2e36",
    text="#e3e6eb",
    muted="#98a0ad",
    faint="#636b78",
    accent="#7aa2f7",
    accent_soft="#2b3a5c",
    on_accent="#0e1219",
    met="#56c596",
    tolerated="#e0af55",
    unreachable="#ef6f6c",
)

LIGHT = Theme(
    id="light",
    window="#e6e8ec",
    panel="#f4f5f7",
    raised="#ffffff",
    hover="#e7eaef",
    field="#ffffff",
    groove="#dde1e8",
    thumb="#bcc4d0",
    rule="#d5d9e0",
    text="#1f242c",
    muted="#5d6673",
    faint="#949cab",
    accent="#2f66d0",
    accent_soft="#cfdcf7",
    on_accent="#ffffff",
    met="#17855c",
    tolerated="#a8690b",
    unreachable="#c8403c",
)

THEMES = {theme.id: theme for theme in (DARK, LIGHT)}


def style_sheet(theme: Theme, screen: int) -> str:
    """The Qt style sheet of a theme, with the pictures that it can take only from files. screen: its height in pixels
    without what the system has there; on a low one the entries of menus are closer together, as Qt lays a menu that
    does not fit over the menu bar."""
    from app.look.icons import picture_file

    pictures = {
        "check": picture_file("tick", theme.on_accent),
        "chevron": picture_file("down", theme.muted),
        "further": picture_file("further", theme.muted),
    }
    gap, rule_gap = MENU_GAPS if screen >= LOW_SCREEN else LOW_MENU_GAPS
    files = {name: file.replace("\\", "/") for name, file in pictures.items()}
    return SHEET.substitute(asdict(theme), menu_gap=gap, rule_gap=rule_gap, **files)


def palette(theme: Theme) -> QPalette:
    """The palette for what the style sheet leaves to Qt."""
    roles = {
        QPalette.ColorRole.Window: theme.panel,
        QPalette.ColorRole.Base: theme.field,
        QPalette.ColorRole.AlternateBase: theme.raised,
        QPalette.ColorRole.Button: theme.raised,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.ToolTipBase: theme.raised,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.faint,
        QPalette.ColorRole.Highlight: theme.accent,
        QPalette.ColorRole.HighlightedText: theme.on_accent,
        QPalette.ColorRole.Link: theme.accent,
    }
    result = QPalette()
    for role, color in roles.items():
        result.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.faint))
    return result


_current = DARK


def current_theme() -> Theme:
    """The theme the application wears now; for widgets that paint themselves."""
    return _current


def apply_theme(application: QApplication, theme: Theme) -> None:
    """Dress the whole application in a theme.

    The old sheet is taken off first: Qt needs three times as long to replace one by another.
    """
    application.setStyleSheet("")
    apply_colors(application, theme)
    application.setStyleSheet(style_sheet(theme, application.primaryScreen().availableGeometry().height()))


def apply_colors(application: QApplication, theme: Theme) -> None:
    """A theme without its style sheet, for widgets that are being made."""
    global _current
    _current = theme
    if application.style().name() != BASE:  # else all widgets are polished again for nothing
        application.setStyle(BASE)
    application.setPalette(palette(theme))
    font = QFont(application.font())
    font.setPointSizeF(9.5 if font.pointSizeF() < 9.5 else min(font.pointSizeF(), 13.0))
    application.setFont(font)
