"""Drags of a hand that is around something: what it holds goes along, and so do others who hold on to that."""

from __future__ import annotations

from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from app.document import edits
from app.document.edits.effectors import is_at_face
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.services.steps.contacts import prop_in_hand, with_people_on
from app.viewport.tools.drags import Grab
from rendering.camera.camera import View
from rendering.scene.values import Gizmo
from rendering.shapes.gizmo import start_move
from solver.contact.patch_table import opposes
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector


@dataclass(frozen=True, eq=False)
class CarryGrab(Grab):
    """A drag under way of a hand and the prop it is around. prop: as it was at the start. from_face: the person as they
    were then, if the prop was at their mouth or ear, where it does not lean in the hand; None for any other."""

    prop: Prop | None = None
    from_face: Character | None = None

    @property
    def text(self) -> str:
        """The undo step's name."""
        return f"Move {self.prop.name}" if self.prop is not None else super().text

    def is_there(self, document: Document) -> bool:
        """Whether what it moves is in the document, with the prop."""
        return super().is_there(document) and (self.prop is None or self.prop.id in document.names)

    def edit(self, view: View, snap: bool = False) -> Edit:
        """The edit for where the pointer is now; the prop stops at what is in its way."""
        assert self.prop is not None
        put = edits.carry_to(self.prop.moved(self.rigid(view, snap).shift))
        leans = () if self.from_face is None else (edits.lean_in_hand(self.from_face, self.lead.id),)
        carried = with_people_on(edits.carried_at_frame(self.prop, self.character, put), besides=self.character)
        return edits.chain(*self.first, carried, *leans)


def grab_held(
    document: Document,
    character: Character,
    effector: Effector,
    pixel: ArrayLike,
    *,
    selected: tuple[Effector, ...],
    gizmo: Gizmo,
    part: str,
) -> CarryGrab | None:
    """Grab a hand with what it is around, by a part of its gizmo; None if it is around nothing that can move, or if
    something else that is selected has to move along."""
    prop = prop_in_hand(document, (effector, *selected))
    if prop is None or not isinstance(effector, Contact):
        return None
    drag = start_move(replace(gizmo, position=effector.target), part, pixel)
    is_up = not opposes(effector.patch) and any(is_at_face(e, prop.id) for e in character.effectors)
    from_face = character if is_up else None
    return CarryGrab(
        character.id, effector, (effector,), gizmo, drag, patch=effector.patch, prop=prop, from_face=from_face
    )
