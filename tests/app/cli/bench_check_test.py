"""`bench --check` compares each row with its budget and with fixed work in the same run."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.benchmark import yardstick
from app.benchmark.yardstick import FIXED, SLACK, ratios_to_fixed_work, recorded_ratios, slowdown_text, yardstick_ms
from app.cli.bench import check, record, row
from solver.evaluation.speed import Figure

RECORDED = {"solve": 0.5}


def test_a_time_is_read_beside_fixed_work_and_memory_is_not() -> None:
    unit = yardstick_ms()
    solve, memory = ratios_to_fixed_work(
        [Figure("solve", 10 * unit, 1, 1), Figure("memory", 400.0, 400.0, 1, None, "MB")]
    )
    assert solve.ratio is not None
    assert 2 < solve.ratio < 50
    assert memory.ratio is None
    assert f"{solve.ratio:.2f}" in row(solve)


def test_a_row_fails_where_it_takes_longer_beside_the_same_work() -> None:
    assert slowdown_text(Figure("solve", 9.0, 9.0, 9, aim=1.0, ratio=0.5 * SLACK), RECORDED) == ""
    assert "2.0 times as long" in slowdown_text(Figure("solve", 0.1, 0.1, 9, aim=1.0, ratio=1.0), RECORDED)


def test_a_row_without_a_ratio_fails_above_its_budget() -> None:
    assert slowdown_text(Figure("memory", 300.0, 300.0, 1, 350.0, "MB"), RECORDED) == ""
    assert "below 350" in slowdown_text(Figure("memory", 400.0, 400.0, 1, 350.0, "MB"), RECORDED)


def test_a_row_fails_far_above_its_budget_on_the_machine_that_recorded() -> None:
    recorded = RECORDED | {FIXED: 2.0}
    assert slowdown_text(Figure("solve", 9.0, 9.0, 9, aim=1.0, ratio=0.5), recorded) == "", "half of two milliseconds"
    slow = slowdown_text(Figure("solve", 0.1, 0.1, 9, aim=0.5, ratio=0.5), recorded)
    assert "1.0 ms" in slow
    assert "below 0.5" in slow


def test_a_row_that_was_never_recorded_is_not_passed_over() -> None:
    assert "--record" in slowdown_text(Figure("new", 1.0, 1.0, 1, ratio=1.0), RECORDED)


def test_what_is_recorded_passes_and_what_doubles_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ratios.json"
    file.write_text('{"other": 3.0}', encoding="utf-8")
    monkeypatch.setattr(yardstick, "RATIOS", file)
    monkeypatch.setattr(yardstick, "recorded_ratios", lambda: recorded_ratios(file))
    record([Figure("solve", 1.0, 1.0, 9, ratio=0.5)])
    assert recorded_ratios(file) == {"other": 3.0, "solve": 0.5, FIXED: 2.0}
    assert check([Figure("solve", 1.0, 1.0, 9, ratio=0.5)]) == 0
    assert check([Figure("solve", 1.0, 1.0, 9, ratio=1.0)]) == 1
    assert "solve" in capsys.readouterr().err


def test_every_recorded_ratio_can_be_read() -> None:
    assert all(ratio > 0 for ratio in recorded_ratios().values())
