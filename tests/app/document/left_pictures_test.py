"""The undo steps of pictures that were left: those of the latest, as long as the scene's file is the same."""

from __future__ import annotations

from pathlib import Path

from app.document.model.document import Document
from app.document.model.history import History
from app.document.posing.findings import Findings
from app.labelling.left_pictures import KEPT, LeftPicture, LeftPictures


def test_only_the_latest_pictures_left_keep_their_steps(tmp_path: Path) -> None:
    history, left = History(), LeftPictures()
    history.apply("Note", lambda document: Document(extra={**document.extra, "note": 1}))
    scenes = [tmp_path / f"{number}.scene.json" for number in range(KEPT + 2)]
    for scene in scenes:
        left.leave(scene, "as left", LeftPicture(history.past(), Findings()))
    assert [left.back_to(scene, "as left") is not None for scene in scenes] == [False, False] + [True] * KEPT
    assert left.back_to(scenes[-1], "changed since") is None


def test_a_picture_left_with_nothing_to_undo_has_no_steps(tmp_path: Path) -> None:
    left = LeftPictures()
    left.leave(tmp_path / "a.scene.json", "as left", LeftPicture(History().past(), Findings()))
    assert left.back_to(tmp_path / "a.scene.json", "as left") is None
