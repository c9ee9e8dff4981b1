"""The page about solvers: its figures and commands are the benchmark's, and it tells of every solver."""

from __future__ import annotations

import pytest

from scripts.solver_tables import PAGE, SOURCES, TABLES, filled
from solver.errors import InputRefused
from solver.solvers.catalog import SOLVERS

TEXT = PAGE.read_text(encoding="utf-8")
BENCHMARK = "\n".join(source.read_text(encoding="utf-8") for source in SOURCES)


def test_its_figures_are_those_of_the_benchmark() -> None:
    assert filled(TEXT, BENCHMARK) == TEXT, "run python -m scripts.solver_tables"


def test_another_figure_in_the_benchmark_changes_the_page() -> None:
    line = next(line for line in BENCHMARK.splitlines() if line.startswith("| smplik | "))
    figure = line.split("|")[2].strip()
    assert "| SMPL-IK | 999.9 |" in filled(TEXT, BENCHMARK.replace(line, line.replace(figure, "999.9"), 1))


def test_a_solver_that_is_measured_again_gets_its_row() -> None:
    line = next(line for line in BENCHMARK.splitlines() if line.startswith("| protores | "))
    added = filled(TEXT, BENCHMARK.replace(line, f"{line}\n| pose_edition {line.removeprefix('| protores')}", 1))
    assert sum(row.startswith("| Pose edition |") for row in added.splitlines()) == 1 + sum(
        row.startswith("| Pose edition |") for row in TEXT.splitlines()
    )


def test_commands_are_those_of_the_benchmark() -> None:
    said = [line.strip() for line in TEXT.splitlines() if line.startswith("    python main.py")]
    assert len(said) == len(TABLES)
    assert [line for line in said if line not in BENCHMARK] == []


def test_every_solver_is_told_of() -> None:
    assert [spec.title for spec in SOLVERS if f"**{spec.title}**" not in TEXT] == []


def test_what_is_missing_is_named() -> None:
    with pytest.raises(InputRefused, match="<!-- likely -->"):
        filled("no tables", BENCHMARK)
    with pytest.raises(InputRefused, match="Protocol R:"):
        filled(TEXT, "nothing")
    with pytest.raises(InputRefused, match="MPJPE mm"):
        filled(TEXT, BENCHMARK.replace("MPJPE mm", "error"))
