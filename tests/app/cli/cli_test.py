"""The command line: what it does, what it prints, and how it ends."""

from __future__ import annotations

import json
import mmap
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gltf_reader import read_glb

from app import __version__
from app.benchmark.memory import held_mb, resident_mb
from app.cli.bench import row
from app.cli.main import COMMANDS, WITHOUT_BODY, main, with_command
from app.document.scene_file.io import load_scene
from solver.evaluation.speed import Figure

ROOT = Path(__file__).resolve().parents[3]


def refusal(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on stderr."""
    text = capsys.readouterr().err
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


def test_help_names_every_command_and_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"\n    {name}" in text for name in COMMANDS)
    assert "python main.py photo team.jpg -o team.json" in text
    assert "exit codes" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert ("--body DIR" in text) == (command not in WITHOUT_BODY)
    assert len(text.splitlines()) >= 8


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    import tomllib

    assert main(["--version"]) == 0
    assert __version__ in capsys.readouterr().out
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == __version__


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; from app.cli.main import main; main(['--help'])\n"
        "heavy = {'numpy', 'scipy', 'numba', 'torch', 'PySide6', 'PIL'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("given", "understood"),
    [
        ([], ["open"]),
        (["team.jpg"], ["open", "team.jpg"]),
        (["--body", "models"], ["open", "--body", "models"]),
        (["--body", "models", "info"], ["info", "--body", "models"]),
        (["--debug", "walk.bvh"], ["open", "--debug", "walk.bvh"]),
        (["info", "--json"], ["info", "--json"]),
        (["--help"], ["--help"]),
        (["./info"], ["open", "./info"]),
    ],
)
def test_without_a_command_the_window_opens(given: list[str], understood: list[str]) -> None:
    assert with_command(given) == understood


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["exprot"], "Did you mean “export”?"),
        (["exprot", "scene.json", "-o", "scene.bvh"], "Did you mean “export”?"),
        (["posters"], "The commands are open, photo"),
        (["solve"], "required: SCENE, -o/--output"),
        (["export", "a.json", "-o", "b.bvh", "--unit", "mile"], "invalid choice: 'mile'"),
        (["photo", "a.jpg", "-o", "b.json", "--people", "one"], "neither “all” nor numbers"),
        (["photo", "a.jpg", "-o", "b.json", "--people", "0"], "numbered from 1"),
        (["photo", "a.jpg", "-o", "b.json", "--effectors", "-3"], "whole number from 1 to 100"),
        (["photo", "a.jpg", "-o", "b.json", "--threshold", "nan"], "not a number above 0"),
        (["render", "a.json", "-o", "b.png", "--size", "big"], "is not a size such as 1280x800"),
        (["render", "a.json", "-o", "b.png", "--size", "0x5"], "is not a size"),
        (["bench", "--only", "luck"], "is not one of solver, contacts, motion, drawing, start, memory, photo"),
        (["info", "--wrong"], "unrecognized arguments: --wrong"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in refusal(capsys)


def test_solve_writes_a_scene_whose_effectors_are_met(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", str(scene), "-o", str(tmp_path / "solved.json")]) == 0
    text = capsys.readouterr().out
    assert "left_wrist" in text
    assert text.count(" met") >= 5
    before, after = load_scene(scene), load_scene(tmp_path / "solved.json")
    held = [[e for e in scene.characters[0].effectors if not e.loose] for scene in (before, after)]
    assert held[0] == held[1]
    assert text.count(" loose") == len(after.characters[0].effectors) - len(held[1])
    assert after.characters[0].pose != before.characters[0].pose


def test_solve_says_what_a_newer_version_asked_and_counts_the_time_of_loading(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = json.loads(scene.read_text(encoding="utf-8"))
    ids, one = ("c1", "c2", "c3"), json.dumps(value["characters"][0])
    value["characters"] = [json.loads(one) | {"id": id, "name": id} for id in ids]
    value["characters"][0]["solver"] = "dls"
    after_third = {"type": "joint", "character": "c3", "joint": "right_wrist"}  # so both are solved before the second
    asked = value["characters"][0]["clip"]["keys"][0]["effectors"]
    asked[0] |= {"loose": False, "source": after_third}
    asked.append({"type": "magnet", "joint": "left_knee", "pull": 1})
    scene.write_text(json.dumps(value), encoding="utf-8")
    assert main(["solve", str(scene), "-o", str(tmp_path / "solved.json")]) == 0
    text = capsys.readouterr().out
    assert "magnet    left_knee       made by a newer version: kept, not used" in text
    assert [line[:2] for line in text.splitlines() if line.endswith(" ms, loading included")] == ["c1", "c3"]
    assert [line[:2] for line in text.splitlines() if line.endswith(" ms")] == ["c2"]


@pytest.mark.parametrize(("command", "file"), [("solve", "solved.json"), ("export", "out.bvh"), ("export", "out.npz")])
def test_quiet_prints_nothing(
    command: str, file: str, scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(scene), "-o", str(tmp_path / file), "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_export_writes_one_bvh_file_for_each_character(two: Path, tmp_path: Path) -> None:
    assert main(["export", str(two), "-o", str(tmp_path / "out.bvh")]) == 0
    assert (tmp_path / "out_Anna.bvh").read_text().startswith("HIERARCHY\nROOT pelvis")
    assert (tmp_path / "out_Ben.bvh").exists()
    assert not (tmp_path / "out.bvh").exists()


def test_export_writes_the_character_that_is_named(two: Path, tmp_path: Path) -> None:
    target = tmp_path / "ben.bvh"
    assert main(["export", str(two), "-o", str(target), "--character", "Ben", "--names", "mixamo", "--unit", "cm"]) == 0
    assert "ROOT mixamorig:Hips" in target.read_text()
    assert not (tmp_path / "ben_Ben.bvh").exists()


def test_export_writes_everyone_into_one_pose_file(two: Path, tmp_path: Path) -> None:
    assert main(["export", str(two), "-o", str(tmp_path / "poses.json")]) == 0
    value = json.loads((tmp_path / "poses.json").read_text(encoding="utf-8"))
    assert [person["name"] for person in value["people"]] == ["Anna", "Ben"]


def test_export_writes_everyone_into_one_glb_file_or_a_mesh_for_each(two: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.glb"
    assert main(["export", str(two), "-o", str(out)]) == 0
    assert [skin["name"] for skin in read_glb(out).content["skins"]] == ["Anna", "Ben"]
    assert sorted(tmp_path.glob("*.glb")) == [out]
    assert main(["export", str(two), "-o", str(out), "--separate"]) == 0
    for name in ("Anna", "Ben"):
        assert [skin["name"] for skin in read_glb(tmp_path / f"out_{name}.glb").content["skins"]] == [name]
    assert main(["export", str(two), "-o", str(tmp_path / "ben.mesh"), "--character", "Ben", "--format", "stl"]) == 0
    content = (tmp_path / "ben.mesh").read_bytes()
    assert len(content) == 84 + 50 * int.from_bytes(content[80:84], "little")


def test_the_format_may_be_named_where_the_suffix_does_not_say_it(two: Path, tmp_path: Path) -> None:
    target = tmp_path / "ben.txt"
    assert main(["export", str(two), "-o", str(target), "--character", "Ben", "--format", "bvh"]) == 0
    assert target.read_text().startswith("HIERARCHY")


def test_info_names_device_solvers_and_assets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["program"]["contrapposto"] == __version__
    assert facts["program"]["device"].split()[0] in ("cpu", "cuda", "mps")
    assert "dls" in facts["solvers"]
    assert any(name.startswith("assets/body/") for name in facts["assets"])


def test_info_lists_what_comes_with_the_program_on_a_page_or_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 100
    (poses,) = (line.split() for line in lines if "assets/poses" in line)
    assert poses[1:] == [poses[1], "MB", "in", str(len(list(Path("assets/poses").rglob("*.json")))), "files"]


def text_file(path: Path) -> Path:
    path.write_text("This is not a picture, nor anything else that opens.\n")
    return path


def bad_inputs(folder: Path, scene: Path) -> dict[str, tuple[list[str], str]]:
    (folder / "newer.json").write_text(
        '{"format": "contrapposto-scene", "version": 9, "needs": ["tails"], "characters": []}'
    )
    (folder / "cut.json").write_bytes(scene.read_bytes()[:900])
    (folder / "empty.json").write_bytes(b"")
    (folder / "nobody.json").write_text('{"format": "contrapposto-scene", "version": 1, "characters": []}')
    (folder / "pose.bvh").write_text("HIERARCHY\nROOT pelvis\n{\n  OFFSET 0 0")
    notes = str(text_file(folder / "notes.txt"))
    out = str(folder / "out.json")
    return {
        "a scene that is not there": (["solve", str(folder / "none.json"), "-o", out], "none.json: there is no such"),
        "a scene that needs more": (["solve", str(folder / "newer.json"), "-o", out], "newer version"),
        "a scene cut in the middle": (["solve", str(folder / "cut.json"), "-o", out], "cut.json, line"),
        "an empty scene": (["solve", str(folder / "empty.json"), "-o", out], "empty.json"),
        "a folder for a scene": (["solve", str(folder), "-o", out], "is a folder"),
        "an unknown solver": (["solve", str(scene), "-o", out, "--solver", "magic"], "Known: smplik"),
        "nobody to export": (
            ["export", str(folder / "nobody.json"), "-o", str(folder / "o.bvh")], "nobody.json has no people"
        ),
        "a character that is not there": (
            ["export", str(scene), "-o", str(folder / "o.bvh"), "--character", "Zoe"],
            f"no character named “Zoe” in {scene}. Known: Person 1",
        ),
        "a suffix without a format": (["export", str(scene), "-o", str(folder / "o.doc")], ".json, .npz, .png, .gif"),
        "a folder that is not there": (["export", str(scene), "-o", str(folder / "no/o.bvh")], "does not exist"),
        "a view without a photo": (["render", str(scene), "-o", str(folder / "o.png"), "--view", "photo"], "no photo"),
        "a text file to open": ([notes], "not a kind of file"),
        "a text file named .jpg": (["photo", str(text_file(folder / "text.jpg")), "-o", out], "text.jpg"),
        "a photo that is not there": (["photo", str(folder / "none.jpg"), "-o", out], "none.jpg"),
        "a file to open whose name is too long": ([str(folder / f"{'n' * 300}.json")], "there is no such file"),
        "a file to convert whose name is too long": (
            ["convert", str(folder / f"{'n' * 300}.json"), "-o", out], "cannot be read (File name too long)"
        ),
        "a body folder that is not there": (
            ["--body", str(folder / "models"), "photo", str(folder / "text.jpg"), "-o", out],
            "there is no such folder",
        ),
    }  # fmt: skip


@pytest.mark.parametrize(
    "case",
    [
        "a scene that is not there", "a scene that needs more", "a scene cut in the middle", "an empty scene",
        "a folder for a scene", "an unknown solver", "nobody to export", "a character that is not there",
        "a suffix without a format", "a folder that is not there", "a view without a photo", "a text file to open",
        "a text file named .jpg", "a photo that is not there", "a body folder that is not there",
        "a file to open whose name is too long", "a file to convert whose name is too long",
    ],
)  # fmt: skip
def test_bad_input_ends_with_1_and_one_line(
    case: str, scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = bad_inputs(tmp_path, scene)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    arguments, message = cases[case]
    assert main(arguments) == 1
    assert message in refusal(capsys)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_in_one_line(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(scene), "-o", "/dev/full"]) == 1
    assert "the disk is full" in refusal(capsys)


@pytest.mark.skipif(not Path("/sys").is_dir(), reason="needs a folder that not even root may write to")
def test_a_folder_without_permission_is_told_in_one_line(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(scene), "-o", "/sys/out.json"]) == 1
    assert "no permission" in refusal(capsys)


def test_what_should_not_happen_leaves_one_line_and_a_log(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import app.document.scene_file.io

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(app.document.scene_file.io, "load_scene", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["solve", str(scene), "-o", str(tmp_path / "o.json")]) == 1
    line = refusal(capsys)
    assert "ZeroDivisionError: a fault of ours" in line
    (log,) = tmp_path.glob("contrapposto-*.log")
    assert str(log) in line
    assert "Traceback" in log.read_text(encoding="utf-8")
    with pytest.raises(ZeroDivisionError):
        main(["solve", str(scene), "-o", str(tmp_path / "o.json"), "--debug"])


def test_ctrl_c_stops_quietly(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import app.document.scene_file.io

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(app.document.scene_file.io, "load_scene", interrupted)
    assert main(["solve", str(scene), "-o", str(tmp_path / "o.json")]) == 130
    assert refusal(capsys) == "Stopped.\n"


def test_a_reader_that_has_seen_enough_is_no_failure() -> None:
    done = subprocess.run(
        f"{sys.executable} main.py info --json | head -c 1", shell=True, cwd=ROOT, capture_output=True, check=False
    )
    assert done.stdout == b"{"
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("few_solves")
def test_bench_prints_figures_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "solver", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert any("5 effectors, cold" in each["name"] for each in figures)
    for each in figures:
        assert 0 < each["median"] <= each["p95"]
        assert each["count"] > 1


@contextmanager
def fifty_megabytes() -> Iterator[None]:
    """Pages of its own, all written: memory that is merely asked for may be some that the process held already."""
    with mmap.mmap(-1, 50_000_000) as block:
        for _ in range(50):
            block.write(bytes(1_000_000))
        yield


def test_memory_held_by_the_process_grows_with_what_it_holds() -> None:
    before = resident_mb()
    with fifty_megabytes():
        assert 30 < resident_mb() - before < 100


def test_a_share_of_the_memory_that_processes_have_in_common_is_counted() -> None:
    before = held_mb()
    with fifty_megabytes():
        assert 30 < held_mb() - before < 100
        assert 0 < held_mb() <= 1.02 * resident_mb()


def test_where_the_system_counts_no_shares_what_is_resident_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.benchmark.memory.ROLLUP", "/nowhere/smaps_rollup")
    assert held_mb() == pytest.approx(resident_mb(), rel=0.02)


def test_memory_given_back_leaves_what_is_in_use_as_it_is() -> None:
    from app.services.release_memory import release_unused_memory

    kept = [bytes([number % 256]) * 1000 for number in range(1000)]
    release_unused_memory()
    assert all(block == bytes([number % 256]) * 1000 for number, block in enumerate(kept))


def test_a_row_of_the_table_says_whether_the_aim_is_met() -> None:
    assert row(Figure("solve", 0.5, 0.8, 100, 1.0)).split() == ["solve", "0.500", "0.800", "100", "<", "1", "ms"]
    assert row(Figure("solve", 1.5, 2.0, 100, 1.0)).endswith("< 1 ms  missed")
    assert row(Figure("solve", 1.5, 2.0, 100)).split()[-1] == "100"
    assert row(Figure("memory", 500.0, 500.0, 1, 900.0, "MB")).endswith("< 900 MB")
