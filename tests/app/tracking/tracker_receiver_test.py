"""Trackers over the network, through a real socket: in order, at any rate, from this computer alone."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress

import numpy as np
import pytest
from network_driver import heard, sender_to, wait_for
from vmc_samples import bundle, message, sender_time, tracker, transform
from window_driver import Clock

from app.tracking.first_sender import GONE_S, QUIET_S, FirstSender
from app.tracking.receiver import (
    DEFAULT_PORT,
    EVERYWHERE,
    LATE_S,
    MOST_SENDERS,
    SILENCE_S,
    THIS_COMPUTER,
    TrackerReceiver,
)
from solver.errors import PoserError
from solver.formats.vmc.messages import Status
from solver.trackers.sample import Reading, TrackerSample


@pytest.fixture(autouse=True)
def threads_end(no_leaked_threads: None) -> None:
    """Every test here starts one."""


@pytest.fixture
def receiver() -> Iterator[TrackerReceiver]:
    receiver = TrackerReceiver()
    receiver.start(0)
    yield receiver
    receiver.stop()


@pytest.fixture
def sender(receiver: TrackerReceiver) -> Iterator[socket.socket]:
    with sender_to(receiver.port) as network:
        yield network


def places(samples: Sequence[TrackerSample], name: str) -> list[float]:
    """Where a tracker is along Unity's x, sample after sample; NaN where it is not heard."""
    found = [sample.readings[name].position if name in sample.readings else None for sample in samples]
    return [float("nan") if place is None else -float(place[0]) for place in found]


def test_what_is_sent_arrives_in_order_by_the_receivers_clock(receiver: TrackerReceiver, sender: socket.socket) -> None:
    before = time.monotonic()
    for number in range(50):
        sender.send(bundle(tracker("a", number), tracker("b", -number), sender_time(1000.0)))
    samples = heard(receiver, 50)
    assert places(samples, "a") == list(range(50))
    assert places(samples, "b") == [-number for number in range(50)]
    times = [sample.time_s for sample in samples]
    assert times == sorted(times)
    assert before <= times[0] <= times[-1] <= time.monotonic()
    assert receiver.due(time.monotonic()) == []
    counts = receiver.counts
    assert (counts.packets, counts.samples, counts.dropped, counts.lost, counts.senders) == (50, 50, 0, 0, 1)


@pytest.mark.parametrize(("hertz", "count"), [(1000, 2000), (5, 6)])
def test_any_rate_is_taken_in_whole(hertz: int, count: int, receiver: TrackerReceiver, sender: socket.socket) -> None:
    """A frame has no time in it, so that it ends with the next one or in silence, whichever is first."""
    samples: list[TrackerSample] = []
    sent: list[float] = []
    known: list[float] = []  # when each packet was seen to be counted: later, but not much
    start, ahead = time.monotonic(), hertz // 50  # packets on their way, of which no buffer is ever full
    for number in range(count):
        time.sleep(max(0.0, start + number / hertz - time.monotonic()))
        sent.append(time.monotonic())
        sender.send(bundle(tracker("a", number % 100), tracker("b", 1.0)))
        counts = wait_for(receiver, packets=number + 1 - ahead)
        known += [time.monotonic()] * (counts.packets - len(known))
        samples += receiver.due(time.monotonic())
    wait_for(receiver, samples=count)
    known += [time.monotonic()] * (count - len(known))
    samples += receiver.due(time.monotonic())
    assert places(samples, "a") == [number % 100 for number in range(count)]
    assert all(len(sample.readings) == 2 for sample in samples)
    times = [sample.time_s for sample in samples]
    assert all(early <= at <= late for early, at, late in zip(sent, times, known, strict=True))


@pytest.fixture
def turned_clock() -> Clock:
    return Clock()


@pytest.fixture
def patient(turned_clock: Clock) -> Iterator[TrackerReceiver]:
    """A receiver for which time passes only as the test says, so that no busy machine makes a silence."""
    receiver = TrackerReceiver(turned_clock)
    receiver.start(0)
    yield receiver
    receiver.stop()


def test_the_last_frame_of_a_sender_that_says_no_time_does_not_wait_for_the_next(
    patient: TrackerReceiver, turned_clock: Clock
) -> None:
    with sender_to(patient.port) as network:
        network.send(tracker("a", 1.0))
        network.send(tracker("b", 2.0))
        wait_for(patient, packets=2)
        assert patient.due(turned_clock()) == []
        turned_clock.now_s += 1.5 * SILENCE_S
        wait_for(patient, samples=1)
    (sample,) = patient.due(turned_clock())
    assert (places([sample], "a"), places([sample], "b")) == ([1.0], [2.0])


def test_packets_of_one_frame_may_come_late_once_the_sender_is_known_to_end_its_frames(
    patient: TrackerReceiver, turned_clock: Clock
) -> None:
    with sender_to(patient.port) as network:
        network.send(bundle(tracker("a", 0.0), tracker("b", 0.0), sender_time()))
        wait_for(patient, samples=1)
        for number in range(1, 4):
            network.send(tracker("a", number))
            wait_for(patient, packets=2 * number)
            turned_clock.now_s += 4 * SILENCE_S
            time.sleep(4 * SILENCE_S)  # in which a receiver that took this for silence would end the frame
            network.send(bundle(tracker("b", number), sender_time()))
            wait_for(patient, samples=1 + number)
    samples = patient.due(turned_clock())
    assert (places(samples, "a"), places(samples, "b")) == ([0.0, 1.0, 2.0, 3.0],) * 2


def test_a_frame_whose_end_is_lost_waits_a_moment_and_no_longer(
    receiver: TrackerReceiver, sender: socket.socket
) -> None:
    sender.send(bundle(tracker("a", 0.0), sender_time()))
    heard(receiver, 1)
    began = time.monotonic()
    sender.send(tracker("a", 1.0))
    assert places(heard(receiver, 2), "a") == [1.0]
    assert time.monotonic() - began >= LATE_S


def test_jumps_and_exchanged_names_come_through_and_what_is_no_number_does_not(
    receiver: TrackerReceiver, sender: socket.socket
) -> None:
    nan = float("nan")
    for a, b in ((0.0, 1.0), (1.0, 0.0), (nan, 1.0), (500.0, 1.0), (0.0, 1e6)):
        sender.send(bundle(tracker("a", a), tracker("b", b), sender_time()))
    samples = heard(receiver, 5)
    assert places(samples, "a") == pytest.approx([0.0, 1.0, nan, 500.0, 0.0], nan_ok=True)
    assert places(samples, "b") == pytest.approx([1.0, 0.0, 1.0, 1.0, nan], nan_ok=True)
    assert (receiver.counts.refused, receiver.counts.malformed) == (2, 0)


def test_several_senders_have_frames_of_their_own(receiver: TrackerReceiver) -> None:
    senders = [sender_to(receiver.port) for _ in range(3)]
    for number in range(10):
        for which, network in enumerate(senders):
            network.send(tracker(f"tracker {which}", number))
        wait_for(receiver, packets=3 * (number + 1))
    samples = heard(receiver, 30)
    for network in senders:
        network.close()
    assert all(len(sample.readings) == 1 for sample in samples)
    for which in range(3):
        mine = [sample for sample in samples if f"tracker {which}" in sample.readings]
        assert places(mine, f"tracker {which}") == list(range(10))
    assert receiver.counts.senders == 3


def test_a_tracker_that_two_programs_send_is_that_of_the_first_until_it_falls_silent(
    patient: TrackerReceiver, turned_clock: Clock
) -> None:
    def send(network: socket.socket, *trackers: bytes) -> None:
        turned_clock.now_s += 0.03
        before = patient.counts.packets
        network.send(bundle(*trackers, sender_time()))
        wait_for(patient, packets=before + 1)

    with sender_to(patient.port) as first, sender_to(patient.port) as other:
        send(first, tracker("a", 0.0))
        for number in range(1, 5):
            send(other, tracker("a", 100.0 + number), tracker("b", number))
            send(first, tracker("a", number))
        for _ in range(3):
            turned_clock.now_s += 0.5 * QUIET_S
            send(first, tracker("c", 0.0))  # its other one has dropped out
            send(other, tracker("a", 109.0))
        assert patient.first.left_out_s == pytest.approx(turned_clock.now_s)
        turned_clock.now_s += 0.5 * QUIET_S
        send(other, tracker("a", 105.0), tracker("b", 5.0))
        turned_clock.now_s += QUIET_S
        for number in (106.0, 107.0):
            send(other, tracker("a", number))
    samples = patient.due(turned_clock())
    a = [place for place in places(samples, "a") if not np.isnan(place)]
    assert a == [0.0, 101.0, 1.0, 2.0, 3.0, 4.0, 106.0, 107.0], "one sample says nothing about its sender"
    assert [place for place in places(samples, "b") if not np.isnan(place)] == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_tracker_that_its_first_program_sends_no_longer_is_taken_from_another_until_it_does_again() -> None:
    first, other = ("127.0.0.1", 1), ("127.0.0.1", 2)
    senders, here = FirstSender(), Reading(np.zeros(3, np.float32), None)

    def taken(time_s: float, sender: tuple[str, int], *names: str) -> list[str]:
        return list(senders.taken(TrackerSample(time_s, dict.fromkeys(names, here)), sender).readings)

    for sender in (first, other):
        taken(0.0, sender, "a", "b")
    for number in range(1, 25):
        taken(0.5 * number, first, "b")
        assert taken(0.5 * number, other, "a", "b") == (["a"] if 0.5 * number > GONE_S else []), number
    taken(12.5, first, "a", "b")
    assert taken(12.5, other, "a", "b") == []
    assert senders.left_out_s == 12.5


def test_times_never_go_back_though_one_sender_ends_its_frames_and_another_falls_silent(
    receiver: TrackerReceiver,
) -> None:
    with sender_to(receiver.port) as silent, sender_to(receiver.port) as prompt:
        for number in range(20):
            silent.send(tracker("silent", number))
            prompt.send(bundle(tracker("prompt", number), sender_time()))
            wait_for(receiver, samples=2 * (number + 1))
    samples = receiver.due(time.monotonic())
    assert any("prompt" in sample.readings for sample in samples[::2]), "the one who spoke first is told last"
    times = [sample.time_s for sample in samples]
    assert times == sorted(times)
    for name in ("silent", "prompt"):
        assert places([sample for sample in samples if name in sample.readings], name) == list(range(20))


def test_senders_that_come_and_go_are_forgotten(receiver: TrackerReceiver) -> None:
    """Some programs send every packet from another port."""
    with ExitStack() as ports:  # a port that is free again may be given to a later sender, whose frames are then known
        for number in range(3 * MOST_SENDERS):
            ports.enter_context(sender_to(receiver.port)).send(tracker("a", number))
            wait_for(receiver, packets=number + 1)
    assert places(heard(receiver, 3 * MOST_SENDERS), "a") == list(range(3 * MOST_SENDERS))
    assert receiver.counts.senders == MOST_SENDERS


def test_samples_that_nobody_takes_are_kept_up_to_a_number_and_lost_from_there() -> None:
    receiver = TrackerReceiver(most=100)
    receiver.start(0)
    with sender_to(receiver.port) as network:
        for number in range(250):
            network.send(bundle(tracker("a", number), sender_time()))
            wait_for(receiver, packets=number + 1)
        assert (receiver.counts.samples, receiver.counts.lost) == (100, 150)
        assert places(receiver.due(time.monotonic()), "a") == list(range(100))
        network.send(bundle(tracker("a", 7.0), sender_time()))
        assert places(heard(receiver, 101), "a") == [7.0]
    receiver.stop()


def test_what_is_wrong_or_means_nothing_here_is_counted(receiver: TrackerReceiver, sender: socket.socket) -> None:
    sender.send(b"")
    sender.send(b"not OSC")
    sender.send(message("/VMC/Ext/Blend/Val", "sf", "Joy", 1.0))
    sender.send(transform("/VMC/Ext/Tra/Pos", "a", turn=(0.0, 0.0, 0.0, 0.0)))
    wait_for(receiver, packets=4)
    counts = receiver.counts
    assert (counts.malformed, counts.refused, counts.ignored, counts.dropped) == (2, 1, 1, 3)
    assert (counts.samples, counts.senders) == (0, 0)
    assert receiver.due(time.monotonic()) == []


def test_what_the_sender_says_of_itself_is_known(receiver: TrackerReceiver, sender: socket.socket) -> None:
    assert receiver.status is None
    sender.send(message("/VMC/Ext/OK", "iiii", 1, 3, 0, 1))
    wait_for(receiver, packets=1)
    assert receiver.status == Status(True, 3, 0, True)


def test_it_listens_to_this_computer_alone_unless_it_is_opened() -> None:
    receiver = TrackerReceiver()
    other = other_address()
    for open_to_network, samples in ((False, 1), (True, 2)):
        receiver.start(0, open_to_network=open_to_network)
        for host in (other, THIS_COMPUTER):
            with sender_to(receiver.port, host) as network:
                send_if_anybody_listens(network, tracker("a"))
        assert len(heard(receiver, samples)) == samples
        assert receiver.counts.packets == samples
    receiver.stop()


def other_address() -> str:
    """An address of this computer by which others may reach it; skips where it has none but the one for itself."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as network:
        try:
            network.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            pytest.skip("this computer is in no network")
        return str(network.getsockname()[0])


def send_if_anybody_listens(network: socket.socket, packet: bytes) -> None:
    with suppress(ConnectionRefusedError):
        network.send(packet)


def test_a_port_in_use_is_refused_with_the_way_out(receiver: TrackerReceiver, sender: socket.socket) -> None:
    second = TrackerReceiver()
    with pytest.raises(PoserError, match=f"Another program already listens on port {receiver.port}. .*another port"):
        second.start(receiver.port)
    assert not second.running
    assert second.port == 0
    sender.send(tracker("a"))
    assert len(heard(receiver, 1)) == 1, "the first one goes on"
    port = receiver.port
    receiver.stop()
    second.start(port)
    assert second.running
    second.stop()


@pytest.mark.parametrize("port", [-1, 65_536, 1 << 40])
def test_a_number_that_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(PoserError, match="There is no port"):
        TrackerReceiver().start(port)


def test_it_can_be_started_again_and_begins_anew(receiver: TrackerReceiver, sender: socket.socket) -> None:
    sender.send(bundle(tracker("a"), sender_time()))
    heard(receiver, 1)
    sender.send(bundle(tracker("old"), sender_time()))
    wait_for(receiver, packets=2)
    receiver.start(0)
    assert receiver.due(time.monotonic()) == []
    assert receiver.counts.packets == 0
    with sender_to(receiver.port) as network:
        network.send(bundle(tracker("new"), sender_time()))
        (sample,) = heard(receiver, 1)
    assert list(sample.readings) == ["new"]


def test_stopping_gives_the_port_back_at_once_and_what_was_heard_can_still_be_taken(
    receiver: TrackerReceiver, sender: socket.socket
) -> None:
    sender.send(bundle(tracker("a"), sender_time()))
    wait_for(receiver, samples=1)
    port = receiver.port
    receiver.stop()  # would wait for ever if it only waited for another packet
    receiver.stop()
    assert (receiver.running, receiver.port) == (False, 0)
    assert len(receiver.due(time.monotonic())) == 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as network:
        network.bind((THIS_COMPUTER, port))


def test_the_ports_and_addresses_are_those_of_the_protocol() -> None:
    assert (DEFAULT_PORT, THIS_COMPUTER, EVERYWHERE) == (39539, "127.0.0.1", "0.0.0.0")


def test_readings_are_in_our_world(receiver: TrackerReceiver, sender: socket.socket) -> None:
    half = 0.5**0.5
    sender.send(bundle(transform("/VMC/Ext/Con/Pos", "a", (0.5, 1.0, 0.25), (0.0, half, 0.0, half)), sender_time()))
    (sample,) = heard(receiver, 1)
    reading = sample.readings["a"]
    assert reading.position is not None
    assert reading.rotation is not None
    assert reading.position.tolist() == [-0.5, 1.0, 0.25]
    assert np.allclose(reading.rotation @ (0, 0, 1), (-1, 0, 0), atol=1e-6), "turned to the right, which is -X"
