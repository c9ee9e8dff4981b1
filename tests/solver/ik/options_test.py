"""What fits a solver's option, and what counts where something does not."""

from __future__ import annotations

import pytest
from made_up_solvers import LEAN, MIRRORED, SIDE

from solver.ik.options import NO_OPTIONS, Option, OptionValue, with_option


@pytest.mark.parametrize(
    ("option", "good", "bad"),
    [
        (MIRRORED, [True, False], [1, 0.0, "true"]),
        (LEAN, [-45.0, 0, 45.0, 3.25], [45.1, -46, True, "3", float("nan"), float("inf")]),
        (SIDE, ["ahead", "aside"], ["behind", "", 1, False]),
    ],
    ids=["switch", "number", "choice"],
)
def test_a_value_that_does_not_fit_counts_as_the_default(
    option: Option, good: list[OptionValue], bad: list[OptionValue]
) -> None:
    for value in good:
        assert option.fits(value)
        assert option.of({option.id: value}) == value
    for value in bad:
        assert not option.fits(value)
        assert option.of({option.id: value}) == option.default
    assert option.of(NO_OPTIONS) == option.default


def test_setting_an_option_leaves_the_others_and_the_mapping_before() -> None:
    first = with_option(NO_OPTIONS, "lean", 3.0)
    second = with_option(first, "side", "aside")
    assert second == {"lean": 3.0, "side": "aside"}
    assert first == {"lean": 3.0}
    assert not NO_OPTIONS
    with pytest.raises(TypeError):
        second["lean"] = 4.0  # type: ignore[index]
