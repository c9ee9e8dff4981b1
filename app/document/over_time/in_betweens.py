"""In-betweens solved: effectors go along curves, and every frame is solved with its own base pose.

A frame's base pose is the source motion's (or the way from key to key, if there is none), and its effectors are where
their curves have them. All else is as at the keys: the floor, the stance, what a body may not pass through. The solve
over the frames is in `solver.ik.multi_solve.between_keys`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor
from app.document.model.between import Frames, Gap, gap_at, gaps_of, knots_of, layered
from app.document.model.clip import SOLVED
from app.document.model.document import Document
from app.document.model.finger_curve import hands_at
from app.document.model.prop import Prop
from app.document.model.spans import Span, SpanInputs, span_inputs
from app.document.over_time.arcs import arcs_and_steps
from app.document.over_time.body.arms_in_step import with_arms_in_step, with_limbs_in_step
from app.document.over_time.body.riding import Ride, rides_of, stays_between, with_rides
from app.document.over_time.carried_ways import with_carried_ways
from app.document.over_time.followed import Beside, Following, beside, followed, followed_first, props_beside
from app.document.over_time.kicks import as_kept
from app.document.over_time.planted import PlantedFoot, held, planted_feet
from app.document.over_time.steps import Steps, stepping
from app.document.over_time.tracks import Track, tracks_of
from app.document.posing.solving import floor_of, preserve_masks
from solver.body.catalog import load_body
from solver.body.hands import Hands
from solver.ik.multi_solve.between_keys import BetweenKeys, InStep
from solver.ik.problem import IKProblem
from solver.kinematics.curves import curve_through
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, Poses
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.solvers.catalog import usable_solver
from solver.values import FloatArray, read_only

CHUNK = 128  # frames solved between two checks of whether to go on
Progress = Callable[[float, str], None]


class Stretch(NamedTuple):
    """Frames of one gap that are solved together. gap: the gap with its keys. first, last: frames."""

    gap: Gap
    first: int
    last: int


def stretches_of(actor: Actor, rides: Sequence[Ride] = ()) -> list[Stretch]:
    """The stretches of a clip to be solved between its keys, in order of time, and where it rides before and behind
    them; none where joints follow curves."""
    if actor.clip.between.by != SOLVED:
        return []
    gaps = gaps_of(actor.clip, actor.source)
    beyond = [Stretch(gap_at(actor.clip, ride.first), ride.first, ride.last) for ride in rides if None in ride.ends]
    return sorted((*_stretches(actor, gaps, planted_feet(actor, gaps)), *beyond), key=lambda stretch: stretch.first)


def missing(actor: Actor, actors: Sequence[Actor] | None = None, props: Sequence[Prop] = ()) -> list[Stretch]:
    """The stretches that are not solved yet, or whose solution no longer belongs.

    actors, props: everybody and everything its contacts may go along with, and what it may step onto; None where that
    does not count.
    """
    rides = rides_of(actor, actors or (), props)
    return _not_in(_kept(actor, actors, props, rides), stretches_of(actor, rides))


def _not_in(kept: Sequence[Span], stretches: Sequence[Stretch]) -> list[Stretch]:
    there = {(span.first, span.last) for span in kept}
    return [stretch for stretch in stretches if (stretch.first, stretch.last) not in there]


def left_over(actor: Actor, actors: Sequence[Actor], props: Sequence[Prop]) -> bool:
    """Whether frames before or behind all keys are shown as solved where nobody rides any more. See `missing`."""
    first, last = actor.clip.keys[0].frame, actor.clip.keys[-1].frame
    beyond = [span.first for span in actor.spans() if actor.clip.source is None and not first < span.first < last]
    return bool(beyond) and not {ride.first for ride in rides_of(actor, actors, props)}.issuperset(beyond)


def _kept(actor: Actor, actors: Sequence[Actor] | None, props: Sequence[Prop], rides: Sequence[Ride]) -> list[Span]:
    spans = actor.spans()
    if actors is None or not spans:
        return spans
    others = _beside(actor, followed(actor, actors), props, rides)
    return [span for span in spans if span.goes_along(others)]


def _beside(
    actor: Actor, others: Sequence[Actor], props: Sequence[Prop], rides: Sequence[Ride]
) -> tuple[tuple[SpanInputs, Beside], ...]:
    return *beside(actor, others), *props_beside(actor, props, frozenset(ride.prop.id for ride in rides))


def solved_spans(
    actor: Actor,
    progress: Progress = lambda share, text: None,
    actors: Sequence[Actor] | None = None,
    props: Sequence[Prop] = (),
) -> tuple[Span, ...]:
    """All in-betweens of the clip, solved; those solved already are taken as they are. actors, props: see `missing`.

    progress: told the share 0..1 of the frames that are done, every `CHUNK` of them; what it raises ends the work.
    """
    rides = rides_of(actor, actors or (), props)
    kept, stretches = _kept(actor, actors, props, rides), stretches_of(actor, rides)
    todo = _not_in(kept, stretches)
    others = followed(actor, actors or ())
    following, made_beside = Following(actor, others, props), _beside(actor, others, props, rides)
    feet, riding = planted_feet(actor, gaps_of(actor.clip, actor.source)), {ride.first: ride for ride in rides}
    count, done = sum(stretch.last - stretch.first + 1 for stretch in todo), 0
    spans, staged = [], actor
    if todo:
        staged = _with_stages(actor, [each for each in todo if each.first not in riding], following.seats)
        staged = with_rides(staged, rides, props)
    for stretch in todo:
        parts: list[Poses] = []
        for solve, a, b in _pieces(staged, stretch, feet, following, riding.get(stretch.first)):
            for first in range(a, b + 1, CHUNK):
                progress(done / count, f"Solving between keys, frame {first + 1:,}")
                last = min(first + CHUNK - 1, b)
                parts.append(solve(np.arange(first, last + 1)))
                done += last - first + 1
            if (stage := staged.clip.key(b + 1)) is not None and b < stretch.last:
                parts.append(Poses.of([stage.pose]))
                done += 1
        roots, rotations = (np.concatenate(list(arrays)) for arrays in zip(*parts, strict=True))
        read_only(roots, rotations)
        spans.append(Span(stretch.first, roots, rotations, span_inputs(actor, stretch.gap.keys), made_beside))
    wanted = {(stretch.first, stretch.last) for stretch in stretches}
    every = [*(span for span in kept if actors is None or (span.first, span.last) in wanted), *spans]
    return tuple(sorted(every, key=lambda span: span.first))


def completed(
    actor: Actor,
    actors: Sequence[Actor] | None = None,
    props: Sequence[Prop] = (),
    progress: Progress = lambda share, text: None,
) -> Actor:
    """The actor with all its in-betweens solved here and now; the same if none is missing. actors, props: see
    `missing`. progress: see `solved_spans`."""
    if not missing(actor, actors, props) and (actors is None or not left_over(actor, actors, props)):
        return actor
    return actor.with_spans(solved_spans(actor, progress, actors, props))


def with_frame_ridden(document: Document, id: str, frame: int) -> Document:
    """The document with a frame of somebody, by their id, solved, and that of those on whose lap they sit; the same
    unless they ride there and it is not solved yet."""
    actor = document.actor(id)
    rides = rides_of(actor, document.actors, document.props) if actor.clip.key(frame) is None else ()
    ride = next((each for each in rides if each.first <= frame <= each.last), None)
    if ride is None:
        return document
    for lap in {each.id: each for laps in ride.laps for each in laps}.values():
        document = with_frame_ridden(document, lap.id, round(frame / actor.clip.fps * lap.clip.fps))
    actors, props = document.actors, document.props
    kept = _kept(actor, actors, props, rides)
    todo = _not_in(kept, stretches_of(actor, rides))
    stretch = next((each for each in todo if each.first <= frame <= each.last), None)
    if stretch is None:
        return document
    others, feet = followed(actor, actors), planted_feet(actor, gaps_of(actor.clip))
    staged = with_rides(actor, rides, props)
    at = staged.clip.key(frame)
    if at is not None:
        found = Poses.of([at.pose])
    else:
        pieces = _pieces(staged, stretch, feet, Following(actor, others, props), ride)
        found = next(solve(np.array([frame])) for solve, first, last in pieces if first <= frame <= last)
    beside_it, inputs = _beside(actor, others, props, rides), span_inputs(actor, stretch.gap.keys)
    spans = (*kept, Span(frame, *found, inputs, beside_it))
    there = actor.with_spans(tuple(sorted(spans, key=lambda span: span.first)))
    return replace(document, actors=tuple(there if each is actor else each for each in actors))


def without_left_over(document: Document) -> Document:
    """The document in which nobody is shown as they rode before or behind all their keys, if they ride no more."""
    actors = tuple(
        replace(actor, clip=replace(actor.clip, solved=_between_keys(actor)))
        if actor.clip.solved and left_over(actor, document.actors, document.props)
        else actor
        for actor in document.actors
    )
    same = all(a is b for a, b in zip(actors, document.actors, strict=True))
    return document if same else replace(document, actors=actors)


def _between_keys(actor: Actor) -> tuple[Span, ...]:
    first, last = actor.clip.keys[0].frame, actor.clip.keys[-1].frame
    return tuple(span for span in actor.clip.solved if first < span.first < last)


def document_completed(document: Document, progress: Progress = lambda share, text: None) -> Document:
    """The document with all in-betweens solved, for files and the command line; the same where none is missing.

    progress: told the share 0..1 of the work, person by person; what it raises ends the work.
    """
    done, order = {actor.id: actor for actor in document.actors}, followed_first(document.actors)
    props = with_carried_ways(document.props, document.actors)
    for number, actor in enumerate(order):

        def told(share: float, text: str, number: int = number) -> None:
            progress((number + share) / len(order), text)

        done[actor.id] = completed(actor, tuple(done.values()), props, told)
    actors = tuple(done.values())
    same = all(a is b for a, b in zip((*actors, *props), (*document.actors, *document.props), strict=True))
    return document if same else replace(document, actors=actors, props=props)


def _stretches(actor: Actor, gaps: Sequence[Gap], feet: Sequence[PlantedFoot]) -> list[Stretch]:
    end = len(actor.clip) - 1
    about = [(max(foot.first - foot.before, 0), min(foot.last + foot.after, end)) for foot in feet]
    merged: list[tuple[int, int]] = []
    for first, last in sorted([*((gap.first, gap.last) for gap in gaps), *about]):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(merged[-1][1], last)
        else:
            merged.append((first, last))
    keyed = [key.frame for key in actor.clip.keys]
    result = []
    for first, last in merged:
        stops = [first - 1, *(frame for frame in keyed if first <= frame <= last), last + 1]
        result += [(a + 1, b - 1) for a, b in pairwise(stops) if b - a > 1]
    return [Stretch(gap_at(actor.clip, a, actor.source), a, b) for a, b in result]


def _with_stages(actor: Actor, todo: Sequence[Stretch], props: Sequence[Prop]) -> Actor:
    """The actor with the stages of getting up and lying down as keys, for a solve of those stretches; they are never
    shown as keys. props: what it may sit and lie on."""
    if actor.clip.source is not None:
        return actor
    from app.document.over_time.getting_up.seats import things_of  # not needed to show the window
    from app.document.over_time.getting_up.staged import with_stages
    from app.document.over_time.standing import lifted

    lift = lifted(actor)
    return with_stages(actor, lift, [stretch.first for stretch in todo], things_of(actor, props, lift))


def _pieces(
    staged: Actor, stretch: Stretch, feet: Sequence[PlantedFoot], following: Following, ride: Ride | None
) -> Iterator[tuple[Callable[[Frames], Poses], int, int]]:
    """What solves the parts of a stretch, and the first and last frame of each: all of it where there are no stages."""
    if ride is not None:
        yield from _pieces_of_ride(staged, ride, feet, following)
        return
    stages = [key.frame for key in staged.clip.keys if stretch.first <= key.frame <= stretch.last]
    if staged.clip.source is not None:
        yield _Gap(staged, stretch.gap, feet, following).solved, stretch.first, stretch.last
        return
    from app.document.over_time.getting_up.seats import things_of
    from app.document.over_time.getting_up.staged import Run, goes_on, ground_between, turns_over, without_bearers
    from app.document.over_time.standing import lifted

    own_lift = lifted(staged)
    ends, seats = (stretch.first - 1, stretch.last + 1), things_of(staged, following.seats, own_lift)
    lift, things = ground_between(staged, ends, own_lift, seats)
    if not stages:
        over = gap_at(staged.clip, stretch.first)
        if turns_over(staged, over, lift):
            yield Run(staged, *ends, lift).solved, stretch.first, stretch.last
        else:
            yield _Gap(staged, over, feet, following).solved, stretch.first, stretch.last
        return
    gaps = [gap_at(staged.clip, a + 1) for a in (stretch.first - 1, *stages)]
    for on, group in groupby(gaps, lambda gap: goes_on(staged, gap, lift)):
        own = list(group)
        a, b = own[0].first, own[-1].last
        if on:
            for gap in own:
                yield _Gap(staged, without_bearers(gap), feet, following).solved, gap.first, gap.last
        else:
            yield Run(staged, a - 1, b + 1, lift, things).solved, a, b


def _pieces_of_ride(
    staged: Actor, ride: Ride, feet: Sequence[PlantedFoot], following: Following
) -> Iterator[tuple[Callable[[Frames], Poses], int, int]]:
    """As `_pieces`, from each key of a ride to the next."""
    clip = staged.clip
    for a, b in pairwise((ride.first - 1, *ride.at, ride.last + 1)):
        first, last = a + 1, b - 1
        if first > last or stays_between(clip, first, last, ride):
            yield partial(_standing, clip.nearest(a).pose), first, last
        else:
            yield _Gap(staged, gap_at(clip, first), feet, following).solved, first, last


def _standing(pose: Pose, frames: Frames) -> Poses:
    return Poses.of([pose] * len(frames))


class _Gap:
    """The solve of one gap: the problems of its frames."""

    def __init__(self, actor: Actor, gap: Gap, feet: Sequence[PlantedFoot], following: Following) -> None:
        from app.document.over_time.standing import asked_at_keys, lifted, ties_of  # not needed to show the window

        self._actor, self._gap, self._feet, self._following = actor, gap, feet, following
        self._body, self._lift = load_body(actor.build.body), lifted(actor)
        self._skeleton = self._body.skeleton(actor.build.shape)
        self._knots = knots_of(actor.clip, gap, actor.source)
        self._times = np.array([knot.frame for knot in self._knots])
        self._arcs, self._steps = arcs_and_steps(actor, self._skeleton, self._knots, following.ground)
        self._things = following.ground.things_of_clip(self._lift) if following.ground else ()
        self._like = asked_at_keys(actor, gap, self._steps.inside(gap))
        solver = usable_solver(actor.posing.solver, self._problems(self._times)[0]).solver
        posed = [None if knot.key is None else self._lift.pose(knot.key.pose) for knot in self._knots]
        self._between = BetweenKeys(
            solver, self._problems, self._times, posed, actor.clip.fps, actor.posing.solver_options,
            recorded=actor.clip.source is not None, ties=ties_of(actor, self._hands(self._times)[0]),
            in_step=_in_step(self._steps, gap),
        )  # fmt: skip

    def solved(self, frames: Frames) -> Poses:
        """The solved poses of frames in a row."""
        roots, rotations = self._between.solved(frames)
        return Poses(roots - np.asarray(self._lift.shift, np.float32), rotations)

    def _base(self, frames: Frames) -> list[Pose]:
        """The base poses of frames; beyond the clip's ends those of the ends, as a curve may begin before the clip."""
        clip = self._actor.clip
        inside = np.clip(frames, 0, len(clip) - 1)
        return (self._actor.source(inside) if clip.source else layered(clip, self._gap, inside)).each()

    def _problems(self, frames: Frames) -> list[IKProblem]:
        from app.document.over_time.standing import on_things

        skeleton, build, lift, base = self._skeleton, self._actor.build, self._lift, self._base(frames)
        hands, options = self._hands(frames), self._actor.posing.solver_options
        beneath = [forward_kinematics(skeleton, pose) for pose in base]
        base = self._steps.with_body_aside(rig_of(skeleton), base, frames)
        tracks = self._tracks(frames)
        masks = _masks(skeleton, self._gap, frames)
        problems = []
        for place, (pose, world, kept) in enumerate(zip(base, beneath, masks, strict=True)):
            held_by = (track.on(self._body, build.shape, hands[place]) for track in tracks)
            frame = int(frames[place])
            effectors = tuple(self._following.aimed(track.at(place, skeleton, world), frame) for track in held_by)
            asked = held(effectors, self._feet, frame, skeleton, world)
            asked = tuple(map(lift.effector, self._steps.rolling(skeleton, asked, frame, pose)))
            floor = floor_of(build.body, build.shape, hands[place], options)
            problem = replace(self._like, effectors=asked, base_pose=lift.pose(pose), floor=floor)
            problem = on_things(problem, self._things)
            if (left := self._steps.standing(frame)) is not None:
                problem = stepping(problem, left)
            problems.append(replace(problem, preserve_position=kept[0], preserve_orientation=kept[1]))
        return problems

    def _hands(self, frames: Frames) -> list[Hands | None]:
        clip = self._actor.clip
        return [hands_at(clip, frame) for frame in np.clip(frames, 0, len(clip) - 1).tolist()]

    def _tracks(self, frames: Frames) -> list[Track]:
        worlds: dict[int, WorldJoints] = {}
        if self._actor.clip.source is not None:
            joints = (forward_kinematics(self._skeleton, pose) for pose in self._base(self._times))
            worlds = dict(zip(self._times.tolist(), joints, strict=True))
        return tracks_of(self._skeleton, self._gap, self._knots, worlds, frames, self._arcs, self._steps)


def _in_step(steps: Steps, gap: Gap) -> InStep | None:
    """What people who kick, turn about as they walk, or step in a gap make of proposals; None of others."""
    about = any(way.first <= gap.first and gap.last <= way.last and way.turned is not None for way in steps.ways)
    in_step = with_limbs_in_step if about else with_arms_in_step if steps.inside(gap) else None
    return as_kept if steps.kicking(gap) else in_step


def _masks(skeleton: Skeleton, gap: Gap, frames: NDArray[np.int64]) -> list[tuple[FloatArray, FloatArray]]:
    """For each frame, how firmly joints keep place and shape: from what one key says to what the other says."""
    near = [key for key in gap.keys[1:3] if key is not None]
    ends = np.stack([preserve_masks(skeleton, key.preserve, key.effectors) for key in near])
    shares = curve_through([key.frame for key in near], ends, frames)
    return [(place, shape) for place, shape in shares.astype(np.float32)]
