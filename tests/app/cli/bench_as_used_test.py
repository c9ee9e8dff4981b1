"""`bench` as it is typed: recorded, checked against what was recorded, and failing where that is exceeded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.benchmark import yardstick
from app.benchmark.yardstick import FIXED, SLACK, fixed_work, recorded_ratios, slowdown_text, yardstick_ms
from app.cli.bench import PARTS, parts
from app.cli.main import main
from solver.evaluation.speed import Figure


@pytest.fixture
def ratios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of recorded ratios in the place of the program's own."""
    file = tmp_path / "ratios.json"
    file.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(yardstick, "RATIOS", file)
    monkeypatch.setattr(yardstick, "recorded_ratios", lambda: recorded_ratios(file))
    return file


def scaled(file: Path, by: float) -> dict[str, float]:
    """Change what was recorded, but for the machine's own speed; returns what was there before."""
    known = recorded_ratios(file)
    file.write_text(json.dumps({name: value if name == FIXED else by * value for name, value in known.items()}))
    return known


@pytest.mark.slow
@pytest.mark.usefixtures("few_solves")
def test_a_run_passes_beside_what_it_recorded_and_fails_by_name_where_that_is_exceeded(
    ratios: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--only", "solver", "--json", "--record"]) == 0
    told = capsys.readouterr()
    rows = [row["name"] for row in json.loads(told.out)]
    assert [line.split("  ")[0] for line in told.err.splitlines()[1:]] == rows, "each as soon as it was measured"
    known = recorded_ratios(ratios)
    assert set(known) == {*rows, FIXED}
    assert all(value > 0 for value in known.values())

    scaled(ratios, 1 / (100 * SLACK))
    assert main(["bench", "--only", "solver", "--json", "--check"]) == 1
    said = capsys.readouterr().err.splitlines()[-len(rows) :]
    for row, line in zip(rows, said, strict=True):
        assert line.startswith(f"{row}: ")
        assert "times as long as recorded" in line

    ratios.write_text(json.dumps({name: 1000 * value for name, value in known.items() if name != FIXED}))
    assert main(["bench", "--only", "solver", "--check"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert all(row in said.out for row in rows), "the table is printed as well"


@pytest.mark.slow
@pytest.mark.usefixtures("few_solves")
def test_a_check_where_nothing_was_recorded_says_how_to_record(
    ratios: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--only", "solver", "--json", "--check"]) == 1
    head, *lines = capsys.readouterr().err.splitlines()
    assert "median" in head
    assert lines
    for line in lines[len(lines) // 2 :]:
        assert line.endswith("no ratio is recorded; python main.py bench --record does it")
    assert recorded_ratios(ratios) == {}, "a check keeps nothing"


@pytest.mark.parametrize(
    ("times", "fails"), [(0.1, False), (1.0, False), (0.99 * SLACK, False), (1.01 * SLACK, True), (40, True)]
)
def test_a_time_may_take_as_much_longer_as_machines_differ_and_no_more(times: float, fails: bool) -> None:
    said = slowdown_text(Figure("solve", 1.0, 1.0, 9, ratio=0.25 * times), {"solve": 0.25})
    assert bool(said) == fails
    assert not said or f"{times:.1f} times" in said


def test_parts_are_named_in_any_order_with_spaces_or_not() -> None:
    assert parts("drawing, solver") == ("drawing", "solver")
    assert parts(",".join(PARTS)) == PARTS


def test_the_fixed_work_is_fixed_and_takes_time() -> None:
    assert fixed_work() == fixed_work()
    assert yardstick_ms() > 0
