"""Who lies on a box by a part of the body stays out of it with the rest, as long as nothing was in it before."""

from __future__ import annotations

import pytest

from scripts.contacts.surface_drags import drag

BODIES = [("male", "dls"), ("tall", "smplik")]


@pytest.mark.parametrize(("body", "solver"), BODIES)
@pytest.mark.parametrize(("onto", "patch"), [("box", "left_forearm"), ("wall", "left_forearm"), ("box", "left_shin")])
def test_hand_and_foot_stay_out_of_what_forearm_and_shin_are_laid_on(
    onto: str, patch: str, body: str, solver: str
) -> None:
    """Hands were 6 to 7 cm in the box, and feet 5 to 7."""
    for _, off, within, _, lost in drag(onto, patch, body, solver, seated=False):
        assert off < 0.6
        assert within < 2.0
        assert lost < 0.2


@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("patch", ["belly", "lower_belly", "chest"])
def test_thighs_and_head_do_not_go_through_the_box_that_the_trunk_is_laid_on(patch: str, solver: str) -> None:
    """They were up to 9 cm in it, for the trunk's place was met that way alone."""
    for _, _, within, _, lost in drag("box", patch, "short", solver, seated=False):
        assert within < 3.0
        assert lost < 0.5


def test_a_belly_that_cannot_get_onto_a_box_comes_as_near_to_it_at_once_as_it_ever_does() -> None:
    """It was stopped 25 cm off, and came nearer by 8, 7 and 2 cm as it was dragged by a centimetre each."""
    (_, first, *_), *later = drag("box", "belly", "neutral", "dls", seated=False)
    for _, off, _, gone, _ in later:
        assert first < off + 0.5
        assert gone < 3.0


def test_knees_that_are_in_a_box_already_stay_there_as_a_forearm_is_laid_on_it() -> None:
    """Pushed out of it, they took seat and feet along, by 7 to 21 cm in a step of one."""
    _, *later = drag("box", "left_forearm", "male", "dls", seated=True)
    for _, off, _, gone, _ in later:
        assert off < 0.2
        assert gone < 6.0
