"""What a timeline shows of a document: frames of keys on the clock that all share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.document.model.actor import Actor
from app.document.model.between import gaps_of
from app.document.model.clip import JOINTS, Clip
from app.document.model.document import Document
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropClip
from app.services.clock import Clock, moving
from solver.rig.contacts import FootContact
from solver.rig.roles import LEGS

Stretch = tuple[float, float]  # the first and the last frame
FEET = tuple(leg.tip for leg in LEGS)  # the left one first
NEAR_M = 0.01  # metres that a foot may be off its place without a word
AT_ONCE = 30_000  # frames of a motion whose contacts are found without a noticeable delay


@dataclass(frozen=True)
class Marks:
    """What is to be seen, in frames of the clock.

    name, color: of the active person, or of the selected prop, whose marks they then are. keys: in order: the frame in
    the clip, and on the clock. others: where others have keys. extent: the first and the last frame of the clip. moves:
    whether that clip has a source motion. rate: frames of that clip per frame of the clock. reach: the stretches where
    keys show besides their own frames. solved: the stretches between them that have been solved, all of them where
    nothing is to be solved, or of a prop those in which it goes from key to key. contacts: of planted feet: which
    (0 left, 1 right), first, last. held: whether they stay planted in what is solved. free: the numbers of those that
    are let go all the same. missed: how far off held feet are in what is shown, in metres, by their numbers; those of
    `NEAR_M` or more. lifted: likewise how far a key raises them. by_joints: whether nothing is solved between keys, so
    that nothing holds them. prop: whether they are a prop's. room_beside, room_for_feet: whether there would be others
    or contacts if something else in the scene was selected, so that no selection changes the timeline's height.
    """

    name: str = ""
    color: str = ""
    keys: tuple[tuple[int, float], ...] = ()
    others: tuple[float, ...] = ()
    extent: tuple[float, float] = (0.0, 0.0)
    moves: bool = False
    rate: float = 1.0
    reach: tuple[Stretch, ...] = ()
    solved: tuple[Stretch, ...] = ()
    contacts: tuple[tuple[int, float, float], ...] = ()
    held: bool = False
    free: frozenset[int] = frozenset()
    missed: Mapping[int, float] = field(default_factory=dict)
    lifted: Mapping[int, float] = field(default_factory=dict)
    by_joints: bool = False
    prop: bool = False
    room_beside: bool = False
    room_for_feet: bool = False

    def holds(self, number: int) -> bool:
        """Whether one of the contacts stays planted."""
        return self.held and number not in self.free


def marks_of(document: Document, active: str, clock: Clock, prop: Prop | None = None, in_step: bool = False) -> Marks:
    """The marks of a document, for the timeline of the active person, or of a selected prop. in_step: whether a drag
    goes on, in which nobody measures how far feet are off."""
    beside, feet = len(document.actors) + len(document.props) > 1, _any_contacts(document)
    marks = replace(_marks_of(document, active, clock, prop), room_beside=beside, room_for_feet=feet)
    if in_step or not marks.held:
        return marks
    from app.document.over_time.planted import lifted_by, missed_by  # only where feet are held

    actor = document.actor(active)
    return replace(marks, missed=_far(actor, missed_by(actor)), lifted=_far(actor, lifted_by(actor)))


def _marks_of(document: Document, active: str, clock: Clock, prop: Prop | None) -> Marks:
    mine = next((actor for actor in document.actors if actor.id == active), None) if prop is None else None
    others = {place for actor in moving(document) if actor is not mine for place in _on(actor.clip, clock)}
    beside = (each.clip for each in document.props if each.clip is not None and (prop is None or each.id != prop.id))
    others |= {place for clip in beside for place in _on(clip, clock)}
    if prop is not None:
        return _marks_of_prop(prop, tuple(sorted(others)), clock)
    if mine is None:
        return Marks(others=tuple(sorted(others)))
    if len(mine.clip) == 1 and mine.clip.source is None:  # a pose, but no key
        return Marks(mine.identity.name, mine.identity.color, others=tuple(sorted(others)))
    frames = (key.frame for key in mine.clip.keys)
    scale, moves = clock.fps / mine.clip.fps, mine.clip.source is not None
    contacts, between = _contacts(mine), mine.clip.between
    gaps = gaps_of(mine.clip, mine.source if moves else None)
    return Marks(
        mine.identity.name,
        mine.identity.color,
        tuple(zip(frames, _on(mine.clip, clock), strict=True)),
        tuple(sorted(others)),
        (0.0, (len(mine.clip) - 1) * scale),
        moves,
        mine.clip.fps / clock.fps,
        tuple((gap.first * scale, gap.last * scale) for gap in gaps),
        tuple((each.first * scale, each.last * scale) for each in (gaps if between.by == JOINTS else mine.spans())),
        tuple((FEET.index(each.foot), each.first * scale, each.last * scale) for each in contacts),
        between.contacts,
        frozenset(number for number, each in enumerate(contacts) if between.contacts and not between.holds(each)),
        by_joints=between.by == JOINTS,
    )


def _far(actor: Actor, far: Mapping[FootContact, float]) -> dict[int, float]:
    return {number: far[each] for number, each in enumerate(_contacts(actor)) if far.get(each, 0.0) >= NEAR_M}


def _marks_of_prop(prop: Prop, others: tuple[float, ...], clock: Clock) -> Marks:
    clip = prop.clip
    if clip is None:
        return Marks(prop.name, prop.color, others=others, prop=True)
    scale = clock.fps / clip.fps
    first, last = clip.keys[0].frame * scale, clip.keys[-1].frame * scale
    return Marks(
        prop.name,
        prop.color,
        tuple((key.frame, place) for key, place in zip(clip.keys, _on(clip, clock), strict=True)),
        others,
        (0.0, (len(clip) - 1) * scale),
        rate=clip.fps / clock.fps,
        solved=((first + 1.0, last - 1.0),) if last > first else (),
        prop=True,
    )


def _on(clip: Clip | PropClip, clock: Clock) -> tuple[float, ...]:
    return tuple(key.frame * clock.fps / clip.fps for key in clip.keys)


def _contacts(actor: Actor) -> tuple[FootContact, ...]:
    source = actor.clip.source
    if source is None or not (source.knows_contacts or len(source.motion) <= AT_ONCE):
        return ()
    return source.contacts(actor.build.body)


def _any_contacts(document: Document) -> bool:
    """Whether anybody has contacts to show; of motions that together are long, whether somebody may have."""
    sources = [actor.clip.source for actor in document.actors if actor.clip.source is not None]
    if sum(len(source.motion) for source in sources) > AT_ONCE:
        return True
    return any(_contacts(actor) for actor in document.actors)
