"""What labelling asks of the window, and what it tells its bar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.document.exchange.label_sequence import LabelSequence
from app.document.exchange.label_state import DONE, Stage
from app.labelling import texts

if TYPE_CHECKING:
    from app.document.exchange.label_opening import LabelPicture
    from app.document.model.document import Photo
    from solver.photo.image_file import PhotoImage

RELOAD, SAVE_ANYWAY = "reload", "save"


@dataclass(frozen=True)
class LabelQuestions:
    """Questions to the user. may_leave: whether a picture may be left. may_open: whether the open scene may go.

    refuse: says why something cannot be done. replace(name, reason): whether a label that cannot be read may be
    replaced. changed(name): what to do about a scene that somebody else changed: RELOAD, SAVE_ANYWAY or "".
    """

    may_leave: Callable[[], bool]
    may_open: Callable[[], bool]
    refuse: Callable[[str], object]
    replace: Callable[[str, str], bool]
    changed: Callable[[str], str]


@dataclass(frozen=True)
class PictureView:
    """The view over the pictures. give(image, photo): takes the pixels of the photo that is to be shown next, so that
    it shows at once; None for none. shows: whether what was painted last has the photo, unless the user hid it."""

    give: Callable[[PhotoImage | None, Photo | None], object]
    shows: Callable[[], bool]


@dataclass(frozen=True)
class Standing:
    """What the bar shows. place: from 1, 0 where no picture is open. state: an id of `Stage`.

    note: a note on the picture. opening, next_place: the name and the place, from 1, of the one that is being opened.
    checked, unusable, unreadable: how many. reasons: why each of the last cannot be. seen: whether the open picture has
    been, and may be checked.
    """

    place: int
    count: int
    name: str
    state: str
    note: str = ""
    opening: str = ""
    next_place: int = 0
    checked: int = 0
    unusable: int = 0
    unreadable: int = 0
    reasons: tuple[str, ...] = ()
    seen: bool = False

    @property
    def counted(self) -> str:
        """How many pictures are checked, and what became of the others that need no checking."""
        parts = [f"{self.checked} of {self.count} checked"]
        parts += [f"{self.unusable} left out"] if self.unusable else []
        parts += [f"{self.unreadable} cannot be read"] if self.unreadable else []
        return ", ".join(parts)

    @property
    def at_the_end(self) -> str:
        """What is left to do, once the last picture is done."""
        left = self.count - self.checked - self.unusable - self.unreadable
        if not left:
            return self.none_left
        return f"{texts.LAST} {left} {'is' if left == 1 else 'are'} not checked yet: Alt+Shift+Right leads there."

    @property
    def none_left(self) -> str:
        """That no other picture is left to check."""
        if self.place and self.state not in DONE:
            return texts.ONE_LEFT
        return texts.ALL_DONE if self.checked == self.count else texts.NONE_LEFT.format(self.counted)


def standing_of(
    sequence: LabelSequence, place: int | None, wanted: int | None, dirty: bool, note: str, seen: bool
) -> Standing:
    """What the bar shows. place, wanted: from 0, of the picture that is open and of the one that is being opened; None
    for none. dirty: whether the open one was changed, so that it has to be checked again."""
    stage = Stage.NEW if place is None else sequence.states[place].stage
    dropped = dirty and stage is Stage.CHECKED
    name, opening = ("" if at is None else sequence.every[at].picture.name for at in (place, wanted))
    return Standing(
        place=0 if place is None else place + 1, count=len(sequence.every), name=name,
        state=Stage.PROPOSED if dropped else stage, note=note,
        opening=opening, next_place=0 if wanted is None else wanted + 1,
        checked=sequence.count(Stage.CHECKED) - dropped, unusable=sequence.count(Stage.UNUSABLE),
        unreadable=sequence.count(Stage.UNREADABLE), seen=seen,
        reasons=tuple(state.reason for state in sequence.states if state.stage is Stage.UNREADABLE),
    )  # fmt: skip


def note_on(picture: LabelPicture, looked_over: bool, stage: Stage) -> str:
    """The note on an open picture, "" for none. looked_over: whether somebody accepted it as it is now."""
    if picture.now and not looked_over:
        return texts.CHANGED if picture.fits else texts.OTHER_SIZE
    refused = texts.REFUSED if stage is Stage.REFUSED else ""
    return refused or (texts.SCENE_CHANGED if picture.stale else "")
