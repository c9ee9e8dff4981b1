"""How steady a body stays when trackers drop out: `python -m scripts.motions.drop_outs --bvh DIR [--max-poses N]`.

Clips are followed as the window follows trackers (`solver.trackers.follower`), with six sensors, one of which falls
silent for 50 frames with a chance of 0, 1 and 2% per frame. It prints how often some joint moves more than 5 cm
further in a frame than the true one does: in all frames, in those of the half second after a sensor has come or gone,
and in those that are a second away from a fault of the recording (an impossibly fast joint: 40 cm a frame). Last comes
how far joints are from the true ones on average, so that lagging behind does not pass for steadiness, and how far those
are whose sensors are heard.

With `--knowing` each pose is changed, if need be and it can be, so that no joint moves further than that, with all
trackers met as before. It needs the true joints' speeds, so no follower can: it tells how much there is to gain.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from scripts.motions.steadiest_pose import steadiest_pose
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.effector import Effector
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
KNOWING_CM, ROOM_CM = 4.95, 4.7  # further than the true joint: more is changed, to that
SOON = 15  # frames
FAST_CM, FAULT_CM = 10.0, 40.0  # per frame
FAULT_FRAMES = 30
WORN = ("6", "6 at 1%", "6 at 2%")


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each chance of a drop-out."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bvh", type=Path, required=True)
    parser.add_argument("--split", default="test")
    parser.add_argument("--solver", default="dragposer")
    parser.add_argument("--knowing", action="store_true", help="how far true joints move")
    parser.add_argument("--max-poses", type=int, help="frames, over all clips together")
    args = parser.parse_args(arguments)
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    clips = read_clips(args.bvh, args.split, skeleton, args.max_poses)
    shares_of = "all % | slow % | after a change % | slow % | far from faults % | slow %"
    print(f"| sensors | frames | {shares_of} | p99 cm | joints cm | heard cm |")
    print("|--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for sensors in (each for each in CONFIGURATIONS if each.id in WORN):
        rows = [
            followed(args.solver, clip, sensors, skeleton, number, args.knowing) for number, clip in enumerate(clips)
        ]
        further, slow, soon, sound, away, missed = (np.concatenate(part) for part in zip(*rows, strict=True))
        pops = further > POP_CM
        every = np.ones(len(pops), bool)
        shares = [share(pops[these & of]) for these in (every, soon, sound) for of in (every, slow)]
        told = " | ".join(f"{value:.2f}" for value in (*shares, np.percentile(further[sound], 99), away.mean()))
        print(f"| {sensors.id} | {len(further)} | {told} | {missed.mean():.3f} |", flush=True)


class KnowingFollower(Follower):
    """A follower that knows how far true joints move. ways: (J,) metres, of the next frame."""

    ways: NDArray[np.floating]

    def _solve_for(self, said: tuple[Effector, ...], now_s: float, silent: bool) -> Pose:
        before = forward_kinematics(self._skeleton, self._shown).positions
        pose = super()._solve_for(said, now_s, silent)
        goes = np.linalg.norm(forward_kinematics(self._skeleton, pose).positions - before, axis=-1)
        if self._drawn and (goes - self.ways).max() > KNOWING_CM / 100.0:
            pose = steadiest_pose(self._skeleton, self._drawn, pose, before, self.ways + ROOM_CM / 100.0)
            self._shown = pose
        return pose


def followed(
    solver: str, clip: Clip, sensors: Sensors, skeleton: Skeleton, seed: int, knowing: bool = False
) -> tuple[
    NDArray[np.floating],
    NDArray[np.bool_],
    NDArray[np.bool_],
    NDArray[np.bool_],
    NDArray[np.floating],
    NDArray[np.floating],
]:
    """For each step of a clip: how many cm more than the true joint any joint moves at most, whether no true joint is
    fast, whether a sensor has just come or gone, whether the recording has no fault near it, and how many cm joints are
    from the true ones; and of each sensor that is heard. knowing: whether the follower knows how far true ones move."""
    names = [str(role) for role in sensors.joints]
    heard = sensors.heard(len(clip.poses), np.random.default_rng([0, seed]))
    motion = Motion(
        np.array([pose.root_position for pose in clip.poses]), np.array([pose.rotations for pose in clip.poses]), RATE
    )
    attachments = {name: Attachment(name) for name in names}
    truth = places(skeleton, clip.poses)
    true = steps(truth)
    follower = (KnowingFollower if knowing else Follower)(
        skeleton, load_solver(solver), attachments, clip.poses[0], body=DEFAULT_BODY
    )
    found = []
    ways = np.concatenate([np.full_like(true[:1], np.inf), true]) / 100.0
    for way, loud, sample in zip(ways, heard, simulated_samples(skeleton, motion, names), strict=True):
        if isinstance(follower, KnowingFollower):
            follower.ways = way
        there = {name for name, on in zip(names, loud, strict=True) if on}
        readings = {name: reading for name, reading in sample.readings.items() if name in there}
        found.append(follower.pose(TrackerSample(sample.time_s, readings)))
    shown = places(skeleton, found)
    own = steps(shown)
    changes = (np.diff(heard.astype(int), axis=0) != 0).any(axis=1)
    soon = np.convolve(changes, np.ones(SOON))[: len(changes)] > 0
    fastest = true.max(axis=1)
    faults = np.convolve(fastest > FAULT_CM, np.ones(2 * FAULT_FRAMES + 1))[FAULT_FRAMES:][: len(fastest)]
    away = np.linalg.norm(shown - truth, axis=-1)[1:]
    missed = away[:, [skeleton.index(name) for name in names]][heard[1:]]
    return (own - true).max(axis=1), fastest < FAST_CM, soon, faults == 0, away.mean(axis=1), missed


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
