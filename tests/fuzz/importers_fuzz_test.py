"""A small share of the fuzz of everything that reads files, always the same cases; `make fuzz` runs all of them."""

from __future__ import annotations

import sys

import pytest
from fuzz_runner import HEADER, Row, Tally, run_rows

SHARE = {"bvh": 15, "gltf": 20, "motion": 15, "pose": 12, "scene": 15, "picture": 25, "body": 12, "weights": 10}


@pytest.fixture(scope="module")
def tallies() -> dict[str, Tally]:
    found = {kind: Tally(kind) for kind in SHARE}
    run_rows(found, [Row(kind, 0, count) for kind, count in SHARE.items()])
    return found


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="memory and time are bounded by what Linux offers")
@pytest.mark.parametrize("kind", SHARE)
def test_a_damaged_file_is_refused_in_one_line_or_all_that_is_done_with_it_works(
    kind: str, tallies: dict[str, Tally]
) -> None:
    tally = tallies[kind]
    if tally.skipped:
        pytest.skip(tally.skipped)
    assert not tally.failed, "\n".join([HEADER, tally.row(), *(f"{kind}:{n} {d}" for n, d in tally.failed.items())])
    assert tally.read + tally.refused == SHARE[kind]
    assert tally.refused
    assert tally.read
