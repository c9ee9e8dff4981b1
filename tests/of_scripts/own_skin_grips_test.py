"""The measure of how hands of another size lie around what our body holds, and that such a rig is read at its size."""

from __future__ import annotations

import numpy as np
import pytest

from scripts.drags.contact_depths import FIRST
from scripts.rigs.own_skin_grips import gaps, holding, with_hands


@pytest.mark.slow
def test_a_hand_as_large_as_ours_closes_around_a_stick_and_a_larger_one_stands_off() -> None:
    document = holding("stick")
    person, stick = document.character(FIRST), document.props[0]
    ours = gaps(person, with_hands(1.0), stick)
    assert np.abs(ours).max() < 0.004, "every finger and the palm touch"
    nearest, farthest, _ = gaps(person, with_hands(1.4), stick)
    assert farthest > 0.02
    assert nearest > -0.03


def test_enlarged_hands_leave_the_rest_of_a_rig_as_large_as_it_is() -> None:
    plain, large = (with_hands(size).rig().person.rest_positions for size in (1.0, 1.4))
    assert np.ptp(large[:, 1]) == pytest.approx(np.ptp(plain[:, 1]), rel=1e-3), "most of its joints are in its hands"
