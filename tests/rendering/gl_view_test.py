"""The view is pyqtgraph's, loaded without the rest of pyqtgraph."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def answer(program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_canvases_are_pyqtgraphs_view() -> None:
    from rendering.view.canvas import Canvas, MemoryCanvas, WindowCanvas

    assert "GLViewWidget" in [base.__name__ for base in WindowCanvas.__mro__]
    for kind in (Canvas, MemoryCanvas, WindowCanvas):
        assert any(base.__module__.startswith("pyqtgraph.") for base in kind.__mro__)


def test_the_canvas_loads_no_plots() -> None:
    program = "import sys, rendering.view.canvas\nprint([name for name in sys.modules if 'graphicsItems' in name])"
    assert answer(program) == ["[]"]


@pytest.mark.slow
def test_the_whole_of_pyqtgraph_can_be_imported_afterwards() -> None:
    program = (
        "import rendering.view.canvas, pyqtgraph, pyqtgraph.opengl\n"
        "print(hasattr(pyqtgraph, 'PlotItem'), pyqtgraph.opengl.GLViewWidget.__name__)"
    )
    assert answer(program) == ["True", "GLViewWidget"]


@pytest.mark.slow
def test_a_pyqtgraph_that_is_loaded_already_is_used_as_it_is() -> None:
    program = (
        "import pyqtgraph.opengl, rendering.view.canvas\n"
        "print(issubclass(rendering.view.canvas.WindowCanvas, pyqtgraph.opengl.GLViewWidget))"
    )
    assert answer(program) == ["True"]


@pytest.mark.slow
def test_where_its_files_alone_do_not_load_the_whole_of_it_is_used() -> None:
    program = (
        "import sys\n"
        "import rendering.view.gl_view as view\n"
        "view.find_spec = lambda name: None\n"
        "widget, mixin, item = view.view_classes()\n"
        "print(widget.__name__, 'pyqtgraph.graphicsItems' in str(sorted(sys.modules)))"
    )
    assert answer(program) == ["GLViewWidget", "True"]
