"""People who are down come to rest on what is beneath them: the floor, a bed, a box, stairs."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.fitting_effectors import (
    ankles_of,
    following,
    is_level,
    lies_on_floor,
    with_ankles,
    with_feet_as_it_lies,
    with_ids,
)
from app.document.posing.rest.sitting import (
    held_in_place,
    holds_seat,
    may_sit,
    palms_on_thighs,
    resting_limbs,
    sits_on,
    slumps,
)
from app.document.posing.solving import floor_of, problem_of
from app.document.posing.surroundings import Surroundings, balls_of, solid_surroundings
from solver.effectors.effector import Effector
from solver.effectors.sources import PropSource, Tie
from solver.ik.limp.beneath import heights_beneath
from solver.ik.options import SOLID_FLOOR
from solver.ik.stance.leans import joints_with
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, LIMBS, TRUNK, Limb, Role

if TYPE_CHECKING:
    from solver.contact.floor_points import FloorPoints
    from solver.contact.solids import Solid
    from solver.ik.problem import IKProblem

LIES_LOW = 0.21  # of the stature: joints of a trunk that lies are no higher, however it lies, and on all fours they are
SITS_LOW = 0.3  # likewise of the pelvis of somebody who sits: whoever stands need not be looked at more closely
LIFTED = 0.6  # metres: a limb further than that within a thing does not take the whole body along
SHIFTED = 2e-3  # metres: what is less off what it lies on is on it
MOVES = 0.015  # metres: who would come down by no more anywhere is at rest, and stays exactly so
SKIN_OUT = 0.25  # of the stature: no skin is further from all joints, fingers that are no joints among it
TIMES = 40  # that somebody comes down again from where they have come to: who slides off an edge does so bit by bit
LEFT = 0.8  # of the way to rest, as progress has it, each time
BORNE_BY = (*TRUNK, *HEAD_AND_NECK, *(limb.root for limb in LIMBS))  # those of flesh that nobody stands or crawls on


class _Around(NamedTuple):
    """What somebody comes to rest among. floor: what of the skin a floor holds up. slumps: whether the trunk comes down
    from a seat that is held."""

    surroundings: Surroundings
    things: tuple[Solid, ...]
    floor: FloorPoints
    slumps: bool
    laid: tuple[Limb, ...]


def settling_surroundings(document: Document, character: Character) -> Surroundings:
    """What somebody who comes to rest may not pass through: as otherwise, and every visible prop that none of its
    handles is on."""
    around = solid_surroundings(document, character)
    at = {e.source.prop for e in character.effectors if e.is_active and isinstance(e.source, PropSource)}
    at |= {prop.id for prop in around.rests}
    return replace(around, props=tuple(p for p in document.props if p.visible and p.id not in at))


def is_down(character: Character, props: Sequence[Prop] = ()) -> bool:
    """Whether somebody lies or sits on a solid floor or on a prop, lies within one, or has been tipped over there and
    has yet to come to rest."""
    if not SOLID_FLOOR.of(character.solver_options):
        return False
    low = float(character.pose.root_position[1]) < SITS_LOW * _stature(character)
    if low and lies_on_floor(character, character.pose):
        return True
    if holds_seat(character):
        return True
    # Only then: what is solid of a mesh takes a second or two to find, the first time.
    if _is_trunk_level(character):
        return _lies(character, _solids(_about(character, props)))
    return may_sit(character) and sits_on(character, _solids(_below_pelvis(character, props)))


def settled_in(document: Document, id: str, progress: Callable[[float], None] | None = None) -> Character:
    """The character with that id come to rest in the document, and in contact with the props that its trunk lies on; as
    it is there if it rests already. progress: as `come_to_rest`."""
    from app.document.posing.rest.lying_contacts import with_lying_contacts, without_lying_contacts

    character = document.character(id)
    bare = without_lying_contacts(character)
    around = settling_surroundings(document, bare)
    after = come_to_rest(bare, around, progress)
    if after is bare:
        return character
    return with_lying_contacts(after, (*around.props, *around.rests)) if _lies(after, _things(around)) else after


def hands_to_lay(document: Document, id: str) -> tuple[str, ...]:
    """The patches by which hands in the air come onto the thighs as the character with that id comes to rest: fingers
    that stayed bent would go into the thighs."""
    character = document.character(id)
    things = _things(settling_surroundings(document, character))
    arms = _laid(character, _asked_roles(rig_of(skeleton_of(character)), character), things)
    return tuple(palm.patch for palm in palms_on_thighs(character, arms, things))


def come_to_rest(
    character: Character, surroundings: Surroundings | None = None, progress: Callable[[float], None] | None = None
) -> Character:
    """The character who is down, at its frame, with trunk, limbs and head come down by their weight onto what is
    beneath them; the same object if they rest there already.

    A limb or a head of which something is asked keeps its shape, or its place on what it is tied to. Whoever sits keeps
    trunk and head up. Whoever is not down is returned unchanged. surroundings: what its body may not pass through
    besides itself, as `settling_surroundings`; who lies within a prop is taken onto it first. progress: called
    now and then with a share 0..1 that nears 1, as nobody knows how often somebody comes down; what it raises ends it.
    """
    around = surroundings or Surroundings()
    floor = floor_of(character.body, character.shape, character.hands, character.solver_options)
    if floor is None:
        return character
    asked, things = _asked_roles(rig_of(skeleton_of(character)), character), _things(around)
    among = _Around(around, things, floor, slumps(character, asked, things), _laid(character, asked, things))
    now = character
    for time in range(TIMES):
        if progress is not None:
            progress(1.0 - LEFT**time)
        pose = _come_down(now, asked, among)
        if pose is now.pose:
            break
        now = replace(character, pose=pose, base_pose=pose)
    if now is character:
        return character
    return _with_free_feet(with_feet_as_it_lies(following(character, now.pose), character.pose), among.things)


def _come_down(character: Character, asked: Container[Role | None], among: _Around) -> Pose:
    """The pose come down once; its own pose, the same object, if that is hardly further down."""
    seat, on_floor = holds_seat(character), lies_on_floor(character, character.pose)
    lies = not seat and _lies(character, among.things)
    sits = seat or (not (lies or on_floor) and sits_on(character, among.things))
    if not (lies or sits or on_floor):
        return character.pose
    from solver.ik.limp.limp import TrunkRest, limp  # it brings compiled code along

    lies = lies and not any(role in asked for role in TRUNK)
    trunk = TrunkRest.LIES if lies else TrunkRest.SLUMPS if among.slumps else TrunkRest.STAYS
    start = _on_top(character, among) if lies and among.things else character
    free = _free(LIMBS, asked)
    resting = resting_limbs(start, free, among.things) if sits else ()
    free = [limb for limb in free if limb not in resting]
    held: tuple[Effector, ...] = ()
    if trunk is TrunkRest.SLUMPS:
        held = held_in_place(start, [arm for arm in ARMS if arm in resting])
    elif sits:
        held = palms_on_thighs(start, [arm for arm in among.laid if arm in free], among.things)
    head = trunk is not TrunkRest.STAYS and not any(role in asked for role in HEAD_AND_NECK)
    head = head and not any(_is_own(start, e) for e in start.effectors)
    pose = limp(_problem_of(start, held, among), free, head, trunk)
    lower = joints_of(start).positions[:, 1] - forward_kinematics(skeleton_of(start), pose).positions[:, 1]
    return start.pose if float(lower.max()) < MOVES else pose


def _problem_of(start: Character, held: tuple[Effector, ...], among: _Around) -> IKProblem:
    """The problem of coming down from a pose, with the effectors that are tied to something, and `held` besides."""
    from solver.contact.obstacles import Obstacles

    effectors = with_ids((*start.effectors, *held))
    problem = problem_of(replace(start, effectors=effectors), surroundings=among.surroundings)
    besides = {e.id for e in effectors[len(start.effectors) :]}

    def counts(effector: Effector) -> bool:
        tied = effector.source is not None and not _is_own(start, effector)
        return effector.is_active and (tied or effector.id in besides)

    return replace(
        problem,
        effectors=tuple(filter(counts, problem.effectors)),
        base_pose=start.pose,
        obstacles=problem.obstacles or Obstacles(balls_of(start), things=among.things),
    )


def _on_top(character: Character, among: _Around) -> Character:
    """The character raised as stiffly as it is until it is above what it lies within, or lowered onto what it lies
    above."""
    skin = among.floor.places(joints_of(character))
    gaps = skin[:, 1] - heights_beneath(among.things, skin)
    if gaps.min() < -LIFTED:
        trunk = joints_with(rig_of(skeleton_of(character)), (*TRUNK, *(leg.root for leg in LEGS)))
        gaps = np.minimum(gaps[np.isin(among.floor.carriers, trunk)], 0.0)
    down = float(gaps.min())
    if abs(down) < SHIFTED:
        return character
    root = np.array(character.pose.root_position)
    root[1] -= down
    pose = replace(character.pose, root_position=root)
    return replace(character, pose=pose, base_pose=pose)


def _with_free_feet(character: Character, things: Sequence[Solid]) -> Character:
    """The character with ankles that are loose if it lies on a thing: nobody stands on them there."""
    if holds_seat(character) or not _lies(character, things):
        return character
    return with_ankles(character, loose=True)


def _lies(character: Character, things: Sequence[Solid]) -> bool:
    """Whether the trunk is level, and so low above a thing, or the floor, that nothing but that can bear it."""
    if not _is_trunk_level(character):
        return False
    rig, places, ends = rig_of(skeleton_of(character)), _places(character), _trunk_ends(character)
    beneath, low = heights_beneath(things, ends), LIES_LOW * _stature(character)
    above = ends[:, 1] - beneath
    if not things or (not beneath.any() and above.max() < low):
        return bool(above.max() < low)
    legs = [places[list(joints_with(rig, (leg.root, leg.end)))] for leg in LEGS]
    across = all(is_level(*leg) for leg in legs)
    if (beneath[0] > 0.0 and above[0] < low) or (across and beneath[1] > 0.0 and above[1] < low):
        return True
    return across and _hovers(character, things, low)


def _hovers(character: Character, things: Sequence[Solid], low: float) -> bool:
    """Whether somebody whose trunk and legs are level would lie on things once lowered as stiffly as they are."""
    floor = floor_of(character.body, character.shape, character.hands, character.solver_options)
    if floor is None:
        return False
    world, rig = joints_of(character), rig_of(skeleton_of(character))
    skin = floor.places(world)
    beneath = heights_beneath(things, skin)
    bears = np.isin(floor.carriers, joints_with(rig, BORNE_BY))
    highest = float(beneath[bears].max(initial=0.0))
    above = float(world.positions[0, 1]) - highest - max(float((skin[:, 1] - beneath).min()), 0.0)
    return highest > 0.0 and above < low


def _is_trunk_level(character: Character) -> bool:
    return is_level(*_trunk_ends(character))


def _trunk_ends(character: Character) -> NDArray[np.float64]:
    """(2, 3) metres: where pelvis and chest are."""
    rig = rig_of(skeleton_of(character))
    return _places(character)[[rig.joint(role) for role in (Role.PELVIS, Role.SPINE3)]]


def _places(character: Character) -> NDArray[np.float64]:
    return joints_of(character).positions.astype(np.float64)


def _stature(character: Character) -> float:
    return float(np.ptp(rig_of(skeleton_of(character)).rest_positions[:, 1]))


def _things(around: Surroundings) -> tuple[Solid, ...]:
    return _solids((*around.props, *around.rests))


def _about(character: Character, props: Sequence[Prop]) -> list[Prop]:
    """Those of the props that any of the skin may be above or within."""
    places, around = _places(character)[:, ::2], SKIN_OUT * _stature(character)
    low, high = places.min(axis=0) - around, places.max(axis=0) + around
    spans = [(prop, prop.corners[:, ::2]) for prop in props]
    return [prop for prop, span in spans if (span.max(axis=0) > low).all() and (span.min(axis=0) < high).all()]


def _below_pelvis(character: Character, props: Sequence[Prop]) -> list[Prop]:
    """Those of the props that the pelvis is above or within."""
    place = _places(character)[0, ::2]
    spans = [(prop, prop.corners[:, ::2]) for prop in props]
    return [prop for prop, span in spans if (span.min(axis=0) < place).all() and (span.max(axis=0) > place).all()]


def _solids(props: Sequence[Prop]) -> tuple[Solid, ...]:
    return tuple(solid for prop in props for solid in prop.solids())


def _laid(character: Character, asked: Container[Role | None], things: Sequence[Solid]) -> tuple[Limb, ...]:
    """The free arms of somebody who sits with the trunk up, but for those on the side of a leg that comes down as well:
    its thigh will be elsewhere."""
    if not _sits(character, things) or slumps(character, asked, things):
        return ()
    free = _free(LIMBS, asked)
    moves = [limb for limb in free if limb not in resting_limbs(character, free, things)]
    falls = {leg.side for leg in LEGS if leg in moves}
    return tuple(arm for arm in ARMS if arm in moves and arm.side not in falls)


def _sits(character: Character, things: Sequence[Solid]) -> bool:
    """Whether somebody sits on a prop, and neither lies nor sits on the floor."""
    if holds_seat(character):
        return True
    down = _lies(character, things) or lies_on_floor(character, character.pose)
    return not down and sits_on(character, things)


def _free(limbs: Sequence[Limb], asked: Container[Role | None]) -> list[Limb]:
    """The limbs of which nothing is asked."""
    return [limb for limb in limbs if not any(role in asked for role in (*limb.joints, *limb.fingers))]


def _asked_roles(rig: Rig, character: Character) -> frozenset[Role | None]:
    """The roles of the joints of which something is asked. Not of ankles that merely stood until now."""
    stood = not lies_on_floor(character, character.pose)
    ankles = ankles_of(character) if stood else ()
    asking = (e for e in character.effectors if e.is_active)
    names = {e.joint for e in asking if e.joint not in ankles or e.pinned or e.source is not None}
    return frozenset(map(rig.role_of, names))


def _is_own(character: Character, effector: Effector) -> bool:
    source = effector.source
    return effector.is_active and isinstance(source, Tie) and source.character == character.id
