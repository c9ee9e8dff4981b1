"""What the window does not load before it shows: dialogs, files, films, OpenGL that nobody draws with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
MOST = 344  # modules of ours; each is about a millisecond of the start
LATER = (
    "OpenGL.GL", "OpenGL.arrays", "app.dialogs.comparison", "app.dialogs.export_dialog", "app.dialogs.gallery",
    "app.dialogs.message_dialog", "app.dialogs.people_dialog", "app.dialogs.settings_dialog",
    "app.document.curves.curves", "app.document.scene_file", "app.film.film", "app.library", "app.viewport.picture",
    "app.viewport.thumbnails", "app.window.commands.command_search", "app.window.controls.comparison_control",
    "app.window.controls.gallery_control", "app.window.export_imports", "app.window.file_imports", "app.window.help",
    "numpy.ma", "pyqtgraph", "solver.formats", "solver.ik.exact", "torch", "onnxruntime", "numba", "scipy",
)  # fmt: skip


@pytest.mark.slow
def test_the_window_loads_no_dialog_no_file_format_and_no_second_opengl_before_it_shows() -> None:
    script = "import sys, app.window.start; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert {name for name in loaded if name.startswith(tuple(f"{later}." for later in LATER)) or name in LATER} == set()
    ours = [name for name in loaded if name.partition(".")[0] in ("app", "rendering", "solver")]
    assert len(ours) <= MOST


@pytest.mark.slow
def test_opening_and_saving_load_nothing_that_only_exports_need() -> None:
    script = "import sys, app.window.start, app.window.file_imports; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "app.document.exchange.open_file" in loaded
    assert not {"app.dialogs.export_dialog", "app.film.film", "app.window.exporting", "solver.formats.gltf"} & loaded


@pytest.mark.slow
def test_while_a_photo_is_chosen_what_opens_and_reads_it_is_loaded() -> None:
    script = (
        "import sys\n"
        "from app.services.background.photo_warm_up import PhotoWarmUp\n"
        "from solver.body.catalog import DEFAULT_BODY\n"
        "ready = PhotoWarmUp(lambda: DEFAULT_BODY, lambda: 'built-in')\n"
        "ready.begin()\n"
        "ready.wait()\n"
        "before = {*sys.modules}\n"
        "import app.document.exchange.open_file, solver.estimates.plug_ins\n"
        "print(*({*sys.modules} - before))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.slow
def test_nobody_reads_the_sources_of_what_the_window_imports() -> None:
    script = (
        "import linecache\n"
        "from app.window.fast_import import import_window\n"
        "import_window()\n"
        "import numba\n"
        "print(len(linecache.cache))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 20


def test_triangles_are_laid_out_for_the_first_picture_without_arrays_that_are_masked() -> None:
    script = (
        "import sys\n"
        "import numpy as np\n"
        "from rendering.items.gpu_mesh import blocks\n"
        "blocks(np.arange(600), np.arange(600).reshape(-1, 3))\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "rendering.items.gpu_mesh" in done.stdout.split()
    assert "numpy.ma" not in done.stdout.split()


@pytest.mark.slow
def test_the_solver_gets_ready_without_geometry_that_few_of_its_problems_ask_for() -> None:
    script = (
        "import sys\nfrom app.services.solve_service import prepare_default\nprepare_default()\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "solver.ik.exact" in loaded
    assert not {"scipy.spatial", "scipy.linalg", "scipy.sparse", "torch"} & set(loaded)
