"""How steady a body stays when trackers drop out: `python -m scripts.drop_outs --bvh DIR [--max-poses N]`.

Clips are followed as the window follows trackers (`solver.trackers.follower`), with six sensors, one of which falls
silent for 50 frames with a chance of 0, 1 and 2 % per frame. It prints how often some joint moves more than 5 cm
further in a frame than the true one does: in all frames, in those of the half second after a sensor has come or gone,
and in those that are a second away from a fault of the recording (an impossibly fast joint: 40 cm a frame). Last comes
how far joints are from the true ones on average, so that lagging behind does not pass for steadiness.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.tracking.follow import RATE, Clip, read_clips
from solver.evaluation.tracking.sensors import CONFIGURATIONS, Sensors
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.solvers.catalog import load_solver
from solver.trackers.attachment import Attachment
from solver.trackers.follower import Follower
from solver.trackers.sample import TrackerSample
from solver.trackers.simulated_trackers import simulated_samples

POP_CM = 5.0
SOON = 15  # frames
FAST_CM, FAULT_CM = 10.0, 40.0  # per frame
FAULT_FRAMES = 30
WORN = ("6", "6 at 1 %", "6 at 2 %")


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each chance of a drop-out."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bvh", type=Path, required=True)
    parser.add_argument("--split", default="test")
    parser.add_argument("--solver", default="dragposer")
    parser.add_argument("--max-poses", type=int, help="frames, over all clips together")
    args = parser.parse_args(arguments)
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    clips = read_clips(args.bvh, args.split, skeleton, args.max_poses)
    shares_of = "all % | slow % | after a change % | slow % | far from faults % | slow %"
    print(f"| sensors | frames | {shares_of} | p99 cm | joints cm |")
    print("|--|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for sensors in (each for each in CONFIGURATIONS if each.id in WORN):
        rows = [followed(args.solver, clip, sensors, skeleton, number) for number, clip in enumerate(clips)]
        further, slow, soon, sound, away = (np.concatenate(part) for part in zip(*rows, strict=True))
        pops = further > POP_CM
        every = np.ones(len(pops), bool)
        shares = [share(pops[these & of]) for these in (every, soon, sound) for of in (every, slow)]
        told = " | ".join(f"{value:.1f}" for value in (*shares, np.percentile(further[sound], 99), away.mean()))
        print(f"| {sensors.id} | {len(further)} | {told} |", flush=True)


def followed(
    solver: str, clip: Clip, sensors: Sensors, skeleton: Skeleton, seed: int
) -> tuple[NDArray[np.floating], NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_], NDArray[np.floating]]:
    """For each step of a clip: how many cm more than the true joint any joint moves at most, whether no true joint is
    fast, whether a sensor has just come or gone, whether the recording has no fault near it, and how many cm joints are
    from the true ones."""
    names = [str(role) for role in sensors.joints]
    heard = sensors.heard(len(clip.poses), np.random.default_rng([0, seed]))
    motion = Motion(
        np.array([pose.root_position for pose in clip.poses]), np.array([pose.rotations for pose in clip.poses]), RATE
    )
    attachments = {name: Attachment(name) for name in names}
    follower = Follower(skeleton, load_solver(solver), attachments, clip.poses[0], body=DEFAULT_BODY)
    found = []
    for loud, sample in zip(heard, simulated_samples(skeleton, motion, names), strict=True):
        there = {name for name, on in zip(names, loud, strict=True) if on}
        readings = {name: reading for name, reading in sample.readings.items() if name in there}
        found.append(follower.pose(TrackerSample(sample.time_s, readings)))
    shown, truth = places(skeleton, found), places(skeleton, clip.poses)
    own, true = steps(shown), steps(truth)
    changes = (np.diff(heard.astype(int), axis=0) != 0).any(axis=1)
    soon = np.convolve(changes, np.ones(SOON))[: len(changes)] > 0
    fastest = true.max(axis=1)
    faults = np.convolve(fastest > FAULT_CM, np.ones(2 * FAULT_FRAMES + 1))[FAULT_FRAMES:][: len(fastest)]
    away = np.linalg.norm(shown - truth, axis=-1).mean(axis=1)[1:]
    return (own - true).max(axis=1), fastest < FAST_CM, soon, faults == 0, away


def places(skeleton: Skeleton, poses: list[Pose] | tuple[Pose, ...]) -> NDArray[np.floating]:
    """(F, J, 3) centimetres."""
    return 100.0 * np.array([forward_kinematics(skeleton, pose).positions for pose in poses])


def steps(places: NDArray[np.floating]) -> NDArray[np.floating]:
    """(F - 1, J) centimetres that joints move from frame to frame."""
    return np.linalg.norm(np.diff(places, axis=0), axis=-1)


def share(of: NDArray[np.bool_]) -> float:
    """The percentage that is true; 0 if there are none."""
    return 100.0 * float(of.mean()) if len(of) else 0.0


if __name__ == "__main__":
    main()
