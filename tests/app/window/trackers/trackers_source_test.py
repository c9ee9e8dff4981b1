"""Changing where trackers come from: what cannot be read, what is chosen twice, and what comes too late."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from sample_files import CLIPS
from trackers_driver import LIVELY, SIX, click, listen, listening, opened, playing, row, tracking
from window_driver import active, strike, until

from app.document.model.figure import skeleton_of
from app.window.editor import Editor
from solver.body.catalog import fitted_body_id
from solver.rig.roles import ARMS, Role

pytestmark = pytest.mark.gl


def choosing(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(file), ""))


def test_a_file_that_cannot_be_read_leaves_the_one_that_plays(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refused: list[str] = []
    monkeypatch.setattr("app.dialogs.messages.refuse", lambda _parent, text: refused.append(text))
    panel = playing(editor, monkeypatch)
    click(panel.follow_button)
    until(lambda: tracking(editor).following)
    broken = tmp_path / "broken.bvh"
    broken.write_text("nothing of the kind", encoding="utf-8")
    choosing(monkeypatch, broken)
    click(panel.source.choose)
    until(lambda: bool(refused) and not editor.jobs.busy)
    assert panel.source.name.shown() == LIVELY.name
    assert list(panel.rows.rows) == list(SIX)
    assert tracking(editor).following


def test_without_a_file_before_none_is_chosen_after_one_that_cannot_be_read(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refused: list[str] = []
    monkeypatch.setattr("app.dialogs.messages.refuse", lambda _parent, text: refused.append(text))
    (tmp_path / "broken.bvh").write_text("nothing of the kind", encoding="utf-8")
    choosing(monkeypatch, tmp_path / "broken.bvh")
    panel = opened(editor)
    click(panel.source.choose)
    until(lambda: bool(refused) and not editor.jobs.busy)
    assert panel.source.name.shown() == "No motion chosen"


def test_a_click_on_the_kind_of_source_that_shows_ends_nothing(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.follow_button)
    until(lambda: tracking(editor).following)
    click(panel.source.kind.button("file"))
    assert tracking(editor).following
    assert list(panel.rows.rows) == list(SIX)


def test_back_from_the_network_the_file_whose_name_shows_is_played_again(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = playing(editor, monkeypatch)
    click(panel.source.kind.button("network"))
    assert tracking(editor).source is None
    assert panel.rows.rows == {}
    click(panel.source.kind.button("file"))
    assert panel.source.choose.isVisible()
    assert panel.source.name.shown() == LIVELY.name
    assert list(panel.rows.rows) == list(SIX)
    assert panel.follow_button.isEnabled()


def test_a_file_read_while_the_network_is_listened_to_is_played_once_it_is_chosen(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = opened(editor)
    choosing(monkeypatch, CLIPS / "reach.bvh")
    click(panel.source.choose)
    listen(panel)
    until(lambda: not editor.jobs.busy)
    assert panel.source.connect_button.text() == "Stop listening"
    assert panel.rows.rows == {}, "nobody sends"
    click(panel.source.kind.button("file"))
    until(lambda: list(panel.rows.rows) == list(SIX))
    assert panel.source.name.shown() == "reach.bvh"


def test_joints_that_a_character_lacks_are_not_offered(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, person = playing(editor, monkeypatch), active(editor)
    offered, lacks = row(panel, Role.HEAD).joint, (str(ARMS[0].girdle), str(Role.NECK))
    assert all(offered.findData(joint) > 0 for joint in lacks)
    body = fitted_body_id(skeleton_of(person).rest_positions, person.shape, None, (ARMS[0].girdle, Role.NECK))
    editor.session.edit("Lack joints", lambda document: document.with_character(replace(person, body=body)))
    until(lambda: row(panel, Role.HEAD).joint.findData(lacks[0]) < 0)
    offered = row(panel, Role.HEAD).joint
    assert offered.findData(lacks[1]) < 0
    assert offered.currentData() == Role.HEAD


def test_the_panel_opens_again_where_trackers_came_from_with_the_port(editor: Editor) -> None:
    panel, port = listening(editor)
    strike(editor, Qt.Key.Key_T)
    until(lambda: not panel.isVisible())
    again = opened(editor)
    assert (again.source.plays_file, again.source.port.value()) == (False, port)
    assert again.source.connect_button.text() == "Listen"
