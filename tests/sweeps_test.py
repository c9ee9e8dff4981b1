"""What of a sweep is in `make test`, and what in `make slow`."""

from __future__ import annotations

from typing import cast

import pytest
from sweeps import mark_sweeps


def is_slow(request: pytest.FixtureRequest) -> bool:
    return request.node.get_closest_marker("slow") is not None


@pytest.mark.sweep
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_what_is_between_the_ends_of_a_sweep_is_slow(request: pytest.FixtureRequest, number: int) -> None:
    assert is_slow(request) == (number in (2, 3))


@pytest.mark.sweep("b", "c")
@pytest.mark.parametrize("letter", "abcd")
def test_what_a_sweep_does_not_name_is_slow(request: pytest.FixtureRequest, letter: str) -> None:
    assert is_slow(request) == (letter in "ad")


@pytest.mark.sweep
@pytest.mark.parametrize("number", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_what_is_slow_as_it_is_is_no_end_of_a_sweep(request: pytest.FixtureRequest, number: int) -> None:
    assert is_slow(request) == (number in (2, 4))


@pytest.mark.parametrize("number", [1])
def test_a_name_that_nothing_in_a_sweep_has_is_refused(request: pytest.FixtureRequest, number: int) -> None:
    item = cast(pytest.Function, request.node)
    item.add_marker(pytest.mark.sweep(item.callspec.id, "zero"))
    with pytest.raises(pytest.UsageError, match="the sweep has no “zero”"):
        mark_sweeps([item], whole=True)
    mark_sweeps([item], whole=False)
    assert not is_slow(request)
