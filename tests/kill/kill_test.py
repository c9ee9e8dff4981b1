"""Killed at any moment of saving and autosaving, the program loses nothing that was on disk and leaves no debris.

KILLS=200 kills so often; a few do for every day.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

KILLS = int(os.environ.get("KILLS", "8"))
LONGEST_S = 0.15  # until a kill; a save or an autosave takes some 30 ms
ROOT = Path(__file__).resolve().parents[2]

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and a signal that cannot be caught"),
    pytest.mark.timeout(120 + 3 * KILLS),
]


@pytest.fixture
def victims() -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.kill.victim"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0


def killed(victims: subprocess.Popen[str], order: str, after_s: float, sign: str = "keeping") -> dict[str, int]:
    """Starts one, kills it that many seconds after it has first given a sign; the last number of each thing it said."""
    assert victims.stdin is not None
    assert victims.stdout is not None
    victims.stdin.write(f"{order}\n")
    victims.stdin.flush()
    said: dict[str, int] = {}
    doomed = 0
    for line in victims.stdout:
        if line == "dead\n":
            return said
        what, number = line.split()
        said[what] = int(number)
        if not doomed and {"pid", sign} <= said.keys():
            doomed = said["pid"]
            time.sleep(after_s)
            os.kill(doomed, signal.SIGKILL)
    raise AssertionError("the program that forks has ended")


def test_a_kill_at_any_moment_leaves_the_old_or_the_new_document_and_recovery_finds_the_work(
    victims: subprocess.Popen[str], tmp_path: Path
) -> None:
    from app.document.scene_file.io import load_scene, save_scene
    from app.services.background.recovery_files import clean, discard, found_recoveries, restore
    from tests.kill.victim import number_of

    dice = random.Random(7)
    home, folder = tmp_path / "home", tmp_path / "recovery"
    home.mkdir()
    scene = home / "scene.json"
    half_written: set[str] = set()
    saved, first, in_a_save = 0, 1, 0
    for number in range(KILLS):
        sign = "keeping" if number else "saved"  # on a busy machine none might get as far as that
        said = killed(victims, f"{scene} {folder} {first}", dice.uniform(0, LONGEST_S), sign)
        last = max(said[what] for what in ("saving", "keeping") if what in said)
        kept, saved, begun = said.get("kept", 0), said.get("saved", saved), said.get("saving", 0)
        in_a_save += begun > saved
        on_disk = number_of(load_scene(scene)) if scene.exists() else 0
        assert on_disk in (saved, max(saved, begun)), "the file is the old or the new one, whole"
        saved = on_disk

        found = found_recoveries(folder)
        half_written |= {path.name for path in tmp_path.glob("*/.*.tmp")}
        assert len(found) <= 1
        recovered = number_of(restore(found[0])) if found else 0
        assert max(recovered, on_disk) >= max(kept, saved), "what was kept or saved is found"
        if found:
            assert found[0].original == scene

        assert len(list(home.iterdir())) <= 2, "the scene, and what one killed save left"
        for each in found:
            discard(each.file)
        for path in folder.iterdir():
            os.utime(path, (0, 0))  # a lock into which its owner wrote nothing is anybody's only after some seconds
        clean(folder)
        assert list(folder.iterdir()) == []
        first = last + 1
    save_scene(scene, load_scene(scene))
    assert list(home.iterdir()) == [scene]
    print(f"{KILLS} kills, {in_a_save} in the middle of a save; {len(half_written)} files were left half written")
