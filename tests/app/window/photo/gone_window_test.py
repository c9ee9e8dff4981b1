"""A window that has closed leaves nothing of itself behind, though the settings that it listened to live on."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest
from motion_samples import strolling
from PySide6.QtCore import Qt
from window_driver import settled, strike, until

from app.document import edits
from app.services.background import taking_hold
from app.services.settings import SettingsStore
from app.window.editor import Editor
from solver.body.body import BodyShape

pytestmark = pytest.mark.gl
Refs = dict[str, ref[object]]


@pytest.fixture
def gone(request: pytest.FixtureRequest, store: SettingsStore) -> Iterator[Refs]:
    """What is to be gone once the window is, which closes before this ends."""
    refs: Refs = {}
    yield refs
    request.node.funcargs.pop("editor")  # the test has it for as long as its fixtures end
    gc.collect()
    store.set(curves=not store.values.curves)
    assert not {name for name, each in refs.items() if each() is not None}


def test_a_closed_window_takes_its_panels_and_its_session_along(gone: Refs, editor: Editor) -> None:
    parts = {"panels": editor.panels, "people": editor.panels.people, "curves": editor.panels.curves,
             "timeline": editor.panels.timeline, "session": editor.session}  # fmt: skip
    gone.update({name: ref(part) for name, part in parts.items()})


@pytest.mark.usefixtures("own")
def test_it_takes_a_library_along_that_was_never_shown(gone: Refs, editor: Editor) -> None:
    strike(editor, Qt.Key.Key_BracketRight)
    settled(editor.session)
    assert editor.session.history.undo_text is not None
    assert not editor.pose_browsers.library_is_open()
    library = editor.pose_browsers.library
    gone.update(library=ref(library), panel=ref(library.panel), session=ref(editor.session))


@pytest.mark.slow
@pytest.mark.usefixtures("own")
def test_it_takes_along_who_was_still_to_take_hold(gone: Refs, editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking_hold, "PATIENCE_S", 0.0)
    session, library = editor.session, editor.pose_browsers.library
    session.edit("Male", edits.set_shape("c1", BodyShape(gender="male")))
    library.read()
    library.take_named(next(entry for entry in library.shelf.entries if entry.name == "Shake hands"))
    assert editor.jobs.busy
    session.edit("Rename", edits.rename_character("c1", "Ann"))  # they are owed their hold from now on
    until(lambda: not editor.jobs.busy)
    settled(session)
    gone.update(library=ref(library), session=ref(session))


def test_a_window_that_is_closed_while_it_plays_plays_no_longer(editor: Editor) -> None:
    editor.session.edit("Import", edits.import_motion("c1", strolling(60)))
    editor.refresh()
    strike(editor, Qt.Key.Key_Space)
    assert editor.player.playing
    editor.session.history.mark_saved()
    editor.window.close()
    editor.shut_down()
    assert not editor.player.playing
    assert not editor.player.live.running
