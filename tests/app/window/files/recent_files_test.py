"""The menu of recent files: told apart, opened, and cleared."""

from __future__ import annotations

from pathlib import Path

import pytest
from window_driver import until

from app.dialogs import messages
from app.document import edits
from app.document.posing.create import new_document
from app.document.scene_file.io import save_scene
from app.window.distinct_names import distinct_names
from app.window.editor import Editor

pytestmark = pytest.mark.gl


def entries(editor: Editor) -> list[str]:
    return [action.text() for action in editor.window.recent.actions() if not action.isSeparator()]


def test_files_of_one_name_have_their_folder_beside_it_and_open(editor: Editor, tmp_path: Path) -> None:
    for folder in ("walk", "run"):
        (tmp_path / folder).mkdir()
        person = edits.rename_character("c1", folder.title())
        save_scene(tmp_path / folder / "scene.json", person(new_document()))
        editor.settings.add_recent(tmp_path / folder / "scene.json")
    save_scene(tmp_path / "alone.json", new_document())
    editor.settings.add_recent(tmp_path / "alone.json")
    assert entries(editor)[:3] == ["alone.json", "scene.json — run", "scene.json — walk"]
    editor.window.recent.actions()[2].trigger()
    until(lambda: editor.session.document.characters[0].name == "Walk")


def test_a_file_that_is_gone_leaves_the_list_unless_its_disk_may_come_back(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    for gone in (tmp_path / "disk" / "away.json", tmp_path / "moved.json"):
        editor.settings.add_recent(gone)
    editor.window.recent.actions()[0].trigger()
    editor.window.recent.actions()[0].trigger()  # what was the second
    assert said[0].startswith(f"{tmp_path / 'moved.json'} is no longer there. ")
    assert "away.json cannot be found, nor can its folder. Connect its disk" in said[1]
    assert entries(editor) == ["away.json", "Clear this list"]


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/a/one/x/s.json", "/a/two/x/s.json"], ["s.json — one/x", "s.json — two/x"]),
        (["/a/x/s.json", "/b/x/s.json", "/a/y/s.json"], ["s.json — a/x", "s.json — b/x", "s.json — y"]),
        (["/x/s.json", "/a/x/s.json", "/a/t.json"], ["s.json — /x", "s.json — a/x", "t.json"]),
        (["/s.json", "/x/s.json"], ["s.json — /", "s.json — x"]),
        ([], []),
    ],
)
def test_folders_of_one_name_are_told_apart_by_those_they_are_in(paths: list[str], names: list[str]) -> None:
    assert [name.replace("\\", "/") for name in distinct_names(paths)] == names


def test_the_list_can_be_cleared(editor: Editor, tmp_path: Path) -> None:
    editor.settings.add_recent(tmp_path / "a.json")
    assert editor.window.recent.isEnabled()
    assert entries(editor)[-1] == "Clear this list"
    editor.window.recent.actions()[-1].trigger()
    assert editor.settings.values.recent == ()
    assert not editor.window.recent.isEnabled()
