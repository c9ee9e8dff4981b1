"""The menus of effectors: what can be done with one, and where a new one can be added."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from PySide6.QtWidgets import QMenu

from app.document import edits
from app.document.model.document import Character
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.solving import kind_has_effect, solver_heeds, solver_takes
from app.look.wording import joint_title, patch_title
from app.panels.widgets.popups import grey_out
from app.services.session import MOMENT_S, Session
from app.services.steps.contacts import Held, choose_patch, hold_joints, let_go_of
from solver.effectors.asleep import is_asleep
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kind import Kind
from solver.effectors.kinds import kinds
from solver.ik.solver import PRESERVATION, TOLERANCE, SolverSpec
from solver.rig.roles import BODY_PARTS, Role
from solver.sentences import percent
from solver.solvers.catalog import spec_of

UNTOLERATED = "the network alone takes every handle as strict"
NO_EFFECT = "it makes no difference to the network alone"
TOLERANCES = (0.0, 0.25, 0.5, 0.75, 1.0)


def effector_menu(menu: QMenu, session: Session, id: str) -> None:
    """Fill `menu` with what can be done to one effector of the active character."""
    active = session.active
    if active is None:
        return
    effector = active.effector(id)
    if is_asleep(effector):
        _add_delete(menu, session, active, id)
        return
    for kind in kinds():
        action = menu.addAction(kind.title, partial(change_kind, session, active.id, id, kind.id))
        action.setCheckable(True)
        action.setChecked(kind is effector.spec)
        grey_out(action, _why_not(active, kind, effector.joint))
    menu.addSeparator()
    _add_contact(menu, session, active, effector)
    for title, make, checked in (
        ("Strict", edits.make_strict, effector.is_strict),
        ("Loose", edits.make_loose, effector.loose),
    ):
        text = f"Make {title.lower()}"
        action = menu.addAction(title, partial(session.edit, text, make(active.id, [id]), solve=True))
        action.setCheckable(True)
        action.setChecked(checked)
    tolerances = menu.addMenu("Tolerance")
    unheeded = "" if solver_heeds(active, TOLERANCE) else UNTOLERATED
    grey_out(tolerances.menuAction(), unheeded or _without_effect(active, effector.kind))
    for value in TOLERANCES:
        action = tolerances.addAction(
            f"{value:g}\t{percent(1 - value)}",
            partial(session.edit, "Change tolerance", edits.set_tolerance(active.id, id, value), solve=True),
        )
        action.setCheckable(True)
        action.setChecked(not effector.loose and abs(effector.tolerance - value) < 1e-6)
    pin = menu.addAction(
        "Pin",
        lambda: session.edit(
            "Unpin effector" if effector.pinned else "Pin effector",
            edits.set_pinned(active.id, id, not effector.pinned),
            solve=True,
        ),
    )
    grey_out(pin, unheeded or _without_effect(active, effector.kind))
    pin.setCheckable(True)
    pin.setChecked(effector.pinned)
    on = menu.addAction(
        "Enabled",
        lambda: session.edit(
            "Switch effector off" if effector.enabled else "Switch effector on",
            edits.set_enabled(active.id, id, not effector.enabled),
            solve=True,
        ),
    )
    on.setCheckable(True)
    on.setChecked(effector.enabled)
    menu.addSeparator()
    _add_delete(menu, session, active, id)


def change_kind(session: Session, character: str, old: str, kind: str) -> None:
    """Put an effector of another kind in place of one, by the ids of its person and of itself, on the same joint as the
    body has it by now: it may have moved on since a menu was opened."""
    session.settle(MOMENT_S)
    person = session.document.character(character)
    effector = person.effector(old)
    if kind == effector.kind:
        return
    new = new_effector(person, kind, effector.joint, tolerance=effector.touched().tolerance)
    edit = edits.chain(edits.add_effector(character, new), edits.remove_effectors(character, [old]))
    if session.edit(f"Make it a {new.spec.title.lower()} effector", edit, solve=True):
        session.select(character, [new.id])


def fill_add_menu(
    menu: QMenu,
    spec: SolverSpec,
    joints: Iterable[str],
    add: Callable[[str, str], None],
    has_effect: Callable[[str], bool] = lambda _kind: True,
    own: Collection[str] = tuple(Role),
) -> None:
    """Fill `menu` with the kinds that the solver takes, first for the joints given, then for all by body part.

    has_effect: whether effectors of a kind make a difference now; they are grey if they do not. own: the joints that
    the person has.
    """
    for joint in sorted(joints):
        for kind in kinds():
            action = menu.addAction(f"{kind.title} of {joint_title(joint).lower()}", partial(add, kind.id, joint))
            vain = "" if has_effect(kind.id) else NO_EFFECT
            grey_out(action, vain if spec.takes(kind.id, joint) else _refused(spec, kind))
        menu.addSeparator()
    for kind in kinds():
        by_kind = menu.addMenu(kind.title)
        vain = "" if has_effect(kind.id) else NO_EFFECT
        grey_out(by_kind.menuAction(), vain if spec.takes(kind.id) else _refused(spec, kind))
        for part, names in BODY_PARTS.items():
            by_part = by_kind.addMenu(part.capitalize())
            for joint in (str(name) for name in names if name in own):
                action = by_part.addAction(joint_title(joint), partial(add, kind.id, joint))
                grey_out(action, "" if spec.takes(kind.id, joint) else _refused(spec, kind))


def joint_menu(menu: QMenu, session: Session, joint: str, add: Callable[[str, str], None]) -> None:
    """Fill `menu` with what can be added to a joint, and with its two keep toggles."""
    active = session.active
    if active is None:
        return
    menu.addSection(joint_title(joint))
    for kind in kinds():
        action = menu.addAction(f"Add {kind.title.lower()}", partial(add, kind.id, joint))
        grey_out(action, _why_not(active, kind, joint))
    menu.addSeparator()
    _add_surfaces(menu, session, [(joint, None)])
    for what, kept, make in (
        ("place", active.preserve.place, edits.keep_place),
        ("shape", active.preserve.shape, edits.keep_shape),
    ):
        on = joint in kept
        action = menu.addAction(
            f"Keep {what} of the base pose",
            partial(
                session.edit,
                f"{'Release' if on else 'Keep'} {what} of {joint_title(joint).lower()}",
                make(active.id, [joint], not on),
                solve=True,
            ),
        )
        action.setCheckable(True)
        action.setChecked(on)
        grey_out(action, "" if solver_heeds(active, PRESERVATION) else "the network alone keeps nothing")


def _why_not(person: Character, kind: Kind, joint: str) -> str:
    taken = solver_takes(person, kind.id, joint)
    return _without_effect(person, kind.id) if taken else _refused(spec_of(person.solver), kind)


def _without_effect(person: Character, kind: str) -> str:
    return "" if kind_has_effect(person, kind) else NO_EFFECT


def _refused(spec: SolverSpec, kind: Kind) -> str:
    where = " on this joint" if spec.takes(kind.id) else ""
    return f"{spec.title} takes no {kind.title.lower()} effectors{where}"


def _add_contact(menu: QMenu, session: Session, active: Character, effector: Effector) -> None:
    """What can be done with a contact; for any other effector that holds a place, how it becomes one."""
    if not isinstance(effector, Contact):
        if isinstance(effector, PointEffector):
            _add_surfaces(menu, session, [(effector.joint, effector)])
        return
    from app.document.posing.contact_patches import patches_on  # only once there is a contact
    from app.services.steps.putting_down import is_put_down, put_down

    menu.addAction("Let go", partial(let_go_of, session, [effector.id]))
    if is_put_down(session, effector):
        menu.addAction("Put down", partial(put_down, session, [effector.id]))
    with_what = menu.addMenu("Hold with")
    with_what.menuAction().setVisible(not effector.around)  # what a hand closes around is in its hollow
    for patch in patches_on(active, effector.joint):
        action = with_what.addAction(patch_title(patch.name), partial(choose_patch, session, effector.id, patch.name))
        action.setCheckable(True)
        action.setChecked(patch.name == effector.patch)
    menu.addSeparator()


def _add_surfaces(menu: QMenu, session: Session, held: Sequence[Held]) -> None:
    if session.active is None or not solver_takes(session.active, Contact.kind, held[0][0]):
        return
    menu.addAction("Rest on the floor", partial(hold_joints, session, held, floor=True))
    menu.addAction("Hold on the nearest surface", partial(hold_joints, session, held))
    menu.addSeparator()


def _add_delete(menu: QMenu, session: Session, character: Character, id: str) -> None:
    menu.addAction(
        "Delete", lambda: session.edit("Delete effector", edits.remove_effectors(character.id, [id]), solve=True)
    )
