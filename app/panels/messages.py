"""The few questions and messages that interrupt: calm, and with a way out."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QWidget

SAVE, DISCARD, CANCEL = "save", "discard", "cancel"


def refuse(parent: QWidget | None, message: str) -> None:
    """Say why something was not done."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Contrapposto", _first_sentence(message), parent=parent)
    rest = message[len(_first_sentence(message)) :].strip()
    if rest:
        box.setInformativeText(rest)
    box.exec()


def ask_to_save(parent: QWidget | None, name: str) -> str:
    """Whether to save unsaved changes: SAVE, DISCARD or CANCEL."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Contrapposto", f"Save the changes to {name}?", parent=parent)
    box.setInformativeText("They are lost if you don't save them.")
    save = box.addButton("Save", QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton("Don't save", QMessageBox.ButtonRole.DestructiveRole)
    box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(save)
    box.exec()
    clicked = box.clickedButton()
    return SAVE if clicked is save else DISCARD if clicked is discard else CANCEL


def ask_to_restore(parent: QWidget | None, original: Path | None, when: str) -> bool:
    """Whether to bring an unsaved document back."""
    what = f"“{original.name}”" if original else "an unsaved scene"
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Contrapposto", f"Bring {what} back?", parent=parent)
    box.setInformativeText(f"The program ended without being closed. The work as it was {when} was kept.")
    restore = box.addButton("Bring back", QMessageBox.ButtonRole.AcceptRole)
    box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(restore)
    box.exec()
    return box.clickedButton() is restore


def _first_sentence(message: str) -> str:
    end = message.find(". ")
    return message if end < 0 else message[: end + 1]
