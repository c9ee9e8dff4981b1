"""Runs of protocols: the problems, in classes, and how a contestant is measured on them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from solver.body.body import Body
from solver.effectors.kinds import network_kinds
from solver.evaluation.contestants import Contestant
from solver.evaluation.edited_motion import between_keys, frame_by_frame
from solver.evaluation.edits import EditProtocol, edit_figures
from solver.evaluation.motion_edits import EditedClip
from solver.evaluation.motion_figures import motion_figures
from solver.evaluation.naturalness import Library
from solver.evaluation.posture import POSTURES
from solver.evaluation.preservation import BASE_POSE, preservation_figures
from solver.evaluation.protocols import MotionProtocol
from solver.evaluation.trial_arrays import Answers, TrialArrays, answers_of, figures_of
from solver.evaluation.trials import Protocol
from solver.kinematics.pose import Poses

FRAMES = ":frames"  # a solver that solves each frame of a motion on its own
SOURCE_MOTION = Contestant("source motion", frozenset(network_kinds()), lambda problem: problem.base_pose)

Figures = dict[str, float]
Tick = Callable[[str, int, int], None]  # the row being made, how much of it is done, and of how much


class Row(NamedTuple):
    """A row of a protocol's table. classes: its figures on each class of problems."""

    name: str
    figures: Figures
    classes: dict[str, Figures]


class Size(NamedTuple):
    """How many problems there are, and from how many poses or edits."""

    of: int
    problems: int


class ProtocolRun(ABC):
    """size: of the whole. classes: sizes of the classes that occur. baseline: if any, what changes nothing."""

    size: Size
    classes: dict[str, Size]
    baseline: Contestant | None = None

    @abstractmethod
    def rows(self, contestant: Contestant, tick: Tick) -> Iterator[Row]:
        """The contestant's rows."""


class PoseProtocolRun(ProtocolRun):
    """Poses to complete, by posture class. library: to compare poses with if a base pose is to be kept.

    interval: whether the mean position error comes with a confidence interval.
    """

    def __init__(
        self, protocol: Protocol, arrays: TrialArrays, body: Body, library: Library | None, interval: bool
    ) -> None:
        self._arrays, self._body, self._library, self._interval = arrays, body, library, interval
        self._protocol = protocol
        self.size = Size(arrays.poses, len(arrays.trials))
        chosen = {str(posture): np.flatnonzero(arrays.postures == i) for i, posture in enumerate(POSTURES)}
        self._parts = {name: (where, arrays.only(where)) for name, where in chosen.items() if len(where)}
        self.classes = {name: Size(part.poses, len(part.trials)) for name, (_, part) in self._parts.items()}
        self.baseline = BASE_POSE if protocol.based else None

    def rows(self, contestant: Contestant, tick: Tick) -> Iterator[Row]:
        """One row."""
        name, total = contestant.name, self.size.problems
        answers = answers_of(contestant, self._arrays, lambda done: tick(name, done, total))
        classes = {
            part: self._figures(contestant, own, answers.only(where)) for part, (where, own) in self._parts.items()
        }
        yield Row(name, self._figures(contestant, self._arrays, answers), classes)

    def _figures(self, contestant: Contestant, arrays: TrialArrays, answers: Answers) -> Figures:
        if isinstance(self._protocol, EditProtocol):
            return edit_figures(self._protocol, contestant, arrays, answers)
        if self._protocol.mode is not None:
            return preservation_figures(arrays, answers, self._library)
        return figures_of(arrays, answers, self._body, self._interval)


class MotionProtocolRun(ProtocolRun):
    """Edits of motions to make, by their kind."""

    baseline = SOURCE_MOTION

    def __init__(self, protocol: MotionProtocol, clips: tuple[EditedClip, ...]) -> None:
        self._mode, self._clips = protocol.mode, clips
        kinds = dict.fromkeys(clip.edit.kind for clip in clips)
        self._parts = {kind: [i for i, clip in enumerate(clips) if clip.edit.kind == kind] for kind in kinds}
        self.size = self._size(range(len(clips)))
        self.classes = {kind: self._size(part) for kind, part in self._parts.items()}

    def rows(self, contestant: Contestant, tick: Tick) -> Iterator[Row]:
        """A row for what the application makes of the edits, and one for each frame solved on its own; for a network
        alone and for the baseline only the latter."""
        each = partial(frame_by_frame, contestant.solve)
        if contestant.solver is None:
            yield self._row(contestant.name, each, tick)
        else:
            yield self._row(contestant.name, partial(between_keys, contestant.solver), tick)
            yield self._row(contestant.name + FRAMES, each, tick)

    def _row(self, name: str, make: Callable[..., Poses], tick: Tick) -> Row:
        answers = []
        for done, clip in enumerate(self._clips, start=1):
            answers.append(make(clip, self._mode))
            tick(name, done, len(self._clips))

        def figures(part: range | list[int]) -> Figures:
            return motion_figures([self._clips[i] for i in part], [answers[i] for i in part])

        return Row(name, figures(range(len(answers))), {kind: figures(part) for kind, part in self._parts.items()})

    def _size(self, part: range | list[int]) -> Size:
        return Size(len(part), sum(len(self._clips[i].edit.inside) for i in part))
