"""A Qt application for drawing without a window: on a desktop, or on a virtual screen started for the purpose."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from solver.errors import PoserError

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

NO_SCREEN = (
    "Drawing needs OpenGL, and there is no screen here to have it on. "
    "Install a virtual one, which is then used by itself (Debian, Ubuntu: apt-get install xvfb libgl1-mesa-dri)."
)


def screen_is_there() -> bool:
    """Whether Qt will find a screen; on Linux it would end the whole process where there is none."""
    if sys.platform != "linux":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


@contextmanager
def screen() -> Iterator[None]:
    """The screen that is there, or a virtual one while the block lasts. PoserError where neither is to be had."""
    if screen_is_there():
        yield
        return
    server = _start_virtual_screen()
    try:
        yield
    finally:
        del os.environ["DISPLAY"]
        server.terminate()
        server.wait()


@contextmanager
def application() -> Iterator[QApplication]:
    """The running Qt application, or a new one for as long as the block lasts. PoserError where there is no screen."""
    with screen():
        from PySide6.QtWidgets import QApplication

        running = QApplication.instance()
        if isinstance(running, QApplication):
            yield running
            return
        app = QApplication(["contrapposto"])
        try:
            yield app
        finally:
            app.shutdown()


def _start_virtual_screen() -> subprocess.Popen[bytes]:
    program = shutil.which("Xvfb")
    if program is None:
        raise PoserError(NO_SCREEN)
    reader, writer = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(writer), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=(writer,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with open(reader, encoding="ascii") as answer:
        number = answer.readline().strip()  # written once the screen is ready; nothing if it could not start
    if not number:
        server.wait()
        raise PoserError(NO_SCREEN)
    os.environ["DISPLAY"] = f":{number}"
    return server
