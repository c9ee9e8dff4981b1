"""Feet that are dragged: lifted together, the body rises with them; into the floor, nobody crouches; and whoever crawls
or sits keeps the trunk, and comes back evenly."""

from __future__ import annotations

import numpy as np
import pytest

from app.document import edits
from app.document.library.shelf import entry_of
from app.document.model.figure import skeleton_of
from scripts.drags.arm_drags import new
from scripts.drags.contact_depths import FIRST, solved
from scripts.drags.drag_measures import apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight, target_of
from scripts.drags.lying_drags import taken
from solver.ik.memory import Memory
from solver.resources import resource_folder
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role


@pytest.mark.parametrize("body", ["female", "tall"])
def test_as_both_ankles_are_lifted_the_pelvis_goes_up_and_nothing_leaps(body: str) -> None:
    document, ids, memories = new(body, "smplik"), list[str](), dict[str, Memory]()
    rig = rig_of(skeleton_of(document.character(FIRST)))
    for leg in LEGS:
        document, id = handle(document, rig, leg.end)
        ids.append(id)
    began, heights, steps = [target_of(document, id) for id in ids], list[float](), list[float]()
    was = places_of(document)
    floor = was[0][0, 1]
    for up in np.arange(0.02, 0.4, 0.02):
        for id, there in zip(ids, began, strict=True):
            document = edits.set_target(FIRST, id, (there + [0.0, up, 0.0]).astype(np.float32))(document)
        document, _, missed = solved(document, memories)
        now = places_of(document)
        steps.append(apart(now, was))
        heights.append(float(now[0][0, 1] - floor))
        was = now
        assert missed < 0.002
    assert min(heights) > -0.01
    assert heights[-1] > 0.3
    assert max(steps) < 0.08


@pytest.mark.parametrize(("body", "solver"), [("female", "smplik"), ("tall", "protores")])
def test_a_foot_that_is_dragged_ahead_and_into_the_floor_steps_as_one_along_it(body: str, solver: str) -> None:
    along, into = (_stepped(body, solver, down) for down in (0.0, -0.3))
    assert into == pytest.approx(along, abs=0.04), "nobody crouches for what is below the floor"


def _stepped(body: str, solver: str, down: float) -> np.ndarray:
    """(J, 3) metres of the joints after a drag of the left ankle by 30 cm ahead, and up or down."""
    document = new(body, solver)
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), Role.LEFT_ANKLE)
    for reached in drag_steps(document, id, straight(np.array([0.05, down, 0.3]), 0.15)):
        document = reached.document
    return places_of(document)[0]


@pytest.mark.parametrize(
    ("pose", "body", "way"),
    [
        ("Crawling/Bear crawl", "neutral", (0.0, 0.1, 0.05)),  # 31 cm in a step
        ("Sitting on a chair/Drive a car", "male", (0.0, 0.15, 0.0)),  # 20 cm, and 11 in the last one
    ],
)
def test_a_foot_of_somebody_who_crawls_or_sits_takes_nothing_along_that_leaps_there_or_back(
    pose: str, body: str, way: tuple[float, float, float]
) -> None:
    document = taken(entry_of(resource_folder("assets", "poses") / f"{pose}.json"), body, "smplik")
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), Role.RIGHT_ANKLE)
    was, steps = places_of(document), list[float]()
    for step in drag_steps(document, id, straight(np.array(way), 0.01, back=True)):
        now = places_of(step.document)
        steps.append(apart(now, was))
        was = now
    assert max(steps) < 0.06
