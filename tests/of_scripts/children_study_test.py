"""The study of who is taken for a child in renderings."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.photo import children_study, photo_renderings
from scripts.photo.children_study import Row, standing, told_apart

CLIPS = Path(__file__).parents[1] / "data" / "clips"


def row(body: str, above: tuple[float, float], as_child: bool, odds: float, picture: str = "a.jpg") -> Row:
    return Row(picture, body, above, as_child, odds, towards=1.0, height=200.0, face=False)


FAMILY = (
    row("anny", (20.0, 0.0), False, -1.5),
    row("anny", (10.0, 5.0), False, 0.5),
    row("anny:child", (0.0, 0.0), True, 1.5),
    row("anny:child", (0.0, -4.0), False, 0.0),
    row("anny", (30.0, 30.0), False, -1.0, "b.jpg"),
)


def test_adults_who_hang_are_counted_without_and_with_childrens_bodies() -> None:
    lines = [*standing(FAMILY)]
    assert "| adults | 3 | 20.0 → 11.7 | 3 → 2 | 0 → 0 | 0 |" in lines
    assert "| children | 2 | 0.0 → -2.0 | 0 → 0 | 0 → 1 | 1 |" in lines
    assert lines[-1] == "Of 2 pictures 1 show somebody young; an adult hangs in 1 → 1."


def test_faces_and_heads_are_told_apart_by_how_often_a_childs_is_likelier() -> None:
    lines = [*told_apart(FAMILY)]
    assert "| all | 2 | 3 | 0.83 |" in lines
    assert "| from the front | 2 | 3 | 0.83 |" in lines
    assert not any("from behind" in line or "with a face" in line for line in lines)


@pytest.mark.gl
@pytest.mark.slow
def test_pictures_with_children_are_drawn_read_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = "--bvh", str(CLIPS), "-o", str(tmp_path), "--count", "1", "--long-side", "320", "--young", "1"
    assert photo_renderings.main([*options, "--only", "couple"]) == 0
    children_study.main(["--renderings", str(tmp_path)])
    printed = capsys.readouterr().out
    assert "| adults | 1 |" in printed
    assert "Of 1 pictures" in printed
