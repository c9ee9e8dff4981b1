"""A whole run: poses, protocols and contestants in, figures out."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.contestants import Contestant, Field, field_of
from solver.evaluation.naturalness import library_of
from solver.evaluation.poses import ALL, EVERY, PoseSet, read_poses
from solver.evaluation.posture import POSTURES
from solver.evaluation.preservation import BASE_POSE, preservation_figures
from solver.evaluation.protocols import Protocol, protocols_named
from solver.evaluation.trial_arrays import Answers, TrialArrays, answers_of, figures_of, trial_arrays_of
from solver.evaluation.weight_folders import Load, load_folder, rows_of_weights

Rows = dict[str, dict[str, float]]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Settings:
    """The settings of a run; equal settings give equal figures, except for the times.

    protocol, solver: comma lists, or “all”. shape: “mean” or “random”. max_poses: None for all of them.
    weights: folders of networks that take part besides the registered solvers. clips_like: a pattern of clips' names.
    every: frames from one pose to the next. draws: how often effectors are drawn for a pose, each time by the next
    seed; with several the mean position error comes with a confidence interval.
    """

    bvh: Path
    split: str = ALL
    protocol: str = "all"
    solver: str = "all"
    shape: str = "mean"
    max_poses: int | None = None
    seed: int = 0
    body: str = DEFAULT_BODY
    weights: tuple[Path, ...] = ()
    clips_like: str = "*"
    every: int = EVERY
    draws: int = 1


@dataclass(frozen=True)
class PostureRows:
    """The problems of one posture class. poses: how many poses they are of. figures: by contestant and metric."""

    poses: int
    problems: int
    figures: Rows


@dataclass(frozen=True)
class Results:
    """figures: by protocol, contestant and metric. postures: by protocol and posture class, those that occur.

    left_out: by protocol, why a contestant has no row.
    """

    settings: Settings
    clips: int
    poses: int
    skipped: dict[str, str]
    problems: dict[str, int]
    standing: int
    figures: dict[str, Rows]
    postures: dict[str, dict[str, PostureRows]]
    left_out: dict[str, dict[str, str]]

    def as_json(self) -> dict[str, object]:
        """{protocol: {contestant: {metric: value}}, "postures": {protocol: {posture: …}}, "settings": …}."""
        paths = {"bvh": str(self.settings.bvh), "weights": [str(folder) for folder in self.settings.weights]}
        asked = {**asdict(self.settings), **paths}
        found = {"clips": self.clips, "poses": self.poses, "standing": self.standing, "problems": self.problems}
        rest = {"skipped": self.skipped, "left_out": self.left_out, "device": device()}
        postures = {id: {name: asdict(rows) for name, rows in some.items()} for id, some in self.postures.items()}
        return {**self.figures, "postures": postures, "settings": {**asked, **found, **rest}}


def evaluate(settings: Settings, tell: Progress = lambda what, done, total: None, load: Load = load_folder) -> Results:
    """Measure every contestant on every protocol asked for.

    tell: called with what is being solved, how many are done, and of how many. load: reads weights from a folder.
    Raises InputRefused for a folder without usable poses, UnknownName for a protocol or a solver that does not exist.
    """
    protocols, field = protocols_named(settings.protocol), field_for(settings, load)
    body = load_body(settings.body)
    poses = poses_for(settings, body)
    figures: dict[str, Rows] = {}
    postures: dict[str, dict[str, PostureRows]] = {}
    left_out: dict[str, dict[str, str]] = {}
    problems, standing = {}, 0
    library = library_of(settings.bvh, body) if any(protocol.mode for protocol in protocols) else None

    def measure(protocol: Protocol, arrays: TrialArrays, answers: Answers) -> dict[str, float]:
        if protocol.mode is None:
            return figures_of(arrays, answers, body, interval=settings.draws > 1)
        return preservation_figures(arrays, answers, library)

    for protocol in protocols:
        seeds = range(settings.seed, settings.seed + settings.draws)
        arrays = trial_arrays_of(tuple(t for seed in seeds for t in protocol.trials(poses.poses, seed)), body)
        able, left_out[protocol.id] = able_to(protocol, field)
        figures[protocol.id], classes = {}, classes_of(arrays)
        found = postures[protocol.id] = {
            name: PostureRows(part.poses, len(part.trials), {}) for name, (_, part) in classes.items()
        }
        for contestant in able:
            what, total = f"{protocol.id} {contestant.name}", len(arrays.trials)
            answers = answers_of(contestant, arrays, lambda done, what=what, total=total: tell(what, done, total))  # type: ignore[misc]
            figures[protocol.id][contestant.name] = measure(protocol, arrays, answers)
            for name, (chosen, part) in classes.items():
                found[name].figures[contestant.name] = measure(protocol, part, answers.only(chosen))
        problems[protocol.id] = len(arrays.trials)
        standing = len({t.truth.number for t, s in zip(arrays.trials, arrays.stands, strict=True) if s})
    return Results(
        settings, poses.clips, len(poses.poses), poses.skipped, problems, standing, figures, postures, left_out
    )


def classes_of(arrays: TrialArrays) -> dict[str, tuple[NDArray[np.int64], TrialArrays]]:
    """The trials of each posture class that occurs, by its name: their indices and themselves."""
    chosen = {name: np.flatnonzero(arrays.postures == i) for i, name in enumerate(map(str, POSTURES))}
    return {name: (where, arrays.only(where)) for name, where in chosen.items() if len(where)}


def poses_for(settings: Settings, body: Body) -> PoseSet:
    """The poses that the settings name. Raises InputRefused."""
    asked = settings.split, settings.shape, settings.max_poses, settings.seed
    return read_poses(settings.bvh, body, *asked, clips_like=settings.clips_like, every=settings.every)


def field_for(settings: Settings, load: Load) -> Field:
    """All contestants of a run."""
    field = field_of(settings.solver)
    if not settings.weights:
        return field
    rows = rows_of_weights(settings.weights, settings.body, [row.name for row in field.contestants], load)
    return Field((*field.contestants, *rows), field.left_out)


def able_to(protocol: Protocol, field: Field) -> tuple[tuple[Contestant, ...], dict[str, str]]:
    """Those that take every kind of effector that the protocol gives, and why each of the others does not."""
    left_out = dict(field.left_out)
    able = []
    for contestant in (*field.contestants, *((BASE_POSE,) if protocol.mode else ())):
        if protocol.kinds <= contestant.kinds:
            able.append(contestant)
        else:
            lacking = ", ".join(sorted(protocol.kinds - contestant.kinds))
            left_out[contestant.name] = f"It does not take {lacking} effectors."
    return tuple(able), left_out


def device() -> str:
    """The processor that solves, as its maker names it; every solver runs on one thread of it."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), name)
    except OSError:
        pass
    return f"{name}, one thread of {os.cpu_count()}"
