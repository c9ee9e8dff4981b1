"""An OpenGL context without a screen, a window system or Qt: EGL's, which Linux also has on servers."""

from __future__ import annotations

import ctypes
import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

LIBRARY = "libEGL.so.1"
INSTALL = "Install Mesa's OpenGL and EGL (Debian, Ubuntu: apt-get install libegl1 libgl1 libopengl0 libgl1-mesa-dri)."

_SURFACELESS_MESA, _DEVICE = 0x31DD, 0x313F  # platforms
_OPENGL_API = 0x30A2
_NONE = 0x3038
_CONFIG = (0x3040, 0x0008, _NONE)  # renderable type: OpenGL
_CONTEXT = (0x3098, 3, 0x30FB, 3, 0x30FD, 0x0001, _NONE)  # version 3.3, core profile
_MOST_DEVICES = 16
_ASKED = ("GetCurrentContext", "CurrentContextIsValid")


class NoOpenGL(RuntimeError):
    """OpenGL 3.3 is not available; the text says what to do, in one line."""


@contextmanager
def surfaceless_context() -> Iterator[None]:
    """OpenGL 3.3 core, current while the block lasts; there is nothing to draw into but the caller's own framebuffers.

    Raises NoOpenGL.
    """
    try:
        egl = ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise NoOpenGL(f"Drawing needs EGL, and {LIBRARY} is missing. {INSTALL}") from error
    _declare(egl)
    for display in _displays(egl):
        context = _open(egl, display)
        if context is None:
            continue
        try:
            with _known_to_pyopengl(context):
                yield
        finally:
            egl.eglMakeCurrent(display, None, None, None)
            egl.eglDestroyContext(display, context)
            egl.eglTerminate(display)
        return
    raise NoOpenGL(f"Drawing needs OpenGL 3.3, but none of this computer's drivers offers it. {INSTALL}")


def _declare(egl: ctypes.CDLL) -> None:
    pointer, number = ctypes.c_void_p, ctypes.c_int
    for name, result, arguments in (
        ("eglGetProcAddress", pointer, (ctypes.c_char_p,)),
        ("eglInitialize", number, (pointer, pointer, pointer)),
        ("eglBindAPI", number, (number,)),
        ("eglChooseConfig", number, (pointer, pointer, pointer, number, pointer)),
        ("eglCreateContext", pointer, (pointer, pointer, pointer, pointer)),
        ("eglMakeCurrent", number, (pointer, pointer, pointer, pointer)),
        ("eglDestroyContext", number, (pointer, pointer)),
        ("eglTerminate", number, (pointer,)),
    ):
        function = getattr(egl, name)
        function.restype, function.argtypes = result, arguments


def _import_pyopengl() -> ModuleType:
    """PyOpenGL's link to the system. If the window system's libraries are missing, it takes EGL's when told to."""
    try:
        return importlib.import_module("OpenGL.platform")
    except ImportError:
        before = os.environ.get("PYOPENGL_PLATFORM")
    os.environ["PYOPENGL_PLATFORM"] = "egl"
    try:
        return importlib.import_module("OpenGL.platform")
    except ImportError as error:
        raise NoOpenGL(f"Drawing needs OpenGL's library, and it is missing. {INSTALL}") from error
    finally:
        del os.environ["PYOPENGL_PLATFORM"]
        if before is not None:
            os.environ["PYOPENGL_PLATFORM"] = before


@contextmanager
def _known_to_pyopengl(context: int) -> Iterator[None]:
    """Tells PyOpenGL the current context: the window system, which it would ask, knows nothing of ours."""
    platform = _import_pyopengl()
    changed = [(owner, name) for owner in (platform, platform.PLATFORM) for name in _ASKED]
    before = [getattr(owner, name) for owner, name in changed]
    for owner, name in changed:
        setattr(owner, name, lambda: context)
    try:
        yield
    finally:
        for (owner, name), function in zip(changed, before, strict=True):
            setattr(owner, name, function)


def _displays(egl: ctypes.CDLL) -> Iterator[int]:
    """Mesa's, which needs no device, then every device's, for other makers' drivers."""
    get_display = _function(egl, b"eglGetPlatformDisplayEXT", ctypes.c_void_p, ctypes.c_uint, *2 * [ctypes.c_void_p])
    if get_display is None:
        return
    if display := get_display(_SURFACELESS_MESA, None, None):
        yield display
    query = _function(egl, b"eglQueryDevicesEXT", ctypes.c_int, ctypes.c_int, *2 * [ctypes.c_void_p])
    devices, count = (ctypes.c_void_p * _MOST_DEVICES)(), ctypes.c_int(0)
    if query is not None and query(_MOST_DEVICES, devices, ctypes.byref(count)):
        for device in devices[: count.value]:
            if display := get_display(_DEVICE, device, None):
                yield display


def _function(egl: ctypes.CDLL, name: bytes, *types: object) -> ctypes._FuncPointer | None:
    address = egl.eglGetProcAddress(name)
    return ctypes.CFUNCTYPE(*types)(address) if address else None  # type: ignore[arg-type]


def _open(egl: ctypes.CDLL, display: int) -> int | None:
    """A context of this display, current; None if it has none of the kind."""
    if not egl.eglInitialize(display, None, None):
        return None
    wanted, attributes = (ctypes.c_int * len(_CONFIG))(*_CONFIG), (ctypes.c_int * len(_CONTEXT))(*_CONTEXT)
    config, count = ctypes.c_void_p(), ctypes.c_int(0)
    if egl.eglBindAPI(_OPENGL_API) and egl.eglChooseConfig(
        display, wanted, ctypes.byref(config), 1, ctypes.byref(count)
    ):
        context = egl.eglCreateContext(display, config if count.value else None, None, attributes)
        if context and egl.eglMakeCurrent(display, None, None, context):
            return int(context)
        if context:
            egl.eglDestroyContext(display, context)
    egl.eglTerminate(display)
    return None
