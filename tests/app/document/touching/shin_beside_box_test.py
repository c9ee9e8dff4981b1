"""A knee that is led over a box, as by a drag with S: its shin stays on the side of the box that it is on."""

from __future__ import annotations

import pytest

from scripts.contacts.surface_drags import drag


@pytest.mark.parametrize(("body", "solver"), [("short", "dls"), ("male", "smplik")])
def test_the_shin_of_a_knee_that_is_led_over_a_box_does_not_swing_into_it_and_out_again(body: str, solver: str) -> None:
    _, *later = drag("box", "left_knee", body, solver, seated=False)
    for _, off, _, gone, lost in later:
        assert gone < 20.0, "it went by 48 cm in each step of a centimetre"
        assert off < 1.0
        assert lost < 0.1


def test_a_knee_that_is_led_along_a_wall_takes_the_body_along_evenly() -> None:
    _, *later = drag("beside", "left_knee", "neutral", "smplik", seated=False)
    assert max(gone for _, _, _, gone, _ in later) < 5.0, "it went by 12 cm for a centimetre, to miss by nothing"
    assert max(off for _, off, _, _, _ in later) < 0.1
