"""A log-out while the solver is being compiled: the program ends in seconds, or keeps what waits for the solver."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
ENDED = """
import os, signal, sys, threading, time
from numba.core.compiler_lock import global_compiler_lock
from PySide6.QtCore import QTimer
from app.document import edits
from app.services import late_edits
from app.window import editor, start
late_edits.PATIENCE_S = 0.1
compiles_s, puts_off = float(sys.argv[1]), sys.argv[2] == "put off"

begun, asked = threading.Event(), threading.Event()

def prepare():
    with global_compiler_lock:
        begun.set()
        asked.wait()
        time.sleep(compiles_s)

editor.prepare_default = prepare
open_window = start.open_window

def opened(*args, **more):
    made = open_window(*args, **more)
    made.warm_up()
    QTimer.singleShot(700, lambda: log_out(made))
    return made

def log_out(made):
    begun.wait()

    def edit(document):
        with global_compiler_lock:
            return edits.rename_character(document.characters[0].id, "Put off")(document)
    if puts_off:
        made.session.edit("Cross", edit)
    asked.set()
    print(made.session.late.names, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

start.open_window = opened
sys.exit(start.run())
"""


def end(folder: Path, compiles_s: float, how: str) -> tuple[subprocess.CompletedProcess[str], list[Path]]:
    """The run that got the signal, which takes 110 s at most, and the recovery files that it left."""
    places = {name: str(folder / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    result = subprocess.run(
        [sys.executable, "-c", ENDED, str(compiles_s), how],
        cwd=ROOT,
        env={**os.environ, **places, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    return result, [file for file in folder.rglob("recovery/*.json") if "characters" in file.read_text("utf-8")]


@pytest.mark.slow
@pytest.mark.gl
def test_a_compiler_that_takes_minutes_does_not_hold_up_a_log_out(qapp: object, tmp_path: Path) -> None:
    result, kept = end(tmp_path, 300.0, "nothing")
    assert result.returncode == 130, result.stderr
    assert not kept


@pytest.mark.slow
@pytest.mark.gl
def test_what_is_put_off_is_done_before_the_program_ends_and_kept(qapp: object, tmp_path: Path) -> None:
    result, kept = end(tmp_path, 1.0, "put off")
    assert result.stdout.startswith("('Cross',)"), result.stderr
    assert result.returncode == 130, result.stderr
    [file] = kept
    [person] = json.loads(file.read_text("utf-8"))["characters"]
    assert person["name"] == "Put off"
