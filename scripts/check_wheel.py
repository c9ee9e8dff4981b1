"""Shows that the wheel is complete: builds it, unpacks it where the checkout is not on the path, and uses it.

From an empty folder the unpacked program says what it consists of, solves a scene, exports it and reads a picture that
it has drawn itself. The libraries come from the environment that runs this: `python -m scripts.check_wheel`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

from scripts.arguments import script_parser

CHECKOUT = Path(__file__).resolve().parent.parent
LARGEST_MB = 100
# -I and -S: neither the current folder, nor PYTHONPATH, nor an editable install of the checkout gets onto the path.
ISOLATED = (sys.executable, "-I", "-S", "-c")
START = """
import sys
sys.path[:0] = {paths!r}
import app, solver, rendering, assets, weights
for module in (app, solver, rendering, assets, weights):
    assert module.__file__.startswith({wheel!r}), module.__file__
assert not any(entry.startswith({checkout!r} + "/") and "site-packages" not in entry for entry in sys.path), sys.path
{then}
"""
DRAW = """
from app.viewport.picture import save_picture
from app.benchmark.sample import two_people
from app.document.scene_file.io import save_scene
save_scene("two.json", two_people())
save_picture("two.png", two_people(), (960, 720), "front")
"""


def main() -> int:
    """Build, unpack, use; exit code 0 if all of it worked."""
    script_parser(__file__, __doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder))
        megabytes = wheel.stat().st_size / 1e6
        print(f"{wheel.name}: {megabytes:.1f} MB")
        assert megabytes < LARGEST_MB, "larger than package registries take"
        unpacked, empty = Path(folder) / "unpacked", Path(folder) / "empty"
        empty.mkdir()
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(unpacked)
        use(unpacked, empty)
    print("The wheel is complete.")
    return 0


def build(folder: Path) -> Path:
    """The wheel of the checkout, built in `folder`."""
    shutil.rmtree(CHECKOUT / "build", ignore_errors=True)  # what an earlier build left would get in, renamed files too
    command = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps")
    subprocess.run([*command, "--wheel-dir", str(folder), str(CHECKOUT)], check=True)
    return next(folder.glob("contrapposto-*.whl"))


def use(unpacked: Path, empty: Path) -> None:
    """What a user does with it, from an empty folder."""
    run(unpacked, empty, DRAW)
    facts = json.loads(command(unpacked, empty, "info", "--json"))
    for name in ("assets/body/neutral.npz", "assets/blazepose/pose_detection.tflite", "weights/smplik/model.onnx"):
        assert name in facts["assets"], f"{name} is not in the wheel"
    run(unpacked, empty, "from app.window.window_dialogs import MANUAL\nassert MANUAL.is_file(), MANUAL")
    command(unpacked, empty, "solve", "two.json", "-o", "solved.json")
    for name in ("solved.bvh", "solved.glb", "solved.png"):
        command(unpacked, empty, "export", "solved.json", "-o", name)
    command(unpacked, empty, "photo", "two.png", "-o", "photo.json")
    people = json.loads((empty / "photo.json").read_text(encoding="utf-8"))["characters"]
    assert len(people) == 2, f"{len(people)} people were found in the drawn picture"
    for pattern in ("solved*.bvh", "solved*.glb", "solved.png"):
        assert any(empty.glob(pattern)), f"{pattern} was not written"


def command(unpacked: Path, empty: Path, *arguments: str) -> str:
    """Run a sub-command of the unpacked program; returns what it printed."""
    print("contrapposto", *arguments, flush=True)
    return run(unpacked, empty, f"from app.cli.main import main\nsys.exit(main({list(arguments)!r}))")


def run(unpacked: Path, empty: Path, then: str) -> str:
    """Run Python with only the unpacked wheel and the libraries on its path; returns what it printed."""
    libraries = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    program = START.format(paths=[str(unpacked), *libraries], wheel=str(unpacked), checkout=str(CHECKOUT), then=then)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [*ISOLATED, program], cwd=empty, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"the program ended with exit code {done.returncode}:\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
