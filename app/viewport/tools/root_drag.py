"""Drags of a root handle: the whole person moves over the floor, rises, turns or tips over, and all its targets go
along; people selected with it move as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.model.identity import name_or_count
from app.document.model.placement import Placement
from app.document.posing.mirroring import heading
from app.document.posing.placing import above_floor, goes_whole
from app.viewport.tools.drags import SNAP_METRES, SNAP_RADIANS
from rendering.camera.camera import View
from rendering.scene.values import Gizmo
from rendering.shapes.gizmo import TURNS, Drag, advance, moved_position, start_move, start_rotate, turned_rotation
from rendering.shapes.root_handle import level_axes

if TYPE_CHECKING:
    from app.document.edits.world_contacts import WorldContacts
    from app.document.model.prop import Prop

STAYS_LEVEL = 1e-9  # metres
FLOOR, HEIGHT, TURN = "zx", "y", "y"  # the gizmo's parts that the handle's own parts stand for


@dataclass(frozen=True, eq=False)
class Way:
    """What a drag does with contacts with what stays: they hold on, or are let go of; what is carried goes along."""

    contacts: WorldContacts
    hold: bool

    @property
    def text(self) -> str:
        """What happens, as a part of the hint."""
        count, things = len(self.contacts), self._taken
        many = "the contact" if count == 1 else f"{count} contacts"
        held = (f"holds on to {many}" if self.hold else f"lets go of {many}") if count else ""
        taken = f"takes {name_or_count(self._carried, self._kind)} along" if things else ""
        return " and ".join(filter(None, (taken, held)))

    @property
    def _taken(self) -> list[str]:
        return [what.name for what in self._carried]

    @property
    def _carried(self) -> tuple[Prop | Character, ...]:
        return tuple(each.what for each in self.contacts.carried)

    @property
    def _kind(self) -> str:
        alike = {isinstance(what, Character) for what in self._carried}
        return "people and props" if len(alike) > 1 else "people" if True in alike else "props"

    def instead_of(self, other: Way) -> str:
        """What the key for this does, in the hint of another way."""
        mine, theirs = self._taken, other._taken
        if left := [name for name in theirs if name not in mine]:
            it = ("it" if len(left) == 1 and other._kind == "props" else "them") if not mine else ", ".join(left)
            return f"leaves {it} there"
        if len(mine) > len(theirs):
            return self.text
        return "holds on" if self.hold else "lets go"


@dataclass(frozen=True, eq=False)
class RootGrab:
    """A drag under way. people: those who move, as they were, the one whose handle is held first. place: (3,) metres,
    where that handle was. turning: by a ring, about the vertical through the middle of all, or over a level axis, each
    about where they stand.

    drag: what the pointer does now. before: (3,) metres, moved by earlier drags: each press and release of Shift
    begins another. rising: whether Shift is held. ways: what can be done with their contacts with what stays, the
    present one first; none if there are no contacts. spun: radians about the vertical, by the wheel. aimed_at: whether
    others look at them, or have another target on them. whole: whether those who move over time do so at all frames, or
    at this one alone; None until that is said, see `goes_whole`.
    """

    numbers: ClassVar[bool] = True
    free: ClassVar[str] = FLOOR

    people: tuple[Character, ...]
    place: NDArray[np.float64]
    view: View
    drag: Drag
    turning: bool
    before: NDArray[np.float64]
    rising: bool = False
    ways: tuple[Way, ...] = ()
    spun: float = 0.0
    aimed_at: bool = False
    whole: bool | None = None

    @property
    def solves(self) -> bool:
        """Whether bodies follow contacts that hold on, or others' looks and targets follow; else all moves as one."""
        return self.aimed_at or (self._holds_on and len(self.ways[0].contacts) > 0)

    @property
    def text(self) -> str:
        """The undo step's name."""
        return f"{'Move' if not self.turning else 'Turn' if self.drag.part == TURN else 'Tip'} {self.who}"

    @property
    def who(self) -> str:
        """The people it moves, in words."""
        return name_or_count(self.people, "people")

    @property
    def hint(self) -> str:
        """What can be done while dragging."""
        more = "Shift fine" if self.turning else "Shift up and down · S onto a prop · X Y Z keep to an axis"
        spun = f" · turned by {round(np.degrees(self.spun), 1):g}°" if self.spun else ""
        now, then = self.ways[:1], self.ways[1:2]
        ways = "".join(f" · {way.text}" for way in now) + "".join(f", C {way.instead_of(now[0])}" for way in then)
        return f"{self.text}{self._frames}{spun}{ways} · {more} · Ctrl in steps · Esc cancels"

    @property
    def has_frames(self) -> bool:
        """Whether it can be done at one frame or at all of them."""
        tips = self.turning and self.drag.part != TURN
        return not tips and bool(self._moving)

    @property
    def _frames(self) -> str:
        """At which frames it is done, and how to change that; of a group that does both, nothing until it is said."""
        wholes = {goes_whole(person) if self.whole is None else self.whole for person in self._moving}
        if not self.has_frames or len(wholes) > 1:
            return ""
        return " at all frames, K at this one" if True in wholes else " at this frame, K at all"

    @property
    def _moving(self) -> list[Character]:
        return [person for person in self.people if len(person.clip) > 1]

    @property
    def _holds_on(self) -> bool:
        return bool(self.ways) and self.ways[0].hold

    def otherwise(self) -> RootGrab:
        """The drag that does something else with the contacts."""
        return replace(self, ways=(*self.ways[1:], *self.ways[:1]))

    def at_other_frames(self) -> RootGrab:
        """The drag that moves people at all frames if this one does so at one alone, and the other way round."""
        now = goes_whole(self._moving[0]) if self.whole is None else self.whole
        return replace(self, whole=not now)

    @property
    def part(self) -> str:
        """The axis or plane that it keeps to."""
        return self.drag.part

    def is_there(self, document: Document) -> bool:
        """Whether the people and what they take along are all in the document: a key may delete them in mid-drag, or
        undo the step that made them."""
        taken = {each.what.id for way in self.ways[:1] for each in way.contacts.carried}
        return document.names.keys() >= {person.id for person in self.people} | taken

    def to(self, pixel: ArrayLike, shift: bool = False) -> RootGrab:
        """The drag with the pointer at another pixel."""
        if self.turning:
            return replace(self, drag=advance(self.drag, pixel, shift))
        if shift == self.rising:
            return replace(self, drag=advance(self.drag, pixel))
        done = self._moved()
        gizmo = Gizmo("move", self.place + done, np.eye(3))
        drag = start_move(gizmo, HEIGHT if shift else FLOOR, self.drag.pointer)
        return replace(self, drag=advance(drag, pixel), before=done, rising=shift)

    def along(self, part: str) -> RootGrab:
        """Start the drag over along another axis or plane; a turn keeps its axis."""
        if self.turning:
            return self
        begun = start_move(Gizmo("move", self.drag.position, np.eye(3)), part, self.drag.start)
        return replace(self, drag=advance(begun, self.drag.pointer))

    def edit(self, view: View, snap: bool = False) -> Edit:
        """The edit for where the pointer is now."""
        level = self.drag.part == TURN if self.turning else abs(float(self._moved()[1])) < STAYS_LEVEL
        return self._with_contacts(lambda people: self._placed(people, view, snap), level)

    def placed_by(self, shift: NDArray[np.float64], *then: Edit) -> Edit:
        """The edit that moves the first of them by (3,) metres, and the others as one group with them, wherever the
        pointer is; and what is done then, with which goes what they carry."""
        level, arm = abs(float(shift[1])) < STAYS_LEVEL, edits.middle_of(self.people[:1]) - edits.middle_of(self.people)
        way = shift + arm - Placement(self.spun).rigid.turn @ arm
        placed = lambda people: edits.chain(edits.place_together(people, way, self.spun, self.whole), *then)  # noqa: E731
        return self._with_contacts(placed, level)

    def _with_contacts(self, placed: Callable[[Sequence[Character]], Edit], level: bool) -> Edit:
        if not self.ways:
            return placed(self.people)
        from app.document.edits.world_contacts import with_contacts  # only once somebody holds on

        return with_contacts(self.people, self.ways[0].contacts, self._holds_on, level, placed)

    def _placed(self, people: Sequence[Character], view: View, snap: bool) -> Edit:
        if not self.turning:
            shift = self._moved(SNAP_METRES if snap else None)
            if not (self._holds_on and len(self.ways[0].contacts)):
                shift = above_floor(people, shift)
            return edits.place_together(people, shift, self.spun, self.whole)
        turned = turned_rotation(self.drag, view, SNAP_RADIANS if snap else None)
        if self.drag.part != TURN:
            return edits.tip_over(people, turned)
        angle = float(np.arctan2(turned[0, 2], turned[0, 0])) + self.spun
        return edits.place_together(people, np.zeros(3), angle, self.whole)

    def _moved(self, snap: float | None = None) -> NDArray[np.float64]:
        return self.before + moved_position(self.drag, self.view, snap) - self.drag.position


def grab_root(
    people: tuple[Character, ...], place: NDArray[np.float64], part: str, pixel: ArrayLike, view: View
) -> RootGrab:
    """Grab the root handle of the first of these people, at `place`, by one of its parts or of its arrows'; all of the
    people go along."""
    turning = part in ("turn", *TURNS)
    about = part.removeprefix("turn ") if part in TURNS else TURN
    middle = edits.middle_of(people) if turning and about == TURN and len(people) > 1 else place
    own = level_axes(heading(people[0].pose.rotations[0]))
    frame = np.eye(3) if part in ("turn", "move", "view") else own
    gizmo = Gizmo("rotate" if turning else "move", middle, frame)
    floor = part in ("move", "view")  # the middle of the arrows stays on the floor as well
    drag = (
        start_rotate(gizmo, about, pixel, np.eye(3)) if turning else start_move(gizmo, FLOOR if floor else part, pixel)
    )
    return RootGrab(people, place, view, drag, turning, np.zeros(3))
