"""Unsaved work survives a crash and is offered again; a clean end leaves nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from motion_samples import strolling
from window_driver import until

from app.document import edits
from app.document.scene_file.io import load_scene
from app.services.background.autosave import Autosave
from app.services.background.recovery_files import discard, found_recoveries, restore
from app.services.session import Session

ROOT = Path(__file__).resolve().parents[3]

CRASHING = """
import itertools, os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.document import edits
from app.document.posing.create import new_document
from app.services.background.autosave import Autosave
from app.services.session import Session
from app.services.solve_service import SolveService

application = QCoreApplication([])
session = Session(SolveService())
session.open(new_document())
autosave = Autosave(session, Path(sys.argv[1]), debounce_s=0.0)
parent, seen = os.getppid(), 0
for number in itertools.count():  # until it is killed, however slowly it started
    session.edit("Rename", edits.rename_character("c1", f"Name {number}"))
    application.processEvents()
    if autosave.file.is_file() and (stamp := autosave.file.stat().st_mtime_ns) != seen:
        seen = stamp
        print("written", flush=True)
    if os.getppid() != parent:
        break  # nobody is left to kill it
"""


def rename(session: Session, name: str) -> None:
    session.edit("Rename", edits.rename_character("c1", name))


def test_an_edit_is_on_disk_after_a_pause(session: Session, tmp_path: Path) -> None:
    autosave = Autosave(session, tmp_path, debounce_s=0.05)
    assert not autosave.file.exists()
    rename(session, "Ada")
    until(autosave.file.is_file)
    autosave.wait()
    assert load_scene(autosave.file).characters[0].name == "Ada"
    autosave.close()


@pytest.mark.slow
def test_two_seconds_of_rest_are_enough(session: Session, tmp_path: Path) -> None:
    autosave = Autosave(session, tmp_path)
    rename(session, "Ada")
    began = time.monotonic()
    until(autosave.file.is_file)
    assert 1.9 < time.monotonic() - began < 8.0, "far less than the ten seconds of a scene that takes long to write"
    autosave.close()


@pytest.mark.slow
def test_a_scene_that_takes_long_to_write_is_written_after_a_longer_rest(session: Session, tmp_path: Path) -> None:
    autosave = Autosave(session, tmp_path, debounce_s=1.0)
    session.edit("Walk", edits.import_motion("c1", strolling(4000)))
    began = time.monotonic()
    assert autosave.write_now() is not None
    took, before = time.monotonic() - began, autosave.file.stat().st_mtime_ns
    rename(session, "Ada")
    began = time.monotonic()
    until(lambda: autosave.file.stat().st_mtime_ns != before)
    assert time.monotonic() - began > min(1.0 + 1.5 * took, 9.0), "ten seconds at most, however slow the machine is"
    autosave.close()


def test_steady_editing_is_written_as_well(session: Session, tmp_path: Path) -> None:
    autosave = Autosave(session, tmp_path, debounce_s=60.0, every_s=0.0)
    rename(session, "Ada")
    autosave.wait()
    assert load_scene(autosave.file).characters[0].name == "Ada"
    autosave.close()


def test_a_living_window_is_not_offered_for_recovery_and_a_clean_end_leaves_nothing_behind(
    session: Session, tmp_path: Path
) -> None:
    autosave = Autosave(session, tmp_path, debounce_s=0.01)
    rename(session, "Ada")
    until(autosave.file.is_file)
    autosave.wait()
    assert found_recoveries(tmp_path) == []
    autosave.close()
    assert list(tmp_path.glob("*.json")) == []
    assert found_recoveries(tmp_path) == []


def test_saving_removes_the_recovery_file(session: Session, tmp_path: Path) -> None:
    autosave = Autosave(session, tmp_path, debounce_s=0.01)
    rename(session, "Ada")
    until(autosave.file.is_file)
    autosave.wait()
    session.saved_as(tmp_path / "saved.scene")
    until(lambda: not autosave.file.exists())
    autosave.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
def test_work_survives_a_process_that_is_killed_in_the_middle_of_writing(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.Popen(
        [sys.executable, "-c", CRASHING, str(tmp_path)], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for _ in range(5):  # it goes on writing: the next time is under way
        assert process.stdout.readline() == "written\n"
    process.kill()
    process.wait()
    process.stdout.close()
    found = found_recoveries(tmp_path)
    assert len(found) == 1
    assert restore(found[0]).characters[0].name.startswith("Name ")
    discard(found[0].file)
    assert found_recoveries(tmp_path) == []


def test_a_recovery_file_without_its_note_is_still_offered(session: Session, tmp_path: Path) -> None:
    autosave = Autosave(session, tmp_path)
    rename(session, "Ada")
    assert autosave.write_now() == autosave.file
    autosave.close(keep=True)  # as a run that was interrupted leaves it
    autosave.file.with_suffix(".note").write_text("{", encoding="utf-8")
    found = found_recoveries(tmp_path)
    assert [f.file for f in found] == [autosave.file]
    assert found[0].original is None


def test_the_note_says_which_file_was_open(session: Session, tmp_path: Path) -> None:
    session.path = tmp_path / "team.scene"
    autosave = Autosave(session, tmp_path / "recovery")
    rename(session, "Ada")
    autosave.write_now()
    note = json.loads(autosave.file.with_suffix(".note").read_text(encoding="utf-8"))
    assert note["original"] == str(session.path)
    autosave.close()


def test_a_folder_that_cannot_be_made_does_not_disturb(session: Session, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    autosave = Autosave(session, tmp_path / "file" / "recovery", debounce_s=0.0)
    rename(session, "Ada")
    autosave.write()
    assert autosave.write_now() is None
    autosave.close()


def test_trouble_that_comes_back_after_a_good_write_is_told_again(session: Session, tmp_path: Path) -> None:
    autosave, told = Autosave(session, tmp_path), list[str]()
    autosave.failed.connect(told.append)
    rename(session, "Ada")
    for times in (1, 2):
        autosave.file.mkdir()
        assert autosave.write_now() is None
        assert len(told) == times
        autosave.file.rmdir()
        assert autosave.write_now() == autosave.file
        autosave.file.unlink()
    autosave.close()


def test_an_interrupted_run_keeps_its_work_for_the_next_start(session: Session, tmp_path: Path) -> None:
    autosave = Autosave(session, tmp_path)
    rename(session, "Ada")
    autosave.write_now()
    autosave.close(keep=True)
    assert restore(found_recoveries(tmp_path)[0]).characters[0].name == "Ada"
