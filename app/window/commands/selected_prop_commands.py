"""Commands shared by people and props, as they act on the selected props."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from app.document import edits
from app.document.edits.copies import Things
from app.document.model.document import Character
from app.document.model.prop import MESH
from app.document.model.prop_mesh import PropMesh
from app.services.background.jobs import Cancelled, Jobs, Progress
from app.services.session import MOMENT_S, Session
from app.services.steps.contacts import with_people_on
from app.services.steps.copying import InView, add_copies, left_in_the_air, selected_things
from app.services.steps.pose_clipboard import PoseClipboard
from app.services.view_state import moving_props, selected_props
from solver.effectors.kinds import kinds
from solver.errors import PoserError

TOOLS = {"ball": "move", "ring": "turn"}  # the gizmo's tools, by the handle that shares the key


def name_of_selected(session: Session, props_alone: bool = False) -> str:
    """What the selected props, and the people selected with them, are called: see `Things.names`."""
    things = selected_things(session.document, session.view)
    return (Things((), things.props) if props_alone else things).names


def copy_selected(session: Session, clipboard: PoseClipboard) -> str:
    """Copy the selected props, and the people selected with them; what to say about it."""
    from app.document.library.things_text import things_bytes

    session.settle(MOMENT_S)  # whoever was just dragged is copied as they come to be
    things = selected_things(session.document, session.view)
    meshes = tuple(prop.mesh for prop in things.props if prop.mesh is not None)
    clipboard.copy_things(things_bytes(things, dict(session.document.frames)), meshes)
    it = "it" if len(things.people) + len(things.props) == 1 else "them"
    return f"Copied {things.names}. Ctrl+V adds {it} here or in another scene."


def paste_things(
    session: Session, clipboard: PoseClipboard, sees: InView, jobs: Jobs, done: Callable[[Things], object]
) -> None:
    """Add the people and props that were copied, and pass them to `done` if they were added. sees: see `room.Seen`.

    Large meshes and own skins from another window are made ready to be drawn in a job first, as those of files that are
    opened.
    """
    from app.document.library.things_text import things_from

    known = None if clipboard.own else {person.body for person in session.document.characters}
    there = tuple(prop.mesh for prop in session.document.props if prop.mesh is not None)
    try:
        things = things_from(clipboard.things, known, (*clipboard.meshes, *there))
    except PoserError as error:
        session.refused.emit(str(error))
        return

    def add(_made: object = None) -> None:
        added = add_copies(session, "Paste {}", things, sees, from_elsewhere=True)
        if added is not None:
            done(added)

    slow = [prop.mesh for prop in things.props if prop.mesh is not None and prop.mesh.is_slow]
    skinned = [] if clipboard.own else [person for person in things.people if person.own_skin is not None]
    if slow or skinned:
        jobs.run(f"Pasting {things.names}", partial(_made_ready, slow, skinned), add)
    else:
        add()


def _made_ready(
    meshes: Sequence[PropMesh], people: Sequence[Character], progress: Progress, _cancelled: Cancelled
) -> None:
    """Make what takes long of meshes, and of people with own skins."""
    from app.document.exchange.own.own_pose import get_ready
    from app.document.model.figure import body_of, skeleton_of
    from app.document.model.mesh_solid import grid_of
    from app.viewport.bodies.own_mesh import own_mesh

    count = len(meshes) + len(people)
    for number, mesh in enumerate(meshes):
        progress(number / count, "")
        mesh.surface, grid_of(mesh)
    for number, person in enumerate(people):
        progress((len(meshes) + number) / count, "")
        if person.own_skin is not None:
            get_ready(person.own_skin, body_of(person), person.shape)
            own_mesh(person.own_skin.rig(), skeleton_of(person))


def duplicate_selected(session: Session, sees: InView, say: Callable[[str], None]) -> Things | None:
    """Add a copy of the selected props and the people with them, or else of the active person; the copies. say: shows a
    notice, for a person who is on nothing then."""
    session.settle(MOMENT_S)
    things, active = selected_things(session.document, session.view), session.active
    if things.props or active is None:
        return add_copies(session, "Duplicate as {}", things, sees) if things.props else None
    added = add_copies(session, "Duplicate as {}", Things((active,)), sees)
    if added is not None and (said := left_in_the_air(session.document, active, added.people[0])):
        say(said)
    return added


def delete_props(session: Session, say: Callable[[str], None]) -> None:
    """Take the selected props out, and say if they leave contacts behind. say: shows a notice."""
    props = selected_props(session.document, session.view)
    if props:
        from app.services.steps import deleting  # only once something is deleted

        if said := deleting.delete_props(session, [prop.id for prop in props]):
            say(said)


def mirror_selected(session: Session, say: Callable[[str], None]) -> None:
    """Mirror the selected props, and the people selected with them, in one step; say what that does to a mesh."""
    from app.document.edits.mirror_things import mirror_things  # not needed to show the window

    things = selected_things(session.document, session.view)
    ids = [person.id for person in things.people], [prop.id for prop in things.props]
    meshes = [prop for prop in things.props if prop.kind == MESH]
    if not session.edit(f"Mirror {things.names}", mirror_things(*ids), solve=True):
        one = len(things.people) + len(things.props) == 1
        say(f"{things.names} {'looks' if one else 'look'} the same in a mirror.")
    elif len(meshes) == 1:
        say(f"The surface of {meshes[0].name} is mirrored as well: its left is now its right.")
    elif meshes:
        say(f"The surfaces of {len(meshes)} meshes are mirrored as well: their left is now their right.")


def set_props_on_floor(session: Session) -> None:
    """Put the selected props onto the floor; further ones that are locked stay."""
    props = moving_props(session.document, session.view)
    put = with_people_on(edits.chain(*(edits.set_prop_on_floor(p.id) for p in props)))
    session.edit("Set on the floor", put, solve=True)


def use_tool(session: Session, kind: str) -> None:
    """Let the gizmo of the selected prop move or turn it, as the effector kind with the same key does for a joint."""
    handle = next((each.handle for each in kinds() if each.id == kind), "")
    if handle in TOOLS:
        session.set_view(prop_tool=TOOLS[handle])
