"""The natural pose, laid over the effectors, is tried as another start where one is missed by more than 3 mm after a
long search, or by more than 4 cm."""

from __future__ import annotations

import pytest
from ik_samples import FEET, body_skeleton, natural, position

from solver.evaluation.speed import free_problem
from solver.ik import exact

SKELETON, BASE = body_skeleton(), natural()


@pytest.mark.parametrize(
    ("raised", "soon", "starts"),
    [(0.003, 0, 0), (0.009, 0, 0), (0.013, 0, 1), (0.013, 1000, 0), (0.02, 1000, 1), (0.06, 1000, 1)],
)
def test_another_start_is_tried_only_where_something_is_missed_that_one_can_see_and_the_search_was_long_or_far_off(
    raised: float, soon: int, starts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "SOON", soon)
    tried = []
    laid_over = exact.placed
    monkeypatch.setattr(exact, "placed", lambda *given: tried.append(given) or laid_over(*given))
    effectors = (position(BASE, "pelvis", (0, raised, 0)), *(position(BASE, foot) for foot in FEET))
    found = exact.refine(free_problem(SKELETON, effectors, BASE), BASE)
    missed = found.residuals[0]
    assert len(tried) == starts
    assert (missed.state == "unreachable") == (raised > 0.005), "straight legs reach no higher"
    assert (missed.value > (3e-3 if soon == 0 else 1e-2)) == bool(starts)
