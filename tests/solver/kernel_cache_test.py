"""Kernels come from the cache without the compiler, and are compiled where the cache has none."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
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
@jit.kernel
def nbi_nothing(x): return x + 1.0
@jit.kernel
def nbi_first_bytes(x): return x + 2.0
@jit.kernel
def nbi_first_half(x): return x + 3.0
@jit.kernel
def nbc_nothing(x): return x + 4.0
@jit.kernel
def nbc_first_bytes(x): return x + 5.0
@jit.kernel
def nbc_first_half(x): return x + 6.0
@jit.kernel
def nbc_missing(x): return x + 7.0
small = [nbi_nothing, nbi_first_bytes, nbi_first_half, nbc_nothing, nbc_first_bytes, nbc_first_half, nbc_missing]
found = [outer(np.arange(5.0), (1.0, 2)), outer(np.arange(3.0, dtype=np.float32), (1.0, 2))]
print([[float(f"{v:.4f}") for v in pair] for pair in found], [kernel(0.5) for kernel in small])
print("numba.np.arraymath" in sys.modules)
print(*(k.__name__ for k in [outer, *small] if hasattr(k, "stats") and k.stats.cache_misses))
"""
KEPT = {"nothing": 0.0, "first_bytes": 20.0, "first_half": 0.5}  # bytes, or the share of them
DAMAGED = [f"{ending}_{kept}" for ending in ("nbi", "nbc") for kept in KEPT]


Run = Callable[..., list[str]]


def run_in(program: Path, cache: Path, **more: str) -> list[str]:
    """The lines that the program says, with that folder for its cache."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT), **more}
    command = [sys.executable, str(program)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The program beside a cache that its first run filled, and what it said."""
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "kernels.py").write_text(PROGRAM)
    return folder, run_in(folder / "kernels.py", folder / "cache")


@pytest.fixture
def before(compiled: tuple[Path, list[str]]) -> str:
    """What the kernels found when they were compiled."""
    return compiled[1][0]


@pytest.fixture
def run(compiled: tuple[Path, list[str]], tmp_path: Path) -> Run:
    """Runs the program with a copy of that cache, `tmp_path / "cache"`."""
    shutil.copytree(compiled[0] / "cache", tmp_path / "cache")
    return partial(run_in, compiled[0] / "kernels.py", tmp_path / "cache")


@pytest.mark.slow
def test_what_the_cache_has_is_run_without_waking_the_compiler(
    compiled: tuple[Path, list[str]], run: Run, tmp_path: Path
) -> None:
    found, woken, missed = compiled[1]
    assert woken == "True"
    assert missed.split() == ["outer", *DAMAGED, "nbc_missing"]
    assert list((tmp_path / "cache").rglob("*.nbc")), "the machine code was kept"
    assert run() == [found, "False", ""]


@pytest.mark.slow
def test_files_of_the_cache_that_are_damaged_or_missing_are_compiled_again_and_replaced(
    run: Run, before: str, tmp_path: Path
) -> None:
    for name in DAMAGED:
        ending, _, kept = name.partition("_")
        (file,) = (tmp_path / "cache").rglob(f"*.{name}-*.{ending}")
        whole, share = file.read_bytes(), KEPT[kept]
        file.write_bytes(whole[: int(share if share > 1 else share * len(whole))])
    (missing,) = (tmp_path / "cache").rglob("*.nbc_missing-*.nbc")
    missing.unlink()
    assert run() == [before, "True", " ".join([*DAMAGED, "nbc_missing"])]
    assert run() == [before, "False", ""]


@pytest.mark.slow
def test_a_disk_that_takes_no_more_does_not_stop_a_solve(run: Run, before: str, tmp_path: Path) -> None:
    folder = next((tmp_path / "cache").rglob("*.nbi")).parent
    for file in folder.iterdir():
        file.unlink()
        if file.suffix == ".nbi":
            file.mkdir()  # where the index is to be written
    assert run()[:2] == [before, "True"]


@pytest.mark.slow
def test_without_the_compiler_the_kernels_are_plain_functions(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(PROGRAM)
    found, small = run_in(tmp_path / "kernels.py", tmp_path / "cache", NUMBA_DISABLE_JIT="1")[0].split("] [")
    of_both = [round(np.sin(1.0) + 2.0 * np.sin(2.0) + 1.0, 4), 2.0]
    assert json.loads(f"{found}]") == [of_both, of_both]
    assert json.loads(f"[{small}") == [0.5 + number for number in range(1, 8)]
    assert not list(tmp_path.rglob("*.nb?"))
