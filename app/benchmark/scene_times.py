"""How long scenes take beside solves and drawing: to be built after a solve, to find room for somebody new, and to make
a prop's shadow anew."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from app.benchmark.sample import two_people
from app.document import edits
from app.document.edits.clear_place import placed_clear
from app.document.edits.props import new_prop, placed_free
from app.document.model.document import Document
from app.document.model.prop import KINDS
from app.document.posing.create import new_character
from app.document.posing.solving import solution_of, with_solution
from app.services.view_state import ViewState
from app.viewport.prop_scene import drawn_props
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.items.prop_shadow import SIZE, shadow_of
from solver.body.kept_volume import load_compiled
from solver.ik.memory import FRESH, Memory
from solver.kinematics.rotations import from_rotation_vector

STEPS, RUNS = 120, 5
NEWCOMERS = 10  # people
AMONG, APART = 36, 0.6  # props, metres from the middle of one to that of the next
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


def crowded_times(props: int = 40) -> list[float]:
    """Seconds that the last of so many props takes to find a free place, all wished for at one and the same."""
    times: list[float] = []
    for _ in range(RUNS):
        document = Document()
        for _ in range(props):
            prop = new_prop(document, "box")
            start = time.perf_counter()
            prop = placed_free(document, prop, (0.0, 0.0, 0.0))
            took = time.perf_counter() - start
            document = edits.add_prop(prop)(document)
        times.append(took)
    return times


def room_times() -> list[float]:
    """Seconds that each of NEWCOMERS people takes to find room among many props and the earlier ones."""
    document, row = Document(), int(AMONG**0.5)
    kinds = [kind for kind in KINDS if kind != "mesh"]
    for number in range(AMONG):
        kind = kinds[number % len(kinds)]
        place = np.float32(APART) * np.array([number % row - row / 2, 0.0, number // row - row / 2], np.float32)
        prop = replace(new_prop(document, "box"), kind=kind, size=np.array(KINDS[kind][1], np.float32), place=place)
        document = edits.add_prop(prop)(document)
    times: list[float] = []
    for _ in range(NEWCOMERS):
        newcomer = new_character(document)
        start = time.perf_counter()
        newcomer = placed_clear(document, newcomer, (0.0, 0.0))
        times.append(time.perf_counter() - start)
        document = edits.add_character(newcomer)(document)
    return times


def shadow_times(steps: int = STEPS) -> list[float]:
    """Seconds for each new shadow of a chair that turns, as sharp as at rest."""
    document, times = Document(), []
    prop = new_prop(document, "chair")
    for step in range(steps):
        turn = from_rotation_vector(np.array([0.3, 0.05 * step, 0.0], np.float32))
        turned = edits.add_prop(replace(prop, turn=turn))(document)
        start = time.perf_counter()
        (drawn,) = drawn_props(turned, ViewState())
        shadow_of(drawn, SIZE)
        times.append(time.perf_counter() - start)
    return times[1:]
