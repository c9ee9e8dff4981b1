"""What a click without a drag selects."""

from __future__ import annotations

from app.services.session import Session
from app.services.view_state import activating, toggling_person, toggling_prop
from app.viewport.tools.picker import Picker
from app.viewport.tools.under_pointer import joint_of_hit, name_of_hit, other_owner
from rendering.camera.navigation import Pointer
from rendering.picking.picking import Hit


def select_hit(session: Session, picker: Picker, hit: Hit, pointer: Pointer) -> None:
    """Select what was clicked; with Shift or Ctrl, add it to the selection or take it out."""
    view = session.view
    more = pointer.shift or pointer.ctrl
    if hit.kind == "prop" and more:
        session.set_view(**toggling_prop(view, name_of_hit(hit)))
    if hit.kind == "prop" or (view.prop and hit.kind == "gizmo"):
        return
    if hit.kind == "figure" and more:
        session.set_view(**toggling_person(view, str(hit.id)))
    elif hit.kind == "figure":
        session.select(str(hit.id))
    elif other := other_owner(hit):
        session.set_view(**activating(view, other))
    elif hit.kind == "root":
        session.set_view(root=not view.root, effectors=frozenset(), joints=frozenset())
    elif hit.kind == "handle" or hit.id in ("view", "ball"):
        if id := name_of_hit(hit) if hit.kind == "handle" and more else picker.clicked(pointer, hit):
            ids, joints = (view.effectors ^ {id}, view.joints) if more else ((id,), ())
            session.select(view.character, ids, joints)
    elif hit.kind in ("joint", "finger"):
        name = joint_of_hit(hit)
        effectors, dots = (view.effectors, view.joints ^ {name}) if more else ((), (name,))
        session.select(view.character, effectors, dots)


def select_unclaimed(session: Session, picker: Picker, pointer: Pointer) -> None:
    """Select the prop that a click of the left button meets, nothing beside all; with Shift or Ctrl as `select_hit`."""
    hit = picker.pick(pointer)
    free = hit is not None and picker.is_free_prop(hit)
    if hit is not None and free and (pointer.shift or pointer.ctrl):
        session.set_view(**toggling_prop(session.view, name_of_hit(hit)))
    elif not pointer.modifiers and (hit is None or free):
        session.select(session.view.character)
        session.set_view(prop=name_of_hit(hit) if hit is not None else "")
