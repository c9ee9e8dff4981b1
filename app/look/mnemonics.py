"""The letters that choose the titles and entries of menus by key: one each, underlined while the menu shows.

A title is marked by "&" before its letter, as Qt wants it; only menus are marked, and entries only while they show, so
that buttons, tips and lists have the titles as they are. On a Mac menus have no such letters.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from PySide6.QtWidgets import QMenu

IN_USE = sys.platform != "darwin"


def mnemonics(titles: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """A letter or digit for each title, in upper case, no two the same; "" once there is none left.

    A digit in it comes first, then the first letter of its first word, then of another word, then any of its letters,
    and where all of them have gone to others, a digit that it has not. taken: letters that mean something else.
    """
    wanted = [_by_preference(title, taken) for title in titles]
    owners: dict[str, int] = {}
    for title, letters in enumerate(wanted):
        if letters:
            owners.setdefault(letters[0], title)

    def move(title: int, seen: set[str]) -> bool:
        """Take a letter from a title that can do with another, last of all from one with its first choice."""
        for letter in sorted(wanted[title], key=lambda each: each in owners and wanted[owners[each]][0] == each):
            if letter not in seen:
                seen.add(letter)
                if letter not in owners or move(owners[letter], seen):
                    owners[letter] = title
                    return True
        return False

    def free(title: int) -> list[str]:
        return [letter for letter in wanted[title] if letter not in owners]

    waiting = [title for title in range(len(titles)) if title not in owners.values()]
    while waiting:
        hardest = min(waiting, key=lambda title: len(free(title)))  # the others find another letter more easily
        waiting.remove(hardest)
        if letters := free(hardest):
            owners[letters[0]] = hardest
        else:
            move(hardest, set())
    letter_of = {title: letter for letter, title in owners.items()}
    spare = (digit for digit in "1234567890" if digit not in owners)
    return [letter_of[title] if title in letter_of else next(spare, "") for title in range(len(titles))]


def marked(text: str, letter: str) -> str:
    """A menu's text with its letter underlined; behind it in brackets if it has no such letter."""
    if not letter:
        return text
    title, tab, keys = text.partition("\t")
    found = re.search(rf"\b{letter}", title, re.IGNORECASE) or re.search(letter, title, re.IGNORECASE)
    at = found.start() if found else -1
    return (f"{title[:at]}&{title[at:]}" if found else f"{title} (&{letter})") + tab + keys


def unmarked(text: str) -> str:
    """The text without the mark; a doubled "&" stands for itself, and stays."""
    return re.sub(r" \(&(?!&)\w\)|&(&?)", lambda found: "&&" if found.group(1) else "", text)


def mark_while_shown(menu: QMenu, names: Mapping[str, str] = MappingProxyType({})) -> None:
    """Mark the entries of a menu while it shows.

    names: what entries are called whatever is undone or selected, by their objects' names, so that letters stay the
    same.
    """
    if not IN_USE:
        return

    def show() -> None:
        entries = [action for action in menu.actions() if not action.isSeparator()]
        letters = mnemonics([names.get(action.objectName(), action.text()) for action in entries])
        for action, letter in zip(entries, letters, strict=True):
            action.setText(marked(unmarked(action.text()), letter))

    def hide() -> None:
        for action in menu.actions():
            action.setText(unmarked(action.text()))

    menu.aboutToShow.connect(show)
    menu.aboutToHide.connect(hide)


def _by_preference(title: str, taken: Collection[str]) -> list[str]:
    title = title.partition("\t")[0].upper()
    ranks = (re.findall(each, title) for each in ("[0-9]", r"\b[A-Z]", "[A-Z]"))
    letters = dict.fromkeys(letter for rank in ranks for letter in rank)
    return [letter for letter in letters if letter not in taken]
