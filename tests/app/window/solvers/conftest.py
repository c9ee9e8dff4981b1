"""Fixtures for what the window shows of solvers."""

from __future__ import annotations

import pytest

from app.window.controls import comparison_control
from solver.solvers.catalog import SOLVERS

FEW = ("smplik", "dls", "fabrik", "ccd")


@pytest.fixture
def a_few_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that are the same however many are asked: four are asked, in less than half the time."""
    few = [spec for spec in SOLVERS if spec.id in FEW]
    assert len(few) == len(FEW)
    monkeypatch.setattr(comparison_control, "SOLVERS", few)
