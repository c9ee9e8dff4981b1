"""From the document and the view state to what is drawn; whatever did not change is passed on as the same object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import Key
from app.document.model.document import Character, Document, Photo
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.over_time.source_motion import source_moment
from app.document.posing.mirroring import heading
from app.document.posing.sources import character_with_resolved_targets
from app.look.handle_state import handle_state
from app.services.view_state import ViewState
from app.viewport.coarse_body import mesh_of
from app.viewport.eyes import drawn_eyes, gaze_target, held_in_picture
from app.viewport.remembered_parts import RememberedParts, Slot
from app.viewport.root_place import root_place
from rendering.scene.style import CLAY, Style
from rendering.scene.values import (
    NO_DOTS,
    Backplate,
    BalanceMark,
    Figure,
    Gizmo,
    Guide,
    Handle,
    JointDots,
    Mesh,
    RootHandle,
    Scene,
)
from solver.body.kept_volume import with_volume_kept_at
from solver.effectors.asleep import is_asleep
from solver.effectors.contact import Contact
from solver.effectors.form_ids import TURN
from solver.ik.problem import Residual
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose
from solver.memoise import memoised
from solver.rig.rig import rig_of

GHOST_OPACITY, ONION_OPACITY, BEFORE_OPACITY = 0.35, 0.6, 0.8
ONION = {"before": "#e8935a", "after": "#5fc7c0"}  # the past is warm
BEFORE, READING = "#e36bd0", "#f2d06b"  # none of the colours given to people
UPRIGHT = np.eye(3)
ROOT = "root "  # prefix of a root handle's part while it is grabbed


@dataclass(frozen=True)
class Look:
    """Settings that the scene shows: skin and suit as "#rrggbb". style: no part of a figure, which no light changes."""

    skin: str
    suit: str
    style: Style = field(default=CLAY, compare=False)


if TYPE_CHECKING:
    from rendering.scene.props import DrawnProp

Residuals = tuple[Residual, ...]
PHOTO: Slot = ("backplate", "")
PROPS: Slot = ("props", "")


class SceneBuilder:
    """Builds scenes; remembers what the last one was made of, but nothing of people who are not in it."""

    def __init__(self) -> None:
        self._parts = RememberedParts(Look)
        self._shown: tuple[frozenset[str], bool] = (frozenset(), False)  # who was in the last scene, and the photo

    def build(
        self,
        document: Document,
        view: ViewState,
        look: Look,
        photo_image: NDArray[np.uint8] | None = None,
        residuals: Residuals = (),
    ) -> Scene:
        """The scene. photo_image: (H, W, 4) uint8, the document's photo if it could be read.

        residuals: how well the active character's effectors are met, one for each, or empty.
        """
        figures: list[Figure] = []
        handles: tuple[Handle, ...] = ()
        dots = NO_DOTS
        balances: list[BalanceMark] = []
        roots: list[tuple[str, RootHandle]] = []
        gizmo = root = None
        several = len(document.characters) > 1
        for character in document.characters:
            if not character.visible:
                continue
            active = character.id == view.character
            before = self._before(document, character) if active and (view.before or view.peek) else None
            if before is not None and view.peek:
                figures.append(self._figure(replace(before, effectors=()), view, look, active, several))
                continue
            figures.append(self._lit(self._figure(character, view, look, active, several), character, view))
            if view.balance:
                balances.append(self._balance(character))
            if active:
                figures.extend(self._ghosts(character, before, view, look))
            if active and view.handles and not character.locked:
                # between keys, targets on others are where these are then
                asked = character_with_resolved_targets(document, character)
                handles = self._handles(asked, view, residuals)
                dots = self._dots(character, view)
                root = self._root(character, view, document.props)
                gizmo = self._root_gizmo(root, view) if view.root else self._gizmo(asked, view)
            elif view.handles and character.id in view.others and not character.locked:
                roots.append((character.id, self._root(character, view, document.props)))
        props: tuple[DrawnProp, ...] = ()
        if document.props:
            from app.viewport.prop_scene import drawn_props, prop_gizmo  # only once there are any

            seen = (document.props, view.prop, view.props, view.hover, view.handles)
            props = self._parts.once(PROPS, seen, lambda: drawn_props(document, view))
            gizmo = prop_gizmo(document, view) or gizmo
        photo = self._backplate(document.photo, view, photo_image)
        marks = self._parts.once(("balances", view.character), tuple(balances), lambda: tuple(balances))
        self._forget_all_but(frozenset(c.id for c in document.characters if c.visible), photo is not None)
        guides = self._guides(document, view)
        return Scene(
            tuple(figures), handles, dots, gizmo, root, photo, view.grid, view.wipe, view.beside, marks, look.style,
            props, tuple(roots), guides,
        )  # fmt: skip

    def _figure(self, character: Character, view: ViewState, look: Look, active: bool, several: bool) -> Figure:
        selected = several and (active or character.id in view.others)
        still = view.still if active else frozenset()
        opacity = view.body_opacity if view.through_photo else 1.0
        outline = view.outline and view.through_photo
        key = (
            character.pose, character.shape, *_worn(character), character.color, view.show, look,
            selected, still, opacity, outline, (target := gaze_target(character)),
        )  # fmt: skip
        how: dict[str, Any] = {
            "id": character.id, "show": view.show, "selected": selected, "opacity": opacity, "outline": outline
        }  # fmt: skip
        if still:
            how["calm"] = frozenset(map(skeleton_of(character).index, still))
        return self._parts.once(
            ("figure", character.id),
            key,
            lambda: self._draw(character, character.pose, look, partial(drawn_eyes, character, target), **how),
        )

    def _lit(self, figure: Figure, character: Character, view: ViewState) -> Figure:
        """The figure with a line around the part under the pointer."""
        name = hovered_joint(character, view) if character.id == view.character else None
        if name is None or not view.handles or character.locked:
            return figure
        lit = frozenset([skeleton_of(character).index(name)])
        return self._parts.once(("lit", character.id), (figure, lit), lambda: replace(figure, lit=lit))

    def _balance(self, character: Character) -> BalanceMark:
        from app.viewport.balance_marks import balance_mark  # only once it is asked for

        key = (character.pose, character.shape, character.body, character.hands)
        return self._parts.once(("balance", character.id), key, lambda: balance_mark(character))

    def _ghosts(self, character: Character, before: Character | None, view: ViewState, look: Look) -> Iterator[Figure]:
        """The active character's other poses that the view shows. before: itself in the motion that it is compared
        with, None where that does not show."""
        if view.ghost and character.base_pose not in (character.pose, before and before.pose):
            yield self._ghost(character, look)
        if before is not None and (before.pose, before.hands) != (character.pose, character.hands):
            yield self._other_ghost("before", before, BEFORE, look)
        if view.reading is not None:
            yield self._other_ghost("reading", replace(character, pose=view.reading), READING, look)
        if view.onion:
            yield from self._onion(character, look)

    def _ghost(self, character: Character, look: Look) -> Figure:
        key = (character.base_pose, character.shape, *_worn(character), character.color, look)
        return self._parts.once(
            ("ghost", character.id),
            key,
            lambda: self._draw(
                character,
                character.base_pose,
                look,
                id=("ghost", character.id),
                show="body",
                ghost=True,
                opacity=GHOST_OPACITY,
            ),
        )

    def _before(self, document: Document, character: Character) -> Character | None:
        """The character at its frame in the motion that its own is compared with; None where there is none."""
        clip = character.clip
        made_of = (clip.source,) if clip.source is not None else (clip.keys, clip.between)
        key = (*made_of, clip.placement, (character.frame,), character.shape, character.body)
        make = lambda: source_moment(document.actor(character.id), character.frame)  # noqa: E731
        found = self._parts.once(("source", character.id), key, make)
        return found and replace(character, pose=found[0], hands=found[1])

    def _other_ghost(self, what: str, character: Character, color: str, look: Look) -> Figure:
        slot, pose = (what, character.id), character.pose
        return self._parts.once(
            slot,
            (pose, character.shape, *_worn(character), look),
            lambda: self._tinted(slot, character, pose, look, color, BEFORE_OPACITY),
        )

    def _onion(self, character: Character, look: Look) -> Iterator[Figure]:
        """The poses of the keys before and after the frame looked at, each in a colour of its own."""
        place, frame = character.clip.placement, character.frame
        before = [key for key in character.clip.keys if key.frame < frame][-1:]
        after = [key for key in character.clip.keys if key.frame > frame][:1]
        for side, keys in (("before", before), ("after", after)):
            for key in keys:
                slot = (f"onion {side}", character.id)
                made_of = (key.pose, place, character.shape, *_worn(character), key.hands, look)
                yield self._parts.once(slot, made_of, partial(self._onion_skin, slot, character, key, look, side))

    def _onion_skin(self, slot: Slot, character: Character, key: Key, look: Look, side: str) -> Figure:
        held, pose = replace(character, hands=key.hands), character.clip.placement.pose(key.pose)
        return self._tinted(slot, held, pose, look, ONION[side], ONION_OPACITY)

    def _tinted(self, slot: Slot, character: Character, pose: Pose, look: Look, color: str, opacity: float) -> Figure:
        """A ghost in a colour of its own."""
        drawn = self._draw(character, pose, look, id=slot, show="body", ghost=True, opacity=opacity)
        return replace(drawn, color=color)

    def _draw(
        self, character: Character, pose: Pose, look: Look, eyes: Callable[..., Any] = lambda _: None, **how: Any
    ) -> Figure:
        slot = f"mesh {how['id'][0]}" if how.get("ghost") else "mesh"
        skeleton, own = skeleton_of(character), character.own_skin
        if how["show"] != "body":
            from app.viewport.rigid_bones import rigid_bones  # only once bones are drawn

            how |= rigid_bones(character, pose)
        skinning, joints = skinning_matrices(skeleton, pose), forward_kinematics(skeleton, pose)
        if own is not None and own.shown:
            from app.viewport.bodies.own_mesh import own_parts  # only once somebody has one

            how |= own_parts(character, own, skeleton, pose) | {"frames": skinning}
        else:
            mesh = self._mesh(character, slot)
            rest = with_volume_kept_at(body_of(character), skeleton, joints, mesh.vertices)
            how |= {"mesh": mesh, "rest": rest, "skinning": skinning, "eyes": eyes(skinning)}
        return Figure(
            joints=joints.positions,
            parents=skeleton.parents,
            color=character.color,
            skin=look.skin,
            suit=look.suit,
            **how,
        )

    def _mesh(self, character: Character, slot: str) -> Mesh:
        """Ghosts may hold their fingers another way; those that hold them alike share a mesh."""
        model, body, shape, hands = body_of(character), character.body, character.shape, character.hands
        known = self._parts.made_from(("mesh", character.id))
        if known is not None and known[0] == body and known[1] is shape and known[2] is hands:
            slot = "mesh"
        key = (body, shape, hands)
        return self._parts.once((slot, character.id), key, lambda: mesh_of(model, shape, hands))

    def _handles(self, character: Character, view: ViewState, residuals: Residuals) -> tuple[Handle, ...]:
        key = (character.pose, character.shape, character.effectors, residuals, view.effectors, view.hover, view.still)
        return self._parts.once(("handles", character.id), key, lambda: self._make_handles(character, view, residuals))

    def _make_handles(self, character: Character, view: ViewState, residuals: Residuals) -> tuple[Handle, ...]:
        joints, skeleton = joints_of(character), skeleton_of(character)
        told = zip(character.effectors, residuals or (None,) * len(character.effectors), strict=True)
        hovered, selected, still = view.hover, view.effectors, view.still
        touching = {e.joint for e in character.effectors if isinstance(e, Contact) and e.is_active}
        return tuple([  # each in the order of its fields, as names take longer than the rest
            Handle(
                (id := ("effector", effector.id)),
                effector.spec.handle,
                effector.handle_at(skeleton, joints),
                held_in_picture(effector, character, skeleton, joints),
                handle_state(effector, residual, skeleton, joints),
                effector.target if effector.form == TURN else None,
                effector.pinned,
                effector.id in selected,
                hovered == id,
                effector.joint in still,
                effector.loose,
                effector.facing if isinstance(effector, Contact) and effector.facing.any() else None,
                effector.form == TURN and effector.joint in touching,  # its middle is for dragging the contact
            )
            for effector, residual in told
            if not is_asleep(effector)
        ])  # fmt: skip

    def _dots(self, character: Character, view: ViewState) -> JointDots:
        key = (
            character.pose, character.shape, character.effectors, character.hands, view.joints, view.hover, view.still,
        )  # fmt: skip
        return self._parts.once(("dots", character.id), key, lambda: self._make_dots(character, view))

    def _make_dots(self, character: Character, view: ViewState) -> JointDots:
        held = frozenset(e.joint for e in character.effectors if e.holds_joint)
        rig = rig_of(skeleton_of(character))
        rows, ids = _without(rig.names, rig.own_names, held | view.still)
        selected = frozenset(("joint", name) for name in view.joints)
        dots = JointDots(ids, joints_of(character).positions[rows], view.hover, selected)
        if view.hover is None or view.hover[0] != "finger":
            return dots
        from app.viewport.finger_pick import with_finger_dots  # only once a finger is pointed at

        return with_finger_dots(dots, character, view.hover[1])

    def _root_gizmo(self, root: RootHandle, view: ViewState) -> Gizmo:
        from app.viewport.group_gizmo import root_gizmo  # only once one is clicked

        return root_gizmo(root, view)

    def _root(self, character: Character, view: ViewState, props: Sequence[Prop]) -> RootHandle:
        whose = () if character.id == view.character else (character.id,)
        over = view.hover if view.hover is not None and view.hover[0] == "root" else ()
        hovered = over[1] if over and over[2:] == whose else None
        grabbed = view.grabbed.removeprefix(ROOT) if view.grabbed and view.grabbed.startswith(ROOT) else None
        look, pose = (character.color, hovered, grabbed, view.root), character.pose
        return self._parts.once(
            ("root", character.id),
            (pose, character.shape, *look, props),
            lambda: RootHandle(root_place(character, props), heading(pose.rotations[0]), *look),
        )

    def _guides(self, document: Document, view: ViewState) -> tuple[Guide, ...]:
        if not view.held_axes and not (view.symmetry and view.handles):
            return ()
        from app.viewport.guides import guides_of  # only once there is one

        active = next((c for c in document.characters if c.id == view.character), None)
        key = (view.held_axes, view.symmetry and view.handles, active and active.pose, active and active.visible)
        return self._parts.once(("guides", view.character), key, lambda: guides_of(active, view))

    def _gizmo(self, character: Character, view: ViewState) -> Gizmo | None:
        if len(view.effectors) > 1:
            from app.viewport.group_gizmo import group_gizmo  # only once several are selected

            return group_gizmo(character, view)
        if not view.effectors:
            return None
        effector = character.effector(next(iter(view.effectors)))
        if not effector.enabled:
            return None
        place = effector.handle_at(skeleton_of(character), joints_of(character))
        turning = effector.form == TURN
        frame = effector.target if turning and view.local_axes else UPRIGHT
        return Gizmo("rotate" if turning else "move", place, frame, view.hover_part, view.grabbed)

    def _backplate(self, photo: Photo | None, view: ViewState, image: NDArray[np.uint8] | None) -> Backplate | None:
        if photo is None or image is None or not photo.visible or not view.through_photo:
            return None
        key = (photo.camera, photo.opacity, image)
        return self._parts.once(PHOTO, key, lambda: Backplate(image, photo.camera, photo.opacity))

    def _forget_all_but(self, shown: frozenset[str], photo: bool) -> None:
        if (shown, photo) == self._shown:
            return
        self._shown = shown, photo
        self._parts.forget_unless(lambda slot: photo if slot == PHOTO else slot == PROPS or slot[1] in shown)


def hovered_joint(character: Character, view: ViewState) -> str | None:
    """The joint of a character that is under the pointer, by itself or by its handle."""
    kind, id, *_ = view.hover or ("", "")
    if kind == "effector":
        return next((e.joint for e in character.effectors if e.id == id), None)
    return id if kind == "joint" and id in skeleton_of(character).names else None


def _worn(character: Character) -> tuple[object, ...]:
    """What a character looks like, apart from pose and shape."""
    return character.body, character.hands, character.own_skin


@memoised(16)
def _without(
    names: tuple[str, ...], own: tuple[str, ...], held: frozenset[str]
) -> tuple[NDArray[np.intp], tuple[tuple[str, str], ...]]:
    """The other joints that a character has, by index, and the ids of their dots; the same for all frames of a drag."""
    rows = [i for i, name in enumerate(names) if name in own and name not in held]
    return np.array(rows, np.intp), tuple(("joint", names[i]) for i in rows)
