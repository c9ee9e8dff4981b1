"""Sending trackers to a receiver through a real socket, and waiting until they are there."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence

from app.tracking.receiver import THIS_COMPUTER, Counts, TrackerReceiver
from solver.trackers.sample import TrackerSample

WAIT_S = 20


def sender_to(port: int, host: str = THIS_COMPUTER) -> socket.socket:
    """A socket whose packets go there."""
    network = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    network.connect((host, port))
    return network


def wait_for(receiver: TrackerReceiver, **counts: int) -> Counts:
    """Wait until the receiver has counted at least so many; all counts as they are then."""
    end = time.monotonic() + WAIT_S
    while any(getattr(receiver.counts, name) < least for name, least in counts.items()):
        assert time.monotonic() < end, f"{counts} did not come: {receiver.counts}"
        time.sleep(0.001)
    return receiver.counts


def heard(receiver: TrackerReceiver, samples: int) -> Sequence[TrackerSample]:
    """What was not taken before, once the receiver has put together so many samples in all."""
    wait_for(receiver, samples=samples)
    return receiver.due(time.monotonic())
