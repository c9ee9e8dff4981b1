"""Estimators of other packages: found by their entry point, asked for a photo's people, named where they fail."""

from __future__ import annotations

import io
import shutil
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from estimates_samples import BODY, FOCAL, SIZE, TWO, error_m, parameters, transl
from PIL import Image

from app.cli.main import main
from app.document.scene_file.io import load_scene
from solver.errors import InputRefused, PoserError, UnknownName
from solver.estimates.plug_in_names import estimator_names
from solver.estimates.plug_ins import people_in_photo
from solver.photo.image_file import PhotoImage

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "estimator_plug_in.py"
PICTURE = PhotoImage(np.full((SIZE[1], SIZE[0], 3), 90, np.uint8), "photo.png", "", None)
CODE = """
import sys
import threading
import numpy as np

begun, go_on = threading.Event(), threading.Event()

def nobody(rgb, focal_px):
    return []

def fails(rgb, focal_px):
    raise RuntimeError("the card is too small")

def odd(rgb, focal_px):
    return {"verts": np.zeros(3)}

def nan(rgb, focal_px):
    return {"global_orient": np.full((1, 3), np.nan), "body_pose": np.zeros((1, 69))}

def empty(rgb, focal_px):
    return {"global_orient": np.zeros((0, 3)), "body_pose": np.zeros((0, 69)), "transl": np.zeros((0, 3))}

def no_points(rgb, focal_px):
    return {"people": []}

def ends(rgb, focal_px):
    sys.exit(3)

def slow(rgb, focal_px):
    begun.set()
    go_on.wait(30)
    return []

number = 5
"""
PROGRAM = """
import sys
import numpy as np
from PIL import Image
picture, answer = sys.argv[-2:]
assert Image.open(picture).size == (1200, 900)
with np.load({people!r}) as people:
    np.savez(answer, **people)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package as pip installs it, with the example and some that fail as its estimators."""
    folder = tmp_path / "site"
    info = folder / "stranger-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    names = ("nobody", "empty", "no_points", "fails", "ends", "slow", "odd", "nan", "number", "missing")
    lines = [f"{name} = stranger_estimators:{name}" for name in names]
    lines += ["example = stranger_example:estimate", "gone = no_such_module:estimate"]
    (info / "entry_points.txt").write_text("[contrapposto.estimators]\n" + "\n".join(lines) + "\n")
    (folder / "stranger_estimators.py").write_text(CODE)
    shutil.copy(EXAMPLE, folder / "stranger_example.py")
    monkeypatch.syspath_prepend(str(folder))
    for module in ("stranger_estimators", "stranger_example"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return folder


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real program that answers with two people, named as the example wants it."""
    people, script = tmp_path / "people.npz", tmp_path / "program.py"
    np.savez(people, **parameters(TWO), pred_cam_t_full=np.stack([transl(one) for one in TWO]), focal_length=FOCAL)
    script.write_text(PROGRAM.format(people=str(people)))
    monkeypatch.setenv("POSE_ESTIMATOR", f"{sys.executable} {script}")


def test_installed_estimators_are_listed_without_loading_them(package: Path) -> None:
    assert estimator_names()[0] == "built-in"
    assert {"example", "fails", "gone", "nobody", "number"} <= set(estimator_names())
    assert "stranger_estimators" not in sys.modules


def test_the_example_asks_a_program_and_its_people_come_in(package: Path, program: None) -> None:
    found = people_in_photo("example", PICTURE, BODY)
    assert found.camera.focal_px == FOCAL
    assert len(found.people) == 2
    assert max(error_m(one, found.camera, truth) for one, truth in zip(found.people, TWO, strict=True)) < 0.03


def test_the_example_says_what_to_set_where_no_program_is_named(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POSE_ESTIMATOR", raising=False)
    with pytest.raises(PoserError, match="Set the variable POSE_ESTIMATOR to the command of your program"):
        people_in_photo("example", PICTURE, BODY)


def test_the_example_is_short(package: Path) -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 30


@pytest.mark.slow
def test_the_command_line_takes_a_plug_in_and_tells_on_a_terminal_what_it_does(
    package: Path, program: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    photo, scene = tmp_path / "photo.png", tmp_path / "scene.json"
    Image.fromarray(PICTURE.rgb).save(photo)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert main(["photo", str(photo), "-o", str(scene), "--estimator", "example"]) == 0
    assert "Person 1: found; the estimator does not say how sure it is\n" in capsys.readouterr().out
    assert isinstance(sys.stderr, Terminal)
    shown = sys.stderr.getvalue()
    assert shown.index("Asking example   0%") < shown.index("Handles for person 2 of 2  50%")
    assert shown.endswith("\r\x1b[K\r"), "the line is gone at the end"
    document = load_scene(scene)
    assert len(document.characters) == 2
    assert document.photo is not None


@pytest.mark.parametrize("name", ["nobody", "empty", "no_points"])
def test_nobody_seen_is_nobody_found(package: Path, name: str) -> None:
    found = people_in_photo(name, PICTURE, BODY, focal_px=800.0)
    assert found.people == ()
    assert found.camera.focal_px == 800.0


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("fails", PoserError, "The estimator “fails” failed: RuntimeError: the card is too small."),
        ("ends", PoserError, "The estimator “ends” failed: SystemExit: 3. Fix the plug-in, or choose another"),
        ("odd", InputRefused, r"estimator odd has a layout that is not known \(verts\)"),
        ("nan", InputRefused, r"estimator nan, global_orient\[0, 0\] holds a number that is not finite"),
        ("gone", PoserError, "“gone” .no_such_module:estimate. cannot be loaded: ModuleNotFoundError"),
        ("missing", PoserError, "“missing” .stranger_estimators:missing. cannot be loaded: AttributeError"),
        ("number", PoserError, "“number” .* is not a function that takes a picture"),
        ("unheard-of", UnknownName, "There is no estimator of poses named “unheard-of”. Known: built-in, empty"),
    ],
)
def test_one_that_fails_is_named_with_the_reason(package: Path, name: str, error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        people_in_photo(name, PICTURE, BODY)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "shoot"
    folder.mkdir()
    for name in ("a.png", "b.png"):
        Image.fromarray(PICTURE.rgb).save(folder / name)
    return folder


@pytest.mark.parametrize("name", ["fails", "nan"])
def test_each_picture_of_a_folder_that_one_fails_at_is_named(
    package: Path, pictures: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["label", str(pictures), "--estimator", name]) == 1
    said = capsys.readouterr().err.splitlines()
    assert [line.removeprefix("contrapposto: ").split(":")[0] for line in said] == [
        str(pictures / "a.png"), str(pictures / "b.png"),
    ]  # fmt: skip
    assert all(f"estimator {name}" in line or f"estimator “{name}”" in line for line in said)


@pytest.mark.parametrize("name", ["gone", "number"])
def test_one_that_cannot_be_loaded_is_refused_once_and_not_for_each_picture(
    package: Path, pictures: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["label", str(pictures), "--estimator", name]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"The estimator “{name}”" in said
    assert not (pictures / "labels").exists()


def test_one_that_is_cancelled_is_not_waited_for_and_the_next_waits_for_its_end(package: Path) -> None:
    from stranger_estimators import begun, go_on

    cancelled = threading.Event()
    threading.Thread(target=lambda: (begun.wait(30), cancelled.set())).start()
    started = time.monotonic()
    assert people_in_photo("slow", PICTURE, BODY, cancelled=cancelled.is_set).people == ()
    assert time.monotonic() - started < 10, "its own call takes thirty seconds"
    said: list[str] = []
    told: list[str] = []

    def ask() -> None:
        try:
            people_in_photo("fails", PICTURE, BODY, progress=lambda _share, text: told.append(text))
        except PoserError as error:
            said.append(str(error))

    following = threading.Thread(target=ask)
    following.start()
    following.join(0.3)
    assert following.is_alive(), "two calls at once could want one graphics card"
    assert told == ["Asking fails", "Waiting for an earlier call of an estimator to end"]
    go_on.set()
    following.join(30)
    assert "too small" in said[0]
