"""pyqtgraph's OpenGL view and its items' base, without everything else of pyqtgraph and of PyOpenGL.

`import pyqtgraph` loads its plots, images and parameter trees, and copies each name of Qt's modules, so that PySide
makes every one of Qt's classes: 36 MB, and a fifth of a second before the window is there. The view needs few of its
files, and of its package only the names below; they are loaded under a package that holds no more than that, with our
own OpenGL functions (rendering/gl/api.py). If this does not work, or if pyqtgraph is already loaded, the whole of it
is used.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import OpenGL
from PySide6 import QtCore, QtGui, QtOpenGLWidgets, QtWidgets

from rendering.gl.api import GL

_NAME = "pyqtgraph"
_OPTIONS = {"background": "k", "useCupy": False}  # pyqtgraph's own defaults of the options that these files read


def view_classes() -> tuple[Any, Any, Any]:
    """pyqtgraph's GLViewWidget, GLViewMixin and GLGraphicsItem."""
    if _NAME not in sys.modules:
        try:
            with _bare_package():
                return _classes()
        except (ImportError, AttributeError, KeyError):  # another version, whose files want more
            pass
    return _classes()


def _classes() -> tuple[Any, Any, Any]:
    view = importlib.import_module(f"{_NAME}.opengl.GLViewWidget")
    item = importlib.import_module(f"{_NAME}.opengl.GLGraphicsItem")
    return view.GLViewWidget, view.GLViewMixin, item.GLGraphicsItem


@contextmanager
def _bare_package() -> Iterator[None]:
    """Within it, `pyqtgraph` is a package of the same files whose own code has not run; no trace of it stays behind."""
    spec = find_spec(_NAME)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"{_NAME} is not installed")
    folder = spec.submodule_search_locations[0]
    try:
        package = _module(_NAME, folder, getConfigOption=_OPTIONS.__getitem__, reload=importlib.reload)
        _module(f"{_NAME}.opengl", f"{folder}/opengl")
        qt = _module(f"{_NAME}.Qt", None, QT_LIB="PySide6", QtCore=QtCore, QtGui=QtGui)
        qt.QtWidgets = _module(f"{_NAME}.Qt.QtWidgets", None, QOpenGLWidget=QtOpenGLWidgets.QOpenGLWidget)  # type: ignore[attr-defined]
        qt.QtWidgets.__getattr__ = lambda name: getattr(QtWidgets, name)
        package.Qt = qt  # type: ignore[attr-defined]
        for name in ("Vector", "Transform3D"):  # classes named like their files
            setattr(package, name, getattr(importlib.import_module(f"{_NAME}.{name}"), name))
        with _our_opengl():
            yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == _NAME]:
            del sys.modules[name]


@contextmanager
def _our_opengl() -> Iterator[None]:
    """Within it, `from OpenGL import GL` gives ours."""
    before = vars(OpenGL).get("GL")
    OpenGL.GL = GL
    try:
        yield
    finally:
        if before is None:
            del OpenGL.GL
        else:
            OpenGL.GL = before


def _module(name: str, folder: str | None, **names: object) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(names)
    if folder is not None:
        module.__path__ = [folder]
    sys.modules[name] = module
    return module


GLViewWidget, GLViewMixin, GLGraphicsItem = view_classes()
