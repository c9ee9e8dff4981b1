"""Pictures from the command line: size, background, view, and where people appear on them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from app.benchmark.sample import two_people
from app.cli.main import main
from app.document import edits
from app.document.model.document import Document, Photo
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from app.document.scene_file.io import save_scene
from app.viewport.picture import camera_of, default_size
from rendering.camera.camera import View
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl


def save(folder: Path, document: Document) -> str:
    save_scene(folder / "scene.json", document)
    return str(folder / "scene.json")


def picture(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        assert image.mode == "RGBA"
        return np.asarray(image)


def with_photo(document: Document, path: Path) -> Document:
    """The document seen by a camera 4 m in front of it, over a photo that is one plain colour."""
    Image.new("RGB", (640, 480), (10, 200, 30)).save(path)
    camera = PinholeCamera([0.0, 1.0, 4.0], np.eye(3), 600.0, (300.0, 250.0), (640, 480))
    return edits.set_photo(Photo(str(path), "0" * 64, camera))(document)


def test_a_transparent_picture_shows_the_figure_and_nothing_else(qapp: QApplication, tmp_path: Path) -> None:
    scene, target = save(tmp_path, new_document()), tmp_path / "out.png"
    arguments = ["render", scene, "-o", str(target), "--size", "300x400", "--view", "front", "--transparent"]
    assert main(arguments) == 0
    pixels = picture(target)
    assert pixels.shape == (400, 300, 4)
    solid = pixels[..., 3] > 200
    assert 0.01 < solid.mean() < 0.5
    assert not pixels[0, :, 3].any()
    assert not pixels[:, 0, 3].any()
    rows = np.flatnonzero(solid.any(axis=1))
    assert rows[-1] - rows[0] > 200  # the person fills the picture from head to foot


@pytest.mark.slow
def test_a_picture_with_a_background_is_opaque(qapp: QApplication, tmp_path: Path) -> None:
    scene, target = save(tmp_path, two_people()), tmp_path / "out.png"
    assert main(["export", scene, "-o", str(target)]) == 0
    pixels = picture(target)
    assert pixels.shape == (800, 1280, 4)
    assert (pixels[..., 3] == 255).all()
    assert pixels[..., :3].std() > 5


@pytest.mark.parametrize("view", ["angle", "front", "back", "left", "right", "top"])
def test_every_view_has_everyone_in_the_picture(view: str) -> None:
    document = two_people()
    camera = camera_of(document, view, 1.6)
    for character in document.characters:
        spots = View(camera, 1280, 800).project(joints_of(character).positions)
        assert (spots > 0).all()
        assert (spots < [1280, 800]).all()


@pytest.mark.slow
def test_lines_in_a_picture_larger_than_usual_are_as_much_wider(qapp: QApplication, tmp_path: Path) -> None:
    scene, shares = save(tmp_path, new_document()), []
    for size in ("1600x160", "4800x480"):
        target = tmp_path / f"{size}.png"
        drawn = ["--size", size, "--view", "front", "--look", "line", "--transparent"]
        assert main(["render", scene, "-o", str(target), *drawn]) == 0
        pixels = picture(target)
        shares.append(float(((pixels[..., 3] > 127) & (pixels[..., :3].max(axis=-1) < 100)).mean()))
    assert shares[0] > 0.001
    assert shares[1] == pytest.approx(shares[0], rel=0.25)


def test_a_hidden_person_is_not_drawn(qapp: QApplication, tmp_path: Path) -> None:
    scene = save(tmp_path, edits.set_visible("c1", False)(new_document()))
    target = tmp_path / "out.png"
    assert main(["render", scene, "-o", str(target), "--size", "64x64", "--transparent"]) == 0
    assert not picture(target)[..., 3].any()


def test_the_photo_is_the_background_and_people_stand_where_its_camera_sees_them(
    qapp: QApplication, tmp_path: Path
) -> None:
    document = with_photo(new_document(), tmp_path / "plain.png")
    scene, target = save(tmp_path, document), tmp_path / "out.png"
    assert default_size(document, "photo") == (640, 480)
    assert main(["render", scene, "-o", str(target)]) == 0
    pixels = picture(target)
    assert pixels.shape == (480, 640, 4)
    assert pixels[5, 5, :3] == pytest.approx([10, 200, 30], abs=3)
    chest = joints_of(document.characters[0]).positions[9]
    x, y = 300 + 600 * chest[0] / (4 - chest[2]), 250 - 600 * (chest[1] - 1) / (4 - chest[2])
    assert np.abs(pixels[round(y), round(x), :3].astype(int) - [10, 200, 30]).max() > 40


@pytest.mark.parametrize(("command", "what"), [("render", "photo"), ("export", "photo"), ("export", "scene")])
def test_no_picture_and_no_export_is_written_over_what_the_scene_lives_in(
    qapp: QApplication, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, what: str
) -> None:
    scene = save(tmp_path, with_photo(new_document(), tmp_path / "plain.png"))
    own = Path(scene) if what == "scene" else tmp_path / "plain.png"
    before = own.read_bytes()
    assert main([command, scene, "-o", str(own)]) == 1
    said = capsys.readouterr().err
    assert own.name in said
    assert what in said.partition(own.name)[2]
    assert own.read_bytes() == before


def test_a_lost_photo_is_told_and_the_people_are_drawn(
    qapp: QApplication, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = with_photo(new_document(), tmp_path / "plain.png")
    (tmp_path / "plain.png").unlink()
    scene, target = save(tmp_path, document), tmp_path / "out.png"
    assert main(["render", scene, "-o", str(target)]) == 0
    assert "plain.png was not found" in capsys.readouterr().err
    assert picture(target)[..., :3].std() > 5


def test_bones_may_be_drawn_instead_of_the_body(qapp: QApplication, tmp_path: Path) -> None:
    scene = save(tmp_path, new_document())
    shown = {}
    for show in ("body", "bones"):
        target = tmp_path / f"{show}.png"
        assert main(["render", scene, "-o", str(target), "--size", "200x300", "--transparent", "--show", show]) == 0
        shown[show] = picture(target)
    assert (shown["body"] != shown["bones"]).any()


def test_the_scene_with_everyone_hidden_still_has_a_camera() -> None:
    document = new_document()
    hidden = document.with_characters(replace(c, visible=False) for c in document.characters)
    assert camera_of(hidden, "front", 1.0) is not None


def test_the_two_people_to_try_things_on_reach_with_their_hands() -> None:
    for character in two_people().characters:
        places, names = joints_of(character).positions, skeleton_of(character).names
        wrists = [e for e in character.effectors if e.kind == "position" and e.joint.endswith("wrist")]
        assert len(wrists) == 2
        for wrist in wrists:
            assert np.linalg.norm(places[names.index(wrist.joint)] - wrist.target) < 0.01  # type: ignore[attr-defined]
        hips = places[names.index("left_hip")][1]
        assert all(places[names.index(f"{side}_wrist")][1] > hips for side in ("left", "right"))


def test_the_look_and_the_light_of_a_picture_can_be_chosen(qapp: QApplication, tmp_path: Path) -> None:
    scene, drawn = save(tmp_path, new_document()), {}
    for name, how in (("clay", []), ("line", ["--look", "line"]), ("right", ["--key-light", "80,20"])):
        target = tmp_path / f"{name}.png"
        arguments = ["render", scene, "-o", str(target), "--size", "200x260", "--view", "front", "--transparent"]
        assert main([*arguments, *how]) == 0
        drawn[name] = picture(target).astype(int)
    solid = drawn["clay"][..., 3] > 250
    assert np.median(drawn["line"][solid][:, :3]) > np.median(drawn["clay"][solid][:, :3]) + 40
    half = solid & (np.arange(200) > 100)
    ahead = {name: pixels[half].mean() - pixels[solid & ~half].mean() for name, pixels in drawn.items()}
    assert ahead["right"] > ahead["clay"] + 8, "the right is brighter than the left"


@pytest.mark.parametrize("wrong", ["up", "10", "10,200", "nan,0"])
def test_a_key_light_from_nowhere_is_refused(
    qapp: QApplication, tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    assert main(["render", "scene.json", "-o", "out.png", f"--key-light={wrong}"]) == 2
    assert f"“{wrong}” is not a direction of light" in capsys.readouterr().err
