"""What a first look at a photo needs can be loaded before there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from photo_samples import body
from sample_files import TWO_PEOPLE

from solver.errors import InputRefused
from solver.photo.detection import blazepose, models
from solver.photo.detection.models import DETECTOR, FULL
from solver.photo.estimate import estimate_people
from solver.photo.image_file import load_image
from solver.photo.people import PhotoResult
from solver.photo.warm_up import warm_up


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The networks that are loaded from now on, by name."""
    names: list[str] = []
    original = blazepose.model_path

    def noted(name: str) -> Path:
        names.append(name)
        return original(name)

    blazepose._interpreters.cache_clear()
    monkeypatch.setattr(blazepose, "model_path", noted)
    yield names
    blazepose._interpreters.cache_clear()


@pytest.mark.slow
def test_the_first_bodies_wait_for_no_network_once_all_is_ready(loaded: list[str]) -> None:
    warm_up(body())
    assert sorted(loaded) == sorted([DETECTOR, FULL])
    told: list[PhotoResult] = []
    estimate_people(load_image(TWO_PEOPLE), body(), so_far=told.append, cancelled=lambda: bool(told))
    assert len(told[0].people) == 2
    assert len(loaded) == 2, "the first bodies needed another network"


def test_it_loads_nothing_twice(loaded: list[str]) -> None:
    warm_up(body())
    warm_up(body())
    assert len(loaded) == 2


def test_a_missing_network_is_named(loaded: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    with pytest.raises(InputRefused, match=r"pose_detection\.tflite.*assets/blazepose"):
        warm_up(body())
