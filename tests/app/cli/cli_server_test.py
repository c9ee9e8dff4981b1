"""The command line where there is no screen, and where libraries are missing that a desktop has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from app.benchmark.sample import two_people
from app.cli.main import main
from app.document.scene_file.io import save_scene

ROOT = Path(__file__).resolve().parents[3]
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
SIZE = ("--size", "320x200")
pytestmark = [pytest.mark.gl, pytest.mark.skipif(sys.platform != "linux", reason="only Linux may have no screen")]


@pytest.fixture
def scene(tmp_path: Path) -> str:
    save_scene(tmp_path / "scene.json", two_people())
    return str(tmp_path / "scene.json")


def without(tmp_path: Path, *libraries: str, screen: bool = False, **more: str) -> dict[str, str]:
    """The environment of a machine on which these shared libraries cannot be loaded."""
    for library in libraries:
        (tmp_path / "hidden").mkdir(exist_ok=True)
        (tmp_path / "hidden" / library).touch()  # found before the real one, and no library
    kept = {name: value for name, value in os.environ.items() if screen or name not in SCREENS}
    return {**kept, "LD_LIBRARY_PATH": str(tmp_path / "hidden"), **more}


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "main.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image).astype(int)


@pytest.mark.slow
def test_a_picture_drawn_on_a_server_is_the_one_that_a_desktop_draws(
    qapp: QApplication, tmp_path: Path, scene: str
) -> None:
    assert main(["render", scene, "-o", str(tmp_path / "desktop.png"), *SIZE]) == 0
    # No X server, no Xvfb on the path, and neither OpenGL for windows nor the libraries of Qt's windows.
    bare = without(tmp_path, "libGL.so.1", "libGLX.so.0", "libxcb-cursor.so.0", PATH="/nowhere")
    done = run(bare, "render", scene, "-o", str(tmp_path / "server.png"), *SIZE)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    apart = np.abs(pixels(tmp_path / "server.png") - pixels(tmp_path / "desktop.png")).max(axis=-1)
    # Where a body, an outline or a shadow ends, rounding may hand single pixels to what lies behind.
    assert (apart > 2).mean() < 1e-3
    assert apart.mean() < 0.01


@pytest.mark.slow
def test_a_picture_needs_no_window_where_qt_can_make_none(tmp_path: Path, scene: str) -> None:
    bare = without(tmp_path, "libxcb-cursor.so.0", screen=True)
    done = run(bare, "export", scene, "-o", str(tmp_path / "out.png"))
    assert done.returncode == 0, done.stderr
    assert pixels(tmp_path / "out.png")[..., :3].std() > 5


@pytest.mark.sweep("library")
@pytest.mark.parametrize("lost", ["library", "driver"])
def test_without_egl_a_picture_is_refused_in_a_line_that_names_what_to_install(
    tmp_path: Path, scene: str, lost: str
) -> None:
    bare = without(tmp_path, "libEGL.so.1") if lost == "library" else without(tmp_path)
    bare["__EGL_VENDOR_LIBRARY_FILENAMES"] = os.devnull
    done = run(bare, "render", scene, "-o", str(tmp_path / "out.png"), *SIZE)
    assert done.returncode == 1
    assert "apt-get install libegl1" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out.png").exists()


@pytest.mark.parametrize(
    ("hidden", "screen", "reason"),
    [
        ((), {}, "There is no screen to open the window on"),
        ((), {"DISPLAY": ":4711"}, "The screen :4711 (DISPLAY) cannot be reached"),
        ((), {"DISPLAY": ":4711", "QT_QPA_PLATFORM": "vnc:size=800x600"}, "Unset the variable QT_QPA_PLATFORM"),
        (("libxcb-cursor.so.0",), {"DISPLAY": ":4711"}, "apt-get install"),
        (("libGL.so.1",), {"DISPLAY": ":4711"}, "apt-get install"),
    ],
    ids=["no screen", "no such screen", "Qt without windows", "no xcb", "no OpenGL"],
)
def test_the_window_is_refused_in_one_line_where_qt_can_open_none(
    tmp_path: Path, hidden: tuple[str, ...], screen: dict[str, str], reason: str
) -> None:
    done = run(without(tmp_path, *hidden, **screen))
    assert done.returncode == 1
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
