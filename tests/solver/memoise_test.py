"""What is made once is one object for all threads, whoever asks first."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.embedded_body import EmbeddedBody
from solver.ik.kernel_arrays import tree_of
from solver.ik.pose_prior import natural_pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import Memoised, memoised, memoised_on_value
from solver.photo.fit.evidence import body_points
from solver.solvers.catalog import load_solver

THREADS = 8


@pytest.fixture(autouse=True)
def threads_that_change_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def asked_at_once(ask: Callable[[int], object]) -> list[object]:
    """What each of eight threads gets that ask at the same moment."""
    got: list[object] = [None] * THREADS
    together = threading.Barrier(THREADS)

    def run(number: int) -> None:
        together.wait()
        try:
            got[number] = ask(number)
        except Exception as error:
            got[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return got


def another_skeleton() -> Skeleton:
    known = load_body("anny").skeleton(BodyShape())
    return Skeleton(known.names, known.parents, np.array(known.offsets))


def anew(function: Memoised) -> Callable[[str], object]:
    """The function as it is kept, without what it has made so far."""
    assert isinstance(function, Memoised)
    return memoised()(function.__wrapped__)  # type: ignore[attr-defined]


# By what is made: who is asked, anew each time, and with what.
SHARED: dict[str, Callable[[], tuple[Callable[[Any], object], object]]] = {
    "a body": lambda: (anew(load_body), "anny"),
    "a solver": lambda: (anew(load_solver), "dls"),
    "a body's skeleton": lambda: (EmbeddedBody().skeleton, BodyShape()),
    "a body's skin": lambda: (EmbeddedBody().vertices, BodyShape()),
    "a body's weights": lambda: (lambda body: body.weights, EmbeddedBody()),
    "a body's points": lambda: (body_points, EmbeddedBody()),
    "a skeleton's natural pose": lambda: (natural_pose, another_skeleton()),
    "a skeleton's tree": lambda: (tree_of, another_skeleton()),
}


@pytest.mark.sweep
@pytest.mark.parametrize("what", SHARED)
def test_eight_threads_get_one_object(what: str) -> None:
    for _ in range(3):
        ask, by = SHARED[what]()
        got = asked_at_once(lambda _number, ask=ask, by=by: ask(by))
        assert not isinstance(got[0], Exception)
        assert all(one is got[0] for one in got)


def test_what_is_slow_to_make_is_made_once_and_others_are_not_kept_waiting() -> None:
    made: list[str] = []
    hold = threading.Event()

    @memoised()
    def slow(name: str) -> object:
        made.append(name)
        if name == "slow":
            hold.wait(30)
        return object()

    waiting = [threading.Thread(target=slow, args=("slow",)) for _ in range(THREADS)]
    for thread in waiting:
        thread.start()
    assert slow("quick") is slow("quick")
    hold.set()
    for thread in waiting:
        thread.join()
    assert sorted(made) == ["quick", "slow"]


class Lock:
    """A lock that lets somebody else have a go whenever the thread that made it gives it back."""

    def __init__(self, lock: threading.Lock, go: Callable[[], object]) -> None:
        self._lock, self._go, self._mine = lock, go, threading.get_ident()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        if threading.get_ident() == self._mine:
            other = threading.Thread(target=self._go)
            other.start()
            other.join()


def test_nobody_makes_it_again_after_it_was_made_and_before_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def make() -> object:
        made.append(object())
        return made[-1]

    lock = threading.Lock()
    with monkeypatch.context() as here:
        here.setattr(threading, "Lock", lambda: Lock(lock, lambda: thing() if made else None))
        thing = memoised()(make)
    assert thing() is thing()
    assert len(made) == 1


def test_nothing_is_kept_of_what_was_let_go_or_failed() -> None:
    class Name(str):
        """A str that can be waited for to go."""

    @memoised(1)
    def length(name: Name) -> int:
        if not name:
            raise ValueError("no")
        return len(name)

    first, empty = Name("first"), Name("")
    gone = [weakref.ref(first), weakref.ref(empty)]
    assert length(first) == 5
    with pytest.raises(ValueError, match="no"):
        length(empty)
    assert length(Name("another")) == 7
    del first, empty
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_what_fails_is_tried_again_and_fails_for_each() -> None:
    asked: list[int] = []
    tries: list[int] = []
    all_ask = threading.Event()

    @memoised()
    def failing(number: int) -> None:
        tries.append(number)
        all_ask.wait(30)  # the others wait for this one by now, or are about to
        raise ValueError("no")

    def ask(thread: int) -> None:
        asked.append(thread)
        if len(asked) == THREADS:
            all_ask.set()
        failing(1)

    assert all(isinstance(one, ValueError) for one in asked_at_once(ask))
    assert len(tries) == THREADS


def test_only_the_last_few_are_kept_and_objects_are_told_apart_by_identity() -> None:
    made: list[object] = []

    @memoised(2)
    def few(name: str) -> object:
        made.append(name)
        return object()

    for name in "abacab":
        few(name)
    assert made == ["a", "b", "c", "b"]

    @memoised(4, by_identity=True)
    def of_each(thing: object) -> object:
        return object()

    one, same = Path("a"), Path("a")
    assert of_each(one) is of_each(one)
    assert of_each(one) is not of_each(same)
    assert len({id(of_each(object())) for _ in range(100)}) > 1  # what is gone leaves its identity to nobody


def test_what_is_kept_within_a_value_is_made_once_for_each_and_goes_with_it() -> None:
    made: list[Skeleton] = []

    @memoised_on_value
    def twice(skeleton: Skeleton) -> list[str]:
        made.append(skeleton)
        return [*skeleton.names, *skeleton.names]

    one, other = another_skeleton(), another_skeleton()
    assert twice(one) is twice(one)
    assert twice(one) == twice(other)
    assert twice(one) is not twice(other)
    assert len(made) == 2
    assert one == another_skeleton(), "what is kept is no part of the value"
