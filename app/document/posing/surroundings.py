"""The surroundings of a character, which its body may not pass through: other people, and props."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from solver.body.catalog import load_body
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector, PointEffector
from solver.effectors.resolve import tied_figures
from solver.effectors.sources import JointSource, PropSource, SkinSource, Tie
from solver.ik.options import SOLID_BODY, SOLID_FLOOR
from solver.ik.preserve_modes import limb_of
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.body.body import Body, BodyShape
    from solver.body.hands import Hands
    from solver.contact.obstacles import Obstacles
    from solver.contact.solid_body import SolidBody
    from solver.contact.solids import Solid
    from solver.contact.touching import Touch
    from solver.kinematics.pose import Pose
    from solver.kinematics.skeleton import Skeleton

IN_THE_WAY = 0.001  # metres within a body at which an arm is in its way
FOOT_M = 0.3  # metres beside a prop, within which a foot's ball may be above it
MM, SLACK = 0.001, 0.3  # metres; the share of them by which flesh may be shown deeper than it may then be


@dataclass(frozen=True)
class Surroundings:
    """What stands around somebody at one moment. held, rests: people and props on which its contacts lie. underfoot:
    props that its feet may be above, solid to it or not."""

    people: tuple[Character, ...] = ()
    props: tuple[Prop, ...] = ()
    held: tuple[Character, ...] = ()
    rests: tuple[Prop, ...] = ()
    underfoot: tuple[Prop, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.people or self.props or self.held or self.rests or self.underfoot)


def is_solid(character: Character) -> bool:
    """Whether there is something that its body may not pass through: it is solid, or its contacts lie on something."""
    return SOLID_BODY.of(character.solver_options) or any(map(_lies, character.effectors))


def solid_surroundings(document: Document, character: Character) -> Surroundings:
    """What the character may not pass through besides itself: everything visible if its body is solid, else what its
    contacts lie on; and what its feet may stand on.

    People it is tied to otherwise, and props that other effectors of it are on, do not count: they are to meet. Nor do
    people who are tied to it.
    """
    contacts = [e for e in character.effectors if _lies(e)]
    whole = SOLID_BODY.of(character.solver_options)
    underfoot = _underfoot(document.props, character)
    if not (whole or contacts):
        return Surroundings(underfoot=underfoot)
    others = [e for e in character.effectors if e.is_active and not _lies(e) and not isinstance(e, AimEffector)]
    holds, tied = tied_figures(contacts), tied_figures(others)
    seen = [c for c in document.characters if c.id != character.id and c.visible and c.id not in tied]
    held = tuple(c for c in seen if c.id in holds)
    people = tuple(c for c in seen if whole and c.id not in holds and character.id not in tied_figures(c.effectors))
    lain_on, at = _props_of(contacts), _props_of(others)
    props = [prop for prop in document.props if prop.visible and prop.id not in at]
    if whole and props:
        lain_on |= {prop.id for prop in props if _seat_within(character, prop)}
    free = tuple(prop for prop in props if whole and prop.id not in lain_on)
    return Surroundings(people, free, held, tuple(prop for prop in props if prop.id in lain_on), underfoot)


def _underfoot(props: Iterable[Prop], character: Character) -> tuple[Prop, ...]:
    """The visible props that a foot of the character is above or beside, as asked or in the base pose."""
    seen = [prop for prop in props if prop.visible]
    if not seen or not SOLID_FLOOR.of(character.solver_options):
        return ()
    skeleton = skeleton_of(character)
    rig = rig_of(skeleton)
    names = rig.names_of([leg.end for leg in LEGS if not rig.lacking([leg.end, leg.tip])])
    asked = [e.target for e in character.effectors if isinstance(e, PointEffector) and e.joint in names and e.is_active]
    return tuple(prop for prop in seen if _is_near_feet(prop, skeleton, character.base_pose, *asked))


@memoised(256, by_identity=True)  # the same in every solve of a drag of anything but feet
def _is_near_feet(prop: Prop, skeleton: Skeleton, base: Pose, *asked: NDArray[np.float32]) -> bool:
    """Whether a prop is below an ankle or beside it, where that is in the base pose or asked to be, (3,) metres."""
    import numpy as np

    from solver.kinematics.fk import forward_kinematics

    rig = rig_of(skeleton)
    ankles = [rig.joint(leg.end) for leg in LEGS if not rig.lacking([leg.end, leg.tip])]
    feet = np.array([*asked, *forward_kinematics(skeleton, base).positions[ankles]])[:, [0, 2]]
    span = prop.corners[:, [0, 2]]
    near = (span.min(axis=0) - FOOT_M < feet) & (feet < span.max(axis=0) + FOOT_M)
    return bool(near.all(axis=1).any())


def surroundings_of(document: Document, characters: Iterable[Character]) -> Mapping[str, Surroundings]:
    """What stands around each of these characters, by id; those around whom nothing counts are left out."""
    found = {character.id: solid_surroundings(document, character) for character in characters}
    return {id: surroundings for id, surroundings in found.items() if surroundings}


def asks_the_same(one: Character, other: Character) -> bool:
    """Whether the same is asked of a character in two states; a target moved by its source counts as the same."""
    mine, theirs = ([e for e in each.effectors if e.is_active] for each in (one, other))
    return len(mine) == len(theirs) and all(
        a == b or (a.source is not None and type(a) is type(b) and a.with_target_of(b) == b)
        for a, b in zip(mine, theirs, strict=True)
    )


def same_surroundings(before: Document, now: Document, character: Character) -> bool:
    """Whether all that a character touches, is tied to or may not pass through is as it was before."""
    if before is now:
        return True
    tied = tied_figures(character.effectors) - {character.id}
    there = [{c.id: (c.pose, c.shape, c.body) for c in each.characters if c.id in tied} for each in (before, now)]
    touches = any(isinstance(e.source, PropSource) and e.is_active for e in character.effectors)
    return (
        there[0] == there[1]
        and (before.props == now.props or not touches)
        and replace(solid_surroundings(before, character), underfoot=())
        == replace(solid_surroundings(now, character), underfoot=())
    )


def obstacles_of(character: Character, surroundings: Surroundings | None = None) -> Obstacles | None:
    """What the character's body may not pass through, itself included; None if it may pass through everything.

    A body that is not solid but has contacts is kept out of itself and out of what they lie on; where two people hold
    each other, only the limbs that hold are.
    """
    if not is_solid(character):
        return None
    from solver.contact.obstacles import Obstacles, OtherBody

    surroundings = surroundings or Surroundings()
    limbs = None
    if any(_hold_each_other(character, other) for other in surroundings.held):
        skeleton = skeleton_of(character)
        limbs = frozenset(
            j for e in character.effectors if _lies(e) for j in limb_of(skeleton, skeleton.index(e.joint))
        )
    held = zip(held_balls(character, surroundings), surroundings.held, strict=True)
    touches = _touches(character, surroundings)
    return Obstacles(
        balls_of(character),
        things=_solids(surroundings.props),
        others=tuple(OtherBody(balls_of(other), joints_of(other)) for other in surroundings.people),
        support_things=_solids(surroundings.rests),
        support_people=tuple(OtherBody(balls, joints_of(other)) for (_, balls), other in held),
        touches=touches,
        limbs=limbs,
        shown=joints_of(character) if any(touch.joint == 0 and touch.depths for touch in touches) else None,
    )


def balls_of(character: Character) -> SolidBody:
    """The balls that fill the character's body, in its shape and with its hands."""
    from solver.contact.solid_body import solid_body

    return solid_body(load_body(character.body), character.shape, character.hands)


def held_balls(character: Character, surroundings: Surroundings) -> tuple[tuple[str, SolidBody], ...]:
    """The people the character holds, by id, with those of their balls it may not pass through.

    Two who hold each other pass through each other's arms: otherwise they would push each other over. Once one of them
    lets go, the other does so for as long as those arms are still in the way, or would jump out of it at once.
    """
    from solver.contact.solid_body import without_arms

    return tuple(
        (other.id, without_arms(balls_of(other)) if _passes_through_arms(character, other) else balls_of(other))
        for other in surroundings.held
    )


def _passes_through_arms(character: Character, other: Character) -> bool:
    if _hold_each_other(character, other):
        return True
    return not SOLID_BODY.of(character.solver_options) and _arms_within(character, other)


@memoised(4, by_identity=True)
def _arms_within(character: Character, other: Character) -> bool:
    """Whether the other's arms, on which no contact of the character lies, are within its body as both are shown; its
    skin that lies on the other does not count."""
    from solver.contact.touching import Parts, are_within, lying_joints

    held, balls, skeleton = balls_of(other), balls_of(character), skeleton_of(character)
    lie: frozenset[int] = frozenset()
    for effector in filter(_lies, character.effectors):
        source = effector.source
        if isinstance(source, Tie) and source.character == other.id:
            if _bearing(other, source) <= held.arms:
                return False
            lie = lie.union(*lying_joints(skeleton, skeleton.index(effector.joint)))
    own = Parts(balls, joints_of(character), frozenset(balls.filled) - lie)
    return are_within(own, Parts(held, joints_of(other), held.arms), IN_THE_WAY)


def _hold_each_other(character: Character, other: Character) -> bool:
    return not SOLID_BODY.of(character.solver_options) and character.id in tied_figures(other.effectors)


def _solids(props: Iterable[Prop]) -> tuple[Solid, ...]:
    return tuple(solid for prop in props for solid in prop.solids())


def _lies(effector: Effector) -> bool:
    """Whether an effector is a contact that lies on somebody or on a prop."""
    return isinstance(effector, Contact) and effector.is_active and isinstance(effector.source, Tie | PropSource)


def _props_of(effectors: Iterable[Effector]) -> set[str]:
    return {e.source.prop for e in effectors if isinstance(e.source, PropSource)}


def _touches(character: Character, surroundings: Surroundings) -> tuple[Touch, ...]:
    """Where the character's contacts lie, and where those of people it holds lie on it."""
    from solver.contact.touching import (
        Touch,
        arms_passing,
        belly_on_thighs,
        folded_as_shown,
        keeps_out,
        lies_over_thighs,
        lying_joints,
        trunk_over_thighs,
    )
    from solver.ik.stance.seated import seat_of

    skeleton, parts, things = skeleton_of(character), _parts(character, surroundings), _things(surroundings)
    gap = _arms_gap(skeleton, balls_of(character), character.base_pose.rotations)
    touches = arms_passing(skeleton, character.effectors, gap)
    for contact in (e for e in character.effectors if isinstance(e, Contact) and _lies(e)):
        joint = skeleton.index(contact.joint)
        skin, beside = lying_joints(skeleton, joint)
        source, own, others, on = contact.source, frozenset[int](), frozenset[int](), frozenset[int]()
        if isinstance(source, PropSource):
            on = things.get(source.prop, on)
        elif isinstance(source, Tie):
            owner = next((c for c in (character, *surroundings.held) if c.id == source.character), None)
            borne = _bearing(owner, source) if owner else own
            own, others = (borne, others) if owner is character else (own, _among(parts, source.character, borne))
        flat = contact.around or (contact.lies_flat and (not on or keeps_out(skeleton, joint)))
        touches.append(Touch(joint, skin, flat, beside, own, others, on))
        if lies_over_thighs(skeleton, joint, own):
            touches.append(trunk_over_thighs(skeleton))
    if seat_of(skeleton, character.effectors) is not None:
        touches.append(belly_on_thighs(skeleton))
    elif _is_taken_up(character) and (folded := folded_as_shown(balls_of(character), skeleton, joints_of(character))):
        touches.append(belly_on_thighs(skeleton, folded))
    for prop in surroundings.rests:
        if within := _seat_within(character, prop):
            touches.append(Touch(0, frozenset(joint for joint, _ in within), things=things[prop.id], depths=within))
    for other in surroundings.held:
        for effector in filter(_lies, other.effectors):
            if isinstance(effector.source, Tie) and effector.source.character == character.id:
                theirs, above = lying_joints(skeleton_of(other), skeleton_of(other).index(effector.joint))
                mine = _bearing(character, effector.source)
                touches.append(Touch(-1, mine, others=_among(parts, other.id, theirs | above)))
    return tuple(touches)


def _seat_within(character: Character, prop: Prop) -> tuple[tuple[int, float], ...]:
    """How deep the seat of somebody who gets up, by a pull at the root that no contact holds, is within a prop as they
    are shown: joints with metres, () where it is not.

    A contact lets flesh sink in. Without it the seat would be pushed out all at once, and the trunk thrown over.
    """
    return _seat_depths(character, prop) if _is_taken_up(character) else ()


def _is_taken_up(character: Character) -> bool:
    """Whether somebody is pulled at the root, which no contact holds."""
    root = skeleton_of(character).names[0]
    on_root = [e for e in character.effectors if e.is_active and e.joint == root and isinstance(e, PointEffector)]
    return bool(on_root) and not any(isinstance(e, Contact) for e in on_root)


def _seat_depths(character: Character, prop: Prop) -> tuple[tuple[int, float], ...]:
    """Metres by joint, as shown or as in the base pose: who is pulled up and comes down again may sit as they sat."""
    skeleton, body = skeleton_of(character), balls_of(character)
    shown, base = (_flesh_within(skeleton, body, pose, prop) for pose in (character.pose, character.base_pose))
    deepest = {joint: max(shown.get(joint, 0.0), base.get(joint, 0.0)) for joint in sorted({*shown, *base})}
    return tuple(deepest.items())


@memoised(8, by_identity=True)
def _arms_gap(skeleton: Skeleton, body: SolidBody, turns: NDArray[np.float32]) -> float:
    """Metres between the arms in the base pose, whose rotations are `turns`: wherever it is, they are as far apart.

    A pose that is brought to where somebody stands is another one in each step, with the same rotations.
    """
    import numpy as np

    from solver.contact.touching import arms_gap
    from solver.kinematics.fk import forward_kinematics
    from solver.kinematics.pose import Pose

    return arms_gap(body, skeleton, forward_kinematics(skeleton, Pose(np.zeros(3, np.float32), turns)))


@memoised(8, by_identity=True)
def _flesh_within(skeleton: Skeleton, body: SolidBody, pose: Pose, prop: Prop) -> Mapping[int, float]:
    """Whole millimetres by joint, in metres, that a seat is within a prop in a pose: a search which stays a hair off
    would else be taken further out in each step."""
    import numpy as np

    from solver.contact.touching import lying_joints
    from solver.kinematics.fk import forward_kinematics

    solids = prop.solids()
    if not solids:  # a mesh that is not closed
        return {}
    placed = body.placed(forward_kinematics(skeleton, pose))
    skin, beside = lying_joints(skeleton, 0)
    gaps = np.min([solid.distances(placed[:, :3]) for solid in solids], axis=0)
    depths = np.where(body.leading, placed[:, 3] - gaps, 0.0)
    whole = {j: MM * float(np.ceil(depths[body.joints == j].max(initial=0.0) / MM - SLACK)) for j in skin | beside}
    return {joint: depth for joint, depth in whole.items() if depth > 0.0}


def _parts(character: Character, surroundings: Surroundings) -> dict[tuple[str, int], int]:
    """By a person's id and a joint, the number of the part it carries, counted over the parts of all people held."""
    keys = [(id, j) for id, balls in held_balls(character, surroundings) for j in balls.filled]
    return {key: number for number, key in enumerate(keys)}


def _things(surroundings: Surroundings) -> dict[str, frozenset[int]]:
    """By a prop's id, the numbers of its solids, counted over all that is rested on."""
    found, first = {}, 0
    for prop in surroundings.rests:
        found[prop.id] = frozenset(range(first, first + len(prop.solids())))
        first += len(prop.solids())
    return found


def _among(parts: Mapping[tuple[str, int], int], id: str, joints: Iterable[int]) -> frozenset[int]:
    return frozenset(parts[id, j] for j in joints if (id, j) in parts)


def _bearing(owner: Character, source: Tie) -> frozenset[int]:
    """The joints of the owner whose flesh is around what a contact lies on."""
    return _borne_on(load_body(owner.body), owner.shape, owner.hands, source)


@memoised(64, by_identity=True)  # the same in every solve of a drag
def _borne_on(body: Body, shape: BodyShape, hands: Hands | None, source: Tie) -> frozenset[int]:
    from solver.contact.solid_body import solid_body
    from solver.contact.touching import bearing_joints

    return bearing_joints(solid_body(body, shape, hands), _rest_place(body, shape, hands, source))


def _rest_place(body: Body, shape: BodyShape, hands: Hands | None, source: Tie) -> NDArray[np.float64]:
    """(3,) metres, where what a contact lies on is in a body's rest pose; infinitely far away if unknown."""
    import numpy as np

    from solver.contact.skins import skin

    skeleton = body.skeleton(shape)
    if isinstance(source, JointSource) and source.joint in skeleton.names:
        return np.asarray(skeleton.rest_positions[skeleton.index(source.joint)] + source.offset, np.float64)
    touched = skin(body, shape, hands)
    if isinstance(source, SkinSource) and touched.has_triangle(source.triangle):
        return np.asarray(source.shares @ touched.vertices[touched.faces[source.triangle]], np.float64)
    return np.full(3, np.inf)
