"""The commands that the documents tell people to type exist, with their options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.main import COMMANDS, build_parser, main, with_command
from app.document.model.figure import joints_of, skeleton_of
from app.document.scene_file.io import load_scene

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
PAGES = (README, *sorted(page for top in ("docs", "assets", "weights") for page in (ROOT / top).rglob("*.md")))
BLOCK = re.compile(r"^ *```\w*\n.*?^ *```|^    [^\n]*python [^\n]*$", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"python (main\.py|-m [\w.]+) ?([^`\n]*)")
OF_ANY = ("COMMAND", "[FILE]")  # what a sentence about all commands has in place of one


def typed() -> Iterator[tuple[str, str, list[str]]]:
    """Page, what Python runs, and the arguments, of each command in a block of code or between backticks."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        codes = [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", BLOCK.sub("", text))]
        for what, arguments in TYPED.findall("\n".join((*BLOCK.findall(text), *codes))):
            yield page.name, what, [word for word in shlex.split(arguments, comments=True) if word != "…"]


def test_commands_of_the_program_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    said = [(page, words) for page, what, words in typed() if what == "main.py" and not set(words) & set(OF_ANY)]
    assert len(said) > 40
    parser, refused = build_parser(), []
    for page, words in said:
        try:
            parser.parse_args(with_command(words))
        except SystemExit as stop:
            refused += [f"{page}: {' '.join(words)}: {capsys.readouterr().err}"] if stop.code else []
    assert refused == []


def test_the_readme_s_table_of_commands_names_each_and_is_understood() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    codes = [code.split() for row in rows for code in re.findall(r"`([^`]+)`", row)]
    assert {words[0] for words in codes} == {"python", *COMMANDS} - {"open"}
    for words in codes:
        if len(words) > 1 and words[0] in COMMANDS:
            assert build_parser().parse_args(words).command == words[0]


def test_scripts_are_there_and_know_their_options() -> None:
    said = [(page, what.removeprefix("-m "), words) for page, what, words in typed() if what.startswith("-m ")]
    assert len(said) > 40
    for page, module, words in said:
        if module.partition(".")[0] not in ("app", "solver", "scripts"):
            continue
        text = source_of(module)
        assert text, f"{page}: there is no {module}"
        text += "".join(source_of(name) for name in re.findall(r"^from (scripts[\w.]*) import", text, re.MULTILINE))
        for option in (word.partition("=")[0] for word in words if word.startswith("--")):
            known = (
                f'"{option}"' in text or f"[{option}" in text
            )  # some read their docstring's usage: scripts/arguments.py
            assert known, f"{page}: {module} {option}"


def source_of(module: str) -> str:
    file = ROOT / module.replace(".", "/")
    return "".join(f.read_text(encoding="utf-8") for f in (file.with_suffix(".py"), file / "__main__.py") if f.exists())


@pytest.mark.slow
def test_the_script_of_the_manual_moves_the_wrist_of_a_library_pose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / "manual" / "exporting.md").read_text(encoding="utf-8")
    [script] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    [convert] = re.findall(r"`python main\.py (convert [^`]+)`", text[: text.index(script)].rpartition("##")[2])
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(tmp_path)
    for name in ("main.py", "assets"):  # what a checkout has beside the script
        (tmp_path / name).symlink_to(ROOT / name)
    assert main(shlex.split(convert)) == 0
    exec(compile(script, "exporting.md", "exec"), {})
    person = load_scene(tmp_path / "solved.json").characters[0]
    wrist = skeleton_of(person).index("left_wrist")
    assert joints_of(person).positions[wrist] == pytest.approx([0.3, 1.5, 0.3], abs=0.001)
    assert (tmp_path / "solved.bvh").read_text(encoding="utf-8").startswith("HIERARCHY")
