"""What dropping files on the window would do, shown while they are held over it; their first bytes decide."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import isdir
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from app.dialogs import messages
from app.document.exchange.file_kind import PEEKED, json_kind, kind_of
from app.panels.widgets.drop_card import DropCard
from app.panels.widgets.external_text import shortened
from app.services.session import Session
from rendering.picking.picking import pick_figure
from rendering.view.viewport import Viewport
from solver.errors import InputRefused, PoserError, sentence
from solver.files.reading import read_start

if TYPE_CHECKING:
    from app.document.model.document import Character
    from app.viewport.prop_place import Landing

MOST = 3  # files to describe one by one
SCENE = "Open the scene"
ON_THE_WEB = "This is on the web. Copy the picture there and paste it here, or save it and drop the file."
BESIDE, IN_PLACE = "beside those who are here", "in place of the person of the start"


class FileDropPreview:
    """Shows a card over the view while files are held over the window, and says where they would land."""

    def __init__(self, session: Session, view: Viewport) -> None:
        self._session, self._view = session, view
        self._found: list[tuple[Path, DropOutcome]] = []
        self._further = 0
        self._where = self._whom = ""
        self._of_library = False
        self.card = DropCard(view)

    def hover(self, files: Sequence[Path], card: bool = False) -> bool:
        """Show what a drop of these does, and return whether it does anything; with none, hide the card.

        card: it is a card of the library, which poses whoever it is dropped on.
        """
        self._found, self._further, self._where = [], max(len(files) - MOST, 0), ""
        self._of_library, self._whom = card, ""
        if not files:
            self.card.hide()
            return False
        untouched, unsaved = self._session.untouched, self._session.unsaved
        for file in files[:MOST]:
            each = drop_outcome(file, untouched, unsaved)
            if len(files) > 1 and isdir(file):
                each = DropOutcome(each.does, "or open the rest: you will be asked")
            self._found.append((file, each))
            if each.usable and not isdir(file):  # later files then find what it brings
                untouched, unsaved = False, each.does != SCENE
        self._say()
        return self.card.usable

    def hover_address(self) -> None:
        """Show that what is held there is on the web, and what to do."""
        self.hover([])
        self.card.say([("Not opened", ON_THE_WEB)], usable=False)

    def move(self, place: QPoint) -> None:
        """Say where files that land where they are dropped would land, held at a place of the view."""
        person = self.person_under(place) if self._of_library else None
        landing = self.landing(place) if self._lands and person is None else None
        where = f"on {landing.onto}, where the pointer is" if landing is not None else ""
        whom = person.name if person is not None else ""
        if (where, whom) != (self._where, self._whom):
            self._where, self._whom = where, whom
            self._say()

    def person_under(self, place: QPoint) -> Character | None:
        """Whose body is at a place of the view, unless they are locked."""
        view = self._view
        if not view.rect().contains(place):
            return None
        hit = pick_figure(view.current_view, view.scene.figures, (place.x(), place.y()))
        people = self._session.document.characters
        return next((c for c in people if hit is not None and c.id == hit.id and not c.locked), None)

    def landing(self, place: QPoint) -> Landing | None:
        """Where a prop or people would land at a place of the view; None beside the view."""
        view = self._view
        if not view.rect().contains(place):
            return None
        from app.viewport.prop_place import landing_under  # only once something is held over the view

        return landing_under(self._session.shown, view.current_view, (place.x(), place.y()), view.scene)

    @property
    def _lands(self) -> bool:
        return any(each.lands for _, each in self._found)

    def _say(self) -> None:
        if self._whom:
            self.card.say([(f"Pose {shortened(self._whom)} like this", shortened(self._found[0][0].stem))], True, True)
            return
        lines = [(each.does, _line(shortened(file.name), each.at(self._where))) for file, each in self._found]
        if self._further:
            lines.append((f"and {self._further} more", ""))
        usable = self._further > 0 or any(each.usable for _, each in self._found)
        self.card.say(lines, usable, on_top=self._lands)


def files_to_open(window: QWidget, files: Sequence[Path]) -> Sequence[Path]:
    """Of what was dropped together, what to open, one after the other.

    A folder takes the place of the scene, so one that comes with anything else is asked about first, once for all.
    """
    folders = [file for file in files if isdir(file)]
    if not folders or len(files) == 1:
        return files
    others = [file for file in files if file not in folders]
    answer = messages.ask_files_or_folder(window, shortened(folders[0].name), len(others), len(folders) - 1)
    return others if answer == messages.OPEN_FILES else folders[:1] if answer == messages.LABEL else ()


class DropOutcome(NamedTuple):
    """does: what happens, in a few words. more: where it goes, or why it is refused; "" if that is plain.

    lands: whether it goes where it is dropped, in the view.
    """

    does: str
    more: str = ""
    usable: bool = True
    lands: bool = False

    def at(self, where: str) -> DropOutcome:
        """This outcome with words for where in the view the file would land; as it is if they are empty."""
        return self._replace(more=where) if where and self.lands else self


def drop_outcome(path: Path, untouched: bool, unsaved: bool) -> DropOutcome:
    """What becomes of a file or folder. untouched: nothing was done to the open scene yet. unsaved: it was changed."""
    if isdir(path):
        return DropOutcome("Label its pictures", "one after the other")
    try:
        kind = kind_of(path)
        start = read_start(path, PEEKED) if kind in ("json", "glb") else b""
    except InputRefused as error:
        return DropOutcome("Not opened", f"{error.reason}. {error.way_out}.", usable=False)
    except PoserError as error:
        return DropOutcome("Not opened", str(error), usable=False)
    people = IN_PLACE if untouched else BESIDE
    if kind == "photo":
        return DropOutcome("Open as a photo, its people as bodies to pose",
                       "" if untouched else "you will be asked: into this scene, or a new one")  # fmt: skip
    if kind == "json":
        kind = json_kind(start)
    if kind == "scene":
        return DropOutcome(SCENE, "you will be asked about this one first" if unsaved else "in place of this one")
    if kind == "mesh" or (kind == "glb" and b'"skins"' not in start and b'"meshes"' in start):
        return DropOutcome("Add as a prop", "on the floor in front of you", lands=True)
    does = {
        "bvh": "Add a person with this motion", "npz": "Add a person with this motion",
        "pose": "Add its people in their poses", "label": "Add its people in their poses",
        "glb": "Add a person with this motion" if b'"animations"' in start else "Add a person in this pose",
    }.get(kind, "Add the people it describes")  # fmt: skip
    return DropOutcome(does, people, lands=not untouched and kind != "label")


def _line(name: str, each: DropOutcome) -> str:
    return name if not each.more else f"{name} – {each.more}" if each.usable else sentence(name, each.more)
