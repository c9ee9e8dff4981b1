"""Short silences of single trackers in a take: they were on their way from one reading to the next."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.trackers.gap_filling import LONGEST_GAP_S, GapFiller
from solver.trackers.sample import Reading, TrackerSample

FPS = 60


def spoken(places: Mapping[int, list[float]], frames: int = 61) -> list[TrackerSample]:
    """A head that is heard in every frame, and a hand that is heard at these places in these frames."""
    head = Reading(np.float32([0, 1.6, 0]), np.eye(3, dtype=np.float32))
    return [
        TrackerSample(
            i / FPS,
            {"head": head} | ({"hand": Reading(np.float32(places[i]), None)} if i in places else {}),
        )
        for i in range(frames)
    ]


def hands(samples: list[TrackerSample]) -> list[float | None]:
    """How far to the left the hand is in each frame, None where it says nothing."""
    gap_filler = GapFiller(samples)
    over = [gap_filler.filled(sample).readings.get("hand") for sample in samples]
    return [None if each is None or each.position is None else float(each.position[0]) for each in over]


def test_a_slow_tracker_among_fast_ones_goes_evenly_from_reading_to_reading() -> None:
    found = hands(spoken({i: [0.01 * i, 1, 0] for i in range(0, 61, 12)}))
    assert found == pytest.approx([0.01 * i for i in range(61)], abs=1e-6)


def test_before_its_first_reading_after_its_last_and_in_a_long_silence_nothing_is_made_up() -> None:
    apart = int(LONGEST_GAP_S * FPS) + 2
    found = hands(spoken({10: [0, 1, 0], 10 + apart: [1, 1, 0]}, 81))
    assert [i for i, each in enumerate(found) if each is not None] == [10, 10 + apart]


def test_a_turn_goes_the_short_way_and_what_is_not_told_is_not_made_up() -> None:
    at, told = np.float32([0, 1, 0]), [0.0, None, 0.4]
    turns = [None if each is None else from_rotation_vector([0.0, each, 0.0]).astype(np.float32) for each in told]
    samples = [
        TrackerSample(i / FPS, {} if turn is None else {"hand": Reading(at if i == 0 else None, turn)})
        for i, turn in enumerate(turns)
    ]
    between = GapFiller(samples).filled(samples[1]).readings["hand"]
    assert between.position is None
    assert to_rotation_vector(between.rotation) == pytest.approx([0.0, 0.2, 0.0], abs=1e-5)


def test_what_a_hand_holds_is_held_in_its_silences_too() -> None:
    at, level = np.float32([0, 1, 0]), np.eye(3, dtype=np.float32)
    told = TrackerSample(0.0, {"held": Reading(at, level, held=True), "worn": Reading(at, level)})
    samples = [told, TrackerSample(0.1, {}), TrackerSample(0.2, told.readings)]
    between = GapFiller(samples).filled(samples[1]).readings
    assert {name: reading.held for name, reading in between.items()} == {"held": True, "worn": False}


@pytest.mark.parametrize("wrong", [9, 20])
def test_no_hand_is_led_up_to_one_wrong_reading_beside_a_silence(wrong: int) -> None:
    places = {i: [3.0 if i == wrong else 0.0, 1, 0] for i in range(61) if not 9 < i < 20}
    found = hands(spoken(places))
    assert [i for i, each in enumerate(found) if each] == [wrong]
