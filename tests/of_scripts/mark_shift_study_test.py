"""The study of where networks mark bent limbs finds the table that marks were moved by."""

from __future__ import annotations

import numpy as np

from scripts.photo.mark_shift_study import Miss, coefficients, report
from solver.photo.fit.mark_shift_table import SHIFTS_MM

ELBOW = np.array(SHIFTS_MM["elbow"]) / 1000


def marks(count: int) -> list[Miss]:
    rng = np.random.default_rng(5)
    found = []
    for _ in range(count):
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        moves = np.einsum("ij,k->ijk", axes[:2], rng.normal(size=12)).reshape(2, -1)
        found.append(Miss(moves, moves @ ELBOW.ravel() + rng.normal(0.0, 0.005, 2)))
    return found


def test_coefficients_are_found_again_although_one_mark_in_ten_is_on_another_limb() -> None:
    rows = marks(600)
    wrong = [Miss(one.moves, one.off + [0.3, -0.2]) if i % 10 == 0 else one for i, one in enumerate(rows)]
    assert np.abs(coefficients(wrong) - ELBOW).max() < 0.002


def test_the_report_tells_how_much_less_marks_are_off() -> None:
    table, last = report({"elbow": marks(300)}).split("part  ")
    assert table.startswith("SHIFTS_MM")
    assert '"elbow": (' in table
    without, shipped, measured = (float(word) for word in last.splitlines()[1].split()[2::2])
    assert without > 3 * shipped
    assert measured <= 1.1 * shipped
