"""Curves are computed in a thread of their own: the newest request first, and the latest ones are kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from motion_samples import walker
from PySide6.QtWidgets import QApplication
from window_driver import until

from app.document.curves.values import CurveRequest
from app.document.model.actor import Actor
from app.panels.curves.curve_worker import KEPT, CurveWorker
from solver.kinematics.skeleton import SMPL_JOINTS


@pytest.fixture
def worker(qapp: QApplication) -> Iterator[CurveWorker]:
    worker = CurveWorker()
    yield worker
    worker.stop()


@pytest.fixture
def actor() -> Actor:
    return walker(4).actors[0]


def of(joint: str) -> CurveRequest:
    return CurveRequest(joint=joint)


def test_what_was_computed_last_is_kept_and_the_oldest_is_forgotten(worker: CurveWorker, actor: Actor) -> None:
    joints = SMPL_JOINTS[: KEPT + 1]
    for joint in joints:
        worker.ask(actor, of(joint))
        until(lambda joint=joint: worker.known(actor, of(joint)) is not None)  # type: ignore[misc]
    assert [joint for joint in joints if worker.known(actor, of(joint)) is None] == [joints[0]]


def test_of_what_waits_only_the_newest_is_computed(worker: CurveWorker, actor: Actor) -> None:
    for joint in ("head", "left_wrist", "right_wrist"):  # the first begins at once
        worker.ask(actor, of(joint))
    until(lambda: worker.known(actor, of("right_wrist")) is not None)
    assert worker.known(actor, of("head")) is not None
    assert worker.known(actor, of("left_wrist")) is None


def test_who_asks_again_for_what_is_being_computed_wants_nothing_else(worker: CurveWorker, actor: Actor) -> None:
    for joint in ("head", "left_wrist", "head"):
        worker.ask(actor, of(joint))
    until(lambda: worker.known(actor, of("head")) is not None)
    worker.ask(actor, of("neck"))  # computed after all that was still to do
    until(lambda: worker.known(actor, of("neck")) is not None)
    assert worker.known(actor, of("left_wrist")) is None


def test_curves_of_somebody_who_has_changed_are_not_those_of_before(worker: CurveWorker, actor: Actor) -> None:
    worker.ask(actor, of("head"))
    until(lambda: worker.known(actor, of("head")) is not None)
    assert worker.known(walker(4).actors[0], of("head")) is None
