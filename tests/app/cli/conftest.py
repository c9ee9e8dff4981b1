"""Scenes on disk for the tests of the command line, and a bench that measures little."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.posing.create import new_character, new_document
from app.document.scene_file.io import save_scene

if TYPE_CHECKING:
    from solver.evaluation.speed import Figure


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    save_scene(tmp_path / "scene.json", edits.set_target("c1", "e1", [0.3, 1.5, 0.4])(new_document()))
    return tmp_path / "scene.json"


@pytest.fixture
def two(tmp_path: Path) -> Path:
    document = Document()
    for name in ("Anna", "Ben"):
        document = edits.add_character(new_character(document, name=name))(document)
    save_scene(tmp_path / "two.json", document)
    return tmp_path / "two.json"


FEW = 8  # solves behind a figure, where the figure itself matters to nobody


@pytest.fixture
def few_solves(monkeypatch: pytest.MonkeyPatch) -> None:
    """`bench --only solver` has the rows of both solvers, each of few solves beside little fixed work."""
    from app.benchmark import measures, yardstick
    from solver.evaluation.speed import bench_floor, bench_learned, bench_recovery, bench_solver

    def dls() -> list[Figure]:
        return [*bench_solver("dls", FEW), *bench_floor("dls", 1.5, FEW), bench_recovery("dls", 2)]

    def smplik() -> list[Figure]:
        return [*bench_learned("smplik", FEW), *bench_floor("smplik", 3.0, FEW), bench_recovery("smplik", 2, 200.0)]

    monkeypatch.setattr(measures, "bench_dls", dls)
    monkeypatch.setattr(measures, "bench_smplik", smplik)
    monkeypatch.setattr(yardstick, "REPEATS", 5)
