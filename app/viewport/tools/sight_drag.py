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
from app.document.model.identity import name_or_count
from app.document.model.prop import Prop
from rendering.camera.camera import View

TENFOLD = 2000.0  # pixels up for ten times the distance


@dataclass(frozen=True, eq=False)
class SightGrab:
    """A drag under way. start: the person as it was. eye: (3,) metres, the point it is pushed away from. metres: how
    far away the pointer wants it; ends: how near and how far it can be. props: those that go along, as they were.
    solves: whether somebody else follows, who is in contact with these; the person and they move as one.
    """

    numbers: ClassVar[bool] = False
    turning: ClassVar[bool] = False
    part: ClassVar[str] = "sight"
    free: ClassVar[str] = "sight"

    start: Character
    eye: NDArray[np.float64]
    ends: tuple[float, float]
    pointer: NDArray[np.float64]
    metres: float
    props: tuple[Prop, ...] = ()
    solves: bool = False

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
        taken = f" · takes {name_or_count(self.props, 'props')} along" if self.props else ""
        return f"{self.text} · {now:.2f} m from the camera{stopped}{taken} · up farther, down nearer · Esc cancels"

    def is_there(self, document: Document) -> bool:
        """Whether the person and the props are in the document: a key may delete them in mid-drag, or undo the step
        that made them."""
        return document.names.keys() >= {self.start.id, *(prop.id for prop in self.props)}

    def to(self, pixel: ArrayLike, precise: bool = False) -> SightGrab:
        """The drag with the pointer at another pixel."""
        at = np.asarray(pixel, np.float64)
        return replace(self, pointer=at, metres=self.metres * 10.0 ** ((self.pointer[1] - at[1]) / TENFOLD))

    def along(self, part: str) -> SightGrab:
        """This drag, unchanged: it keeps to the line of sight, whatever axis is asked for."""
        return self

    def edit(self, view: View, snap: bool = False) -> Edit:
        """The edit for where the pointer is now."""
        return edits.push_character(self.start, self.eye, self.metres, self.props)


def grab_sight(
    character: Character, eye: ArrayLike, pixel: ArrayLike, props: tuple[Prop, ...] = (), solves: bool = False
) -> SightGrab:
    """Grab a person to push it away from `eye` (3,) metres or pull it nearer, with these props. solves: see there."""
    at = np.asarray(eye, np.float64)
    ends, away = reach(character, at), distance(character, at)
    return SightGrab(character, at, ends, np.asarray(pixel, np.float64), away, props, solves)
