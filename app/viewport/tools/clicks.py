"""What clicks without a drag do: select, add effectors, pin them, and open their menus."""

from __future__ import annotations

from app.document import edits
from app.document.posing.fingertips import finger_effector
from app.document.posing.fitting_effectors import new_effector
from app.look.wording import finger_title, joint_title
from app.services.session import MOMENT_S, Session
from app.services.view_state import activating, toggling_person, toggling_prop
from app.viewport.pointing.picker import Picker
from app.viewport.pointing.under_pointer import joint_of_hit, name_of_hit, other_owner
from app.viewport.tools.stray import bring_home, stray_handles
from rendering.camera.navigation import Pointer
from rendering.picking.picking import Hit
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position


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


def double_click_hit(session: Session, hit: Hit) -> bool:
    """Add a position effector to the joint or the finger's point that was double-clicked; pin or unpin a handle, or
    bring a stray one home. False for anything else."""
    active = session.active
    if active is None or hit.kind == "prop":
        return False
    if hit.kind == "joint":
        add_to_joint(session, Position.kind, name_of_hit(hit))
        return True
    if hit.kind == "finger":
        _add(session, finger_effector(active, name_of_hit(hit)), finger_title(name_of_hit(hit)))
        return True
    id = name_of_hit(hit) if hit.kind == "handle" else _selected_effector(session) if hit.id == "view" else ""
    if not id:
        return hit.kind in ("gizmo", "root")
    if id in stray_handles(session):
        bring_home(session, id)
        return True
    pinned = not active.effector(id).pinned
    session.edit("Pin" if pinned else "Unpin", edits.set_pinned(active.id, id, pinned), solve=True)
    return True


def add_to_joint(session: Session, kind: str, joint: str) -> None:
    """Add an effector to a joint of the active character, where the body comes to, and select it."""
    session.settle(MOMENT_S)
    if (active := session.active) is not None:
        _add(session, new_effector(active, kind, joint), joint_title(joint))


def menu_at(session: Session, hit: Hit) -> tuple[str, str] | None:
    """What a right click opens the menu of, "effector" or "joint" with its id or name, after selecting that effector;
    None for a gizmo of several."""
    if hit.kind in ("joint", "finger"):
        return "joint", joint_of_hit(hit)
    id = name_of_hit(hit) if hit.kind == "handle" else _selected_effector(session)
    if not id:
        return None
    if id not in session.view.effectors:
        session.select(session.view.character, [id])
    return "effector", id


def _add(session: Session, effector: Effector, title: str) -> None:
    text, to = f"Add {effector.spec.title.lower()} to {title.lower()}", session.view.character
    if session.edit(text, edits.add_effector(to, effector), solve=True):
        session.select(to, [effector.id])


def _selected_effector(session: Session) -> str:
    """The id of the one selected effector; "" for none or several."""
    chosen = session.selected_effectors
    return chosen[0].id if len(chosen) == 1 else ""
