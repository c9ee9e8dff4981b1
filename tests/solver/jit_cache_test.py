"""Machine code is kept and found only where nobody else can put any."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solver import jit

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes as on Unix")


def folder(path: Path, mode: int) -> Path:
    path.mkdir(exist_ok=True)
    path.chmod(mode)
    return path


@pytest.mark.parametrize("mode", [0o777, 0o702, 0o1777, 0o722])
def test_a_folder_that_others_can_write_is_not_used(mode: int, tmp_path: Path) -> None:
    assert not jit.is_usable(folder(tmp_path / "cache", mode))


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives folders away")
@pytest.mark.parametrize(("user", "group", "mode"), [(12345, 12345, 0o700), (0, 12345, 0o770), (12345, 0, 0o755)])
def test_a_folder_of_somebody_else_or_of_a_group_is_not_used(user: int, group: int, mode: int, tmp_path: Path) -> None:
    path = folder(tmp_path / "cache", 0o700)
    os.chown(path, user, group)
    path.chmod(mode)
    assert not jit.is_usable(path)


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "cache").symlink_to(folder(tmp_path / "elsewhere", 0o700))
    assert not jit.is_usable(tmp_path / "cache")


def test_a_folder_in_one_that_others_can_write_is_used_only_where_they_cannot_replace_it(tmp_path: Path) -> None:
    assert not jit.is_usable(folder(tmp_path / "open", 0o777) / "cache")
    assert jit.is_usable(folder(tmp_path / "sticky", 0o1777) / "cache")


def test_a_folder_of_ones_own_is_made_and_kept_to_oneself(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        (tmp_path / "a").mkdir(mode=0o755)
        assert jit.is_usable(tmp_path / "a" / "kernels")
    finally:
        os.umask(before)
    assert (tmp_path / "a" / "kernels").stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
def test_without_a_private_folder_nothing_is_kept_and_all_works(tmp_path: Path) -> None:
    open_to_all = folder(tmp_path / "all", 0o777)
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    environment |= {"XDG_CACHE_HOME": str(open_to_all), "HOME": str(open_to_all), "TMPDIR": str(open_to_all)}
    program = "import numpy as np, solver.jit as jit\n@jit.kernel\ndef twice(x):\n    return x + x\nprint(twice(21.0))"
    script = tmp_path / "program.py"
    script.write_text(program)
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert done.stdout.split() == ["42.0"], done.stderr
    assert not list(open_to_all.rglob("*.nb[ic]"))
