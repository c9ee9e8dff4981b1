"""What cannot be done is told before work that it would waste; an option without a meaning is not passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.main import main
from app.document.posing.create import new_document
from app.document.scene_file.io import save_scene


def refusal(capsys: pytest.CaptureFixture[str]) -> str:
    """What went to stderr, which is one line."""
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "went wrong inside" not in said
    return said


@pytest.fixture
def in_the_way(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("")
    return tmp_path / "file"


def never(*_: object, **__: object) -> None:
    raise AssertionError("the work began")


def test_a_picture_that_cannot_be_written_is_not_drawn(
    scene: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("app.viewport.picture.save_picture", never)
    assert main(["render", str(scene), "-o", str(scene.parent / "none" / "out.png")]) == 1
    assert "its folder does not exist" in refusal(capsys)


def test_data_for_training_that_cannot_be_written_is_not_read(
    in_the_way: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("solver.training.commands.prepare", never)
    assert main(["train", "prepare", "--bvh", ".", "-o", str(in_the_way / "data.npz")]) == 1
    assert "is a file, not a folder" in refusal(capsys)
    assert main(["train", "prepare", "--bvh", ".", "-o", str(in_the_way.parent)]) == 1
    assert "it is a folder" in refusal(capsys)


@pytest.mark.slow
def test_a_run_whose_folder_is_a_file_is_refused_in_one_line(
    in_the_way: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "run", "--smoke", "--out", str(in_the_way)]) == 1
    assert refusal(capsys).endswith("is a file, not a folder. Move that file away, or choose another folder.\n")


@pytest.mark.parametrize("protocol", ["R", "D"])
def test_a_report_that_cannot_be_written_is_not_measured(
    protocol: str, in_the_way: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["evaluate", "--bvh", ".", "--protocol", protocol, "--report", str(in_the_way / "page.md")]
    assert main(asked) == 1
    assert "is a file, not a folder" in refusal(capsys)


def test_the_photo_of_a_bench_is_looked_at_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--photo", str(tmp_path / "none.jpg")]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "there is no such file" in said.err


@pytest.mark.parametrize("what", ["--floor", "--balance", "--solid-body"])
def test_a_solver_that_is_not_there_is_told_before_another_is_measured(
    what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "--bvh", "nowhere", "--solver", "dls, none", what]) == 1
    assert "There is no solver named “none”" in refusal(capsys)


@pytest.mark.parametrize(
    ("asked", "said"),
    [(["--floor", "--balance"], "--balance and --floor: each is measured by itself."),
     (["--solid-body", "--protocol", "d"], "--solid-body and protocol D: each is measured by itself."),
     (["--solid-body", "--floor", "--trade-off", "out.png"], "--trade-off and --solid-body: each is"),
     (["--balance", "--body", "models"], "--body means nothing for --balance. Leave it out."),
     (["--floor", "--weights", "some"], "--weights means nothing for --floor. Leave it out."),
     (["--trade-off", "out.png", "--json"], "--json means nothing for --trade-off. Leave it out.")],
    ids=str,
)  # fmt: skip
def test_what_is_measured_by_itself_is_not_left_out_silently(
    asked: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "--bvh", "nowhere", *asked]) == 1
    assert said in refusal(capsys)


def test_pictures_are_measured_by_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--photos", "nowhere", "--floor"]) == 1
    assert "--floor and protocol P: each is measured by itself" in refusal(capsys)


def test_skin_in_itself_is_measured_on_a_solid_floor_if_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--bvh", "nowhere", "--solid-body", "--floor"]) == 1
    assert "nowhere: there is no such folder" in refusal(capsys)


@pytest.mark.parametrize(
    ("asked", "said"),
    [(["-o", "out.gif", "--seconds", "3"], "--seconds is the length of a --turntable"),
     (["-o", "out.png", "--fps", "12"], "--fps means nothing for a PNG file")],
    ids=str,
)  # fmt: skip
def test_an_option_of_films_is_wrong_usage_where_it_would_change_nothing(
    asked: list[str], said: str, scene: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(scene.parent)
    assert main(["render", str(scene), *asked]) == 2
    assert said in refusal(capsys)
    assert [file.name for file in scene.parent.iterdir()] == ["scene.json"]


@pytest.mark.parametrize(
    "arguments", [[""], ["label", ""], ["convert", " ", "-o", "out.json"], ["evaluate", "--bvh", ""]], ids=str
)
def test_an_empty_name_is_not_the_current_folder(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert "one of the arguments is empty" in refusal(capsys)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["info", "bench", "train"])
def test_a_body_means_nothing_for_some_commands(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    part = ["compare", "a", "b"] if command == "train" else []
    assert main(["--body", "models", command, *part]) == 2
    assert refusal(capsys) == f"contrapposto: --body means nothing for {command}.\n"


def test_a_body_that_is_not_there_is_told_once_and_not_for_each_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in ("a.png", "b.png"):
        (pictures / name).write_bytes(b"")
    assert main(["label", str(pictures), "--body", str(tmp_path)]) == 1
    assert "no body file was found" in refusal(capsys)
    assert not (pictures / "labels").exists()


@pytest.mark.parametrize(
    ("file", "option", "said"),
    [("walk.bvh", "--picture", "is a BVH file, for which --picture means nothing. Leave out --picture."),
     ("scene.json", "--picture", "is a scene, for which --picture means nothing"),
     ("scene.json", "--joint-map", "is a scene, for which --joint-map means nothing")],
)  # fmt: skip
def test_an_option_that_means_nothing_for_a_file_is_not_passed_over(
    file: str, option: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "walk.bvh").write_text("HIERARCHY\n")
    save_scene(tmp_path / "scene.json", new_document())
    assert main(["convert", str(tmp_path / file), "-o", str(tmp_path / "out.json"), option, "some"]) == 1
    assert said in refusal(capsys)
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["photo", "a.jpg", "b.jpg", "-o", "c.json"],
      "unrecognized arguments: b.jpg. “photo” takes one at a time. See “python main.py photo --help”."),
     (["info", "--wrong"], "unrecognized arguments: --wrong. See “python main.py info --help”."),
     (["train", "compare", "a", "b", "c"], "unrecognized arguments: c. See “python main.py train compare --help”.")],
)  # fmt: skip
def test_what_is_too_much_is_told_with_the_help_of_its_command(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["main.py"])
    assert main(arguments) == 2
    assert refusal(capsys) == f"contrapposto: {said}\n"
