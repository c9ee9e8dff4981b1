"""The menu bar's style: Alt by itself is no key of its own."""

from __future__ import annotations

from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget


class MenuBarStyle(QProxyStyle):
    """Alt is held to turn the view and with its wheel: let go of, it would take the keyboard into the menu bar.

    Alt with a menu's letter opens that menu all the same.
    """

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        """As the style beneath has it, but for Alt."""
        if hint == QStyle.StyleHint.SH_MenuBar_AltKeyNavigation:
            return 0
        return super().styleHint(hint, option, widget, returnData)
