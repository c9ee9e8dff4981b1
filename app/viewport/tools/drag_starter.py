"""The start of drags: what a press on something takes hold of, and whether that is still there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.sources import character_with_resolved_targets
from app.services.session import MOMENT_S, Session
from app.services.steps.contacts import (
    are_aimed_at,
    are_touched,
    contacts_with_world,
    holds_on,
    prop_in_hand,
    pushed_along,
)
from app.services.view_state import activating, moving_people, moving_props, selected_prop
from app.viewport.pointing.under_pointer import name_of_hit, other_owner
from app.viewport.scene_builder import ROOT
from app.viewport.tools.drags import Grab, alone, grab_effector, grab_joint
from app.viewport.tools.root_drag import RootGrab, Way, grab_root
from rendering.camera.navigation import Pointer
from rendering.picking.picking import Hit
from rendering.scene.values import Gizmo
from rendering.view.viewport import Viewport
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector
from solver.errors import PoserError

if TYPE_CHECKING:
    from app.services.settings import SettingsStore
    from app.viewport.tools.finger_drag import FingerGrab
    from app.viewport.tools.prop_drag import PropGrab
    from app.viewport.tools.sight_drag import SightGrab

ONLY_LIMB = "ctrl+shift"  # held when the drag begins: Alt is the camera's in every preset


class DragStarter:
    """Takes hold of what is pressed, in one view of one session."""

    def __init__(self, session: Session, viewport: Viewport, settings: SettingsStore | None = None) -> None:
        self._session, self._viewport, self._settings = session, viewport, settings
        self._tool_before: str | None = None  # of a prop's gizmo, from when the key for surfaces went down
        self._key_late = False  # whether that was after the press

    def surface_key(self, held: bool, pressed: bool) -> None:
        """Note that the key for surfaces goes down or up. pressed: whether the mouse holds something already.

        Alone it chooses the bars of a selected prop's gizmo. Held while anything but those is dragged it means the
        surface under the pointer, so the gizmo becomes what it was.
        """
        self._tool_before, self._key_late = self._session.view.prop_tool if held else None, pressed

    def of(self, hit: Hit, pointer: Pointer) -> Grab | RootGrab | SightGrab | PropGrab | FingerGrab | None:
        """The drag that a press on something begins; None if a press there only selects, or drags nothing."""
        self._session.settle(MOMENT_S)  # a drag goes on from a complete pose
        active = self._session.active
        try:
            on_bars = hit.kind == "gizmo" and bool(self._session.view.prop) and not self._key_late
            if self._tool_before is not None and not on_bars:
                self._session.set_view(prop_tool=self._tool_before)
            if hit.kind == "figure":
                self._session.select(str(hit.id))
                return None
            if hit.kind == "prop" or (hit.kind == "gizmo" and self._session.view.prop):
                return self._prop(hit, pointer)
            if active is None:
                return None
            grab = self._grabbed(active, hit, pointer)
            if not isinstance(grab, Grab) or pointer.modifiers != ONLY_LIMB:
                return grab
            grab = alone(grab, active)
            if grab.hold is not None:
                self._session.set_view(still=grab.hold.frozen)
            return grab
        except PoserError as error:
            self._session.refused.emit(str(error))
            return None

    def _grabbed(
        self, active: Character, hit: Hit, pointer: Pointer
    ) -> Grab | RootGrab | SightGrab | FingerGrab | None:
        if hit.kind == "finger":
            from app.viewport.tools.finger_drag import grab_finger  # not before the first such drag

            self._session.set_view(hover=hit.id)  # lit while dragged, even if a touch came without a hover
            return grab_finger(active, name_of_hit(hit), pointer.pixel, self._viewport.current_view)
        if hit.kind == "joint":
            held = [
                e for e in active.effectors if isinstance(e, Contact) and e.joint == name_of_hit(hit) and e.is_active
            ]
            if held:  # a hand in contact, pulled by its joint, comes off as by its contact's own handle
                return self._handle(active, held[-1], pointer)
            self._session.select(active.id, joints=[name_of_hit(hit)])
            return grab_joint(active, name_of_hit(hit), pointer.pixel)
        asked = character_with_resolved_targets(self._session.shown, active)  # handles and gizmos are drawn like this
        if hit.kind == "handle":
            return self._handle(asked, asked.effector(name_of_hit(hit)), pointer)
        if hit.kind == "root" or self._session.view.root:
            return self._root(active, hit, pointer)
        gizmo, chosen = self._viewport.scene.gizmo, self._chosen(asked)
        if gizmo is None or not chosen:
            return None
        self._session.set_view(grabbed=str(hit.id))
        if len(chosen) > 1:
            from app.viewport.tools.group_drag import grab_group  # not before the first such drag

            prop = prop_in_hand(self._session.document, chosen)
            return grab_group(asked, self._session.view.effectors, gizmo, str(hit.id), pointer.pixel, prop)
        return self._effector(asked, chosen[0], pointer, gizmo, str(hit.id))

    def _handle(self, active: Character, effector: Effector, pointer: Pointer) -> Grab:
        if effector.id not in self._session.view.effectors:
            self._session.select(active.id, [effector.id])
        place = effector.handle_at(skeleton_of(active), joints_of(active))
        if isinstance(effector, TurnEffector):
            gizmo, part = Gizmo("rotate", place, effector.target), "ball"
        else:
            gizmo, part = Gizmo("move", place, np.eye(3)), "view"
        return self._effector(active, effector, pointer, gizmo, part)

    def _effector(self, active: Character, effector: Effector, pointer: Pointer, gizmo: Gizmo, part: str) -> Grab:
        chosen = self._chosen(active)
        if isinstance(effector, Contact) and effector.around:
            from app.viewport.tools.carry_drag import grab_held  # only once a hand is around something

            document = self._session.document
            held = grab_held(document, active, effector, pointer.pixel, selected=chosen, gizmo=gizmo, part=part)
            if held is not None:
                return held
        return grab_effector(active, effector, pointer.pixel, selected=chosen, gizmo=gizmo, part=part)

    def _chosen(self, asked: Character) -> tuple[Effector, ...]:
        return tuple(e for e in asked.effectors if e.id in self._session.view.effectors)

    def _root(self, active: Character, hit: Hit, pointer: Pointer) -> RootGrab | SightGrab:
        from app.viewport.root_place import root_place  # not before the first such drag

        part = name_of_hit(hit) if hit.kind == "root" else str(hit.id)
        if other := other_owner(hit):
            self._session.set_view(**activating(self._session.view, other))
            active = self._session.document.character(other)
        self._session.set_view(grabbed=f"{ROOT}{part}" if hit.kind == "root" else part)
        document = self._session.document
        if pointer.modifiers == ONLY_LIMB:  # a whole person has no limb to move alone
            from app.services.steps.depth_flips import eye_of_photo  # not before the first such drag, nor is the other
            from app.viewport.tools.sight_drag import grab_sight

            if (eye := eye_of_photo(active, document)) is not None:
                props = pushed_along(document, active.id, moving_props(document, self._session.view))
                return grab_sight(active, eye, pointer.pixel, props, are_touched(document, props, active.id))
        people = (active, *moving_people(self._session.view, self._session.document)[1:])
        place = root_place(active, self._session.document.props)
        grab = grab_root(people, place, part, pointer.pixel, self._viewport.current_view)
        return self._with_contacts(grab)

    def _with_contacts(self, grab: RootGrab) -> RootGrab:
        document, moving = self._session.document, [person.id for person in grab.people]
        props = moving_props(document, self._session.view)
        found, hold = contacts_with_world(document, moving, props=props), holds_on(self._settings)
        grab = replace(grab, aimed_at=are_aimed_at(document, moving, found))
        if found is None:
            return grab
        if len(found.carried) > len(props):
            left = contacts_with_world(document, moving, carry=False, props=props)
            assert left is not None, "hands that held what they carried hold it where it stays"
            return replace(grab, ways=(Way(found, hold), Way(left, True), Way(left, False)))
        return replace(grab, ways=(Way(found, hold), Way(found, not hold)) if len(found) else (Way(found, hold),))

    def _prop(self, hit: Hit, pointer: Pointer) -> PropGrab | None:
        from app.viewport.tools.prop_drag import grab_prop  # not before the first such drag

        document, view = self._session.document, self._session.view
        prop = selected_prop(document, view)
        if prop is None:
            return None
        part = str(hit.id) if hit.kind == "gizmo" else ""
        self._session.set_view(grabbed=part or None)
        others = tuple(other for other in moving_props(document, view) if other is not prop)
        return grab_prop(prop, view.prop_tool, part, pointer.pixel, others)
