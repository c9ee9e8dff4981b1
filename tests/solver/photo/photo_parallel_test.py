"""Several looks at once: in order, by a bounded number of networks, and no more of them than are wanted."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray
from sample_files import TWO_PEOPLE

from solver.photo.detection import blazepose
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.parallel import THREADS, InstancePool, parallel_map
from solver.photo.detection.people2d import find_people
from solver.photo.image_file import load_image


def test_what_is_made_comes_in_the_order_of_the_items_however_long_each_takes() -> None:
    def slow_at_first(number: int) -> int:
        time.sleep(0.02 if number == 0 else 0.0)
        return number * number

    assert [*parallel_map(slow_at_first, range(6))] == [0, 1, 4, 9, 16, 25]


def test_where_nobody_asks_for_more_no_more_is_begun() -> None:
    begun: list[int] = []

    def noted(number: int) -> int:
        begun.append(number)
        time.sleep(0.01)
        return number

    assert [*islice(parallel_map(noted, range(200)), 3)] == [0, 1, 2]
    assert len(begun) < 12


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    def fails(number: int) -> int:
        raise ValueError(f"item {number}")

    with pytest.raises(ValueError, match="item 0"):
        list(parallel_map(fails, range(4)))


def test_threads_never_use_one_network_together_nor_make_more_than_the_bound() -> None:
    made: list[threading.Lock] = []

    def make() -> threading.Lock:
        made.append(threading.Lock())
        return made[-1]

    shared = InstancePool(make, 2)

    def use(_: int) -> bool:
        with shared.borrowed() as lock:
            alone = lock.acquire(blocking=False)
            time.sleep(0.002)
            lock.release()
            return alone

    threads = [threading.Thread(target=lambda: [use(i) for i in range(20)]) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(parallel_map(use, range(10)))
    assert len(made) == 2


@pytest.mark.slow
def test_a_picture_is_read_the_same_in_every_run() -> None:
    rgb = load_image(TWO_PEOPLE).rgb[:, 480:]  # the one on the right
    first, second = find_people(rgb), find_people(rgb)
    assert len(first) == len(second) == 1
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.pixels, other.pixels)
        np.testing.assert_array_equal(one.world, other.world)


def test_a_search_that_is_cancelled_ends_within_a_few_looks() -> None:
    told: list[float] = []
    assert find_people(load_image(TWO_PEOPLE).rgb, told.append, lambda: len(told) > 3) == []
    assert len(told) <= 4 + THREADS


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("run", [5, 40, 70])
def test_a_search_that_is_cancelled_while_it_looks_at_tiles_runs_hardly_another_network(
    run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    began: list[str] = []
    original = blazepose.run_network

    def noted(name: str, values: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        began.append(name)
        return original(name, values)

    monkeypatch.setattr(blazepose, "run_network", noted)
    assert find_people(load_image(TWO_PEOPLE).rgb, cancelled=lambda: len(began) >= run) == []
    assert len(began) < run + 4 * THREADS  # of the places that are looked at four times, one for each core


@pytest.mark.slow
def test_of_a_crowd_some_are_shown_while_the_others_are_still_looked_at() -> None:
    told: list[Sequence[Landmarks]] = []
    crowd = np.tile(load_image(TWO_PEOPLE).rgb[::2, ::2], (2, 2, 1))
    find_people(crowd, so_far=told.append, cancelled=lambda: len(told) > 1)
    some, more = told
    assert 2 <= len(some) < len(more)
    assert all(person in more for person in some)
