"""How long drags with contacts to keep take: the solves alone, and in the window until the frame is painted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.benchmark.contact_scenes import CONTACT_SCENES, Drag
from app.benchmark.painted import wait_for_frame
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import props_of
from solver.body.kept_volume import load_compiled
from solver.evaluation.speed import Figure, timing
from solver.ik.memory import Memory

if TYPE_CHECKING:
    from app.window.editor import Editor

WARM, STEPS = 20, 120
GIVE_UP_S = 60.0


def solved_figures() -> Iterator[Figure]:
    """The solves of each scene's drag, with all who are tied together in one."""
    load_compiled()  # as the window does with its solver
    for name, scene in CONTACT_SCENES.items():
        yield timing(f"{name}, solved", solve_times(scene.make()), 1000.0 / scene.rate)


def drawn_figures(seconds: list[float]) -> Iterator[Figure]:
    """How long each drag took until it was painted in the window, from the seconds of `drawn_times`."""
    for number, (name, scene) in enumerate(CONTACT_SCENES.items()):
        part = seconds[number * STEPS : (number + 1) * STEPS]
        yield timing(f"{name}, painted", part, 1000.0 / scene.frames)


def solve_times(drag: Drag) -> list[float]:
    """Seconds of each step's solve, asked for as from the solver's thread."""
    document, times = drag.document, []
    memories: dict[str, Memory] = {}
    for number in range(WARM + STEPS):
        document = drag.step(number)(document)
        people = document.characters
        started = time.perf_counter()
        answers = answers_of(people, memories, surroundings=surroundings_of(document, people), props=props_of(document))
        times.append(time.perf_counter() - started)
        for person in people:
            answer = answers[person.id]
            memories[person.id] = answer.solution.memory
            document = document.with_character(with_solution(person, answer.solution, answer.effectors))
    return times[WARM:]


def drawn_times(editor: Editor) -> list[float]:
    """Seconds from each step's edit to its painted frame, one scene after another, at 1280 x 800."""
    editor.viewport.setFixedSize(1280, 800)
    editor.warm_up()
    times = []
    for scene in CONTACT_SCENES.values():
        drag = scene.make()
        editor.session.open(drag.document)
        editor.session_view.frame_all(glide=False)
        wait_for_frame(editor)
        for number in range(WARM + STEPS):
            started = time.perf_counter()
            editor.session.edit("Move", drag.step(number), merge_key="bench", solve=True)
            editor.session.settle(GIVE_UP_S)
            wait_for_frame(editor)
            if number >= WARM:
                times.append(time.perf_counter() - started)
    return times
