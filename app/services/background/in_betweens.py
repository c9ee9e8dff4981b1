"""Solving in-betweens in the background, and folding them into the step that made them necessary.

Keys are edited and shown at once, with the joints' way between them. When nothing is being dragged or solved any more,
a job solves the frames between, with progress and cancel. Its result belongs to the document as it is, so undo brings
back in-betweens with the keys they were made from and solves nothing. It makes no step of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.model.actor import Actor
from app.document.model.document import Document
from app.document.model.history import Edit, History
from app.document.model.prop import Prop
from app.document.model.spans import Span
from app.services.background.jobs import Cancelled, JobCancelled, Jobs, Progress
from app.services.session import Session

if TYPE_CHECKING:
    from app.document.over_time.in_betweens import Stretch

MOST_BYTES = 256 << 20  # of solved poses in documents that undo or redo would bring: 300,000 frames
PAUSE_MS = 60  # after the last change: who moves several keys in a row need not wait for each
CALM_S = 0.25  # since the time was last moved, until solving goes on
LEFT = "Not solved: {:,} frames follow the joints alone. The button with two joined diamonds can solve them."
SOON = 128  # frames that are solved at once, calm or not: about half a second's work
LOOK_S = 0.02  # between two looks at whether it is calm


class SolvedSpans(NamedTuple):
    """What a job has solved: the spans of some actors, by their ids, and props with the ways of those carried."""

    spans: dict[str, tuple[Span, ...]]
    props: tuple[Prop, ...] = ()


class InBetweens(QObject):
    """Watches the document and has a job solve what is missing between keys.

    With `automatic` it begins by itself; else the caller calls `look`. A hand that moves the time has the machine to
    itself: solving rests while the timeline is `held`, and until the time is still; it goes on while the time runs by
    itself, as `playing` says, and where there is little to do: else who looks through a walk just made would see its
    feet glide for as long as they look.
    said(text): for the status bar, when the user has cancelled.
    """

    said = Signal(str)

    def __init__(self, session: Session, jobs: Jobs, automatic: bool = True, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.playing: Callable[[], bool] = lambda: False
        self.held: Callable[[], bool] = lambda: False
        self._time_s, self._moved_at = session.view.time_s, -CALM_S
        self._session, self._jobs = session, jobs
        self._asked: tuple[Actor, ...] = ()  # those the job under way solves, as they were
        self._left: tuple[Actor, ...] = ()  # those it was given up for
        self._everybody: tuple[Actor, ...] = ()  # as they were then
        self._props: tuple[Prop, ...] = ()  # likewise
        self._running = self._stopped = self._is_short = False
        self._seen: tuple[Actor, ...] = ()
        self._seen_moving: tuple[object, ...] = ()  # the clips and sizes of props
        self._timer = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._timer.timeout.connect(self.look)
        if automatic:
            session.changed.connect(self._changed)
            jobs.finished.connect(self._timer.start)

    @property
    def solving(self) -> bool:
        """Whether a job solves in-betweens."""
        return self._running

    def missing(self, character: str) -> int:
        """How many frames between a character's keys are still shown by the joints' way; 0 when all are solved."""
        document = self._session.history.document
        return _count(document.actor(character), document.actors, document.props)

    def again(self) -> None:
        """Have solved what was given up before."""
        self._left = ()
        self.look()

    def stop(self) -> None:
        """Begin nothing more: the window has closed."""
        self._stopped = True
        self._timer.stop()

    def look(self) -> None:
        """Begin to solve what is missing, unless a drag or a solve is under way; a job that is out of date ends."""
        session = self._session
        if self._running or self._stopped:
            return
        if session.in_step or session.solving:
            self._timer.start()
            return
        from app.document.over_time.followed import followed_first  # the start does without it

        actors, props = session.history.document.actors, session.history.document.props
        lacking = (actor for actor in followed_first(actors) if _lacks(actor, actors, props))
        todo = tuple(actor for actor in lacking if not any(actor is each for each in self._left))
        if todo:
            self._everybody, self._props = actors, props
            self._asked, self._running = todo, True
            names = " and ".join(actor.identity.name for actor in todo[:2]) if len(todo) < 3 else "several people"
            self._jobs.run(f"Solving between the keys of {names}", self._work, self._take_spans)
        elif any(prop.clip is not None for prop in props):
            from app.document.over_time.carried_ways import with_carried_ways  # the start does without it

            # who carried something may be gone, or follow the joints alone by now
            self._take_spans(SolvedSpans({}, with_carried_ways(props, actors)))

    def _work(self, progress: Progress, cancelled: Cancelled) -> SolvedSpans:
        from app.document.over_time.carried_ways import with_carried_ways  # only once somebody moves
        from app.document.over_time.in_betweens import solved_spans

        made: dict[str, tuple[Span, ...]] = {}
        actors, everybody = self._asked, {actor.id: actor for actor in self._everybody}
        props = with_carried_ways(self._props, self._everybody)
        try:
            self._is_short = sum(_count(actor, self._everybody, self._props) for actor in actors) <= SOON
            for number, actor in enumerate(actors):

                def told(share: float, text: str, number: int = number) -> None:
                    progress((number + share) / len(actors), text)
                    self._give_way(cancelled)
                    if self._is_outdated():
                        raise JobCancelled

                made[actor.id] = solved_spans(actor, told, tuple(everybody.values()), props)
                everybody[actor.id] = actor.with_spans(made[actor.id])
            if cancelled():
                self._give_up(actors)
        except BaseException:
            if not self._is_outdated():
                self._left = actors  # impossible, or cancelled: not tried again before something changes
                if cancelled():
                    self._give_up(actors)
            raise
        finally:
            self._running = False
        return SolvedSpans(made, props)

    def _give_up(self, actors: tuple[Actor, ...]) -> None:
        self._left = actors
        self.said.emit(LEFT.format(sum(_count(actor, self._everybody, self._props) for actor in actors)))

    def _give_way(self, cancelled: Cancelled) -> None:
        """Wait while a hand moves the time: with two threads after Python's lock, few frames would be drawn."""
        while not self._is_short and (self.held() or self._is_looking()):
            if cancelled() or self._is_outdated():
                return
            time.sleep(LOOK_S)

    def _is_looking(self) -> bool:
        """Whether a hand has moved the time just now."""
        return time.monotonic() - self._moved_at < CALM_S and not self.playing()

    def _is_outdated(self) -> bool:
        """Whether somebody the job solves, or a prop with a clip, has changed by now."""
        now = self._session.history.document
        if not all(any(actor is each for each in now.actors) for actor in self._asked):
            return True
        return not _all_same(_moving(now.props), _moving(self._props))

    def _take_spans(self, solved: SolvedSpans) -> None:
        history = self._session.history
        history.amend(history.revision, spans_edit(solved))
        limit_memory(history)

    def _changed(self) -> None:
        if self._session.view.time_s != self._time_s:
            self._time_s, self._moved_at = self._session.view.time_s, time.monotonic()
        document = self._session.history.document
        moving = _moving(document.props)
        if not _all_same(moving, self._seen_moving):
            self._seen_moving, self._left = moving, ()
            self._timer.start()
        if not _all_same(document.actors, self._seen):
            self._seen = document.actors
            self._timer.start()


def spans_edit(solved: SolvedSpans) -> Edit:
    """The edit that puts solved spans in, wherever they still fit."""

    def edit(document: Document) -> Document:
        for actor in document.actors:
            spans = solved.spans.get(actor.id)
            if spans is None:
                continue
            fitting = tuple(actor.with_spans(spans).spans())
            if (fitting or not spans) and fitting != actor.clip.solved:
                document = _with_actor(document, actor.with_spans(fitting))
        ways = {prop.id: prop.clip.ways for prop in solved.props if prop.clip is not None}
        props = tuple(prop.with_ways(ways[prop.id]) if prop.id in ways else prop for prop in document.props)
        return document if _all_same(props, document.props) else replace(document, props=props)

    return edit


def limit_memory(history: History, most: int = MOST_BYTES) -> None:
    """Have the history forget solved in-betweens that are many steps away, if all together take too much memory.

    Going back that far shows the joints' way for a moment, until they are solved again.
    """
    known: set[int] = set()
    total, heavy = 0, set()
    for document in history.documents():
        own = {id(span): span.bytes for span in _spans(document) if id(span) not in known}
        total += sum(own.values())
        known |= own.keys()
        if total > most:
            heavy.add(id(document))
    if heavy:
        history.slim_documents(lambda document: _without_spans(document) if id(document) in heavy else document)


def _spans(document: Document) -> Iterator[Span]:
    return (span for actor in document.actors for span in actor.clip.solved)


def _without_spans(document: Document) -> Document:
    for actor in document.actors:
        if actor.clip.solved:
            document = _with_actor(document, actor.with_spans(()))
    return document


def _with_actor(document: Document, actor: Actor) -> Document:
    return replace(document, actors=tuple(actor if each.id == actor.id else each for each in document.actors))


def _all_same(one: Sequence[object], other: Sequence[object]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _moving(props: Sequence[Prop]) -> tuple[object, ...]:
    """What in-betweens may depend on of props with a clip."""
    return tuple(part for prop in props if prop.clip is not None for part in (prop.clip, prop.size, prop.locked))


def _count(actor: Actor, actors: tuple[Actor, ...], props: tuple[Prop, ...]) -> int:
    return sum(stretch.last - stretch.first + 1 for stretch in _missing(actor, actors, props))


def _lacks(actor: Actor, actors: tuple[Actor, ...], props: tuple[Prop, ...]) -> bool:
    """Whether anything between keys is to be solved, or only a job can find out whether it is."""
    source = actor.clip.source
    if actor.clip.between.contacts and source is not None and not source.knows_contacts:
        return True
    return bool(_missing(actor, actors, props)) or _left_over(actor, actors, props)


def _left_over(actor: Actor, actors: tuple[Actor, ...], props: tuple[Prop, ...]) -> bool:
    if not actor.clip.solved:
        return False
    from app.document.over_time.in_betweens import left_over

    return left_over(actor, actors, props)


def _missing(actor: Actor, actors: tuple[Actor, ...], props: tuple[Prop, ...]) -> list[Stretch]:
    if actor.clip.source is None and len(actor.clip.keys) == 1 and all(prop.clip is None for prop in props):
        return []  # as at the start: what finds out more is loaded once somebody moves
    from app.document.over_time.in_betweens import missing

    return missing(actor, actors, props)
