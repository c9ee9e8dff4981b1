"""Commands as somebody types them: without arguments, with wrong ones, with files that are missing or exist already."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
import trimesh
from PIL import Image
from sample_files import CLIPS

from app.cli.main import COMMANDS, main
from app.cli.streams import show_progress
from app.document.scene_file.io import load_scene
from solver.formats.bvh.read import read_bvh
from solver.formats.pose_json.write import read_pose_json

ROOT = Path(__file__).resolve().parents[3]
OUT = "out"  # stands for the file to write, in the tables below


def only_line(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that was printed, on stderr."""
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1, said.err
    assert said.err.startswith("contrapposto: ")
    return said.err


@pytest.mark.parametrize("command", COMMANDS)
def test_h_says_what_help_says_and_does_nothing(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "-h"]) == 0
    short = capsys.readouterr().out
    assert main([command, "--help"]) == 0
    assert capsys.readouterr().out == short
    assert f"{command} " in short.splitlines()[0]


@pytest.mark.parametrize("part", ["prepare", "run", "export", "compare"])
def test_each_part_of_training_explains_itself(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", part, "-h"]) == 0
    assert f"train {part}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["photo"], "IMAGE, -o/--output"),
        (["solve"], "SCENE, -o/--output"),
        (["export"], "SCENE, -o/--output"),
        (["render"], "SCENE, -o/--output"),
        (["evaluate"], "--bvh"),
        (["train"], "PART"),
        (["train", "prepare"], "-o/--out"),
        (["train", "run"], "--out"),
        (["train", "export"], "--run, -o/--out"),
        (["train", "compare"], "DIR"),
        (["solve", "a.json"], "-o/--output"),
        (["export", "-o", "b.bvh"], "SCENE"),
    ],
    ids=" ".join,
)
def test_a_command_without_what_it_needs_names_it_and_the_way_to_its_help(
    arguments: list[str], missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    line = only_line(capsys)
    assert missing in line
    assert f"{arguments[0]}" in line
    assert "--help”" in line


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["open", "a.jpg", "b.jpg"], "b.jpg"),
        (["photo", "a.jpg", "-o", "b.json", "--focal", "0"], "--focal"),
        (["photo", "a.jpg", "-o", "b.json", "--people", ""], "--people"),
        (["export", "a.json", "-o", "b.fbx", "--format", "fbx"], "'fbx'"),
        (["export", "a.json", "-o", "b.bvh", "--names", "vicon"], "'vicon'"),
        (["export", "a.json", "-o", ""], "-o takes the file to write: its name is empty"),
        (["photo", "a.jpg", "-o", "b.json/"], "-o takes the file to write: b.json/ names a folder"),
        (["export", "a.json", "-o", "b.obj", "--names", "mixamo"], "--names means nothing for obj, only for bvh, glb"),
        (["export", "a.json", "-o", "b.png", "--motion"], "--motion means nothing for png"),
        (["export", "a.json", "-o", "b.json", "--no-props"], "--no-props means nothing for json"),
        (["export", "a.json", "-o", "b.glb", "--static", "--motion"], "--motion does not go with --static"),
        (["export", "a.json", "-o", "b.bvh", "--separate"], "--separate means nothing for bvh, only for glb"),
        (["render", "a.json", "-o", "b.png", "--view", "below"], "'below'"),
        (["render", "a.json", "-o", "b.png", "--size", "99999x5"], "each side up to 16384"),
        (["render", "a.json", "-o", "b.png", "--size", "-5x5"], "--size"),
        (["render", "a.json", "-o", "b.png", "--show", "skin"], "'skin'"),
        (["evaluate", "--bvh", "d", "--max-poses", "0"], "--max-poses"),
        (["evaluate", "--bvh", "d", "--shape", "tall"], "'tall'"),
        (["train", "run", "--out", "d", "--smoke", "--steps", "few"], "--steps"),
        (["train", "run", "--out", "d", "--smoke", "--config", "a.toml"], "not allowed with"),
        (["train", "dance"], "'dance'"),
        (["bench", "--only", ""], "--only"),
        (["solve", "--body"], "--body"),
    ],
    ids=" ".join,
)
def test_a_wrong_argument_is_named_in_one_line(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert word in only_line(capsys)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["none.bvh"], "none.bvh"),
        (["open", "none.json"], "none.json"),
        (["photo", "none.jpg", "-o", OUT], "none.jpg"),
        (["solve", "none.json", "-o", OUT], "none.json"),
        (["export", "none.json", "-o", f"{OUT}.bvh"], "none.json"),
        (["render", "none.json", "-o", f"{OUT}.png"], "none.json"),
        (["evaluate", "--bvh", "none"], "none"),
        (["train", "prepare", "--bvh", "none", "-o", OUT], "none"),
        (["train", "run", "--config", "none.toml", "--out", OUT], "none.toml"),
        (["train", "export", "--run", "none", "-o", OUT], "none"),
        (["label", "none"], "there is no such folder"),
        (["bench", "--only", "photo", "--json", "--photo", "none.jpg"], "none.jpg"),
    ],
    ids=" ".join,
)
def test_a_file_that_is_not_there_is_named_and_nothing_is_made(
    arguments: list[str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 1
    assert name in only_line(capsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["bvh", "json", "glb", "obj", "stl"])
def test_an_export_replaces_an_older_file_whole(suffix: str, scene: Path, tmp_path: Path) -> None:
    fresh, there = tmp_path / f"fresh.{suffix}", tmp_path / f"there.{suffix}"
    there.write_bytes(b"x" * 50_000_000)
    assert main(["export", str(scene), "-o", str(fresh)]) == 0
    assert main(["export", str(scene), "-o", str(there)]) == 0
    assert there.read_bytes() == fresh.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"scene.json", fresh.name, there.name}


@pytest.mark.parametrize("suffix", ["bvh", "json", "glb", "obj", "stl"])
def test_what_is_exported_opens_again_in_its_own_format(suffix: str, scene: Path, tmp_path: Path) -> None:
    target = tmp_path / f"out.{suffix.upper()}"
    assert main(["export", str(scene), "-o", str(target)]) == 0
    if suffix == "bvh":
        assert len(read_bvh(target)) == 1
    elif suffix == "json":
        (person,) = read_pose_json(target).people
        assert person.pose.root_position == pytest.approx(load_scene(scene).characters[0].pose.root_position)
    else:
        mesh = trimesh.load_mesh(io.BytesIO(target.read_bytes()), file_type=suffix)
        assert 1.2 < mesh.extents[1] < 2.4, "a person's height in metres along Y"


@pytest.mark.parametrize("command", ["solve", "export", "render"])
def test_a_folder_in_the_place_of_the_file_is_refused_and_stays(
    command: str, scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / ("out.png" if command == "render" else "out.json")
    (place / "kept").mkdir(parents=True)
    assert main([command, str(scene), "-o", str(place)]) == 1
    assert place.name in only_line(capsys)
    assert (place / "kept").is_dir()


def test_a_scene_can_be_solved_in_its_place(scene: Path) -> None:
    before = load_scene(scene)
    assert main(["solve", str(scene), "-o", str(scene), "--quiet"]) == 0
    after = load_scene(scene)
    assert after.characters[0].pose != before.characters[0].pose
    assert main(["solve", str(scene), "-o", str(scene), "--quiet"]) == 0
    assert load_scene(scene).characters[0].effectors == after.characters[0].effectors


def test_a_refused_solver_leaves_the_older_result(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "old.json").write_text("as it was")
    assert main(["solve", str(scene), "-o", str(tmp_path / "old.json"), "--solver", "magic"]) == 1
    assert "magic" in only_line(capsys)
    assert (tmp_path / "old.json").read_text() == "as it was"


def test_characters_are_exported_in_the_order_of_the_scene_whatever_was_typed_first(two: Path, tmp_path: Path) -> None:
    names = ["--character", "Ben", "--character", "Anna"]
    assert main(["export", str(two), "-o", str(tmp_path / "p.json"), *names]) == 0
    assert [person.name for person in read_pose_json(tmp_path / "p.json").people] == ["Anna", "Ben"]


def test_every_file_that_is_written_is_named(two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(two), "-o", str(tmp_path / "o.stl")]) == 0
    assert capsys.readouterr().out.splitlines() == [f"Wrote {tmp_path / name}." for name in ("o_Anna.stl", "o_Ben.stl")]


@pytest.mark.parametrize(("unit", "metre"), [("m", 1.0), ("cm", 100.0)])
def test_fingers_come_along_when_they_are_asked_for_in_either_unit(
    unit: str, metre: float, scene: Path, tmp_path: Path
) -> None:
    plain, whole = tmp_path / "plain.bvh", tmp_path / "whole.bvh"
    assert main(["export", str(scene), "-o", str(plain), "--unit", unit]) == 0
    assert main(["export", str(scene), "-o", str(whole), "--unit", unit, "--fingers"]) == 0
    bare, full = read_bvh(plain), read_bvh(whole)
    assert len(bare.joints) == 24
    assert set(bare.names) < set(full.names)
    assert 0.5 < full.values[0, 1] / metre < 1.5, "the pelvis's height"


@pytest.mark.gl
@pytest.mark.parametrize("view", ["angle", "front", "back", "left", "right", "top", "bottom"])
def test_a_scene_is_drawn_from_every_side_at_the_size_that_is_asked_for(
    view: str, scene: Path, tmp_path: Path, qapp: object
) -> None:
    target = tmp_path / "out.png"
    assert main(["render", str(scene), "-o", str(target), "--size", "61x40", "--view", view, "--transparent"]) == 0
    with Image.open(target) as image:
        assert image.size == (61, 40)
        low, high = image.getchannel("A").getextrema()
    assert (low, high > 100) == (0, True)


def test_info_prints_for_people_and_for_machines_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert main(["info"]) == 0
    text = capsys.readouterr().out
    assert set(facts) <= set(text.splitlines())
    for entries in facts.values():
        assert all(f"  {name} " in text for name in entries)


def test_python_m_app_is_the_same_program() -> None:
    said = [
        subprocess.run([sys.executable, *way, "--version"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for way in (["main.py"], ["-m", "app"])
    ]
    assert said[0] == said[1]


@pytest.mark.slow
def test_label_names_a_picture_that_it_cannot_read_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("RGB", (64, 48), "grey").save(tmp_path / "a.png")
    (tmp_path / "b.jpg").write_text("no picture")
    assert main(["label", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert (said.out + said.err).count("b.jpg") == 1
    assert said.err.startswith(f"contrapposto: {tmp_path / 'b.jpg'} is not a picture")
    assert said.out.splitlines() == [
        "1 of 2  a.png: 0 people", f"1 read, 1 cannot be read. Labels are in {tmp_path / 'labels'}.",
    ]  # fmt: skip


@pytest.mark.slow
def test_label_says_of_an_animated_picture_that_its_first_frame_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (Image.new("RGB", (64, 48), shade) for shade in ("grey", "white"))
    first.save(tmp_path / "a.png", save_all=True, append_images=[second])
    first.save(tmp_path / "b.png")
    assert main(["label", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[:-1] == [
        "a.png: only its first frame is read.", "1 of 2  a.png: 0 people", "2 of 2  b.png: 0 people",
    ]  # fmt: skip


def test_convert_says_one_person_and_not_one_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = tmp_path / "reach.json"
    assert main(["convert", str(CLIPS / "reach.bvh"), "-o", str(scene), "-q"]) == 0
    assert main(["convert", str(scene), "-o", str(tmp_path / "again.json")]) == 0
    assert capsys.readouterr().out.startswith("1 person\n")


def test_an_estimator_that_is_not_there_is_refused_once_and_not_for_each_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.png", "b.png"):
        Image.new("RGB", (64, 48), "grey").save(tmp_path / name)
    assert main(["label", str(tmp_path), "--estimator", "nope"]) == 1
    assert "no estimator of poses named “nope”" in only_line(capsys)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.png"]
    assert main(["label", str(tmp_path / "a.png")]) == 1
    assert "a.png is a file, not a folder. Choose the folder that it is in." in only_line(capsys)


def test_a_name_that_windows_allows_no_file_is_written_and_told_of_and_there_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["convert", str(CLIPS / "reach.bvh"), "-o", "reach.json", "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["export", "reach.json", "-o", "con.bvh"]) == 0
    why = "on Windows no file can be called “con.bvh”: the name begins with “con”, a name of the system's own."
    said = capsys.readouterr()
    assert "Wrote con.bvh." in said.out
    assert said.err.startswith(f"contrapposto: {why}\n")
    assert Path("con.bvh").is_file()
    monkeypatch.setattr("app.cli.main.WINDOWS", True)
    assert main(["export", "reach.json", "-o", "aux.bvh"]) == 2
    assert "“aux”" in only_line(capsys)
    assert not Path("aux.bvh").exists()


@pytest.mark.parametrize("name", [".bvh", "bvh", "walk."])
def test_a_name_without_a_suffix_is_called_so(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "none.json", "-o", str(tmp_path / name)]) == 1
    assert "the name has no suffix that says the format" in capsys.readouterr().err


def test_progress_is_shown_nowhere_where_a_script_closed_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    show_progress(0.5, "Reading")
