"""The sequence of a folder's pictures: how far each has come, and which comes next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.document.exchange.label_files import FOLDER, LabelFiles, files_of, passed_over
from app.document.exchange.label_folder import make_label_folder
from app.document.exchange.label_state import DONE, PictureState, Stage, states_of, write_coco


@dataclass
class LabelSequence:
    """every, states: of each picture. Empty where no folder is open. passed_over: a sentence, "" for none."""

    every: list[LabelFiles] = field(default_factory=list)
    states: list[PictureState] = field(default_factory=list)
    passed_over: str = ""

    def first(self) -> int:
        """The place of the first picture that nobody has looked over; of the very first if all are done."""
        return next((place for place, state in enumerate(self.states) if state.stage not in DONE), 0)

    def following(self, place: int, step: int, unchecked: bool = False) -> int | None:
        """The next place in that direction (1, -1) whose picture can be read.

        unchecked: the next one that nobody has looked over, going on from the other end of the folder.
        """
        count = len(self.every)
        on = list(range(place + step, count if step > 0 else -1, step))
        if unchecked:
            on += range(place) if step > 0 else range(count - 1, place, -1)
        passed = (*DONE, Stage.UNREADABLE) if unchecked else (Stage.UNREADABLE,)
        return next((place for place in on if self.states[place].stage not in passed), None)

    def count(self, *stages: Stage) -> int:
        """How many pictures are at these stages."""
        return sum(state.stage in stages for state in self.states)

    def write_coco(self) -> None:
        """Write the folder's key points from what is known. InputRefused if that fails."""
        write_coco(self.states, self.every[0].label.parent)


def read_sequence(folder: Path, progress: Callable[[float, str], None] = lambda _share, _text: None) -> LabelSequence:
    """A folder with what its labels say; the labels' folder is made. InputRefused if it cannot be, or has no pictures.

    The key points of the folder are written again, as labels may have changed since.
    """
    every = files_of(folder, folder / FOLDER)
    make_label_folder(folder / FOLDER)
    walk = LabelSequence(every, states_of(every, progress), passed_over(folder))
    walk.write_coco()
    return walk
