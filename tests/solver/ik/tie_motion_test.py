"""In a drag, what a figure is tied to on its own body goes on as it went in the last step, if that tells anything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import natural, position, problem

from solver.effectors.effector import Effector
from solver.effectors.sources import JointSource
from solver.ik.memory import FRESH, SettledMemory, SolveRecord, TieMotion
from solver.ik.multi_solve.tie_motion import tie_motion_of, with_targets_going_on
from solver.ik.options import NO_OPTIONS
from solver.solvers.catalog import load_solver

BASE = natural()
PELVIS = replace(position(BASE, "pelvis"), id="pelvis")
HEAD = replace(position(BASE, "head"), id="head")
HAND = replace(position(BASE, "left_wrist"), id="hand", source=JointSource("a", "left_knee"))
WENT, TOOK = np.float32([0.01, 0.0, 0.0]), np.float32([0.0, 0.004, 0.01])  # the pelvis in the last step, and the hand


def moved(effector: Effector, way: np.ndarray) -> Effector:
    return replace(effector, target=effector.target + np.float32(way))


def settled(motion: TieMotion | None = None) -> SettledMemory:
    record = SolveRecord(problem([PELVIS, HEAD, HAND], BASE), NO_OPTIONS, load_solver("dls"), BASE)
    return SettledMemory(FRESH, record, (), tie_motion=motion)


def gone_on(way: np.ndarray, took: np.ndarray = TOOK) -> np.ndarray | None:
    """How far the hand's target goes on where the pelvis is dragged that way; None where its carrier says it."""
    asked = (moved(PELVIS, way), HAND)
    carried = (asked[0], moved(HAND, np.float32([9.0, 9.0, 9.0])))
    found = with_targets_going_on("a", asked, carried, settled(TieMotion("pelvis", WENT, {"hand": np.float32(took)})))
    assert found[0] is asked[0] or np.array_equal(found[0].target, asked[0].target)
    return None if found[1] is carried[1] else found[1].target - HAND.target


@pytest.mark.parametrize("times", [1.0, 0.5, -1.0, 1.9])
def test_a_hand_goes_on_as_it_went_by_as_much_as_what_is_dragged(times: float) -> None:
    assert gone_on(times * WENT) == pytest.approx(times * TOOK, abs=1e-6)


@pytest.mark.parametrize(
    ("why", "way", "took"),
    [
        ("the drag is much quicker than it was", 2.1 * WENT, TOOK),
        ("it turns aside", WENT + [0.0, 0.011, 0.0], TOOK),
        ("the hand had jumped", WENT, 3.1 * WENT),
        ("the hand would go far", 1.9 * WENT, [0.0, 0.0, 0.0291]),
    ],
)
def test_what_carries_the_hand_says_where_it_comes_to_be_as_soon_as(
    why: str, way: np.ndarray, took: np.ndarray
) -> None:
    assert gone_on(way, np.float32(took)) is None, why


def test_how_the_hand_went_is_told_where_one_effector_alone_was_dragged() -> None:
    now = (moved(PELVIS, WENT), moved(HAND, TOOK))
    told = tie_motion_of("a", settled(), now)
    assert told is not None
    assert told.dragged == "pelvis"
    assert told.by == pytest.approx(WENT, abs=1e-6)
    assert told.ways["hand"] == pytest.approx(TOOK, abs=1e-6)
    assert tie_motion_of("b", settled(), now) is None, "it is not tied to itself"
    assert tie_motion_of("a", settled(), (PELVIS, HAND)) is None, "nothing was dragged"
    assert tie_motion_of("a", FRESH, now) is None
    assert tie_motion_of("a", settled(), (*now, moved(HEAD, WENT))) is None, "two are dragged"
