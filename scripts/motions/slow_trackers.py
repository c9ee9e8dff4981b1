"""How smoothly a body follows slow trackers: `python -m scripts.motions.slow_trackers --bvh DIR [--frames N]`.

Clips at 60 frames a second are followed as the window follows trackers, by six sensors of which all, only the pelvis
or all but the hands report 5, 10 or 15 times a second, or at one rate until the middle of the clip and at another from
there on (`--hertz 5-60`). With `--pauses` all sensors together also fall silent for 0.08 to 0.2 s in each second, as
over a busy network. It prints: by how much the pose shown lags behind now, as a mean over the sensors; how far joints
are from where they truly are now, and from where they were that much earlier; how wrong their velocity is, now and that
much earlier; their jerk relative to the true one; how often some joint moves more than 3 cm further in a frame than the
fastest true joint does within a tenth of a second; and how much further some joint moves at most, as a mean over the
clips. “in steps” is without `SlowTrackerSmoother`, “as a take” what a take of it becomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.document.posing.create import new_document
from app.tracking.tracker_take import Wearing, solved_take
from scripts.arguments import add_list, script_parser
from scripts.motions.drop_outs import places, share
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.tracking.follow import Clip, read_clips
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import Skeleton
from solver.solvers.catalog import load_solver
from solver.trackers.attachment import UNCALIBRATED, Attachment
from solver.trackers.follower import Follower
from solver.trackers.sample import TrackerSample
from solver.trackers.sample_rates import SampleRates
from solver.trackers.simulated_trackers import SIX_ROLES, simulated_samples

RATE = 60
HERTZ = "5,10,15"
NAMES = tuple(str(role) for role in SIX_ROLES)
SLOW = {"all": NAMES, "the pelvis": NAMES[:1], "all but the hands": tuple(n for n in NAMES if "wrist" not in n)}
POP_CM, NEAR = 3.0, 6
PAUSES_S = 0.08, 0.2
WAYS = ("in steps", "evenly", "as a take")


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each set of slow sensors, rate and way."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bvh", type=Path, required=True)
    parser.add_argument("--split", default="test")
    parser.add_argument("--solver", default="dragposer")
    parser.add_argument("--frames", type=int, default=180, help="of each clip; shorter ones are left out")
    add_list(parser, "--ways", WAYS)
    add_list(parser, "--slow", SLOW)
    parser.add_argument("--hertz", default=HERTZ, help="a rate, or one before the middle and one after it (5-60)")
    parser.add_argument("--pauses", action="store_true", help="all sensors pause once a second")
    args = parser.parse_args(arguments)
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    whole = read_clips(args.bvh, args.split, skeleton, rate=RATE)
    clips = [Clip(clip.name, clip.poses[: args.frames]) for clip in whole if len(clip.poses) >= args.frames]
    if not clips:
        parser.error(f"no clip has {args.frames} frames")
    print(f"{len(clips)} clips")
    print("| slow | Hz | | later ms | joints cm | delayed | velocity cm/s | delayed | jerk | leaps % | at most cm |")
    print("|--|--:|--|--:|--:|--:|--:|--:|--:|--:|--:|")
    rows = [("none", str(RATE), "in steps")]
    hertzes = args.hertz.split(",")
    rows += [(slow, hertz, way) for slow in args.slow for hertz in hertzes for way in args.ways]
    for slow, hertz, way in rows:
        found = [followed(args.solver, clip, SLOW.get(slow, ()), hertz, way, skeleton, args.pauses) for clip in clips]
        weights = [len(clip.poses) for clip in clips]
        told = " | ".join(f"{value:.1f}" for value in np.average(found, axis=0, weights=weights))
        print(f"| {slow} | {hertz} | {way} | {told} |", flush=True)


def followed(
    solver: str, clip: Clip, slow: Sequence[str], hertz: str, way: str, skeleton: Skeleton, pauses: bool = False
) -> NDArray[np.floating]:
    """The eight figures for a clip. hertz: of the slow sensors, before the middle and after it. pauses: of all."""
    motion = Motion(
        np.array([pose.root_position for pose in clip.poses]), np.array([pose.rotations for pose in clip.poses]), RATE
    )
    attachments, samples = {name: Attachment(name) for name in NAMES}, []
    silent = paused(len(motion)) if pauses else np.zeros(len(motion), bool)
    every = [RATE // int(rate) for rate in hertz.split("-")]
    for frame, sample in enumerate(simulated_samples(skeleton, motion, NAMES)):
        quiet = NAMES if silent[frame] else slow if frame % every[-1 if 2 * frame >= len(motion) else 0] else ()
        readings = {name: reading for name, reading in sample.readings.items() if name not in quiet}
        samples.append(TrackerSample(sample.time_s, readings))
    truth, later_s = places(skeleton, clip.poses), 0.0
    if way == "as a take":
        shown = taken(solver, [sample for sample in samples if sample.readings], attachments, skeleton, len(truth))
    else:
        shown, later_s = live(solver, clip, samples, attachments, skeleton, smoothed=way == "evenly")
    return figures(shown, truth[: len(shown)], later_s)


def paused(frames: int) -> NDArray[np.bool_]:
    """(F,) whether everybody is silent: in each second once, at any moment, for PAUSES_S."""
    rng, silent = np.random.default_rng(0), np.zeros(frames, bool)
    for first in range(0, frames, RATE):
        lasts = int(RATE * rng.uniform(*PAUSES_S))
        begins = first + 1 + int(rng.integers(RATE - lasts))
        silent[begins : begins + lasts] = True
    return silent


def live(
    solver: str,
    clip: Clip,
    samples: Sequence[TrackerSample],
    attachments: dict[str, Attachment],
    skeleton: Skeleton,
    smoothed: bool,
) -> tuple[NDArray[np.floating], float]:
    """What is shown: (F, J, 3) centimetres; and how much later, in seconds."""
    rates = SampleRates()
    for sample in samples[:RATE]:  # these were heard before following began
        rates.add_sample(TrackerSample(sample.time_s - 1.0, sample.readings))
    follower = Follower(
        skeleton, load_solver(solver), attachments, clip.poses[0], body=DEFAULT_BODY, rates=rates if smoothed else None
    )
    poses, late = [], []
    for sample in samples:
        if sample.readings:
            rates.add_sample(sample)
            poses.append(follower.pose(sample, sample.time_s))
        else:
            poses.append(follower.pose_at(sample.time_s) if follower.is_changing(sample.time_s) else poses[-1])
        late.append(np.mean([follower.delay_s(name, sample.time_s) for name in attachments]))
    return places(skeleton, poses), float(np.median(late))


def taken(
    solver: str, samples: Sequence[TrackerSample], attachments: dict[str, Attachment], skeleton: Skeleton, length: int
) -> NDArray[np.floating]:
    """What a take of the samples becomes, at RATE: (F, J, 3) centimetres."""
    person = replace(new_document().characters[0], solver=solver)
    motion = solved_take(samples, [(0, Wearing(person, attachments, UNCALIBRATED))])
    found = places(skeleton, [motion.pose(frame) for frame in range(len(motion))])
    at = np.arange(length) * motion.fps / RATE
    at = at[at <= len(found) - 1]
    before = np.minimum(at.astype(int), len(found) - 2)
    part = (at - before)[:, None, None]
    return (1 - part) * found[before] + part * found[before + 1]


def figures(shown: NDArray[np.floating], truth: NDArray[np.floating], later_s: float) -> NDArray[np.floating]:
    """Lag in ms; joints and velocities, each now and earlier; jerk relative to the true one; leaps %, the largest."""
    lag = round(later_s * RATE)
    then, there = shown[lag:], truth[: len(truth) - lag]
    apart = [np.linalg.norm(a - b, axis=-1).mean() for a, b in ((shown, truth), (then, there))]
    speeds = [RATE * np.linalg.norm(np.diff(a - b, axis=0), axis=-1).mean() for a, b in ((shown, truth), (then, there))]
    jerk, true = (np.linalg.norm(np.diff(each, n=3, axis=0), axis=-1).mean() for each in (shown, truth))
    steps, own = (np.linalg.norm(np.diff(each, axis=0), axis=-1).max(axis=1) for each in (shown, truth))
    near = np.array([own[max(i - lag - NEAR, 0) : i + NEAR + 1].max() for i in range(len(own))])
    return np.array(
        [1e3 * later_s, *apart, *speeds, jerk / max(true, 1e-9), share(steps > near + POP_CM), (steps - near).max()]
    )


if __name__ == "__main__":
    main()
