"""Imports run one way, and the heavy ones stay where they belong."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
QT_AND_GL = ("PySide6", "pyqtgraph", "OpenGL")

# A package may not import what is listed behind it, nowhere in its files.
FORBIDDEN = {
    "solver": (*QT_AND_GL, "app", "rendering"),
    "solver/kinematics": (
        "solver.body",
        "solver.ik",
        "solver.backends",
        "solver.estimators",
        "solver.formats",
        "torch",
    ),
    "solver/body": ("solver.ik", "solver.backends", "solver.estimators", "solver.formats"),
    "solver/ik": ("solver.estimators", "solver.formats", "solver.training"),
    "solver/formats": ("solver.estimators", "solver.backends"),
    "rendering": ("solver", "app"),
    "app": ("torch", "solver.training", "solver.evaluation", "numba"),
    "app/document": (*QT_AND_GL, "rendering"),
}
ALLOWED = {
    ("app/services/solve_service.py", "torch"),
    ("app/services/device.py", "torch"),
    ("app/commands/train.py", "solver.training"),  # inside a function; the command line's one door to it
    ("app/commands/evaluate.py", "solver.evaluation"),
    ("app/commands/evaluate.py", "solver.training"),  # for runs that are not exported
}


def imports_of(file: Path) -> set[str]:
    """Every module the file imports, at its top or inside a function."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("package", FORBIDDEN)
def test_imports_run_one_way(package: str) -> None:
    wrong = []
    for file in sorted((ROOT / package).rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        for banned in FORBIDDEN[package]:
            hits = {name for name in imports_of(file) if name == banned or name.startswith(banned + ".")}
            if hits and (path, banned) not in ALLOWED:
                wrong.append(f"{path} imports {', '.join(sorted(hits))}")
    assert not wrong, "\n".join(wrong)


def test_files_stay_small() -> None:
    long = {
        file.relative_to(ROOT).as_posix(): lines
        for package in ("app", "solver", "rendering", "tests")
        for file in (ROOT / package).rglob("*.py")
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long, f"split these: {long}"


@pytest.mark.parametrize("package", ["app", "solver", "rendering"])
def test_data_is_found_through_its_package_not_by_counting_folders(package: str) -> None:
    counting = [
        file.relative_to(ROOT).as_posix()
        for file in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "parents"
        if any(isinstance(inner, ast.Name) and inner.id == "__file__" for inner in ast.walk(node))
    ]
    assert not counting
