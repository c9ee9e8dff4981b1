"""The live channel: a stream poses a character outside the history. No undo steps, no autosave; a take is one step."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from app.document import edits
from app.document.model.document import Character
from app.document.posing.sources import with_resolved_targets
from app.services.session import Session
from app.services.solve_service import solve_character
from app.services.streams import ClockSample, PoseSample, Sample, Stream, TargetSample
from solver.errors import PoserError
from solver.ik.memory import FRESH, Memory
from solver.kinematics.pose import Motion, Pose
from solver.size_limits import MAX_FRAMES
from solver.values import FloatArray

TICK_MS = 15  # as often as a screen can show it


class Take:
    """The poses of a stream, one after another, as they came."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._roots: list[FloatArray] = []
        self._rotations: list[FloatArray] = []

    def __len__(self) -> int:
        return len(self._times)

    def add(self, time_s: float, pose: Pose) -> None:
        """Add a pose. PoserError where a scene can hold no more."""
        if len(self) >= MAX_FRAMES:
            raise PoserError(f"A take holds up to {MAX_FRAMES:,} samples. Keep this one and begin another.")
        self._times.append(time_s)
        self._roots.append(pose.root_position)
        self._rotations.append(pose.rotations)

    def motion(self) -> Motion:
        """Every sample as a frame, at their mean rate."""
        span = self._times[-1] - self._times[0]
        fps = (len(self) - 1) / span if span > 0 else 30.0
        return Motion(np.stack(self._roots), np.stack(self._rotations), fps)


class LiveChannel(QObject):
    """One stream at a time. clock: seconds, the one that the stream's samples go by. stopped: the stream has ended.

    With `automatic` the window's timer ticks; else the caller calls `tick`. Without a parent it goes when the session
    does, so that no timer ticks on for a session that is gone.
    """

    stopped = Signal()

    def __init__(
        self,
        session: Session,
        clock: Callable[[], float] = time.monotonic,
        automatic: bool = True,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent or session)
        self._session, self._clock, self._automatic = session, clock, automatic
        self._stream: Stream | None = None
        self._character = ""
        self._memory: Memory = FRESH
        self.take: Take | None = None
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self.tick)
        session.opened.connect(self.stop)

    @property
    def running(self) -> bool:
        """Whether a stream poses somebody."""
        return self._stream is not None

    def start(self, character: str, stream: Stream, record: bool = False) -> None:
        """Let a stream pose a character; a running one ends. record: keep its poses as a take.

        character: "" for a stream that only turns the clock.
        """
        self.stop()
        self._character, self._stream, self._memory = character, stream, FRESH
        self.take = Take() if record else None
        self.tick()
        if self._automatic:
            self._timer.start()

    def tick(self) -> int:
        """Take in every sample that is due, in order, and show the newest; return how many there were."""
        stream = self._stream
        if stream is None:
            return 0
        if self._character and all(actor.id != self._character for actor in self._session.document.actors):
            self.stop()
            return 0
        samples = stream.due(self._clock())
        shown: Pose | None = None
        try:
            for sample in samples:
                shown = self._posed(sample, shown) or shown
        except PoserError as error:
            self.stop()
            self._session.refused.emit(str(error))
            return 0
        newest = samples[-1] if samples else None
        if isinstance(newest, ClockSample):
            self._session.look_at_time(newest.at_s)
            if newest.last:
                self.stop()
        elif shown is not None:
            self._session.show_live(self._character, shown)
        return len(samples)

    def stop(self) -> None:
        """End the stream; the character is again shown as the document has it."""
        if self._stream is None:
            return
        self._timer.stop()
        self._stream = None
        self._session.show_live(self._character, None)
        self.stopped.emit()

    def keep(self, text: str = "Record a take") -> bool:
        """End the stream and make its take the character's clip, as one undo step; False if there is none."""
        take, self.take = self.take, None
        self.stop()
        if not take:
            return False
        return self._session.edit(text, edits.adopt_motion(self._character, take.motion(), recorded=True))

    def _posed(self, sample: Sample, shown: Pose | None) -> Pose | None:
        """The pose that a sample means, which also goes into the take."""
        if isinstance(sample, ClockSample):
            return None
        pose = sample.pose if isinstance(sample, PoseSample) else self._solved(sample, shown)
        if self.take is not None:
            self.take.add(sample.time_s, pose)
        return pose

    def _solved(self, sample: TargetSample, shown: Pose | None) -> Pose:
        """The pose that the character's solver finds for targets, going on from the one before."""
        document = with_resolved_targets(self._session.document, sample.places)
        character: Character = document.character(self._character)
        before = shown or self._session.live.get(self._character)
        if before is not None:
            character = replace(character, pose=before)
        solution = solve_character(character, self._memory)
        self._memory = solution.memory
        return solution.pose
