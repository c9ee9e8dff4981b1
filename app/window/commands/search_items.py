"""What the search offers by name besides commands: bodies, poses and hands for the active person, and fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from app.document import edits
from app.document.library.own_hands import own_hands
from app.document.library.shelf import Entry
from app.document.model.figure import body_of
from app.library.folders import whole_shelf
from app.library.shelf_view import description_of
from app.panels.all_panels import AllPanels, hands_folder
from app.panels.body_panel import take_body
from app.panels.hands.hand_choices import apply_hands, choice_titles
from app.panels.hands_panel import HandsPanel
from app.services.session import Session
from app.window.commands.synonyms import text_match
from solver.body.fingers import has_fingers
from solver.body.shape_presets import ShapePreset

if TYPE_CHECKING:
    from app.library.control import LibraryControl

WHOSE = {"left": "Left hand", "right": "Right hand", "both": "Hands"}
BY_NAME, OTHERWISE = 3.5, 2.5  # after commands that fit as well, before those that fit less well


@dataclass(frozen=True)
class SearchItem:
    """Something with a name. kind: what it is, in a word. further: what else it is found by, in lower case.

    tip: a line about it. take: gives it to the active person, or shows it.
    """

    name: str
    kind: str
    further: str
    tip: str
    take: Callable[[], object]

    def fits(self, words: list[str]) -> float:
        """How well it fits what was typed, on the scale of synonyms.command_match: by the beginnings of words only.

        words: in lower case; nothing is offered without any.
        """
        return {4: BY_NAME, 3: OTHERWISE}.get(text_match(words, self.name, self.further), 0.0) if words else 0.0


def items_of(session: Session, panels: AllPanels, library: Callable[[], LibraryControl]) -> tuple[SearchItem, ...]:
    """All that is offered for the active person."""
    return (*bodies(session), *hands(session, panels), *fields(session, panels), *poses(session, library))


def bodies(session: Session) -> tuple[SearchItem, ...]:
    """The bodies that the active person can have."""
    active = session.active
    if active is None:
        return ()

    def item(preset: ShapePreset) -> SearchItem:
        further = f"body shape character preset {preset.note.lower()}"
        return SearchItem(preset.name, "Body", further, preset.note, lambda: take_body(session, preset))

    return tuple(map(item, edits.presets_for(active)))


def poses(session: Session, library: Callable[[], LibraryControl]) -> tuple[SearchItem, ...]:
    """The poses of the library that can be used, as its folders hold them now."""
    if session.active is None:
        return ()

    def item(entry: Entry) -> SearchItem:
        further = " ".join(("pose library", entry.folder, *entry.tags)).lower()
        return SearchItem(entry.name, "Pose", further, description_of(entry), lambda: library().take_named(entry))

    return tuple(item(entry) for entry in whole_shelf().entries if not entry.trouble)


def hands(session: Session, panels: AllPanels) -> tuple[SearchItem, ...]:
    """The hands the active person can have, on the side chosen in the panel of hands; both if it was never open."""
    active, panel = session.active, panels.hands.panel
    if active is None or not has_fingers(body_of(active)):
        return ()
    shown = panel if isinstance(panel, HandsPanel) else None
    own = shown.offered if shown is not None else own_hands(hands_folder())[0]
    side = shown.side if shown is not None else "both"

    def take(id: str) -> None:
        if shown is not None:
            shown.choose(id)
        else:
            apply_hands(session, id, own)

    tip = "Both hands are held this way" if side == "both" else f"The {side} hand is held this way"
    further = "hands hand fingers grip preset"
    return tuple(
        SearchItem(title, WHOSE[side], further, tip, partial(take, id)) for id, title in choice_titles(own).items()
    )


def fields(session: Session, panels: AllPanels) -> tuple[SearchItem, ...]:
    """What only a panel has, and no command does: it is shown, and has the keys then."""
    if session.active is None:
        return ()
    shape = "man woman male female gender tall short small big size height weight heavy thin fat muscle shape sliders"
    tip = "How far off the pose is with one, two, three … recovered effectors; a click takes that many"
    further = "mean joint error fewer handles graph accuracy reduce simplify"
    return (
        SearchItem("Stature and proportions", "Body", shape, "Sliders in the section Body", panels.show_body),
        SearchItem("Recover effectors: error curve", "Solver", further, tip, panels.show_recovery),
    )
