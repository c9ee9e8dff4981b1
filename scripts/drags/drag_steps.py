"""The first person's handles, and drags of them step by step, as the studies of drags make them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import process_time
from typing import NamedTuple

import numpy as np

from app.document import edits
from app.document.model.document import Document
from app.document.posing.fitting_effectors import new_effector
from app.services.led_bodies import GOES_ON_MOST
from scripts.drags.contact_depths import FIRST, solved
from scripts.drags.drag_measures import Array
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.memory import Memory, goes_on
from solver.rig.rig import Rig
from solver.rig.roles import Role


class DragStep(NamedTuple):
    """What a step of a drag leads to. lost, other: metres by which the worst contact and the worst other strict
    effector are missed. took: milliseconds of processor time."""

    document: Document
    lost: float
    other: float
    took: float


def on_joint(document: Document, rig: Rig, role: Role) -> list[Effector]:
    """The first one's effectors on that joint."""
    return [e for e in document.character(FIRST).effectors if e.joint == rig.name(role)]


def handle(document: Document, rig: Rig, role: Role) -> tuple[Document, str]:
    """The id of a strict effector for that joint's place, which is made where there is none."""
    held = [e.id for e in on_joint(document, rig, role) if isinstance(e, Position)]
    if held:
        return edits.make_strict(FIRST, held[:1])(document), held[0]
    made = new_effector(document.character(FIRST), Position.kind, rig.name(role))
    return edits.add_effector(FIRST, made)(document), made.id


def drag_steps(
    document: Document, id: str, by: Iterable[Array], memories: dict[str, Memory] | None = None
) -> Iterator[DragStep]:
    """Move the target of an effector, (3,) metres from where it is for each step, and solve everybody each time.

    memories: what their solvers remember, which is changed.
    """
    start = target_of(document, id)
    return target_steps(document, id, (start + way for way in by), memories)


def target_steps(
    document: Document, id: str, targets: Iterable[Array], memories: dict[str, Memory] | None = None
) -> Iterator[DragStep]:
    """Likewise, with the targets themselves: (3,) metres, or (3, 3) R_world_joint for an effector that turns."""
    known = {} if memories is None else memories
    for target in targets:
        edit = edits.set_target(FIRST, id, target.astype(np.float32))
        started = process_time()
        document, lost, other = solved(edit(document), known)
        yield DragStep(document, lost, other, 1e3 * (process_time() - started))


def steps_to_rest(document: Document, id: str, by: Iterable[Array], memories: dict[str, Memory]) -> Iterator[DragStep]:
    """The steps of such a drag, and those in which whoever is led gets there once it has ended, as in the window."""
    for step in drag_steps(document, id, by, memories):
        yield step
        document = step.document
    for _ in range(GOES_ON_MOST):
        if not goes_on(memories[FIRST]):
            return
        for step in target_steps(document, id, [target_of(document, id)], memories):
            yield step
            document = step.document


def target_of(document: Document, id: str) -> Array:
    """The target of an effector of the first person, in double precision."""
    return np.asarray(document.character(FIRST).effector(id).target, np.float64)


def straight(way: Array, step: float, back: bool = False) -> list[Array]:
    """(3,) metres from the start of a drag at each of its even steps, no longer than `step` metres, along a way.

    back: whether it comes back as it went.
    """
    count = int(np.ceil(np.linalg.norm(way) / step))
    return [way * each / count for each in (there_and_back(count) if back else range(1, count + 1))]


def there_and_back(count: int) -> tuple[int, ...]:
    """How many steps from its start a drag is after each step, `count` steps away and as many back."""
    return *range(1, count + 1), *range(count - 1, -1, -1)
