"""`convert` of several files at once, or of a folder: a scene each, and what cannot be read holds up no other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sample_files import CLIPS

from app.cli.main import main
from app.document import edits
from app.document.exchange.label_folder import prepare
from app.document.model.document import Document, Photo
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, save_scene
from app.document.scene_file.photo_link import sha256_of
from solver.camera import PinholeCamera

WALK = (CLIPS / "bend.bvh").read_bytes()


@pytest.fixture
def takes(tmp_path: Path) -> Path:
    """A folder of two motions, one that is cut, an empty one, and files that are none."""
    folder = tmp_path / "takes"
    folder.mkdir()
    for name in ("one.bvh", "two.BVH"):
        (folder / name).write_bytes(WALK)
    (folder / "cut.bvh").write_bytes(WALK[: len(WALK) // 2])
    (folder / "empty.bvh").touch()
    (folder / "notes.txt").write_text("of Monday")
    (folder / ".hidden.bvh").write_text("no")
    Image.new("RGB", (8, 8)).save(folder / "still.png")
    save_scene(folder / "scene.json", new_document())
    return folder


def scenes_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_folder_becomes_a_scene_for_each_motion_in_it_and_what_fails_is_named(
    takes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "scenes"
    assert main(["convert", str(takes), "-o", str(out)]) == 1
    said = capsys.readouterr()
    first, second = said.err.splitlines()
    assert f"{takes / 'cut.bvh'}, line " in first
    assert second == f"contrapposto: {takes / 'empty.bvh'} is empty. Save or copy it again."
    assert f"2 of 4 files converted into {out}; 2 could not be. 3 other files in the folder skipped." in said.out
    assert scenes_in(out) == ["one.json", "two.json"]
    assert all(len(load_scene(file).actors) == 1 for file in out.iterdir())


def test_several_files_are_converted_as_each_alone_is(
    takes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, out = takes / "one.bvh", takes / "two.BVH", tmp_path / "scenes"
    assert main(["convert", str(one), str(two), str(one), "-o", str(out)]) == 0
    told = capsys.readouterr().out
    assert f"  Wrote {out / 'one.json'}." in told
    assert "2 of 2  two.BVH" in told
    assert "2 of 2 files converted" in told
    assert main(["convert", str(one), "-o", str(tmp_path / "alone.json"), "-q"]) == 0
    assert (out / "one.json").read_bytes() == (tmp_path / "alone.json").read_bytes()


def test_one_file_goes_into_a_folder_that_is_there_or_that_a_slash_asks_for(takes: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for out in (str(tmp_path / "there"), f"{tmp_path / 'made'}/"):
        assert main(["convert", str(takes / "one.bvh"), "-o", out, "-q"]) == 0
        assert scenes_in(Path(out)) == ["one.json"]


def test_names_that_differ_in_their_suffix_keep_it_and_those_that_do_not_are_refused_before_anything_is_written(
    takes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (takes / "cut.bvh").unlink()
    (takes / "empty.bvh").unlink()
    assert main(["export", str(takes / "scene.json"), "-o", str(takes / "one.glb")]) == 0
    out = tmp_path / "scenes"
    assert main(["convert", str(takes), "-o", str(out), "-q"]) == 0
    assert scenes_in(out) == ["one.bvh.json", "one.glb.json", "two.json"]
    (tmp_path / "one.bvh").write_bytes(WALK)
    capsys.readouterr()
    again = [str(takes / "one.bvh"), str(tmp_path / "one.bvh")]
    assert main(["convert", *again, "-o", str(tmp_path / "none")]) == 1
    assert f"{again[1]} would be written to the same file as {again[0]}" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_several_motions_go_onto_the_own_character_that_lies_among_them(takes: Path, tmp_path: Path) -> None:
    (takes / "cut.bvh").unlink()
    (takes / "empty.bvh").unlink()
    out, rig = tmp_path / "posed", takes / "two.BVH"
    assert main(["convert", str(takes), "-o", str(out), "--onto", str(rig), "-q"]) == 0
    assert scenes_in(out) == ["one.bvh"]


def test_a_folder_is_never_written_over_what_is_read_from_it(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pose = tmp_path / "poses" / "stand.json"
    pose.parent.mkdir()
    assert main(["export", str(scene), "-o", str(pose)]) == 0
    before = pose.read_bytes()
    assert main(["convert", str(pose.parent), "-o", str(pose.parent)]) == 1
    assert "stand.json is the file to convert, which the scene would replace" in capsys.readouterr().err
    assert pose.read_bytes() == before


def test_a_folder_of_labels_becomes_a_scene_for_each_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("empty", "one"):
        Image.new("RGB", (60, 40)).save(tmp_path / f"{name}.png")
    camera = PinholeCamera(np.float32([0, 1, 4]), np.eye(3, dtype=np.float32), 60.0, (30.0, 20.0), (60, 40))

    def read(picture: Path) -> tuple[Document, int]:
        document = new_document() if picture.stem == "one" else Document()
        return edits.add_photo(Photo(str(picture), sha256_of(picture), camera))(document), 0

    labels, out = tmp_path / "labels", tmp_path / "scenes"
    prepare(tmp_path, labels, read, lambda _line: None, pytest.fail)
    assert main(["convert", str(labels), "-o", str(out)]) == 0
    assert "2 of 2 files converted" in capsys.readouterr().out
    assert scenes_in(out) == ["empty.json", "one.json"]
    assert main(["convert", str(labels / "empty.npz"), "-o", str(tmp_path / "empty.json"), "-q"]) == 0
    scene = load_scene(tmp_path / "empty.json")
    assert scene.photo is not None
    assert (Path(scene.photo.path).name, scene.actors) == ("empty.png", ())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["one.bvh", "two.BVH", "-o", "all.json"], "-o names the folder to write them into, and all.json is the name"),
        (["one.bvh", "two.BVH", "-o", "-"], "“-o -” takes one file"),
        (["one.bvh", "two.BVH", "-o", "out", "--picture", "still.png"], "--picture is of one file"),
    ],
    ids=["file", "pipe", "picture"],
)
def test_what_is_of_one_file_is_wrong_usage_with_several(
    arguments: list[str], said: str, takes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(takes)
    before = scenes_in(takes)
    assert main(["convert", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert scenes_in(takes) == before


@pytest.mark.parametrize("name", ["nothing", "notes"])
def test_a_folder_without_anything_to_convert_says_what_it_looked_for(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).mkdir()
    if name == "notes":
        (tmp_path / name / "a.txt").write_text("a")
    assert main(["convert", str(tmp_path / name), "-o", str(tmp_path / "out")]) == 1
    assert "holds no motion, pose, label or estimate" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
