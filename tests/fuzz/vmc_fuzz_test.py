"""A hundred thousand damaged packets of trackers: nothing raises, and nothing of them stays in memory."""

from __future__ import annotations

import gc
import logging
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from fuzz_packets import damaged_packets
from network_driver import sender_to, wait_for
from vmc_samples import bundle, sender_time, tracker

from app.tracking.receiver import TrackerReceiver
from solver.formats.vmc.decode import FARTHEST_M, decode
from solver.formats.vmc.grouping import FrameGrouping
from solver.trackers.sample import TrackerSample

PACKETS, WARM = 100_000, 10_000
THROUGH_SOCKET = 10_000
LONGEST = 65_507  # bytes of a UDP packet
BLOCKS = 2000  # of memory, that may come and go


@pytest.fixture(autouse=True)
def silent(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """python-osc logs what it does not know: a flood of packets would become a flood of lines."""
    caplog.set_level(logging.DEBUG)
    yield
    assert not caplog.records


def blocks_in_use() -> int:
    """Of memory, without what only waits to be collected."""
    gc.collect()
    return sys.getallocatedblocks()


def check(sample: TrackerSample) -> None:
    """A sample says nothing that nobody could pose by."""
    for reading in sample.readings.values():
        assert reading.rotation is not None
        assert np.abs(reading.rotation @ reading.rotation.T - np.eye(3)).max() < 1e-4
        if reading.position is not None:
            assert np.abs(reading.position).max() < 30 * FARTHEST_M, "a chain of bones, each of which can be"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_hundred_thousand_damaged_packets_are_read_counted_and_forgotten() -> None:
    frames, found = FrameGrouping(), Counter[str]()
    blocks = 0
    for number, packet in enumerate(damaged_packets(random.Random(1), PACKETS)):
        decoded = decode(packet)
        samples = frames.take(decoded.messages, number * 0.001)
        found["malformed"] += decoded.malformed
        found["refused"] += decoded.refused
        found["ignored"] += decoded.ignored
        found["messages"] += len(decoded.messages)
        found["samples"] += len(samples)
        if number % 20 == 0:
            for sample in samples:
                check(sample)
        if number == WARM:
            blocks = blocks_in_use()
    assert blocks_in_use() - blocks < BLOCKS
    assert len(found) == 5
    assert min(found.values()) > 1000, found


@pytest.mark.timeout(600)
def test_the_receiver_lives_through_damaged_packets_and_hears_the_next_that_is_right() -> None:
    receiver = TrackerReceiver()
    receiver.start(0)
    sent, blocks = 0, 0
    try:
        with sender_to(receiver.port) as network:
            for packet in damaged_packets(random.Random(2), THROUGH_SOCKET):
                network.send(packet[:LONGEST])
                sent += 1
                if sent % 100 == 0:  # the system keeps only so many
                    wait_for(receiver, packets=sent)
                    for sample in receiver.due(time.monotonic()):
                        check(sample)
                if sent == THROUGH_SOCKET // 10:
                    blocks = blocks_in_use()
            assert blocks_in_use() - blocks < BLOCKS
            assert receiver.counts.dropped > 1000
            receiver.due(time.monotonic())
            network.send(bundle(tracker("right", 0.25), sender_time()))
            wait_for(receiver, packets=sent + 1)
        (sample,) = [sample for sample in receiver.due(time.monotonic()) if "right" in sample.readings]
        check(sample)
        assert receiver.running
        assert (receiver.failed, receiver.counts.lost) == ("", 0)
    finally:
        receiver.stop()
    assert not receiver.running
