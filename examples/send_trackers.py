"""Plays a BVH file as trackers over the network, so that tracker mode can be tried without any hardware.

    python examples/send_trackers.py walk.bvh
    python examples/send_trackers.py walk.bvh --sensors head,left_wrist,right_wrist --rate 90 --t-pose 5
    python examples/send_trackers.py walk.bvh --rate 60 --rates pelvis=5,left_ankle=10

What it sends is the VMC protocol (docs/vmc.md): the head as a headset, the wrists as controllers, other joints as
trackers; with --bones the whole figure, bone by bone.
"""

from __future__ import annotations

import argparse
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.errors import PoserError
from solver.formats.bvh.read import read_bvh, to_motion
from solver.formats.vmc.bones import figure
from solver.formats.vmc.encode import encode
from solver.formats.vmc.messages import Kind, Message, SenderTime, Status, Transform
from solver.kinematics.pose import Motion, Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector, interpolate
from solver.kinematics.skeleton import Skeleton
from solver.trackers.simulated_trackers import simulated_sample

# How a joint's tracker is sent, and what it is called; any other joint is a tracker with the joint's name.
DEVICES = {
    "head": (Kind.HEADSET, "head"),
    "left_wrist": (Kind.CONTROLLER, "left_controller"),
    "right_wrist": (Kind.CONTROLLER, "right_controller"),
}
SIX = "head,left_wrist,right_wrist,pelvis,left_ankle,right_ankle"
UNHEARD_S = 0.5  # how long a tracker drops out


def arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="the BVH file to play")
    parser.add_argument(
        "--sensors", default=SIX, metavar="JOINTS", help=f"which joints wear a tracker, with commas (default {SIX})"
    )
    parser.add_argument("--bones", action="store_true", help="also send every bone of the figure")
    parser.add_argument("--host", default="127.0.0.1", help="where to send to (default 127.0.0.1, this computer)")
    parser.add_argument("--port", type=number_of_port, default=39539, help="which port to send to (default 39539)")
    parser.add_argument("--rate", type=rate, help="frames to send a second (default: as many as the file has)")
    parser.add_argument(
        "--rates", type=rates, default={}, metavar="JOINT=RATE,…",
        help="let these sensors send so many times a second, and the others with every frame",
    )  # fmt: skip
    parser.add_argument(
        "--t-pose", type=above_zero, default=0.0, metavar="SECONDS",
        help="stand in a T-pose for so many seconds before the motion begins, for the calibration",
    )  # fmt: skip
    parser.add_argument("--once", action="store_true", help="stop at the end instead of beginning again")
    parser.add_argument(
        "--jitter", type=above_zero, default=0.0, metavar="CM",
        help="shake every tracker by about so many centimetres, and the same number of degrees",
    )  # fmt: skip
    parser.add_argument(
        "--drop-out", type=share, default=0.0, metavar="SHARE",
        help="let every tracker be silent for this share of the time, from 0 to 1, half a second each time",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="another number shakes and drops trackers differently")
    return parser.parse_args()


def number_of_port(text: str) -> int:
    """A port; after a ValueError argparse says that it is invalid."""
    return int(in_range(text, 1, 65_535))


def rate(text: str) -> float:
    """Frames a second."""
    return in_range(text, 0.1, 1000)


def rates(text: str) -> dict[str, float]:
    """How often some sensors speak, by their joints."""
    found = {}
    for part in text.split(","):
        joint, equals, often = part.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"“{part.strip()}” is not a joint and a rate, such as pelvis=5")
        found[joint.strip()] = rate(often.strip())
    return found


def above_zero(text: str) -> float:
    """A number that is not below 0."""
    return in_range(text, 0, 1e6)


def share(text: str) -> float:
    """A number from 0 to 1."""
    return in_range(text, 0, 1)


def in_range(text: str, least: float, most: float) -> float:
    """The number in a text; argparse shows the message if it is out of range."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number from {least:g} to {most:g}")
    return value


def main() -> int:
    """Play the file until it ends or Ctrl+C is pressed; the exit code is 1 if something was refused."""
    asked = arguments()
    try:
        play(asked)
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped.")
    return 0


def play(asked: argparse.Namespace) -> None:
    """Read the file and send it, frame after frame."""
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    motion, _ = to_motion(read_bvh(asked.file), skeleton)
    joints = [name.strip() for name in asked.sensors.split(",") if name.strip()]
    if not joints and not asked.bones:
        raise PoserError("Nothing to send. Name joints after --sensors, or add --bones.")
    for name in joints:
        skeleton.index(name)  # says which joints there are
    for name in asked.rates:
        if name not in joints:
            raise PoserError(f"“{name}” wears no tracker. Name it after --sensors, or leave it out of --rates.")
    fps = asked.rate or motion.fps
    told = ", ".join(called(name, asked.rates) for name in joints) + (" and every bone" if asked.bones else "")
    print(f"Playing {asked.file} ({len(motion) / motion.fps:.1f} s) as {told}, {fps:g} times a second.")
    print(f"To {asked.host}, port {asked.port}{'' if asked.once else ', over and over'}. Ctrl+C stops.", flush=True)
    accidents = Accidents(joints, asked.jitter, asked.drop_out, asked.seed)
    start, sent = time.perf_counter(), 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as network:
        for number, pose in enumerate(poses(motion, skeleton, fps, asked.t_pose, asked.once)):
            wait = start + number / fps - time.perf_counter()
            if wait > 0:
                time.sleep(wait)
            speak = [name for name in joints if has_turn(number, fps, asked.rates.get(name, fps))]
            for packet in encode(messages(skeleton, pose, speak, asked.bones, number / fps, accidents)):
                send(network, packet, (asked.host, asked.port))
            sent += 1
    print(f"Sent {sent} frames.")


def called(joint: str, often: Mapping[str, float]) -> str:
    """What a joint's tracker is called, and how often it sends if it has a rate of its own."""
    name = DEVICES.get(joint, ("", joint))[1]
    return f"{name} ({often[joint]:g} times a second)" if joint in often else name


def has_turn(number: int, fps: float, often: float) -> bool:
    """Whether a sensor that sends so often does so in a frame."""
    turns = [int(each * often / fps + 1e-6) for each in (number - 1, number)]
    return number == 0 or turns[0] < turns[1]


def send(network: socket.socket, packet: bytes, to: tuple[str, int]) -> None:
    """Send a packet; PoserError if the place cannot be reached."""
    try:
        network.sendto(packet, to)
    except ConnectionRefusedError:
        pass  # nobody listens there yet
    except OSError as error:
        raise PoserError(f"{to[0]} cannot be reached: {error.strerror or error}. Check --host.") from None


def poses(motion: Motion, skeleton: Skeleton, fps: float, t_pose_s: float, once: bool) -> Iterator[Pose]:
    """What is played, at `fps` frames a second: a T-pose at the motion's start, then the motion, once or repeated."""
    rest = rest_pose(skeleton)
    ahead = motion.root_positions[0] * (1, 0, 1)
    standing = Pose(rest.root_position * (0, 1, 0) + ahead, rest.rotations)
    for _ in range(round(t_pose_s * fps)):
        yield standing
    last = len(motion) - 1
    while True:
        for number in range(int(last / motion.fps * fps + 1e-6) + 1):
            at = min(number * motion.fps / fps, float(last))
            yield between(motion, int(at), at % 1)
        if once:
            return


def between(motion: Motion, frame: int, share: float) -> Pose:
    """The pose at that share of the way from a frame to the next."""
    if share < 1e-6:
        return motion.pose(frame)
    a, b = motion.pose(frame), motion.pose(frame + 1)
    root = (1 - share) * a.root_position + share * b.root_position
    return Pose(root, interpolate(a.rotations, b.rotations, share))


class Accidents:
    """What happens to real trackers: they shake, and some are not heard for a while."""

    def __init__(self, joints: Sequence[str], jitter_cm: float, drop_out: float, seed: int) -> None:
        self._joints, self._jitter, self._drop_out, self._seed = joints, jitter_cm, drop_out, seed
        self._random = np.random.default_rng(seed)

    def heard(self, time_s: float) -> list[str]:
        """The joints whose trackers are heard at that time."""
        chance = np.random.default_rng((self._seed, int(time_s / UNHEARD_S))).random(len(self._joints))
        return [joint for joint, drawn in zip(self._joints, chance, strict=True) if drawn >= self._drop_out]

    def shaken(self, tracker: Transform) -> Transform:
        """The tracker a little beside its place."""
        if not self._jitter:
            return tracker
        by = self._random.normal(scale=self._jitter / 100, size=3).astype(np.float32)
        turn = from_rotation_vector(self._random.normal(scale=np.radians(self._jitter), size=3))
        rotation = (tracker.rotation @ turn).astype(np.float32)
        return Transform(tracker.kind, tracker.name, tracker.position + by, rotation)


def messages(
    skeleton: Skeleton, pose: Pose, joints: Sequence[str], bones: bool, time_s: float, accidents: Accidents
) -> list[Message]:
    """All that is said of one frame; the time comes last, which ends it. joints: those whose turn it is to send."""
    frame: list[Message] = [*figure(skeleton, pose)] if bones else []
    heard = [name for name in accidents.heard(time_s) if name in joints]
    for name, reading in simulated_sample(skeleton, pose, heard, time_s).readings.items():
        kind, serial = DEVICES.get(name, (Kind.TRACKER, name))
        if reading.position is not None and reading.rotation is not None:
            frame.append(accidents.shaken(Transform(kind, serial, reading.position, reading.rotation)))
    return [*frame, Status(True, 3, 0, True), SenderTime(time_s)]


if __name__ == "__main__":
    sys.exit(main())
