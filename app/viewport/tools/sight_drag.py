"""A drag of the root handle that pushes the person along the line of sight, staying in place in the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document import edits
from app.document.in_photo.line_of_sight import distance, reach
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from rendering.camera.camera import View

TENFOLD = 2000.0  # pixels up for ten times the distance


@dataclass(frozen=True, eq=False)
class SightGrab:
    """A drag under way. start: the person as it was. eye: (3,) metres, the point it is pushed away from. metres: how
    far away the pointer wants it; ends: how near and how far it can be.
    """

    solves: ClassVar[bool] = False  # everything moves as one
    numbers: ClassVar[bool] = False
    turning: ClassVar[bool] = False
    part: ClassVar[str] = "sight"
    free: ClassVar[str] = "sight"

    start: Character
    eye: NDArray[np.float64]
    ends: tuple[float, float]
    pointer: NDArray[np.float64]
    metres: float

    @property
    def text(self) -> str:
        """The undo step's name."""
        return f"Push {self.start.name}"

    @property
    def hint(self) -> str:
        """How far away it is, and what can be done while dragging."""
        low, high = self.ends
        end = " · its body gets no smaller" if self.metres < low else " · its body gets no larger"
        stopped = "" if low <= self.metres <= high else end
        now = min(max(self.metres, low), high)
        return f"{self.text} · {now:.2f} m from the camera{stopped} · up farther, down nearer · Esc cancels"

    def is_there(self, document: Document) -> bool:
        """Whether the person is in the document: a key may delete them in mid-drag, or undo the step that made them."""
        return self.start.id in document.names

    def to(self, pixel: ArrayLike, precise: bool = False) -> SightGrab:
        """The drag with the pointer at another pixel."""
        at = np.asarray(pixel, np.float64)
        return replace(self, pointer=at, metres=self.metres * 10.0 ** ((self.pointer[1] - at[1]) / TENFOLD))

    def along(self, part: str) -> SightGrab:
        """This drag, unchanged: it keeps to the line of sight, whatever axis is asked for."""
        return self

    def edit(self, view: View, snap: bool = False) -> Edit:
        """The edit for where the pointer is now."""
        return edits.push_character(self.start, self.eye, self.metres)


def grab_sight(character: Character, eye: ArrayLike, pixel: ArrayLike) -> SightGrab:
    """Grab a person to push it away from `eye` (3,) metres or pull it nearer."""
    at = np.asarray(eye, np.float64)
    return SightGrab(character, at, reach(character, at), np.asarray(pixel, np.float64), distance(character, at))
