"""The manual and the README against the program: pictures, links, keys, menus and names that they mention are there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.panels.timeline.track_keyboard import TrackKeyboard
from app.window.editor import Editor
from app.window.menus import MENUS
from app.window.shortcuts_page import SECTIONS
from scripts.pictures.manual_pictures import IMAGES, PICTURES
from scripts.pictures.manual_studio import Studio
from scripts.pictures.six_recipes import RECIPES
from scripts.starting_poses.__main__ import BODIES, SHEETS

ROOT = Path(__file__).resolve().parents[3]
MANUAL = ROOT / "docs" / "manual"
SOLVERS = ROOT / "docs" / "solvers.md"
README = ROOT / "README.md"
PAGES = [*sorted(MANUAL.glob("*.md")), SOLVERS]
LARGEST, ALL = 300_000, 7_900_000  # bytes of a picture, and of all together
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)]+)\)")
CODE = re.compile(r"`([^`]+)`")
NAME = re.compile(r"(?<!\*)\*([^*\n]+(?:\n[^*\n]+)?)\*(?!\*)")
KEY = re.compile(r"(?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z/]|F\d+|Del|Home|End|Esc|Enter|Space|Left|Right|Up|Down)")
HELD = re.compile(r"(?:Ctrl|Shift|Alt)(?:\+(?:Ctrl|Shift|Alt))*")  # with the mouse
TOLD = " ".join(what for _, rows in SECTIONS for what, _ in rows)  # the left of the page of keys


def named(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """The page and what a pattern finds on it, without line breaks."""
    for page in (*PAGES, README):
        for found in pattern.findall(page.read_text(encoding="utf-8")):
            yield page.name, " ".join(found.split()) if isinstance(found, str) else found


def links(pages: Iterable[Path] = PAGES) -> Iterator[tuple[Path, str, str]]:
    for page in pages:
        for mark, target in LINK.findall(page.read_text(encoding="utf-8")):
            yield page, mark, target


def pressed(keys: str) -> QKeyEvent:
    """The event of keys by their names, as in “Ctrl+A”."""
    both = QKeySequence(keys)[0]
    return QKeyEvent(QKeyEvent.Type.KeyPress, both.key(), both.keyboardModifiers())


def texts() -> str:
    """Every text in the program's own source: titles, tips, sentences, put together with their gaps as {}."""
    found = []
    for file in (*ROOT.glob("app/**/*.py"), *ROOT.glob("solver/**/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return "\n".join(found).lower()


def test_every_link_leads_to_a_file_that_is_there() -> None:
    lost = [
        (page.name, target)
        for page, _, target in links((*PAGES, README))
        if not (page.parent / target.split("#")[0]).exists()
    ]
    assert not lost


def test_every_page_is_on_the_first_one_and_the_readme_leads_there() -> None:
    first = {target for page, _, target in links() if page.name == "index.md"}
    assert {page.name for page in MANUAL.glob("*.md")} - {"index.md"} | {"../solvers.md"} <= first
    readme = README.read_text(encoding="utf-8")
    assert "(docs/manual/index.md)" in readme
    assert "(docs/solvers.md)" in readme


def test_the_pictures_shown_are_those_that_the_script_makes() -> None:
    shown = {Path(target).name for _, mark, target in links() if mark and Path(target).parent.name != SHEETS.name}
    made = {f"{name}.png" for name in PICTURES}
    assert shown == made == {file.name for file in IMAGES.iterdir()}


def test_pictures_are_light() -> None:
    for folder in (IMAGES, SHEETS):
        sizes = {file.name: file.stat().st_size for file in folder.iterdir()}
        assert {name: size for name, size in sizes.items() if size >= LARGEST} == {}
        assert sum(sizes.values()) < ALL


def test_the_contact_sheets_shown_are_those_that_the_script_makes() -> None:
    shown = {Path(target).stem for _, mark, target in links() if mark and Path(target).parent.name == SHEETS.name}
    assert shown == set(BODIES) == {file.stem for file in SHEETS.iterdir()}


@pytest.mark.slow
@pytest.mark.gl
def test_the_script_takes_its_pictures_from_the_window(editor: Editor) -> None:
    picture = PICTURES["base-pose"](Studio(editor)).toImage()
    panel = editor.panels.section("Base pose")
    assert abs(picture.width() - panel.width()) <= 1
    colors = {picture.pixelColor(x, y).rgb() for x in range(0, picture.width(), 3) for y in range(0, 600, 3)}
    assert len(colors) > 50, "it is blank, or of one part of the panel"
    assert picture.height() > 600


def test_every_picture_says_what_it_shows() -> None:
    assert not [page.name for page in PAGES if "![](" in page.read_text(encoding="utf-8")]


@pytest.mark.gl
def test_every_key_in_the_manual_is_a_key_of_the_window(editor: Editor) -> None:
    keys = {QKeySequence(keys).toString() for c in editor.actions.commands.values() for keys in c.shortcuts}
    timeline = TrackKeyboard(editor.panels.timeline.track)
    keys |= set(re.findall(r"\bhold ([A-Z])\b", TOLD))  # no command, for it is let go
    said = [(page, code) for page, code in named(CODE) if KEY.fullmatch(code)]
    assert said
    assert not [(page, code) for page, code in said if code not in keys and not timeline.wants(pressed(code))]


def test_every_key_that_is_held_with_the_mouse_is_on_the_page_of_keys() -> None:
    said = {code for _, code in named(CODE) if HELD.fullmatch(code)}
    assert said
    assert not [held for held in said if held not in TOLD]


@pytest.mark.gl
def test_every_menu_in_the_manual_is_in_the_window(editor: Editor) -> None:
    titles = {
        f"{menu} › {editor.actions.commands[id].title}"
        for menu, ids in MENUS
        for id in ids
        if id in editor.actions.commands
    }
    titles |= {f"{menu} › {id[2:]}" for menu, ids in MENUS for id in ids if id.startswith("> ")}
    assert not [(page, name) for page, name in named(NAME) if "›" in name and name not in titles]


@pytest.mark.slow
def test_every_name_in_the_manual_is_a_text_of_the_program() -> None:
    there = texts()
    assert not [(page, name) for page, name in named(NAME) if "›" not in name and name.lower() not in there]


def test_the_page_of_six_poses_lists_the_actions_that_the_script_takes() -> None:
    page = (MANUAL / "six-poses.md").read_text(encoding="utf-8")
    for recipe in RECIPES.values():
        steps = "\n".join(f"{number}. {action.says}" for number, action in enumerate(recipe.actions, 1))
        assert f"## {recipe.title}\n\n{steps}\n" in page
        assert f"| {recipe.title} | {len(recipe.actions)} |" in page
