"""The undo steps of pictures that were left: those of the latest, as long as the scene's file is the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.document import edits
from app.document.model.document import Document
from app.document.model.history import History
from app.document.posing.create import new_document
from app.document.posing.findings import Findings
from app.document.posing.solving import solution_of
from app.labelling.left_pictures import KEPT, MOST_BYTES, LeftPicture, LeftPictures, bytes_of


def test_only_the_latest_pictures_left_keep_their_steps(tmp_path: Path) -> None:
    history, left = History(), LeftPictures()
    history.apply("Note", lambda document: Document(extra={**document.extra, "note": 1}))
    scenes = [tmp_path / f"{number}.scene.json" for number in range(KEPT + 2)]
    for scene in scenes:
        left.leave(scene, "as left", LeftPicture(history.past(), Findings()))
    assert [left.back_to(scene, "as left") is not None for scene in scenes] == [False, False] + [True] * KEPT
    assert left.back_to(scenes[-1], "changed since") is None


def test_of_pictures_with_much_to_undo_fewer_keep_their_steps_and_the_last_always_does(tmp_path: Path) -> None:
    left = LeftPictures()
    scenes = [tmp_path / f"{name}.scene.json" for name in "abc"]
    for scene, share in zip(scenes, (0.4, 0.7, 1.5), strict=True):
        history, text = History(), "x" * int(share * MOST_BYTES)
        history.apply("Note", lambda document, text=text: Document(extra={"note": text}))
        history.apply("Forget", lambda document: Document())
        left.leave(scene, "as left", LeftPicture(history.past(), Findings()))
        if scene == scenes[1]:
            assert left.back_to(scenes[0], "as left") is None
            assert left.back_to(scenes[1], "as left") is not None
    assert [left.back_to(scene, "as left") is not None for scene in scenes] == [False, False, True]


def test_what_steps_share_with_the_document_shown_is_not_counted_as_theirs() -> None:
    history = History()
    history.reset(new_document())
    findings = Findings()
    for place in np.linspace(0.01, 0.2, 20):
        history.apply("Move", edits.move_character("c1", (place, 0.0, 0.0)))
        person = history.document.character("c1")
        findings.keep(person, solution_of(person))
    kept = bytes_of(LeftPicture(history.past(), findings))
    assert 20 * 2_000 < kept < 20 * 50_000, "neither the body nor the networks, which take megabytes"


def test_a_picture_left_with_nothing_to_undo_has_no_steps(tmp_path: Path) -> None:
    left = LeftPictures()
    left.leave(tmp_path / "a.scene.json", "as left", LeftPicture(History().past(), Findings()))
    assert left.back_to(tmp_path / "a.scene.json", "as left") is None
