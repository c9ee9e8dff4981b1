"""Tracker mode: somebody follows trackers, outside the history, until a take of theirs becomes a clip in one step."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.services.background.jobs import Cancelled, JobCancelled, Jobs, Progress
from app.services.live_channel import LiveChannel
from app.services.session import Session
from app.services.soon import soon
from app.services.streams import Sample
from app.tracking.guessed_joints import guessed, refuse_headless
from app.tracking.heard_trackers import HeardTrackers
from app.tracking.latency import Latency
from app.tracking.shown_pose import ShownPose
from app.tracking.source import Source
from app.tracking.tracker_take import TrackerTake, Wearing, motion_of_take, solved_take
from solver.errors import PoserError
from solver.kinematics.pose import Motion
from solver.trackers.assignment import assign_joints
from solver.trackers.attachment import UNCALIBRATED, Attachment, Attachments, Calibration, one_tracker_per_joint
from solver.trackers.calibration import calibrate
from solver.trackers.sample import Reading, TrackerSample

JUST_S = 1e-6  # by which times are rounded
LISTEN_MS = 50  # how often to listen while nobody follows
NOBODY = "Nobody is there to follow the trackers. Add a person first."
GONE = "Whoever was recorded has left the scene. Undo that to keep the take, or discard it."
UNWORN = "No tracker was on a joint in this take, so nobody would move. Put one on a joint, then press Keep."
SILENT = "No tracker is heard. Start the program that sends them, or choose a file."
ENDED = "Recording ended: its trackers were replaced or closed. The take of {:.1f} s waits: Keep makes it a motion."


class Tracking(QObject):
    """One source at a time, and one follower. Every sample is taken in, in order; the newest is solved and shown.

    changed: trackers were heard for the first time or are worn differently, following or recording began or ended, or a
    take holds something.
    refused(text): something could not be done. kept((3,) metres): a take is a motion now; where its person's root was
    before. With `automatic`, timers do the work; else the caller calls `listen` and `live.tick`. clock: seconds, the
    one that the source's samples go by.
    """

    changed = Signal()
    refused = Signal(str)
    kept = Signal(object)

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        clock: Callable[[], float] = time.monotonic,
        automatic: bool = True,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._clock, self._automatic = session, jobs, clock, automatic
        self.live = LiveChannel(session, clock, automatic, self)
        self.live.stopped.connect(self._stopped)
        session.opened.connect(self._drop_all)  # the person recorded is not in another scene
        self.latency = Latency()
        self.source: Source | None = None
        self.attachments: dict[str, Attachment] = {}
        self.calibration: Calibration = UNCALIBRATED
        self.take: TrackerTake | None = None
        self.recording, self._ends_s = False, inf  # of a file that is recorded: when it begins anew
        self._solving: list[TrackerTake] = []  # one may be recorded and kept while another is solved
        self._behind: list[TrackerTake] = []  # kept before the present one was recorded, and no motion yet
        self._recorded_from: Source | None = None
        self.follows = ""  # the follower's id
        self._by_hand: set[str] = set()
        self._heard = HeardTrackers()
        self.shown = ShownPose()
        self._timer = QTimer(self, interval=LISTEN_MS)
        self._timer.timeout.connect(self.listen)

    # Where samples come from, and which trackers are heard

    def open(self, source: Source, attachments: Attachments | None = None) -> None:
        """Listen to a source in place of any other. attachments: of trackers by name, as far as known."""
        self.close()
        self.source = source
        self.attachments, self._by_hand = dict(attachments or {}), set(attachments or {})
        if (take := self._unworn) is not None:  # its trackers may be heard again, and are worn as these
            self._recorded_from = source
            take.put_on(self.attachments)
        self.calibration = UNCALIBRATED
        self._heard = HeardTrackers()
        if self._automatic:
            self._timer.start()
        self.listen()
        self.changed.emit()

    def close(self) -> None:
        """Stop listening. A take that is being recorded ends and waits to be kept."""
        recorded = self.take if self.recording else None
        self.live.stop()
        self._timer.stop()
        source, self.source = self.source, None
        if source is not None:
            source.stop()
            self.changed.emit()
        if recorded:
            self.refused.emit(ENDED.format(recorded.length_s))

    def forget(self) -> None:
        """Stop listening, and know of no trackers but those of a take that waits for one to be put on a joint."""
        self.close()
        take, self.attachments = self._unworn, {}
        if take is not None:
            self._recorded_from, self.attachments = None, dict(take.parts[-1].attachments)
        self.changed.emit()

    @property
    def _unworn(self) -> TrackerTake | None:
        """A take that waits, in which no tracker was on a joint."""
        return self.take if self.take and not self.recording and not self.take.moves else None

    def listen(self) -> None:
        """Take in what has come, while nobody follows."""
        if not self.live.running and self.source is not None:
            self._heard.listened_s = self._clock()
            self._take_in(self.source.due(self._heard.listened_s))

    def is_heard(self, name: str) -> bool:
        """Whether a tracker had spoken shortly before the last listening."""
        return self._heard.is_heard(name)

    @property
    def on_no_joint_yet(self) -> tuple[str, ...]:
        """Which trackers are heard and on no joint, except those that were taken off by hand."""
        return tuple(name for name, each in self.attachments.items()
                     if not each.joint and name not in self._by_hand and self.is_heard(name))  # fmt: skip

    def newcomers(self) -> int:
        """How many trackers that are heard but on no joint came since one that is on a joint fell silent.

        They may be the same ones under other names, as when their sender was restarted.
        """
        worn = {name for name, each in self.attachments.items() if each.joint}
        return self._heard.newcomers(worn, self.attachments.keys() - worn)

    def now_heard(self) -> TrackerSample:
        """The last readings of all trackers that were heard a moment ago."""
        return self._heard.now(self._clock())

    # Who wears what

    def put_on(self, name: str, **changes: object) -> None:
        """Put a tracker on another joint, or use other parts of what it says: fields of `Attachment`.

        A tracker that is on that joint already and says the same about it changes places with it.
        """
        was = self.attachments[name]
        worn = replace(was, **changes)  # type: ignore[arg-type]
        changed = {name: worn}
        for other, each in self.attachments.items():
            both = (each.position and worn.position) or (each.rotation and worn.rotation)
            if other != name and worn.joint not in ("", was.joint) and each.joint == worn.joint and both:
                changed[other] = replace(each, joint=was.joint)
        self._by_hand.update(changed)
        take = self.take
        if take is not None and self._recorded_from is self.source:  # a waiting take may be corrected, too
            take.put_on(changed)
        self._attach({**self.attachments, **changed})

    def calibrate(self) -> bool:
        """Take the wearer to be standing upright now: find which joint wears what, unless set by hand, and how."""
        character, sample = self._session.active, self.now_heard()
        try:
            if character is None:
                raise PoserError(NOBODY)
            if not sample.readings:
                raise PoserError(SILENT)
            skeleton = skeleton_of(character)
            measured = self.calibration.mounts
            renamed = bool(measured) and not any(name in sample.readings for name in measured)
            if not renamed:
                refuse_headless(self.attachments, sample, skeleton)
            by_hand = self._by_hand & set(sample.readings) if renamed else self._by_hand
            attachments = one_tracker_per_joint(
                {**self.attachments, **guessed(self.attachments, sample, skeleton, by_hand)}, sample.readings, by_hand
            )
            self.calibration = calibrate(sample, attachments, skeleton)
        except PoserError as error:
            self.refused.emit(str(error))
            return False
        if renamed:  # as when their sender was restarted: the old names will not be heard any more
            self._by_hand = by_hand
            self._heard.forget_all_but(sample.readings)
            attachments = {name: each for name, each in attachments.items() if name in sample.readings}
        if (take := self._unworn) is not None and self._recorded_from is self.source:
            take.follow(attachments, self.calibration)
        self._attach(attachments)
        return True

    def _attach(self, attachments: Attachments) -> None:
        self.attachments = dict(attachments)
        self.changed.emit()

    # Following and recording

    @property
    def following(self) -> bool:
        """Whether somebody follows."""
        return self.live.running

    def follow(self) -> bool:
        """Let the active person follow; False where that cannot be."""
        character = self._session.active
        reason = NOBODY if character is None else "" if self.source is not None else SILENT
        if character is None or reason:
            self.refused.emit(reason)
            return False
        self.shown.clear()
        self.follows = character.id
        self.latency.forget()
        self.live.start(character.id, self)
        self.changed.emit()
        return self.live.running

    def stop(self) -> None:
        """End following; a recorded take waits to be kept."""
        self.live.stop()

    def record(self) -> bool:
        """Begin a take, in place of any that was not kept, and follow from now on."""
        before, kept = self.take, self.solving
        self.take, self.recording = TrackerTake(), True  # before following, so that it holds the first samples
        if not self.following and not self.follow():
            self.take, self.recording = before, False
            return False
        if before and kept:
            self._behind.append(before)
        self.take.person, self._recorded_from = self.follows, self.source
        self.changed.emit()
        return True

    def end_take(self) -> None:
        """Record no more; the take waits to be kept, and following goes on."""
        self.recording = False
        if self.take is not None and not self.take:  # nothing came: it must not hide one that waits behind it
            self._end(self.take)
        else:
            self.changed.emit()

    @property
    def solving(self) -> bool:
        """Whether the take is being made a clip."""
        return any(take is self.take for take in list(self._solving))

    @property
    def unfinished(self) -> TrackerTake | None:
        """A take that is not a motion yet: the last one, or one that is becoming one."""
        return self.take or next((take for take in self._behind if not take.given_up), None)

    @property
    def waiting_behind(self) -> Sequence[TrackerTake]:
        """Takes that wait for the present one to be kept or discarded, as they did not become motions."""
        return [take for take in self._behind if not take.given_up and take not in list(self._solving)]

    def drop(self) -> None:
        """Forget the take; following goes on."""
        if self.take is not None:
            self.take.given_up = True
        self.recording = False
        self._end(self.take)

    def _drop_all(self) -> None:
        """Forget the take, and all that are becoming motions as well."""
        for take in self._behind:
            take.given_up = True
        self.drop()

    def _end(self, take: TrackerTake | None) -> None:
        """A take is a motion now, or forgotten; if it was the present one, one behind it is the present one again."""
        self._behind = [each for each in self._behind if each is not take and not each.given_up]
        if self.take is take:
            self.take = self._behind.pop(0) if self._behind else None
        self.changed.emit()

    def keep(self) -> bool:
        """End following, solve the take at full rate in the background, and make it the person's clip as one step."""
        take = self.take
        self.live.stop()
        if self.solving:
            return True
        actor = None if take is None else self._person(take)
        if not take or actor is None:
            if take:
                self.refused.emit(GONE)
            return False
        if not take.moves:
            self.refused.emit(UNWORN)
            return False
        parts, samples = take.worn_by(actor), tuple(take.samples)

        def work(progress: Progress, cancelled: Cancelled) -> Motion:
            def tell(share: float, text: str) -> None:
                if take.given_up:
                    raise JobCancelled
                progress(share, text)

            try:
                return solved_take(samples, parts, tell)
            finally:
                self._solving.remove(take)  # even if cancelled: the take can be kept again

        def done(motion: Motion) -> None:
            before = self._person(take)
            if take.given_up:
                return
            if before is None:
                self.refused.emit(GONE)
                return
            self._session.edit("Record trackers", motion_of_take(actor, motion))
            self.kept.emit(before.pose.root_position)
            self._end(take)

        self._solving.append(take)
        self._jobs.run(f"Solving the take of {actor.name}", work, done)
        self.changed.emit()
        return True

    def _person(self, take: TrackerTake) -> Character | None:
        """The person who was recorded; None if they have left."""
        return next((each for each in self._session.document.characters if each.id == take.person), None)

    def due(self, now_s: float) -> Sequence[Sample]:
        """The pose of the newest sample, or one on the way to it, for the live channel to show."""
        source = self.source
        if source is None:
            return ()
        try:
            samples, self._heard.listened_s = source.due(now_s), now_s
            self._take_in(samples)
            if self.recording and self.take is not None:
                self.take.follow(self.attachments, self.calibration)
                began = bool(samples) and not self.take
                if began:
                    self._ends_s = source.begins_anew_s(samples[0].time_s)
                for sample in samples:
                    if sample.time_s < self._ends_s - JUST_S:
                        self.take.add(sample)
                if samples and samples[-1].time_s >= self._ends_s - JUST_S:  # who leapt back there would in the take
                    self.end_take()
                elif began:  # there is something to keep now
                    self.changed.emit()
            self.shown.hear(samples)
            found = self.shown.due(now_s, self._worn_now, self._session.live.get(self.follows), self._heard.rates)
        except PoserError as error:
            self.refused.emit(str(error))
            soon(self, self.live.stop)  # the live channel is in the middle of its work
            return ()
        if found is None:
            return ()
        self.latency.shown(found.time_s)
        return [found]

    def _worn_now(self) -> Wearing:
        return Wearing(self._session.document.character(self.follows), self.attachments, self.calibration)

    @property
    def slow_ones_later_s(self) -> float:
        """How much later the most delayed tracker is shown than the least delayed one; see `ShownPose`."""
        least_s, most_s = self.shown.delays_s
        return most_s - least_s

    def _take_in(self, samples: Sequence[TrackerSample]) -> None:
        """Remember what trackers last said and how often they send, and add new ones."""
        new = [name for name in self._heard.take_in(samples) if name not in self.attachments]
        character = self._session.active
        if new and character is not None:
            # by name alone: nobody stands in any stance yet
            nowhere = {name: Reading(None, None) for name in new}
            found = assign_joints(TrackerSample(0.0, nowhere), skeleton_of(character))
            taken = {each.joint for each in self.attachments.values()}
            named = {name: Attachment("" if each.joint in taken else each.joint) for name, each in found.items()}
            self._attach({**self.attachments, **named})

    def _stopped(self) -> None:
        self.shown.clear()
        self.latency.forget()
        self.end_take()
