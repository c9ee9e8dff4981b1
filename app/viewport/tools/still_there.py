"""Whether what a drag holds is still in the scene: a key may delete it, or undo the step that made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.document.model.document import Document
from app.document.model.prop import Prop
from app.viewport.tools.carry_drag import CarryGrab
from app.viewport.tools.drags import Grab
from app.viewport.tools.group_drag import GroupGrab
from app.viewport.tools.root_drag import RootGrab

if TYPE_CHECKING:
    from app.viewport.tools.finger_drag import FingerGrab
    from app.viewport.tools.prop_drag import PropGrab
    from app.viewport.tools.sight_drag import SightGrab


def is_there(document: Document, grab: Grab | RootGrab | SightGrab | PropGrab | FingerGrab) -> bool:
    """Whether the people, effectors and props that a drag moves are all there; an effector it adds need not be yet."""
    people = {person.id: person for person in document.characters}
    props = {prop.id for prop in document.props}
    if isinstance(grab, RootGrab):
        return all(person.id in people for person in grab.people)
    if not isinstance(grab, Grab):
        return grab.start.id in (props if isinstance(grab.start, Prop) else people)
    if isinstance(grab, CarryGrab | GroupGrab) and grab.prop is not None and grab.prop.id not in props:
        return False
    person = people.get(grab.character)
    return person is not None and (bool(grab.first) or {e.id for e in grab.moved} <= {e.id for e in person.effectors})
