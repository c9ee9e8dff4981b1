"""From the VMC protocol's messages to samples: what belongs to one moment, and where the bones of a figure are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from formats_samples import any_motion, sample_skeleton
from vmc_samples import bundle, figure_frame, message, sender_time, tracker, transform

from solver.formats.vmc.bones import HIPS, figure
from solver.formats.vmc.decode import decode
from solver.formats.vmc.encode import encode
from solver.formats.vmc.grouping import MOST_TRANSFORMS, FrameGrouping
from solver.formats.vmc.messages import ROOT_NAME, Kind, Message, SenderTime, Status, Transform
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.unity_bones import BONES
from solver.trackers.sample import Reading, TrackerSample

UPRIGHT = np.eye(3, dtype=np.float32)


def at(x: float, y: float, z: float) -> np.ndarray:
    return np.float32([x, y, z])


def samples(packets: Iterable[bytes], frames: FrameGrouping | None = None) -> list[TrackerSample]:
    """What comes of packets that arrive a hundredth of a second apart, after the sender has fallen silent."""
    frames = frames or FrameGrouping()
    found = [s for number, p in enumerate(packets) for s in frames.take(decode(p).messages, number / 100)]
    return found + frames.end()


def said(found: Iterable[TrackerSample]) -> list[dict[str, float]]:
    """Of each sample the names and where they are along x, in Unity."""
    return [
        {name: -round(float(r.position[0]), 3) for name, r in s.readings.items() if r.position is not None}
        for s in found
    ]


def test_a_sender_that_says_its_time_last_has_its_samples_at_once() -> None:
    frames = FrameGrouping()
    for number in range(5):
        packet = bundle(tracker("a", number), tracker("b", number), sender_time(number))
        (sample,) = frames.take(decode(packet).messages, 7.0 + number)
        assert sample.time_s == 7.0 + number
        assert said([sample]) == [{"a": number, "b": number}]
        assert frames.last_s is None


def test_a_sender_that_says_its_time_first_keeps_its_frames_together() -> None:
    packets = [bundle(sender_time(x), tracker("a", x), tracker("b", x)) for x in range(3)]
    assert said(samples(packets)) == [{"a": x, "b": x} for x in range(3)]


def test_controllers_are_known_as_held_by_what_the_sender_calls_them() -> None:
    kinds = {"LHR-1": Kind.CONTROLLER, "LHR-2": Kind.TRACKER, "LHR-3": Kind.HEADSET}
    told = [Transform(kind, name, at(0.0, 1.0, 0.0), UPRIGHT) for name, kind in kinds.items()]
    frames = FrameGrouping()
    (packet,) = encode(told)
    (sample,) = [*frames.take(decode(packet).messages, 0.0), *frames.end()]
    assert {name: reading.held for name, reading in sample.readings.items()} == {
        "LHR-1": True, "LHR-2": False, "head": False,
    }  # fmt: skip


def ends_itself(frames: FrameGrouping, *packets: tuple[float, bytes]) -> bool:
    for time_s, packet in packets:
        frames.take(decode(packet).messages, time_s)
    return frames.ends_itself


def test_a_sender_is_known_to_end_its_frames_once_it_has_done_so() -> None:
    frames = FrameGrouping()
    assert not ends_itself(frames, (0.0, tracker("a")), (0.001, tracker("b")))
    assert ends_itself(frames, (0.002, sender_time()), (0.01, tracker("a")))
    frames.end()
    assert not frames.ends_itself, "the time did not come, so silence tells again"


def test_one_time_that_was_held_up_does_not_make_a_sender_unknown() -> None:
    frames = FrameGrouping()
    prompt = [(x / 50, bundle(tracker("a", x), sender_time())) for x in range(3)]
    assert ends_itself(frames, *prompt, (0.1, tracker("a")), (0.12, sender_time()), (0.13, tracker("a")))


def test_a_sender_that_says_its_time_first_is_never_waited_for() -> None:
    frames = FrameGrouping()
    for x in range(9):
        assert not ends_itself(frames, (x / 50, sender_time(x)), (x / 50, tracker("a", x)))


def test_a_sender_whose_packets_were_held_up_is_known_again_for_what_it_is() -> None:
    frames = FrameGrouping()
    frame = (sender_time(), tracker("a"))
    assert ends_itself(frames, *((0.0, packet) for packet in 5 * frame)), "they came all at once"
    assert not ends_itself(frames, *((number / 50, packet) for number in range(1, 4) for packet in frame))


def test_a_sender_without_times_starts_a_new_frame_when_a_message_repeats() -> None:
    packets = [tracker(name, x) for x in range(3) for name in ("a", "b", "c")]
    assert said(samples(packets)) == [{"a": x, "b": x, "c": x} for x in range(3)]


def test_one_bundle_may_hold_several_frames() -> None:
    packet = bundle(*(tracker(name, x) for x in range(3) for name in ("a", "b")))
    assert said(samples([packet])) == [{"a": x, "b": x} for x in range(3)]


def test_a_frame_in_several_packets_is_one_sample_of_the_time_of_its_last() -> None:
    (sample,) = samples(figure_frame(0.25))
    assert sample.time_s == 0.01
    assert sorted(sample.readings) == sorted(
        ["bone:Head", "bone:Hips", "bone:LeftHand", "bone:LeftLowerArm", "bone:LeftUpperArm", "bone:Spine", "head"]
    )


def test_trackers_come_and_go() -> None:
    packets = [
        bundle(*(tracker(name, x) for name in names), sender_time(x)) for x, names in enumerate(("ab", "b", "", "ac"))
    ]
    assert said(samples(packets)) == [{"a": 0, "b": 0}, {"b": 1}, {"a": 3, "c": 3}], "nobody is no sample"


def test_trackers_that_change_places_are_told_as_they_say() -> None:
    packets = [
        bundle(tracker("a", 1.0), tracker("b", -1.0), sender_time()),
        bundle(tracker("b", 1.0), tracker("a", -1.0)),
    ]
    assert said(samples(packets)) == [{"a": 1.0, "b": -1.0}, {"a": -1.0, "b": 1.0}]


def test_a_headset_is_the_head_and_other_devices_go_by_their_serial_numbers() -> None:
    devices = ("Hmd/Pos", "LHR-1"), ("Con/Pos", "LHR-2"), ("Tra/Pos", "LHR-3"), ("Con/Pos/Local", ""), ("Tra/Pos", "")
    (sample,) = samples([bundle(*(transform(f"/VMC/Ext/{kind}", name) for kind, name in devices))])
    assert sorted(sample.readings) == ["LHR-2", "LHR-3", "controller", "head", "tracker"]


@pytest.mark.parametrize("order", [("", "/Local"), ("/Local", "")])
def test_what_is_told_in_the_rooms_own_metres_is_believed(order: tuple[str, str]) -> None:
    places = {"": (0.0, 2.0, 0.0), "/Local": (0.0, 1.7, 0.0)}
    (sample,) = samples([bundle(*(transform(f"/VMC/Ext/Hmd/Pos{local}", "h", places[local]) for local in order))])
    assert sample.readings["head"].position is not None
    assert sample.readings["head"].position[1] == pytest.approx(1.7)


def test_a_sender_that_makes_up_names_fills_no_memory() -> None:
    found = samples([tracker(f"name {number}") for number in range(10 * MOST_TRANSFORMS)])
    assert [len(sample.readings) for sample in found] == [MOST_TRANSFORMS] * 10


def test_a_status_is_kept_and_makes_no_sample() -> None:
    frames = FrameGrouping()
    assert frames.status is None
    assert samples([message("/VMC/Ext/OK", "iii", 1, 2, 0), sender_time()], frames) == []
    assert frames.status == Status(True, 2, 0)


BODY = [name for name in SMPL_JOINTS if name not in ("left_hand", "right_hand")]


def bones_of(found: TrackerSample) -> dict[str, Reading]:
    return {name.removeprefix("bone:"): reading for name, reading in found.readings.items()}


@pytest.mark.parametrize("seed", range(5))
def test_the_bones_of_a_figure_are_where_the_joints_of_its_pose_are(seed: int) -> None:
    skeleton, pose = sample_skeleton(), any_motion(1, seed).pose(0)
    (sample,) = samples(encode([*figure(skeleton, pose), SenderTime(0.0)]))
    places, turns = forward_kinematics(skeleton, pose)
    bones = bones_of(sample)
    assert len(bones) == len(BODY)
    for role, bone in BONES.items():
        j, reading = skeleton.index(role), bones[bone]
        assert reading.position is not None
        assert reading.rotation is not None
        assert np.abs(reading.position - places[j]).max() < 1e-5
        assert np.abs(reading.rotation - turns[j]).max() < 1e-5


def said_of(frames: FrameGrouping, *messages: Message) -> dict[str, Reading]:
    """The bones of one frame."""
    found = frames.take([*messages, SenderTime(0.0)], 0.0)
    return bones_of(found[0]) if found else {}


def bone(name: str, place: np.ndarray, turn: np.ndarray = UPRIGHT) -> Transform:
    return Transform(Kind.BONE, name, place, turn)


def test_the_root_carries_the_figure() -> None:
    turned = from_rotation_vector([0, np.pi / 2, 0]).astype(np.float32)  # to the left
    root = Transform(Kind.ROOT, ROOT_NAME, at(1, 0, 2), turned)
    found = said_of(FrameGrouping(), root, bone(HIPS, at(0, 1, 0)), bone("LeftUpperLeg", at(0.1, 0, 0)))
    assert np.allclose(found[HIPS].position, (1, 1, 2))
    assert np.allclose(found["LeftUpperLeg"].position, (1, 1, 1.9), atol=1e-6)
    assert np.allclose(found["LeftUpperLeg"].rotation, turned, atol=1e-6)


def test_a_scaled_root_is_brought_back_to_the_rooms_own_metres() -> None:
    """The room became the figure's world by a scale of 2 and a shift: where devices in the room's metres are."""
    root = Transform(Kind.ROOT, ROOT_NAME, at(0, 0, 0), UPRIGHT, scale=at(2, 2, 2), offset=at(0.5, 0, -0.5))
    found = said_of(FrameGrouping(), root, bone(HIPS, at(0.5 + 2 * 0.3, 2 * 0.9, -0.5 + 2 * 0.7)))
    assert np.allclose(found[HIPS].position, (0.3, 0.9, 0.7))


def test_a_bone_hangs_on_the_nearest_that_the_figure_has() -> None:
    """Of Unity's bones chest, upper chest, neck and shoulders may be missing."""
    up = at(0, 0.2, 0)
    found = said_of(
        FrameGrouping(), bone(HIPS, at(0, 1, 0)), bone("Spine", up), bone("Head", up), bone("LeftUpperArm", up)
    )
    assert np.allclose(found["Head"].position, (0, 1.4, 0))
    assert np.allclose(found["LeftUpperArm"].position, (0, 1.4, 0))


def test_bones_that_were_said_before_carry_those_that_are_said_now() -> None:
    frames = FrameGrouping()
    said_of(frames, bone(HIPS, at(0, 1, 0)), bone("Spine", at(0, 0.2, 0)))
    found = said_of(frames, bone("Chest", at(0, 0.2, 0)))
    assert list(found) == ["Chest"]
    assert np.allclose(found["Chest"].position, (0, 1.4, 0))


def test_bones_wait_for_the_hips() -> None:
    frames = FrameGrouping()
    assert said_of(frames, bone("LeftHand", at(0.2, 0, 0))) == {}
    assert sorted(said_of(frames, bone(HIPS, at(0, 1, 0)), bone("LeftHand", at(0.2, 0, 0)))) == [HIPS, "LeftHand"]


def test_bones_of_a_sender_that_tells_no_lengths_have_a_rotation_alone() -> None:
    nowhere = at(0, 0, 0)
    hips, spine, head = bone(HIPS, at(0, 1, 0)), bone("Spine", nowhere), bone("Head", at(0, 0.2, 0))
    found = said_of(FrameGrouping(), hips, spine, head)
    assert found[HIPS].position is not None
    assert (found["Spine"].position, found["Head"].position) == (None, None)
    assert all(reading.rotation is not None for reading in found.values())


def test_a_sender_that_has_no_figure_any_more_has_no_bones() -> None:
    frames = FrameGrouping()
    said_of(frames, bone(HIPS, at(0, 1, 0)))
    frames.take([Status(False)], 0.0)
    assert said_of(frames, bone("Spine", at(0, 0.2, 0))) == {}


def test_fingers_eyes_and_jaw_are_no_readings() -> None:
    fingers = [
        bone(name, at(0.1, 0, 0)) for name in ("LeftThumbProximal", "RightLittleDistal", "Jaw", "LeftEye", "Tail")
    ]
    assert list(said_of(FrameGrouping(), bone(HIPS, at(0, 1, 0)), *fingers)) == [HIPS]
