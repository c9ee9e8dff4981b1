"""The example that plays a BVH file as trackers: what the real receiver hears of it, and what it refuses."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from network_driver import heard
from sample_files import CLIPS

from app.tracking.receiver import TrackerReceiver
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.formats.bvh.read import read_bvh, to_motion
from solver.kinematics.pose import Motion, rest_pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.unity_bones import BONES
from solver.trackers.sample import TrackerSample
from solver.trackers.simulated_trackers import simulated_sample, simulated_samples

ROOT = Path(__file__).resolve().parents[3]
SCRIPT, CLIP = ROOT / "examples" / "send_trackers.py", CLIPS / "reach.bvh"
TIMES = 10  # that the clip is played at most
NAMES = {
    "head": "head", "left_wrist": "left_controller", "right_wrist": "right_controller", "pelvis": "pelvis",
    "left_ankle": "left_ankle", "right_ankle": "right_ankle",
}  # fmt: skip


@pytest.fixture
def receiver(no_leaked_threads: None) -> Iterator[TrackerReceiver]:
    receiver = TrackerReceiver()
    receiver.start(0)
    yield receiver
    receiver.stop()


@pytest.fixture
def heeds_interrupts() -> Iterator[None]:
    """What runs in the background of a shell ignores Ctrl+C, and so does whatever it starts, but for this."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def skeleton() -> Skeleton:
    return load_body(DEFAULT_BODY).skeleton(BodyShape())


@pytest.fixture(scope="module")
def motion(skeleton: Skeleton) -> Motion:
    return to_motion(read_bvh(CLIP), skeleton)[0]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=110, cwd=ROOT, check=False)


def sent(receiver: TrackerReceiver, *arguments: object) -> Sequence[TrackerSample]:
    """What is heard when the clip is played once; again where a busy machine sent a frame's packets so far apart that
    they were taken for two."""
    for _ in range(TIMES):
        before = receiver.counts.samples
        done = run(CLIP, "--once", "--port", receiver.port, *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        frames = int(done.stdout.split("Sent ")[1].split()[0])
        found = heard(receiver, before + frames)
        assert (receiver.counts.dropped, receiver.counts.lost) == (0, 0)
        if len(found) == frames:
            break
    return found


@pytest.mark.slow
def test_six_sensors_are_heard_where_the_joints_of_the_clip_are(
    receiver: TrackerReceiver, skeleton: Skeleton, motion: Motion
) -> None:
    samples = sent(receiver)
    assert len(samples) == len(motion)
    for sample, truth in zip(samples, simulated_samples(skeleton, motion, list(NAMES)), strict=True):
        assert sorted(sample.readings) == sorted(NAMES.values())
        for joint, name in NAMES.items():
            near(sample, name, truth, joint)
    span = samples[-1].time_s - samples[0].time_s
    assert span == pytest.approx((len(motion) - 1) / motion.fps, abs=0.3)


def near(sample: TrackerSample, name: str, truth: TrackerSample, joint: str) -> None:
    """Assert that a reading is that of a joint but for rounding."""
    mine, true = sample.readings[name], truth.readings[joint]
    assert np.abs(mine.position - true.position).max() < 1e-5  # type: ignore[operator]
    assert np.abs(mine.rotation - true.rotation).max() < 1e-5  # type: ignore[operator]


@pytest.mark.slow
def test_any_joints_at_any_rate_after_a_t_pose(receiver: TrackerReceiver, skeleton: Skeleton, motion: Motion) -> None:
    samples = sent(receiver, "--sensors", "left_elbow, spine3", "--rate", 60, "--t-pose", 0.5)
    assert len(samples) == 30 + 2 * len(motion) - 1
    truth = simulated_sample(skeleton, rest_pose(skeleton), ("left_elbow", "spine3"), 0.0)
    start = motion.root_positions[0] * (1, 0, 1)
    for sample in samples[:30]:
        assert np.abs(sample.readings["spine3"].position - truth.readings["spine3"].position - start).max() < 1e-5  # type: ignore[operator]
    for sample, true in zip(samples[30::2], simulated_samples(skeleton, motion, ("left_elbow", "spine3")), strict=True):
        for name in ("left_elbow", "spine3"):
            near(sample, name, true, name)


@pytest.mark.slow
def test_some_sensors_send_at_rates_of_their_own(receiver: TrackerReceiver, motion: Motion) -> None:
    samples = sent(receiver, "--rate", 60, "--rates", "pelvis=5, left_wrist=15,head=1000")
    frames = np.arange(len(samples))
    for joint, name in NAMES.items():
        every = {"pelvis": 12, "left_wrist": 4}.get(joint, 1)
        assert [name in sample.readings for sample in samples] == list(frames % every == 0), name


def test_what_plays_is_told_with_the_rates() -> None:
    done = run(CLIP, "--once", "--rate", 60, "--sensors", "head,pelvis", "--rates", "pelvis=7.5")
    assert "as head, pelvis (7.5 times a second), 60 times a second." in done.stdout


@pytest.mark.slow
def test_a_whole_figure_is_heard_bone_by_bone(receiver: TrackerReceiver, skeleton: Skeleton, motion: Motion) -> None:
    samples = sent(receiver, "--bones", "--sensors", "head")
    assert len(samples) == len(motion)
    for sample, truth in zip(samples, simulated_samples(skeleton, motion, [str(role) for role in BONES]), strict=True):
        assert len(sample.readings) == len(BONES) + 1
        for role, bone in BONES.items():
            near(sample, f"bone:{bone}", truth, role)


@pytest.mark.slow
def test_trackers_shake_and_drop_out_when_they_shall(
    receiver: TrackerReceiver, skeleton: Skeleton, motion: Motion
) -> None:
    samples = sent(receiver, "--jitter", 1, "--drop-out", 0.4, "--rate", 30)
    heard_of = {name: sum(name in sample.readings for sample in samples) for name in NAMES.values()}
    assert len({*heard_of.values()}) > 1, heard_of
    assert 0.2 < sum(heard_of.values()) / (len(NAMES) * len(motion)) < 0.95
    off = [
        float(np.linalg.norm(sample.readings[name].position - true.readings[joint].position))  # type: ignore[operator]
        for sample, true in zip(samples, simulated_samples(skeleton, motion, list(NAMES)), strict=True)
        for joint, name in NAMES.items()
        if name in sample.readings
    ]
    assert 0.01 < np.mean(off) < 0.025, "1 cm along each axis"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl+C cannot be sent to one program alone")
def test_it_begins_again_at_the_end_until_it_is_stopped(
    receiver: TrackerReceiver, motion: Motion, heeds_interrupts: None
) -> None:
    command = [sys.executable, str(SCRIPT), str(CLIP), "--port", str(receiver.port), "--rate", "200"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT) as player:
        once = round((len(motion) - 1) / motion.fps * 200) + 1
        found = heard(receiver, once + 20)
        player.send_signal(signal.SIGINT)
        out, said_wrong = player.communicate(timeout=110)
    assert (player.returncode, said_wrong) == (0, "")
    assert "over and over" in out
    assert out.endswith("Stopped.\n")
    for first, again in zip(found[:20], found[once:], strict=False):
        near(again, "head", first, "head")


REFUSED = {
    "there is no joint named “tail”": (CLIP, "--sensors", "tail"),
    "“pelvis” wears no tracker": (CLIP, "--sensors", "head", "--rates", "pelvis=5"),
    "nothing to send": (CLIP, "--sensors", ","),
    "no_such.bvh": ("no_such.bvh",),
    "cannot be reached": (CLIP, "--host", "no.such.host.invalid", "--once"),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_cannot_be_sent_is_refused_in_one_line(reason: str) -> None:
    done = run(*REFUSED[reason])
    assert done.returncode == 1
    assert reason in done.stderr.casefold()
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_rates_without_a_number_are_wrong_usage() -> None:
    assert "“pelvis” is not a joint and a rate, such as pelvis=5" in run(CLIP, "--rates", "pelvis").stderr
    assert "“0” is not a number from 0.1" in run(CLIP, "--rates", "pelvis=0").stderr


@pytest.mark.parametrize("wrong", [("--rate", "0"), ("--port", "70000"), ("--drop-out", "2"), ("--jitter", "nan")])
def test_a_number_that_makes_no_sense_is_wrong_usage(wrong: tuple[str, str]) -> None:
    done = run(CLIP, *wrong)
    assert done.returncode == 2
    assert f"argument {wrong[0]}: “{wrong[1]}” is not a number from" in done.stderr
