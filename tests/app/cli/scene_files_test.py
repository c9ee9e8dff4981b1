"""Commands that write a scene replace nothing that they read; those that need one say how another file becomes one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.cli.main import main
from app.document import edits
from app.document.model.document import Photo
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, save_scene
from app.document.scene_file.photo_link import sha256_of
from solver.camera import PinholeCamera


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    Image.new("RGB", (64, 48), "grey").save(tmp_path / "team.png")
    return tmp_path / "team.png"


@pytest.fixture
def over_photo(photo: Path) -> Path:
    camera = PinholeCamera(np.float32([0, 1, 4]), np.eye(3, dtype=np.float32), 60.0, (32.0, 24.0), (64, 48))
    seen = Photo(str(photo), sha256_of(photo), camera)
    save_scene(photo.with_name("over.json"), edits.set_photo(seen)(new_document()))
    return photo.with_name("over.json")


def test_a_photo_is_never_replaced_by_the_scene_of_its_people(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = photo.read_bytes()
    assert main(["photo", str(photo), "-o", str(photo)]) == 1
    assert "team.png is the photo, which the scene would replace" in capsys.readouterr().err
    assert photo.read_bytes() == before


def test_a_scene_solved_again_does_not_replace_its_photo(over_photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = over_photo.with_name("team.png")
    before = photo.read_bytes()
    assert main(["solve", str(over_photo), "-o", str(photo)]) == 1
    assert "team.png is a photo of this scene, which the scene would replace" in capsys.readouterr().err
    assert photo.read_bytes() == before


def test_a_scene_may_be_solved_in_place(scene: Path) -> None:
    assert main(["solve", str(scene), "-o", str(scene), "-q"]) == 0


@pytest.mark.parametrize(
    "arguments",
    [["photo", "team.png", "-o", "out.png"], ["solve", "over.json", "-o", "out.bvh"],
     ["convert", "over.json", "-o", "out.bvh"]],
    ids=" ".join,
)  # fmt: skip
def test_a_scene_is_not_written_under_the_name_of_another_kind(
    arguments: list[str], over_photo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(over_photo.parent)
    assert main(arguments) == 1
    said = capsys.readouterr().err
    name = Path(arguments[-1])
    assert f"{name}: what is written is a scene, and names of scenes do not end in {name.suffix}." in said
    assert not Path(arguments[-1]).exists()


def test_that_nothing_can_be_written_is_said_before_a_photo_is_read(
    photo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from app.document.exchange import photo_document

    monkeypatch.setattr(photo_document, "document_of_photo", lambda *_, **__: pytest.fail("it was read"))
    assert main(["photo", str(photo), "-o", str(photo.parent / "none" / "out.json")]) == 1
    assert "its folder does not exist" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["export", "render", "solve"])
@pytest.mark.parametrize(
    ("name", "start", "said"),
    [("team.png", None, "is a photo, not a scene. Make it one first: python main.py photo FILE -o scene.json."),
     ("walk.bvh", b"HIERARCHY\n", "is a BVH file, not a scene. Make it one first: python main.py convert FILE"),
     ("hero.glb", b"glTF\2", "is a rig or a mesh, not a scene"),
     ("pose.json", b'{"format": "contrapposto-pose"', "is a pose file, not a scene"),
     ("label.json", b'{"format": "contrapposto-label"', "is a label, not a scene"),
     ("notes.txt", b"hello", "notes.txt, line 1"), ("empty.json", b"", "empty.json")],
    ids=["photo", "bvh", "glb", "pose", "label", "text", "empty"],
)  # fmt: skip
def test_a_file_that_is_no_scene_is_told_how_it_becomes_one(
    command: str, name: str, start: bytes | None, said: str, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = photo.with_name(name)
    if start is not None:
        file.write_bytes(start)
    out = photo.with_name("out.png" if command == "render" else "out.json")
    assert main([command, str(file), "-o", str(out)]) == 1
    assert said in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("command", ["solve", "export"])
def test_a_scene_of_a_newer_version_is_worked_on_and_said_to_be_one(
    command: str, scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(scene.read_text(encoding="utf-8"))
    newer = tmp_path / "newer.json"
    newer.write_text(json.dumps(content | {"version": content["version"] + 1, "weather": "fine"}), encoding="utf-8")
    out = tmp_path / ("out.json" if command == "solve" else "out.bvh")
    assert main([command, str(newer), "-o", str(out)]) == 0
    assert "newer.json was saved by a newer version of this program." in capsys.readouterr().err
    assert command == "export" or json.loads(out.read_text(encoding="utf-8"))["weather"] == "fine"
    assert main([command, str(scene), "-o", str(out)]) == 0
    assert "newer" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "way_out"),
    [("a.fbx", "open it in Blender, and export FBX there"), ("a.vrm", "by --onto"), ("a.gltf", "ends in .glb")],
)
def test_a_format_that_is_not_written_is_told_with_the_way_to_it(
    name: str, way_out: str, scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(scene), "-o", name]) == 1
    assert way_out in capsys.readouterr().err


def test_what_an_estimator_wrote_is_told_to_become_a_scene_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "points.json").write_text('{"people": []}')
    assert main(["export", str(tmp_path / "points.json"), "-o", str(tmp_path / "a.bvh")]) == 1
    assert "python main.py convert FILE -o scene.json" in capsys.readouterr().err


def film(path: Path) -> Path:
    """Three frames of mmpose's key points: of nobody, and of somebody who is 100 pixels further right in the last."""
    upright = [[0, 0], [5, -5], [-5, -5], [10, 0], [-10, 0], [30, 50], [-30, 50], [40, 110], [-40, 110], [45, 160],
               [-45, 160], [20, 170], [-20, 170], [22, 260], [-22, 260], [24, 350], [-24, 350]]  # fmt: skip
    frames = [{"instances": []}]
    for right in (200.0, 300.0):
        points = [[x + right, y + 60.0] for x, y in upright]
        frames.append({"instances": [{"keypoints": points, "keypoint_scores": [0.9] * 17}]})
    path.write_text(json.dumps({"instance_info": frames}))
    return path


@pytest.mark.slow
@pytest.mark.parametrize(("more", "frame", "right"), [((), 2, 200.0), (("--frame", "3"), 3, 300.0)])
def test_convert_reads_the_frame_of_a_film_of_key_points_that_it_names(
    tmp_path: Path, more: tuple[str, ...], frame: int, right: float, capsys: pytest.CaptureFixture[str]
) -> None:
    Image.new("L", (500, 500)).save(tmp_path / "film.png")
    assert main(["convert", str(film(tmp_path / "film.json")), "-o", str(tmp_path / "scene.json"), *more]) == 0
    assert f"of 3 frames of key points, frame {frame} was read".lower() in capsys.readouterr().out.lower()
    document = load_scene(tmp_path / "scene.json")
    assert document.photo is not None
    (person,) = document.characters
    assert document.photo.camera.project(person.pose.root_position)[0] == pytest.approx(right, abs=20)


@pytest.mark.parametrize("number", ["0", "-1", "last", "²"])
def test_a_frame_is_a_number_from_1(tmp_path: Path, number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(film(tmp_path / "a.json")), "-o", str(tmp_path / "b.json"), f"--frame={number}"]) != 0
    assert f"“{number}” is not the number of a frame, counted from 1" in capsys.readouterr().err


def test_a_frame_of_a_scene_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_scene(tmp_path / "scene.json", new_document())
    assert main(["convert", str(tmp_path / "scene.json"), "-o", str(tmp_path / "a.json"), "--frame", "2"]) != 0
    assert "--frame" in capsys.readouterr().err
