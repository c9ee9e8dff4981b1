"""Kernels come from the cache without the compiler, and are compiled where the cache has none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
import numpy as np
import solver.jit as jit
@jit.kernel
def inner(x):
    made = np.empty_like(x)  # allocates: the machine code calls numba's memory manager
    for i in range(len(x)):
        made[i] = x[i] * np.sin(x[i])
    return made
@jit.kernel
def outer(x, names):
    made = inner(x)
    return made[1] + made[2] + names[0], names[1]
found = [outer(np.arange(5.0), (1.0, 2)), outer(np.arange(3.0, dtype=np.float32), (1.0, 2))]
print([[float(f"{v:.4f}") for v in pair] for pair in found])
print("numba.np.arraymath" in sys.modules)
"""


@pytest.fixture
def run(tmp_path: Path) -> object:
    (tmp_path / "kernels.py").write_text(PROGRAM)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}

    def run_it(**more: str) -> list[str]:
        command = [sys.executable, str(tmp_path / "kernels.py")]
        done = subprocess.run(
            command, env={**environment, **more}, capture_output=True, text=True, check=False, timeout=100
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run_it


def test_what_the_cache_has_is_run_without_waking_the_compiler(run: object, tmp_path: Path) -> None:
    compiled, woken = run()  # type: ignore[operator]
    assert woken == "True"
    assert list((tmp_path / "cache").rglob("*.nbc")), "the machine code was kept"
    again, woken_again = run()  # type: ignore[operator]
    assert again == compiled
    assert woken_again == "False"


def test_a_file_of_the_cache_that_is_missing_is_compiled_again(run: object, tmp_path: Path) -> None:
    before = run()[0]  # type: ignore[operator]
    for file in (tmp_path / "cache").rglob("*outer*.nbc"):
        file.unlink()
    after, woken = run()  # type: ignore[operator]
    assert (after, woken) == (before, "True")


@pytest.mark.parametrize("kept", [0, 20, 0.5], ids=["nothing", "the first bytes", "the first half"])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_of_the_cache_is_compiled_again_and_replaced(
    kept: float, ending: str, run: object, tmp_path: Path
) -> None:
    before = run()[0]  # type: ignore[operator]
    for file in (tmp_path / "cache").rglob(f"*.{ending}"):
        whole = file.read_bytes()
        file.write_bytes(whole[: int(kept if kept > 1 else kept * len(whole))])
    assert run() == [before, "True"]  # type: ignore[operator]
    assert run() == [before, "False"]  # type: ignore[operator]


def test_a_disk_that_takes_no_more_does_not_stop_a_solve(run: object, tmp_path: Path) -> None:
    before = run()[0]  # type: ignore[operator]
    folder = next((tmp_path / "cache").rglob("*.nbi")).parent
    for file in folder.iterdir():
        file.unlink()
        if file.suffix == ".nbi":
            file.mkdir()  # where the index is to be written
    assert run() == [before, "True"]  # type: ignore[operator]


def test_without_the_compiler_the_kernels_are_plain_functions(run: object) -> None:
    assert run(NUMBA_DISABLE_JIT="1")[0] == run()[0]  # type: ignore[operator]
