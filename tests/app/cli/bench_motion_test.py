"""What `bench` measures of motions: an edit that fades over a whole walk, galleries of twelve, scrubbing."""

from __future__ import annotations

import pytest

from app.benchmark import motion_times
from app.benchmark.contact_scenes import hands_on_hips
from app.benchmark.motion_times import EDITS, HANDLES, ID, crowd_figure, edited_walk, only_handles, scrubbed_figure
from app.benchmark.walk import walk
from app.benchmark.yardstick import recorded_ratios
from app.document.over_time.in_betweens import missing
from app.document.posing.pose_variations import variations_of
from solver.effectors.forms import PointEffector
from solver.ik.preserve_modes import LOCAL


def test_all_of_the_walk_but_its_keys_is_to_be_solved() -> None:
    document = edited_walk("skelik", LOCAL, frames=60, key=30)
    (actor,) = document.actors
    assert sum(stretch.last - stretch.first + 1 for stretch in missing(actor)) == 58
    assert document.character(ID).preserve.place, "places are kept at the key"


def test_the_walk_goes_on_for_as_long_as_is_asked() -> None:
    assert len(walk(20)) == 20
    way = walk(40).root_positions[:, 2]
    assert way[-1] - way[0] == pytest.approx(1.24 * 39 / 34, abs=0.1)


@pytest.mark.parametrize("name", HANDLES)
def test_a_gallery_is_full_and_its_handles_alone_are_held(name: str) -> None:
    document = only_handles(HANDLES[name])
    person = document.character(ID)
    assert [e.joint for e in person.effectors] == list(HANDLES[name])
    assert all(isinstance(e, PointEffector) and e.tolerance == 0.0 and not e.loose for e in person.effectors)
    assert len(variations_of(document, person, None, lambda: False).solutions) == 12


@pytest.mark.slow
def test_every_edit_and_every_gallery_has_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motion_times, "FRAMES", 6)
    monkeypatch.setattr(motion_times, "edited_walk", lambda solver, mode: edited_walk(solver, mode, 6, 3))
    names = [figure.name for figure in motion_times.solved_figures(runs=1)]
    assert len(names) == len(set(names)) == len(EDITS) + len(HANDLES)
    assert scrubbed_figure([0.01, 0.02, 0.03]).median == pytest.approx(20.0)


def test_check_has_a_recorded_ratio_for_every_row() -> None:
    edited = {f"{motion_times.FRAMES} frames between keys, {name}" for name, _, _ in EDITS}
    assert recorded_ratios().keys() > edited | {f"variations, {name}" for name in HANDLES} | {
        scrubbed_figure([0.01]).name, crowd_figure([0.01]).name
    }  # fmt: skip


@pytest.mark.slow
def test_hands_on_hips_have_twelve_variations_as_well_without_all_bases_tried() -> None:
    document = hands_on_hips().document
    found = variations_of(document, document.characters[0], None, lambda: False)
    assert len(found.solutions) == 12
    assert found.tried <= 120, "of more than 250"
