"""Says what would become of files that are held over the window, told from their first bytes."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import isdir
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from app.document.exchange.file_kind import PEEKED, json_kind, kind_of
from app.panels.widgets.drop_card import DropCard
from app.panels.widgets.plain import short
from app.services.session import Session
from solver.errors import InputRefused, PoserError
from solver.files.reading import read_start

MOST = 3  # files of which each is told
SCENE = "Open the scene"
BESIDE, IN_PLACE = "beside those who are here", "in place of the person of the start"


class Dropping:
    """Has a card over the view for as long as files are held over the window."""

    def __init__(self, session: Session, view: QWidget) -> None:
        self._session = session
        self.card = DropCard(view)

    def hover(self, files: Sequence[Path]) -> bool:
        """Show what a drop of these does, and tell whether it does anything; with none hide the card."""
        if not files:
            self.card.hide()
            return False
        untouched, unsaved = self._session.untouched, self._session.history.dirty
        lines, usable = [], len(files) > MOST
        for file in files[:MOST]:
            each = welcome(file, untouched, unsaved)
            lines.append((each.does, _line(short(file.name), each)))
            if each.usable:  # those after it find what it brings
                untouched, unsaved, usable = False, each.does != SCENE, True
        if len(files) > MOST:
            lines.append((f"and {len(files) - MOST} more", ""))
        self.card.say(lines, usable)
        return usable


class Welcome(NamedTuple):
    """does: what happens, in a few words. more: where it goes, or why it is refused; "" where that is plain."""

    does: str
    more: str = ""
    usable: bool = True


def welcome(path: Path, untouched: bool, unsaved: bool) -> Welcome:
    """What a file or a folder becomes. untouched: nothing was done to the open scene yet. unsaved: it would be lost."""
    if isdir(path):
        return Welcome("Label its pictures", "one after the other")
    try:
        kind = kind_of(path)
        start = read_start(path, PEEKED) if kind in ("json", "glb") else b""
    except InputRefused as error:
        return Welcome("Not opened", f"{error.reason}. {error.way_out}.", usable=False)
    except PoserError as error:
        return Welcome("Not opened", str(error), usable=False)
    people = IN_PLACE if untouched else BESIDE
    if kind == "photo":
        return Welcome("Open as a photo, its people as bodies to pose",
                       "" if untouched else "you are asked: into this scene, or a new one")  # fmt: skip
    if kind == "json":
        kind = json_kind(start)
    if kind == "scene":
        return Welcome(SCENE, "you are asked about this one first" if unsaved else "in place of this one")
    if kind == "mesh" or (kind == "glb" and b'"skins"' not in start):
        return Welcome("Add as a prop", "on the floor in front of you")
    return Welcome({
        "bvh": "Add a person with this motion", "npz": "Add a person with this motion",
        "pose": "Add its people in their poses", "label": "Add its people in their poses",
        "glb": "Add a person in this pose",
    }.get(kind, "Add the people that it tells of"), people)  # fmt: skip


def _line(name: str, each: Welcome) -> str:
    return name if not each.more else f"{name} – {each.more}" if each.usable else f"{name}: {each.more}"
