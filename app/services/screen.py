"""Whether windows can be shown here, a virtual screen for measuring them, and what drawing without one needs."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.errors import PoserError

NO_SCREEN = (
    "There is no screen to open the window on. Start it on a desktop, or put “xvfb-run -a” in front; "
    "most commands, such as photo, convert, export and render, need no screen (see --help)."
)
WITHOUT_GL = ("offscreen", "minimal", "vnc", "linuxfb")  # platforms of Qt
NO_VIRTUAL_SCREEN = (
    "The window needs a screen, and there is none here. "
    "Install a virtual one, which is then used automatically (Debian, Ubuntu: apt-get install xvfb libgl1-mesa-dri)."
)
QT_NEEDS = (
    "libegl1 libgl1 libopengl0 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-image0 "
    "libxcb-render-util0 libxcb-shape0 libxcb-xinerama0 libdbus-1-3 libfontconfig1"
)


def screen_is_named() -> bool:
    """Whether the environment names a screen; on systems other than Linux there always is one."""
    if sys.platform != "linux":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def no_window_because() -> str | None:
    """Why no window can be opened here, with the way out, in one line; None if one can.

    Qt itself would end the whole process, with a longer message.
    """
    if not screen_is_named():
        return NO_SCREEN
    if (platform := os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]) in WITHOUT_GL:
        cannot = f"The window cannot be drawn on Qt's platform “{platform}”, which has no OpenGL."
        return f"{cannot} Unset the variable QT_QPA_PLATFORM, and start it again."
    if sys.platform != "linux" or os.environ.get("WAYLAND_DISPLAY"):
        return None
    if not os.environ.get("QT_QPA_PLATFORM", "xcb").startswith("xcb"):
        return None
    try:
        from PySide6 import QtGui
        from PySide6.QtCore import QLibraryInfo

        assert QtGui
        ctypes.CDLL(str(Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms", "libqxcb.so")))
        xcb = ctypes.CDLL("libxcb.so.1")
    except (ImportError, OSError) as error:
        library = str(error).partition(":")[0]
        return f"Qt cannot open a window: {library} cannot be loaded. Debian, Ubuntu: apt-get install {QT_NEEDS}."
    xcb.xcb_connect.restype = ctypes.c_void_p
    for function in (xcb.xcb_connection_has_error, xcb.xcb_disconnect):
        function.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if failed:
        return f"The screen {os.environ.get('DISPLAY')} (DISPLAY) cannot be reached. {NO_SCREEN.partition('. ')[2]}"
    return None


@contextmanager
def screen() -> Iterator[None]:
    """The screen there is, or a virtual one while the block lasts. PoserError if no window can be opened."""
    if screen_is_named():
        _check_window()
        yield
        return
    server = _start_virtual_screen()
    try:
        _check_window()
        yield
    finally:
        del os.environ["DISPLAY"]
        server.terminate()
        server.wait()


@contextmanager
def drawing() -> Iterator[None]:
    """What drawing without a window needs: outside Linux a Qt application, if there is none; on Linux nothing."""
    from rendering.drawing.offscreen import needs_application

    if not needs_application():
        yield
        return
    from PySide6.QtWidgets import QApplication

    if QApplication.instance() is not None:
        yield
        return
    app = QApplication(["contrapposto"])
    try:
        yield
    finally:
        app.shutdown()


def _check_window() -> None:
    if reason := no_window_because():
        raise PoserError(reason)


def _start_virtual_screen() -> subprocess.Popen[bytes]:
    program = shutil.which("Xvfb")
    if program is None:
        raise PoserError(NO_VIRTUAL_SCREEN)
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
        raise PoserError(NO_VIRTUAL_SCREEN)
    os.environ["DISPLAY"] = f":{number}"
    return server
