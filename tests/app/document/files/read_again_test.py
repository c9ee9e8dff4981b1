"""Somebody's motion is read again from its file: the one person asked for, where they stand and at the frame shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from odd_rigs import exchanged, places, two_people, written

from app.document import edits
from app.document.exchange.import_placement import placed_as_before
from app.document.exchange.open_file import EXCHANGED, JointsUnclear, open_file
from app.document.model.document import Document


def test_the_second_of_two_people_is_read_again_onto_somebody_who_has_moved(tmp_path: Path) -> None:
    path = two_people(tmp_path / "two.bvh")
    first = open_file(path).edit
    assert first is not None
    moved = edits.move_character("c2", (1.0, 0.0, 2.0))(first(Document())).at_frame("c2", 1)
    again = open_file(path, "c2", person=1).edit
    assert again is not None
    after = placed_as_before(again, "c2")(moved)
    assert len(after.characters) == 2
    assert after.character("c1") == moved.character("c1")
    assert after.character("c2").frame == 1
    assert after.character("c2").pose.root_position == pytest.approx(moved.character("c2").pose.root_position, abs=1e-4)
    assert places(after.character("c2")) == pytest.approx(places(moved.character("c2")), abs=1e-4)


def test_exchanged_sides_are_told_or_asked_about_but_not_both(tmp_path: Path) -> None:
    path = exchanged(tmp_path / "hero.bvh")
    assert open_file(path).hint == EXCHANGED
    with pytest.raises(JointsUnclear, match=r"hero\.bvh: Left and right are exchanged"):
        open_file(path, ask_joints=True)
    assert open_file(written(tmp_path / "good.bvh"), ask_joints=True).hint == ""
