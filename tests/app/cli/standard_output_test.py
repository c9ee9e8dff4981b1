"""“-o -” writes the file to standard output and nothing else; output that cannot be printed is told in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.main import main

ROOT = Path(__file__).parents[3]
NEEDS_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
NEEDS_STDOUT = pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs standard output as a file")


def program(arguments: str, after: str = "") -> subprocess.CompletedProcess[str]:
    """The program run by a shell from the project's folder."""
    command = f'"{sys.executable}" main.py {arguments} {after}'
    return subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)


@NEEDS_STDOUT
@pytest.mark.slow
def test_standard_output_holds_the_file_alone(scene: Path) -> None:
    done = program(f'solve "{scene}" --solver dls -o -')
    assert json.loads(done.stdout)["format"] == "contrapposto-scene"
    assert "Wrote /dev/stdout." in done.stderr
    assert not (ROOT / "-").exists()


@NEEDS_STDOUT
@pytest.mark.slow
def test_a_file_that_a_shell_appends_to_keeps_what_it_holds(scene: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    kept.write_text("before\n")
    done = program(f'export "{scene}" --format bvh -o -', f'>> "{kept}"')
    assert (done.returncode, kept.read_text().splitlines()[:2]) == (0, ["before", "HIERARCHY"])


@NEEDS_STDOUT
@pytest.mark.slow
def test_a_reader_of_the_file_that_has_seen_enough_is_no_failure(tmp_path: Path) -> None:
    large = tmp_path / "large.py"
    large.write_text(
        "import sys; from app.cli import main as cli, info; from solver.files.atomic import write_bytes\n"
        "info.run = lambda args: write_bytes('/dev/stdout', bytes(1 << 22)) or 0\n"
        "sys.exit(cli.main(['info']))\n"
    )
    shell = f'{{ "{sys.executable}" "{large}"; echo $? >&2; }} | head -c 1'
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    told = subprocess.run(shell, shell=True, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert (told.stdout, told.stderr) == ("\0", "0\n")


@NEEDS_STDOUT
def test_several_people_do_not_go_into_one_stream(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(two), "--format", "bvh", "-o", "-"]) == 1
    assert "takes one file, and each of 2 people would have one. Choose one with --character" in capsys.readouterr().err
    assert main(["export", str(two), "--format", "bvh", "-o", os.devnull]) == 1
    assert main(["export", str(two), "--format", "bvh", "-o", os.devnull, "--character", "Anna"]) == 0


def test_without_a_standard_output_to_write_to_a_file_is_asked_for(
    scene: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("app.cli.streams.STANDARD_OUTPUT", ("/nowhere/stdout",))
    assert main(["solve", str(scene), "-o", "-"]) == 1
    assert capsys.readouterr().err.endswith("needs /nowhere/stdout, which this system lacks. Name a file.\n")


@NEEDS_FULL
@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_that_nothing_more_can_be_printed_is_told_in_one_line(unbuffered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    done = program("info", "> /dev/full")
    assert done.returncode == 1
    assert done.stderr == "contrapposto: What is printed cannot be written: the disk is full. Send it elsewhere.\n"


@NEEDS_FULL
@pytest.mark.slow
def test_a_file_for_which_standard_output_has_no_place_is_told_in_one_line(scene: Path) -> None:
    done = program(f'export "{scene}" --format bvh -o -', "> /dev/full")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "the disk is full" in done.stderr


@pytest.mark.slow
def test_a_closed_standard_output_stops_nothing(scene: Path, tmp_path: Path) -> None:
    done = program(f'export "{scene}" -o "{tmp_path}/out.bvh"', ">&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out.bvh").is_file()


@pytest.mark.parametrize("module", ["main", "app.__main__"])
def test_ctrl_c_before_the_program_is_loaded_leaves_no_traceback(module: str, tmp_path: Path) -> None:
    loads = tmp_path / "sitecustomize.py"
    loads.write_text(
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'app.cli.main':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", module], cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (130, "Stopped.\n")
