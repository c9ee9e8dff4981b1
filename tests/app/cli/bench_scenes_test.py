"""What `bench` measures of scenes: files with motions, and room among many props."""

from __future__ import annotations

from app.benchmark.file_times import SCENE, file_times, walkers
from app.benchmark.scene_times import RUNS, crowded_times, shadow_times
from app.benchmark.yardstick import recorded_ratios

SHADOW = "shadow of a turning chair, made anew"


def test_walkers_are_as_many_as_asked_each_with_a_motion_of_their_own() -> None:
    people = walkers(3, 25).actors
    assert [len(actor.clip) for actor in people] == [25, 25, 25]
    assert len({actor.id for actor in people}) == 3
    assert all(actor.clip.source is not None for actor in people)


def test_a_scene_is_saved_and_opened_as_often_as_asked() -> None:
    for times in file_times(2, 30, 3):
        assert len(times) == 3
        assert min(times) > 0


def test_check_has_a_recorded_ratio_for_each_row_of_files_and_props() -> None:
    rows = {f"{SCENE}, saved", f"{SCENE}, opened", "the fortieth prop wished for at one place", SHADOW}
    assert recorded_ratios().keys() > rows
    assert len(crowded_times(3)) == RUNS
    assert min(shadow_times(4)) > 0.0
