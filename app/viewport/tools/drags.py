"""Drags of handles: each mouse move is an edit computed from the drag's start, all of them one undo step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.posing.fitting_effectors import new_effector
from app.look.wording import effector_title, joint_title
from rendering.camera.camera import View
from rendering.scene.values import Gizmo
from rendering.shapes.gizmo import Drag, advance, moved_position, start_move, start_rotate, turned_rotation
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector
from solver.effectors.kinds import Position
from solver.ik.multi_solve.only_limb import LimbHold, only_limb
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import nearest_rotation

SNAP_METRES = 0.05
SNAP_RADIANS = float(np.radians(5.0))


@dataclass(frozen=True, eq=False)
class Grab:
    """A drag under way. lead: the effector under the pointer. moved: all that move with it. first: what must be done
    before the target can be set, such as adding the effector to the joint that was grabbed. hold: what stays if only
    the limb of `lead` moves. patch: the one that was in contact when it began.
    """

    solves: ClassVar[bool] = True
    numbers: ClassVar[bool] = True

    character: str
    lead: Effector
    moved: tuple[Effector, ...]
    gizmo: Gizmo
    drag: Drag
    first: tuple[Edit, ...] = ()
    hold: LimbHold | None = None
    patch: str = ""

    @property
    def text(self) -> str:
        """The undo step's name."""
        verb = "Turn" if self.turning else "Move"
        if len(self.moved) > 1:
            return f"{verb} {len(self.moved)} effectors"
        if self.first:
            return f"{verb} {joint_title(self.lead.joint).lower()}"
        return f"{verb} {effector_title(self.lead).lower()}"

    @property
    def hint(self) -> str:
        """What can be done while dragging."""
        only = f"Only the {self.hold.limb} · " if self.hold else ""
        onto = "" if self.turning else " · S onto a surface"
        return f"{only}{self.text} · X Y Z keep to an axis{onto} · Shift fine · Ctrl in steps · Esc cancels"

    @property
    def turning(self) -> bool:
        """Whether it turns rather than moves."""
        return isinstance(self.lead, TurnEffector)

    @property
    def part(self) -> str:
        """The axis or plane that it keeps to."""
        return self.drag.part

    @property
    def lit(self) -> str:
        """The part of the gizmo that lights up."""
        return self.part

    @property
    def free(self) -> str:
        """The part that keeps to nothing."""
        return "ball" if self.turning else "view"

    def is_there(self, document: Document) -> bool:
        """Whether the person and the effectors that it moves are in the document, but for those that it adds: a key may
        delete them in mid-drag, or undo the step that made them."""
        if self.character not in document.names:
            return False
        held = {effector.id for effector in document.character(self.character).effectors}
        return bool(self.first) or {effector.id for effector in self.moved} <= held

    def to(self, pixel: ArrayLike, precise: bool = False) -> Grab:
        """The drag with the pointer at another pixel."""
        return replace(self, drag=advance(self.drag, pixel, precise))

    def along(self, part: str) -> Grab:
        """Start the drag over along another axis or plane."""
        gizmo, drag, here = self.gizmo, self.drag, self.drag.pointer
        begun = (
            start_rotate(gizmo, part, drag.start, drag.rotation)
            if gizmo.kind == "rotate"
            else start_move(gizmo, part, drag.start)
        )
        return replace(self, drag=advance(begun, here))

    def edit(self, view: View, snap: bool = False) -> Edit:
        """The edit for where the pointer is now."""
        rigid = self.rigid(view, snap)
        targets = (edits.set_target(self.character, e.id, e.moved_by(rigid).target) for e in self.moved)
        return edits.chain(*self.first, *targets)

    def rigid(self, view: View, snap: bool) -> RigidMotion:
        """How the drag carries what it moves."""
        if not self.turning:
            return RigidMotion.move(moved_position(self.drag, view, SNAP_METRES if snap else None) - self.drag.position)
        target = nearest_rotation(turned_rotation(self.drag, view, SNAP_RADIANS if snap else None))
        return RigidMotion.about(target @ np.asarray(self.lead.target, dtype=np.float64).T, np.zeros(3))


def grab_effector(
    character: Character,
    effector: Effector,
    pixel: ArrayLike,
    *,
    selected: tuple[Effector, ...],
    gizmo: Gizmo,
    part: str,
) -> Grab:
    """Grab an effector by a part of its gizmo; the other selected ones of its form move along.

    One that is off is switched on; a contact is let go of, and its joint moves.
    """
    turning = isinstance(effector, TurnEffector)
    others = tuple(e for e in selected if e.id != effector.id and isinstance(e, TurnEffector) == turning)
    first = [edits.set_enabled(character.id, e.id, True) for e in (effector, *others) if not e.enabled]
    held = [e.id for e in (effector, *others) if isinstance(e, Contact)]
    moved, patch = (effector, *others), ""
    if held:
        let_go = edits.let_go(character.id, held)
        first.append(let_go)
        free = {e.id: e for e in edits.released(character, held).effectors}
        moved = tuple(free[e.id] for e in moved)
        patch = effector.patch if isinstance(effector, Contact) else ""
    drag = start_rotate(gizmo, part, pixel, moved[0].target) if turning else start_move(gizmo, part, pixel)
    return Grab(character.id, moved[0], moved, gizmo, drag, tuple(first), patch=patch)


def grab_joint(character: Character, joint: str, pixel: ArrayLike) -> Grab:
    """Grab a joint whose place no effector holds: it gets one in the same step."""
    effector = new_effector(character, Position.kind, joint)
    gizmo = Gizmo("move", effector.target, np.eye(3))
    drag = start_move(gizmo, "view", pixel)
    return Grab(character.id, effector, (effector,), gizmo, drag, (edits.add_effector(character.id, effector),))


def alone(grab: Grab, character: Character) -> Grab:
    """The drag with everything but the grabbed limb kept as it is, including whatever else is selected."""
    hold = only_limb(skeleton_of(character), grab.lead.joint, character.pose)
    moved = tuple(e for e in grab.moved if e.joint not in hold.frozen)
    return replace(grab, moved=moved, hold=hold)
