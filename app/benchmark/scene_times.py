"""How long it takes to build the scene after a solve: everything but the solve and the drawing itself."""

from __future__ import annotations

import time

import numpy as np

from app.benchmark.sample import two_people
from app.document import edits
from app.document.posing.solving import solution_of, with_solution
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from solver.body.kept_volume import load_compiled
from solver.ik.memory import FRESH, Memory

STEPS = 120
LOOK = Look("#d9a383", "#3f4a5c")


def scene_times() -> list[float]:
    """Seconds for each of many frames while a selected hand is dragged along a circle, beside a second person."""
    load_compiled()  # as the window does with its solver
    document, builder = two_people(), SceneBuilder()
    id, effector = document.characters[0].id, document.characters[0].effectors[0]
    view = ViewState(character=id, effectors=frozenset({effector.id}))
    times: list[float] = []
    memory: Memory = FRESH
    for step in range(STEPS + 20):
        angle = 2 * np.pi * step / 60
        target = effector.target + 0.15 * np.array([np.cos(angle), np.sin(angle), 0.5])  # type: ignore[attr-defined]
        document = edits.set_target(id, effector.id, target)(document)
        solution = solution_of(document.character(id), memory)
        memory = solution.memory
        document = document.with_character(with_solution(document.character(id), solution))
        start = time.perf_counter()
        builder.build(document, view, LOOK, residuals=solution.residuals)
        times.append(time.perf_counter() - start)
    return times[20:]
