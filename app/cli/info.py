"""Show what this installation consists of: versions, device, OpenGL, solvers and assets."""

from __future__ import annotations

import argparse

LIBRARIES = (
    "numpy", "scipy", "numba", "torch", "onnxruntime", "ai-edge-litert", "pillow", "trimesh", "PySide6-Essentials",
    "pyqtgraph", "PyOpenGL", "smplx",
)  # fmt: skip
_POSES = "assets/poses/"


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON, for machines")


def run(args: argparse.Namespace) -> int:
    """Gather and print."""
    facts = gather()
    if args.json:
        import json

        print(json.dumps(facts, indent=2, ensure_ascii=False))
        return 0
    for title, entries in facts.items():
        print(title)
        width = max(map(len, entries), default=0)
        for name, value in entries.items():
            print(f"  {name:<{width}}  {value}")
    return 0


def gather() -> dict[str, dict[str, str]]:
    """Everything to show, by heading."""
    return {"program": program(), "libraries": libraries(), "solvers": solvers(), "assets": assets()}


def program() -> dict[str, str]:
    """The program itself and the machine it runs on."""
    import platform

    from app import __version__
    from solver.devices import find_devices
    from solver.resources import resource_folder

    return {
        "contrapposto": __version__,
        "folder": str(resource_folder("app").parent),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "device": ", ".join(f"{device.id} ({device.name})" for device in find_devices()),
        "opengl": opengl(),
    }


def opengl() -> str:
    """What draws: OpenGL's renderer and version as the driver names them, or why there is none."""
    from app.services.screen import drawing
    from rendering.drawing.offscreen import drawing_context
    from rendering.drawing.surfaceless import NoOpenGL

    try:
        with drawing(), drawing_context():
            from rendering.gl.api import GL

            renderer, version = (GL.glGetString(name) or b"?" for name in (GL.GL_RENDERER, GL.GL_VERSION))
            return f"{renderer.decode()}, {version.decode()}"
    except NoOpenGL as error:
        return f"none: {error}"


def libraries() -> dict[str, str]:
    """The versions of the libraries in use."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def solvers() -> dict[str, str]:
    """The solvers by id."""
    from solver.solvers.catalog import SOLVERS

    return {spec.id: f"{spec.title}. {spec.summary}" for spec in SOLVERS}


def assets() -> dict[str, str]:
    """The data files that come with the program, with their sizes; all poses in one entry."""
    from solver.resources import resource_folder

    sizes: dict[str, list[float]] = {}
    for package in ("assets", "weights"):
        folder = resource_folder(package)
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".py":
                name = f"{package}/{path.relative_to(folder).as_posix()}"
                name = _POSES if name.startswith(_POSES) else name
                sizes.setdefault(name, []).append(path.stat().st_size / 1e6)
    return {
        name: f"{sum(some):.2f} MB{f' in {len(some)} files' if len(some) > 1 else ''}" for name, some in sizes.items()
    }
