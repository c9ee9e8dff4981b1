from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from app.cli.main import main
from solver.evaluation.protocols import PROTOCOLS
from tests.solver.evaluation_samples import write_clips

LIBRARY = Path(__file__).resolve().parents[3] / "assets" / "poses"


@pytest.fixture
def mocap(tmp_path: Path) -> Path:
    folder = tmp_path / "mocap"
    write_clips(folder, {"walk": 11, "jump": 1})
    return folder


def run(*arguments: object) -> int:
    return main(["evaluate", *map(str, arguments)])


@pytest.mark.slow
def test_it_prints_a_table_for_each_protocol(mocap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--bvh", mocap, "--solver", "dls,ccd:raw") == 0
    printed = capsys.readouterr().out
    assert "3 poses of 2 clips" in printed
    assert "R: random effectors, 6 to 12 of them (21 problems)" in printed
    assert "F: five points: chest, wrists and ankles (3 problems)" in printed
    assert "M:local: not measured. No clip that it edits is there." in printed
    classes = printed.count("standing (3 poses, ")
    assert classes == len(PROTOCOLS)  # a table for the one posture class that there is
    assert printed.count("\ndls ") == printed.count("\nccd:raw ") == len(PROTOCOLS) + classes


def test_edits_are_told_by_their_kind(mocap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_clips(mocap, {"cmu_test_running_1": 41})
    assert run("--bvh", mocap, "--solver", "dls", "--protocol", "m") == 0
    printed = capsys.readouterr().out
    assert printed.startswith("1 edit; solve times on ")
    assert "M:local: edited motions, Local (23 frames)" in printed
    assert "M:local, raised hand (1 edit, 23 frames)" in printed
    assert printed.count("\nsource motion ") == 4


def test_it_tells_how_far_it_is_in_a_log_as_on_a_terminal(
    mocap: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = "--bvh", mocap, "--solver", "dls", "--protocol", "f", "--max-poses", 2
    assert run(*asked) == 0
    assert capsys.readouterr().err == "F dls: 1 of 2\n"
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    for stream in (terminal, None):  # None: a script closed it
        monkeypatch.setattr(sys, "stderr", stream)
        assert run(*asked) == 0
    assert terminal.getvalue() == "\r\x1b[KF dls: 1 of 2\r\r\x1b[K\r"


def test_json_goes_to_a_file_and_to_standard_output_alike(mocap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = mocap.parent / "results.json"
    assert run("--bvh", mocap, "--solver", "dls", "--protocol", "f", "--max-poses", 2, "--json", "--out", out) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(out.read_text(encoding="utf-8"))
    assert set(printed) == {"F", "postures", "settings"}
    assert {"poses", "problems", "figures"} == set(printed["postures"]["F"]["standing"])
    assert printed["F"]["dls"]["effector_mm"] < 1.0
    assert printed["settings"]["poses"] == 2


@pytest.mark.slow
def test_a_report_is_a_page_with_its_pictures_and_its_command(mocap: Path) -> None:
    pytest.importorskip("matplotlib")
    page = mocap.parent / "docs" / "page.md"
    assert run("--bvh", mocap, "--solver", "fabrik:raw", "--max-poses", 1, "--report", page) == 0
    text = page.read_text(encoding="utf-8")
    assert f"python main.py evaluate --bvh {mocap} --solver fabrik:raw --max-poses 1 --report {page}" in text
    sorted_by = sum(2 if p.family != "N" else "drawn" not in p.id for p in PROTOCOLS.values())  # figures by posture
    assert text.count("| fabrik:raw |") == len(PROTOCOLS) + 1 + sorted_by  # one on random bodies
    for picture in ("benchmark-effectors.png", "benchmark-times.png"):
        assert f"(images/{picture})" in text
        assert (page.parent / "images" / picture).read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_report_replaces_an_earlier_one_but_no_page_that_somebody_wrote_or_edited(
    mocap: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = mocap.parent / "page.md"
    asked = "--bvh", mocap, "--solver", "dls", "--protocol", "D", "--report", page
    for _ in range(2):
        assert run(*asked) == 0
        assert page.read_text(encoding="utf-8").startswith(capsys.readouterr().out)
    edited = page.read_text(encoding="utf-8") + "\nA section by hand.\n"
    for text in (edited, edited.replace("|", "||", 1), "# By hand\n", ""):
        page.write_text(text, encoding="utf-8")
        capsys.readouterr()
        assert run(*asked) == 1
        assert f"{page} was not written by evaluate --report, or was edited since" in capsys.readouterr().err
        assert page.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--solver", "nobody"), "no solver named “nobody”"),
        (("--protocol", "Z"), "no protocol named “Z”"),
        (("--weights", "nowhere"), "nowhere"),
    ],
)
def test_what_does_not_exist_is_refused_in_one_line(
    mocap: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str
) -> None:
    assert run("--bvh", mocap, *arguments) == 1
    said = capsys.readouterr().err
    assert reason in said
    assert said.count("\n") == 1


def test_poses_of_a_library_are_measured_by_posture_class(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "--library", LIBRARY, "--clips", "Kneeling/*", "--split", "test", "--protocol", "F", "--solver", "dls"
    assert run(*asked) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("2 poses of 2 pose files; solve times on ")
    assert "F: five points: chest, wrists and ankles (2 problems)" in printed
    assert "F, kneeling (2 poses, 2 problems)" in printed


@pytest.mark.parametrize("needs", [("--floor",), ("--balance",), ("--solid-body",), ("--protocol", "D")])
def test_what_needs_clips_is_refused_of_a_library(needs: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--library", LIBRARY, *needs) == 1
    said = capsys.readouterr().err
    assert " ".join(needs).replace("--protocol", "protocol") in said
    assert "--bvh" in said


@pytest.mark.parametrize("arguments", [("--max-poses", "0"), ("--seed", "-1"), ("--split", "best")])
def test_wrong_usage_ends_with_2(mocap: Path, arguments: tuple[str, ...]) -> None:
    assert run("--bvh", mocap, *arguments) == 2


@pytest.mark.parametrize("option", ["--out", "--trade-off"])
def test_that_results_cannot_be_written_is_said_before_anything_is_measured(
    option: str, mocap: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from solver.evaluation import evaluate

    monkeypatch.setattr(evaluate, "evaluate", lambda *_: pytest.fail("it measured"))
    monkeypatch.setattr(evaluate, "poses_for", lambda *_: pytest.fail("it measured"))
    assert run("--bvh", mocap, option, mocap / "none" / "file") == 1
    assert "its folder does not exist" in capsys.readouterr().err


@pytest.mark.parametrize(("list", "alone"), [("R,D", "D"), ("p,R", "P")])
def test_a_protocol_that_is_measured_alone_says_so_among_others(
    list: str, alone: str, mocap: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--bvh", mocap, "--protocol", list) == 1
    assert f"Protocol {alone} is measured alone." in capsys.readouterr().err
