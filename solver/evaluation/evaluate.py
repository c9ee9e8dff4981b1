"""A whole run: poses, protocols and contestants in, figures out."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.contestants import Contestant, Contestants, contestants_of
from solver.evaluation.edits import EditProtocol
from solver.evaluation.library_poses import read_library_poses
from solver.evaluation.motion_edits import EditedClip, edited_clips, read_edits
from solver.evaluation.naturalness import library_of
from solver.evaluation.poses import ALL, EVERY, PoseSet, files_of, read_poses
from solver.evaluation.protocol_runs import MotionProtocolRun, PoseProtocolRun, ProtocolRun
from solver.evaluation.protocols import MotionProtocol, protocols_named
from solver.evaluation.trial_arrays import trial_arrays_of
from solver.evaluation.trials import Protocol
from solver.evaluation.weight_folders import Load, load_folder, rows_of_weights

Rows = dict[str, dict[str, float]]
Progress = Callable[[str, int, int], None]
LIBRARY = "library"
NEEDS_CLIPS = "It needs clips, and a library has still poses."


@dataclass(frozen=True)
class Settings:
    """The settings of a run; equal settings give equal figures, except for the times.

    folder: of clips or of pose files; kind says which, “bvh” or “library”. protocol, solver: comma lists, or “all”.
    shape: “mean” or “random”. max_poses: None for all of them.
    weights: folders of networks that take part besides the registered solvers. clips_like: a pattern for the names of
    clips or pose files. every: frames from one pose to the next. draws: how often effectors are drawn for a pose, each
    time with the next seed; with several, the mean position error comes with a confidence interval.
    """

    folder: Path
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
    kind: str = "bvh"

    @property
    def holds(self) -> str:
        """What the folder holds, as a word in the singular."""
        return "pose file" if self.kind == LIBRARY else "clip"


@dataclass(frozen=True)
class PostureRows:
    """The problems of one posture class, or of one kind of edit. poses: the number of poses or edits they come from.
    figures: by contestant and metric."""

    poses: int
    problems: int
    figures: Rows


@dataclass(frozen=True)
class Results:
    """poses, edits: how many were measured. standing: how many of the poses stand. figures: by protocol, contestant and
    metric.

    postures: by protocol and posture class or kind of edit, those that occur. left_out: by protocol, why a contestant
    has no row. absent: why a protocol has no table.
    """

    settings: Settings
    clips: int
    poses: int
    edits: int
    skipped: dict[str, str]
    problems: dict[str, int]
    standing: int
    figures: dict[str, Rows]
    postures: dict[str, dict[str, PostureRows]]
    left_out: dict[str, dict[str, str]]
    absent: dict[str, str]

    def as_json(self) -> dict[str, object]:
        """{protocol: {contestant: {metric: value}}, "postures": {protocol: {posture: …}}, "settings": …}."""
        asked = asdict(self.settings)
        kind, folder = asked.pop("kind"), str(asked.pop("folder"))
        asked = {kind: folder, **asked, "weights": [str(folder) for folder in self.settings.weights]}
        counts = {"clips": self.clips, "poses": self.poses, "standing": self.standing, "edits": self.edits}
        found = {**counts, "problems": self.problems, "skipped": self.skipped}
        rest = {"left_out": self.left_out, "absent": self.absent, "device": device()}
        postures = {id: {name: asdict(rows) for name, rows in some.items()} for id, some in self.postures.items()}
        return {**self.figures, "postures": postures, "settings": {**asked, **found, **rest}}


def evaluate(settings: Settings, tell: Progress = lambda what, done, total: None, load: Load = load_folder) -> Results:
    """Measure every contestant on every protocol asked for.

    tell: called with what is being solved, how many are done, and of how many. load: reads weights from a folder.
    Raises InputRefused for a folder without usable poses, or without any clip that a named protocol edits or needs;
    UnknownName for a protocol or a solver that does not exist.
    """
    (protocols, absent), field = protocols_for(settings), contestants_for(settings, load)
    body = load_body(settings.body)
    of_poses = [protocol for protocol in protocols if isinstance(protocol, Protocol)]
    of_motions = [protocol for protocol in protocols if isinstance(protocol, MotionProtocol)]
    clips, skipped = edits_for(settings, body) if of_motions else ((), {})
    poses = poses_for(settings, body) if of_poses else PoseSet((), 0, {})
    compared = settings.kind != LIBRARY and any(protocol.mode for protocol in of_poses)
    library = library_of(settings.folder, body) if compared else None
    figures: dict[str, Rows] = {}
    postures: dict[str, dict[str, PostureRows]] = {}
    left_out: dict[str, dict[str, str]] = {}
    problems, standing = {}, 0

    def measure(protocol: Protocol | MotionProtocol, protocol_run: ProtocolRun) -> None:
        able, left_out[protocol.id] = able_to(protocol, field, protocol_run.baseline)
        problems[protocol.id] = protocol_run.size.problems
        rows = figures[protocol.id] = {}
        found = postures[protocol.id] = {name: PostureRows(*size, {}) for name, size in protocol_run.classes.items()}

        def tick(name: str, done: int, total: int) -> None:
            tell(f"{protocol.id} {name}", done, total)

        for row in (row for contestant in able for row in protocol_run.rows(contestant, tick)):
            rows[row.name] = row.figures
            for name, values in row.classes.items():
                found[name].figures[row.name] = values

    for protocol in of_poses:
        seeds = range(settings.seed, settings.seed + settings.draws)
        arrays = trial_arrays_of(tuple(t for seed in seeds for t in protocol.trials(poses.poses, seed)), body)
        standing = arrays.standing
        measure(protocol, PoseProtocolRun(protocol, arrays, body, library, settings.draws > 1))
    for motion_protocol in of_motions if clips else ():
        measure(motion_protocol, MotionProtocolRun(motion_protocol, clips))
    if not clips:
        absent |= {protocol.id: "No clip that it edits is there." for protocol in of_motions}
    return Results(
        settings, poses.clips, len(poses.poses), len(clips), {**poses.skipped, **skipped}, problems, standing, figures,
        postures, left_out, absent,
    )  # fmt: skip


def protocols_for(settings: Settings) -> tuple[tuple[Protocol | MotionProtocol, ...], dict[str, str]]:
    """The protocols that the settings name, and why some of them cannot be measured on a library.

    Raises UnknownName, and InputRefused if none is left.
    """
    protocols = protocols_named(settings.protocol)
    if settings.kind != LIBRARY:
        return protocols, {}
    absent = {each.id: NEEDS_CLIPS for each in protocols if isinstance(each, EditProtocol | MotionProtocol)}
    if len(absent) == len(protocols):
        way_out = "Name a folder of clips with --bvh, or another protocol"
        raise InputRefused(settings.folder, f"protocol {settings.protocol} needs clips; these poses are still", way_out)
    return tuple(each for each in protocols if each.id not in absent), absent


def poses_for(settings: Settings, body: Body) -> PoseSet:
    """The poses that the settings name. Raises InputRefused."""
    asked = settings.split, settings.shape, settings.max_poses, settings.seed
    if settings.kind == LIBRARY:
        return read_library_poses(settings.folder, body, *asked, files_like=settings.clips_like)
    return read_poses(settings.folder, body, *asked, clips_like=settings.clips_like, every=settings.every)


def edits_for(settings: Settings, body: Body) -> tuple[tuple[EditedClip, ...], dict[str, str]]:
    """The edits of motions whose clips the settings name, and why some were skipped.

    Raises InputRefused if none is left, unless all protocols were asked for.
    """
    files = files_of(settings.folder, settings.split, settings.clips_like)
    found, skipped = edited_clips(read_edits(), files, body, settings.shape, settings.max_poses, settings.seed)
    if not found and settings.protocol != "all":
        names = ", ".join(dict.fromkeys(edit.clip for edit in read_edits()))
        reason = "no clip that protocol M edits is among those asked for"
        raise InputRefused(settings.folder, reason, f"It edits {names}")
    return found, skipped


def contestants_for(settings: Settings, load: Load) -> Contestants:
    """All contestants of a run."""
    field = contestants_of(settings.solver)
    if not settings.weights:
        return field
    rows = rows_of_weights(settings.weights, settings.body, [row.name for row in field.contestants], load)
    return Contestants((*field.contestants, *rows), field.left_out)


def able_to(
    protocol: Protocol | MotionProtocol, field: Contestants, baseline: Contestant | None = None
) -> tuple[tuple[Contestant, ...], dict[str, str]]:
    """Those that take every effector that the protocol gives, and why each of the others does not.

    baseline: a contestant besides the field.
    """
    left_out = dict(field.left_out)
    able = []
    for contestant in (*field.contestants, *((baseline,) if baseline else ())):
        lacking = sorted(protocol.kinds - contestant.kinds)
        if lacking:
            left_out[contestant.name] = f"It does not take {', '.join(lacking)} effectors."
        elif contestant.places is not None and not protocol.joints <= contestant.places:
            known = ", ".join(name for name in BODY_JOINTS if name in contestant.places)
            left_out[contestant.name] = f"It places {known} alone."
        else:
            able.append(contestant)
    return tuple(able), left_out


def device() -> str:
    """The processor, as its maker names it; every solver runs on one thread of it."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), name)
    except OSError:
        pass
    return f"{name}, one thread of {os.cpu_count()}"
