"""Contacts between whole people who are moved and everything that stays: they hold on, or they are let go of. What the
people carry goes along with them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from app.document.edits.contacts import released
from app.document.edits.people import carry_person, place_together
from app.document.edits.prop_keys import carried_at_frame
from app.document.edits.props import carry_prop
from app.document.model.actor import Actor
from app.document.model.combine import chain, on_character
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.holds.carried import is_carried, people_carried
from app.document.posing.placing import carried_pose
from app.document.posing.rest.borne import ON_M, TOP, borne_by, sits_on_lap, ways_of_keys, with_feet_down
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kind import ARM_M
from solver.effectors.sources import FloorSource, PropSource, Tie, is_on_prop
from solver.ik.multi_solve.drag_return import blend_share
from solver.ik.stance.seated import seat_of
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import geodesic_angle

ALONG_FLOOR, UP = np.array([1.0, 0.0, 1.0], np.float32), np.array([0.0, 1.0, 0.0], np.float32)
LEVEL = 1e-9  # metres
Ids = frozenset[tuple[str, str]]  # of a character and of an effector
Borne = Mapping[str, tuple[Prop, Mapping[int, RigidMotion]]]  # by person: what brings them along, and how at frames


@dataclass(frozen=True)
class Carried:
    """A prop or a person, as they were, whom a person carries; by: that person's id."""

    what: Prop | Character
    by: str


@dataclass(frozen=True)
class WorldContacts:
    """Contacts at the frames looked at, by character and effector. apart: with what would be left behind, props and
    people who stay, and theirs with those who move. floor: with the floor, over which people can be moved. carried:
    what goes along with those who move; their contacts with that are not among the others, those of people who stay
    are apart.
    """

    apart: Ids = frozenset()
    floor: Ids = frozenset()
    carried: tuple[Carried, ...] = ()

    def lost(self, level: bool) -> Ids:
        """Those that come apart. level: whether people are moved over the floor and neither rise nor tip."""
        return self.apart if level else self.apart | self.floor

    def __len__(self) -> int:
        return len(self.apart) + len(self.floor)

    def __bool__(self) -> bool:
        return len(self) > 0 or bool(self.carried)


def world_contacts(
    document: Document, moving: Sequence[str], carry: bool = True, props: Sequence[Prop] = ()
) -> WorldContacts:
    """The contacts between people who move, by their ids, and what does not move with them.

    carry: whether what they carry moves with them. props: what does in any case, going where the first of them goes.
    """
    carried = tuple(Carried(prop, moving[0]) for prop in props)
    if carry:
        people = people_carried(document, moving)
        bearers = {person.id: by for person, by in people}
        things = carried_by(document, [*moving, *bearers])
        taken = {prop.id for prop in props}
        carried += tuple(Carried(person, by) for person, by in people)
        carried += tuple(Carried(prop, bearers.get(by, by)) for prop, by in things if prop.id not in taken)
    carried += _riders(document, moving, carried)
    along = {each.what.id for each in carried}
    going = {*moving, *along}
    held = [(c.id, e) for c in document.characters for e in c.effectors if isinstance(e, Contact) and e.is_active]
    apart = {(id, e.id) for id, e in held if _comes_apart(id, e, going)}
    floor = {(id, e.id) for id, e in held if id in going and isinstance(e.source, FloorSource)}
    return WorldContacts(frozenset(apart), frozenset(floor), carried)


def _riders(document: Document, moving: Sequence[str], carried: Sequence[Carried]) -> tuple[Carried, ...]:
    """Who sits, lies or stands on a prop that goes along, and neither moves nor goes along yet, with who sits on their
    laps and what they carry; never what is locked."""
    going, props = {*moving, *(each.what.id for each in carried)}, [e for e in carried if isinstance(e.what, Prop)]
    left = [person for person in document.characters if person.id not in going and not person.locked]
    on = ((person, next((e.by for e in props if borne_by(person, document.prop(e.what.id))), "")) for person in left)
    riders = {person.id: Carried(person, by) for person, by in on if by}
    found = [*riders.values()]
    for rider in found:  # which grows by who sits on their laps
        more = [p for p in left if p.id not in riders and sits_on_lap(p, rider.what.id)]
        riders |= {person.id: Carried(person, rider.by) for person in more}
        found += [riders[person.id] for person in more]
    things = [(thing, by) for thing, by in carried_by(document, [*riders]) if thing.id not in going]
    return (*riders.values(), *(Carried(thing, riders[by].by) for thing, by in things))


def carried_by(document: Document, moving: Sequence[str]) -> tuple[tuple[Prop, str], ...]:
    """The props that people carry, by their ids, each with the id of who does: those that a hand is around, and those
    off the floor that somebody has between both palms; never locked ones."""
    carried: dict[str, tuple[Prop, str]] = {}
    for person in (document.character(id) for id in moving):
        contacts = [e for e in person.effectors if isinstance(e, Contact) and e.is_active]
        for prop in (prop for prop in document.props if not prop.locked and prop.id not in carried):
            held = [e for e in contacts if is_on_prop(e.source, prop.id)]
            if is_carried(prop, held):
                carried[prop.id] = (prop, person.id)
    return tuple(carried.values())


def holding_on(starts: Sequence[Character], contacts: WorldContacts, placed: Edit) -> Edit:
    """`placed`, an edit that moves whole people from how they were at the start, but with contacts kept in the world.

    Each pose is what solves on the way have made of it, carried along; it is to be solved from there. On the last
    decimetre of the way back it comes nearer to the pose at the start, and there it is that pose again.
    """

    def edit(document: Document) -> Document:
        after = placed(document)
        for start in starts:
            now, there = document.character(start.id), after.character(start.id)
            held = {e.id: e for e in now.effectors}
            effectors = tuple(
                held[e.id] if (start.id, e.id) in contacts.apart else _on_floor(e) if (start.id, e.id) in contacts.floor
                else e
                for e in there.effectors
            )  # fmt: skip
            way = _way(now.base_pose, there.base_pose)  # no solve changes a base pose
            carried = carried_pose(now.pose, way)
            before, to_go = (_length(_way(start.base_pose, one.base_pose), start) for one in (now, there))
            share = blend_share(before, to_go)
            pose = pose_between(carried, there.pose, share) if share > 0.0 else carried
            after = after.with_character(replace(there, pose=pose, effectors=effectors))
        return after

    return carrying(starts, contacts, edit)


def carrying(starts: Sequence[Character], contacts: WorldContacts, placed: Edit) -> Edit:
    """`placed`, an edit that moves whole people from how they were at the start, with what they carry."""
    if not contacts.carried:
        return placed
    bearers = {start.id: start for start in starts}

    def edit(document: Document) -> Document:
        after = placed(document)
        for each in contacts.carried:
            before, now = bearers[each.by], after.character(each.by)
            way = _way(before.base_pose, now.base_pose)
            # At all frames if who carries them went so.
            whole = len(now.clip) == 1 or now.clip.placement != before.clip.placement
            after = _carry(each, way, whole)(after)
        return after

    return edit


def _carry(each: Carried, way: RigidMotion, whole: bool) -> Edit:
    if not isinstance(each.what, Prop):
        return carry_person(each.what, way, whole)
    carry = carry_prop(each.what, way, whole)
    return carry if whole else carried_at_frame(each.what, each.by, carry)


def letting_go(starts: Sequence[Character], lost: Ids) -> tuple[tuple[Character, ...], Edit]:
    """The people who move without those contacts, and the edit that has others let go of them.

    Each becomes a position effector where its joint is.
    """
    ids = {start.id for start in starts}
    free = tuple(released(start, [effector for id, effector in sorted(lost) if id == start.id]) for start in starts)
    others = [on_character(id, _without(effector)) for id, effector in sorted(lost) if id not in ids]
    return free, chain(*others)


def with_contacts(
    people: Sequence[Character],
    contacts: WorldContacts,
    hold: bool,
    level: bool,
    placed: Callable[[Sequence[Character]], Edit],
) -> Edit:
    """`placed(people)`, an edit that moves whole people from how they were at the start, with what they carry; their
    contacts hold on, or those that come apart are let go of; a seat that is still on its prop slides along it. level:
    as for `WorldContacts.lost`."""
    if hold:
        return holding_on(people, contacts, placed(people))
    lost = contacts.lost(level)
    seats = lost & _seats_on_props(people) if level else frozenset()
    free, others = letting_go(people, lost - seats)
    return chain(carrying(people, contacts, placed(free)), others, *(_slid(id, seat) for id, seat in sorted(seats)))


def with_borne(moved: Edit, besides: str = "", keys_alone: bool = False) -> Edit:
    """`moved`, an edit of where props are, with the people who sit, lie or stand on these by contacts: they come along
    with all that is asked of them, and with whom and what they carry; feet on the floor come along over it, and leave
    it only as the legs get too short. Contacts with what stays hold on. Locked people, and motions that are not keyed
    there throughout, stay; and so does that person, by their id, who carries the props. keys_alone: whether nobody gets
    a key at the frame looked at, as props are moved at other times."""

    def edit(document: Document) -> Document:
        after, old = moved(document), {prop.id: prop for prop in document.props}
        changed = {prop.id: (old[prop.id], prop) for prop in after.props if old.get(prop.id, prop) is not prop}
        borne = _ways_along(document, changed, besides, keys_alone)
        for id, (prop, ways) in borne.items():
            after = _borne(document, after, document.character(id), prop, ways, along={*changed, *borne})
        return after

    return edit


def _ways_along(document: Document, changed: Mapping[str, tuple[Prop, Prop]], besides: str, keys_alone: bool) -> Borne:
    """Whom props bear that are changed from one state to another, who sits on the laps of these, and so on; but for who
    is borne besides, by their id."""
    free = [
        (actor, None if keys_alone else person.frame)
        for actor, person in zip(document.actors, document.characters, strict=True)
        if not person.locked and person.id != besides
    ]
    found = dict[str, tuple[Prop, Mapping[int, RigidMotion]]]()
    bearers: list[tuple[tuple[Actor, ...], tuple[Prop, Prop]]] = [((), both) for both in changed.values()]
    for laps, both in bearers:  # which grows by whom they bear
        for actor, frame in free:
            if actor.id not in found and (ways := ways_of_keys(actor, frame, *both, laps)):
                found[actor.id] = both[1], ways
                bearers.append(((actor, *laps), both))
    return found


def _borne(
    document: Document, after: Document, person: Character, prop: Prop, ways: Mapping[int, RigidMotion],
    along: Collection[str],
) -> Document:  # fmt: skip
    """`after` with a person brought along by a prop, and with what and whom they carry. along: ids of whatever and
    whoever goes along in any case."""
    whole, first = prop.clip is None and len(ways) == len(person.clip.keys), next(iter(ways.values()))
    others = [each for each in after.props if each.visible and each.id not in along]
    recorded = person.clip.source is not None
    if recorded or (whole and all(_is_level(way, first) for way in ways.values())):
        after = carry_person(person, first, whole=True)(after)
    else:
        frames = after.frames
        for frame, way in ways.items():
            after = _raised(person.id, way, others)(after.at_frame(person.id, frame)).at(frames)
    here = first if recorded else ways.get(person.frame, first if whole else None)
    if here is None:
        return after
    for each in world_contacts(document, [person.id]).carried:
        if each.what.id not in along:
            after = _carry(each, here, whole)(after)
    return after


def _is_level(way: RigidMotion, first: RigidMotion) -> bool:
    """Whether a way leads over the floor, as the first one does."""
    return abs(float(way.shift[1])) < LEVEL and all(map(np.allclose, way, first))


def _raised(id: str, way: RigidMotion, others: Sequence[Prop]) -> Edit:
    """Somebody carried along at the frame looked at, with feet as `with_feet_down` has them."""

    def edit(document: Document) -> Document:
        person = document.character(id)
        there = carry_person(person, way, whole=False)(document)
        down = with_feet_down(person, there.character(id), float(way.shift[1]), others)
        return there.with_character(down)

    return edit


def moved_on(
    people: Sequence[Character], contacts: WorldContacts, shift: ArrayLike, hold: bool, angle: float = 0.0
) -> Edit:
    """Move whole people by (3,) metres from where they are, turned by radians about the vertical through their middle,
    and have their contacts hold on or let go of them."""
    level = abs(float(np.asarray(shift)[1])) < LEVEL
    return with_contacts(people, contacts, hold, level, lambda starts: place_together(starts, shift, angle))


def _seats_on_props(people: Sequence[Character]) -> Ids:
    seats = ((person.id, seat_of(skeleton_of(person), person.effectors)) for person in people)
    return frozenset((id, seat.id) for id, seat in seats if seat is not None and isinstance(seat.source, PropSource))


def _slid(id: str, contact: str) -> Edit:
    """Somebody's seat at the place of its prop's top where it has been moved to; let go of where that is beside it."""

    def change(document: Document) -> Document:
        person = document.character(id)
        seat = person.effector(contact)
        assert isinstance(seat, Contact)
        assert isinstance(seat.source, PropSource)
        source, place, facing = nearest_on(document.prop(seat.source.prop), seat.target)
        if np.linalg.norm(place - seat.target) > ON_M or facing[1] < TOP:
            return document.with_character(released(person, [contact]))
        there = replace(seat.onto(place, facing), source=source)
        effectors = tuple(there if e.id == contact else e for e in person.effectors)
        return document.with_character(replace(person, effectors=effectors))

    return change


def _comes_apart(id: str, effector: Effector, going: Set[str]) -> bool:
    source = effector.source
    if isinstance(source, Tie):
        return (id in going) != (source.character in going)
    return isinstance(source, PropSource) and (id in going) != (source.prop in going)


def _on_floor(effector: Effector) -> Effector:
    assert isinstance(effector, Contact)
    return effector.onto(effector.target * ALONG_FLOOR, UP)


def _without(effector: str) -> Callable[[Character], Character]:
    def change(character: Character) -> Character:
        held = any(e.id == effector and isinstance(e, Contact) for e in character.effectors)
        return released(character, [effector]) if held else character

    return change


def _length(way: RigidMotion, start: Character) -> float:
    """Metres that somebody is moved by, and turned by, as an arm carries it."""
    root = start.base_pose.root_position.astype(np.float64)
    turned = float(geodesic_angle(np.eye(3), np.asarray(way.turn)))
    return float(np.linalg.norm(way.points(root) - root)) + ARM_M * turned


def _way(start: Pose, end: Pose) -> RigidMotion:
    return RigidMotion.between(start.rotations[0], start.root_position, end.rotations[0], end.root_position)
