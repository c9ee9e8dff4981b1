"""What trackers say: values that receivers fill in and followers read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solver.values import FloatArray

BONE_PREFIX = "bone:"  # begins the name of a reading for a bone of a sender's figure; Unity's bone name follows


@dataclass(frozen=True)
class Reading:
    """What one tracker says, in our world: right-handed, Y up, metres; None for what it does not say.

    position: (3,). rotation: (3, 3), from the tracker's axes to the world's. held: its sender says that a hand holds
    it, as of controllers, whatever their names are.
    """

    position: FloatArray | None
    rotation: FloatArray | None
    held: bool = False


@dataclass(frozen=True)
class TrackerSample:
    """What all trackers that were heard say of one moment.

    time_s: by the receiver's clock. readings: by the trackers' names, such as “head” or a serial number.
    """

    time_s: float
    readings: Mapping[str, Reading]


def merged(samples: Sequence[TrackerSample]) -> TrackerSample:
    """What each tracker said last in one or more samples, at the time of the last."""
    readings = {name: reading for sample in samples for name, reading in sample.readings.items()}
    return samples[-1] if len(samples) == 1 else TrackerSample(samples[-1].time_s, readings)
