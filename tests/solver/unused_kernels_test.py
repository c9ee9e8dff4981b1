"""Folders of old machine code are removed, and only those: in our own cache, of our own names, unused for long."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from solver.jit import choose_cache, sources_digest
from solver.unused_kernels import KEPT_S

ROOT = Path(__file__).resolve().parents[2]
DAY_S = 24 * 3600.0
OLD = "kernels-0123456789abcdef"
Start = Callable[[Path], None]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the place of the cache is set as Linux has it")


def folder_of_age(folder: Path, days: float) -> Path:
    """A cache folder with something in it, last used so many days ago."""
    (folder / "ik").mkdir(parents=True)
    (folder / "ik" / "step.nbc").write_bytes(b"machine code")
    used = time.time() - days * DAY_S
    os.utime(folder, (used, used))
    return folder


def start_apart(home: Path) -> None:
    """The solver as any program of ours imports it."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"XDG_CACHE_HOME": str(home), "PYTHONPATH": str(ROOT), "TMPDIR": str(home), "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", "import solver.jit"], env=environment, check=True, timeout=100)


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Start:
    """Chooses the cache as an import of the solver does, and lets this process have its own again."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)

    def choose(home: Path) -> None:
        monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
        monkeypatch.setenv("XDG_CACHE_HOME", str(home))
        monkeypatch.setattr(tempfile, "tempdir", str(home))
        assert choose_cache()
        assert Path(numba.config.CACHE_DIR).is_relative_to(home)

    return choose


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    made = tmp_path / "contrapposto"
    made.mkdir(mode=0o700)
    return made


@pytest.mark.slow
def test_folders_that_nobody_used_for_a_month_are_removed_and_younger_ones_stay(cache: Path, tmp_path: Path) -> None:
    old = folder_of_age(cache / OLD, KEPT_S / DAY_S + 1)
    young = folder_of_age(cache / "kernels-fedcba9876543210", KEPT_S / DAY_S - 1)
    left_half_removed = folder_of_age(cache / "kernels-aaaaaaaaaaaaaaaa.gone", 0)
    start_apart(tmp_path)
    assert not old.exists()
    assert not left_half_removed.exists()
    assert (young / "ik" / "step.nbc").read_bytes() == b"machine code"


def test_a_folder_in_use_counts_as_used_again_at_each_start(cache: Path, start: Start, tmp_path: Path) -> None:
    mine = folder_of_age(cache / f"kernels-{sources_digest()}", 100)
    start(tmp_path)
    assert time.time() - mine.stat().st_mtime < DAY_S
    assert (mine / "ik" / "step.nbc").exists()


def test_nothing_of_another_name_is_touched(cache: Path, start: Start, tmp_path: Path) -> None:
    names = ("recovery", "kernels-", "kernels-0123", "kernels-0123456789ABCDEF", "old-kernels-0123456789abcdef")
    others = [folder_of_age(cache / name, 100) for name in names]
    file = cache / "kernels-1111111111111111"
    file.write_text("not a folder")
    os.utime(file, (0, 0))
    start(tmp_path)
    assert all((other / "ik" / "step.nbc").exists() for other in others)
    assert file.exists()


def test_a_link_is_not_followed(cache: Path, start: Start, tmp_path: Path) -> None:
    elsewhere = folder_of_age(tmp_path / "elsewhere", 100)
    (cache / OLD).symlink_to(elsewhere)
    start(tmp_path)
    assert (elsewhere / "ik" / "step.nbc").exists()


@pytest.mark.parametrize("mode", [0o777, 0o1777], ids=oct)
def test_nothing_is_removed_where_others_can_write(mode: int, cache: Path, start: Start, tmp_path: Path) -> None:
    old = folder_of_age(cache / OLD, 100)
    cache.chmod(mode)
    start(tmp_path)
    assert (old / "ik" / "step.nbc").exists()
