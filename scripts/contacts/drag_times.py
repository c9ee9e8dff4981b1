"""How much processor time the steps of drags with contacts take, and whether another version finds the same poses.

python -m scripts.contacts.drag_times [SCENE…] [--bodies neutral,female,…] [--solvers dls,smplik] [--times COUNT]
    [--placed] [--keep FILE] [--against FILE]

The scenes are those of `python main.py bench --only contacts`. Each drag is made anew COUNT times, and the least time
of each step counts. Ms: the median of the steps after the first ten, and the slowest of them. Placed: everybody has
been moved as a whole, by a nanometre, so that poses are read through a placement. Keep: a .npz file for times and
poses. Against: one that another version kept; the row then has its median, the share that this one takes, and the
largest difference between numbers of two poses. Two versions can only be compared on a busy machine when they are
measured in turn, several times each.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import thread_time

import numpy as np
from numpy.typing import NDArray

from app.benchmark.contact_scenes import CONTACT_SCENES, ContactScene, NewPerson
from app.document import edits
from app.document.model.document import Character, Document
from app.document.posing.create import new_character
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import props_of
from scripts.arguments import add_parts, with_part
from scripts.drags.contact_depths import build_of
from scripts.drags.drag_measures import Array
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import print_row
from solver.ik.memory import Memory

WARM, STEPS = 10, 60
PLACED_M = (1e-9, 0.0, 0.0)


def person_of(body: str, solver: str) -> NewPerson:
    """What makes somebody with that build and that solver."""
    model, shape = build_of(body)

    def new(document: Document) -> Character:
        return replace(new_character(document, body=model, shape=shape), solver=solver)

    return new


def drag(scene: ContactScene, new: NewPerson, placed: bool = False) -> tuple[Array, NDArray[np.float32]]:
    """(STEPS,) seconds of each step, and the numbers of all poses that were found, one after another. placed: whether
    everybody has been moved as a whole."""
    made, memories = scene.make(new), dict[str, Memory]()
    for person in made.document.characters if placed else ():
        made = replace(made, document=edits.move_character(person.id, PLACED_M)(made.document))
    document, seconds, poses = made.document, list[float](), list[NDArray[np.float32]]()
    for number in range(STEPS):
        document = made.step(number)(document)
        people = document.characters
        started = thread_time()
        answers = answers_of(people, memories, surroundings=surroundings_of(document, people), props=props_of(document))
        seconds.append(thread_time() - started)
        for person in people:
            answer = answers[person.id]
            memories[person.id] = answer.solution.memory
            document = document.with_character(with_solution(person, answer.solution, answer.effectors))
            poses += [answer.solution.pose.root_position.ravel(), answer.solution.pose.rotations.ravel()]
    return np.array(seconds), np.concatenate(poses)


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each scene, body and solver."""
    parser = drag_parser(__file__, __doc__)
    add_parts(parser, "scenes", CONTACT_SCENES)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--placed", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--against", type=Path)
    given = parser.parse_args(arguments)
    other = dict(np.load(given.against)) if given.against else {}
    kept = dict[str, NDArray[np.floating]]()
    print_row("scene", "body", "solver", "ms", "slowest", *(("ms before", "share", "apart") if other else ()))
    for name, scene in with_part(CONTACT_SCENES, given.scenes).items():
        for body in given.bodies:
            for solver in given.solvers:
                drags = [drag(scene, person_of(body, solver), given.placed) for _ in range(given.times)]
                seconds, poses = np.min([each for each, _ in drags], axis=0)[WARM:], drags[0][1]
                own = f"{name}, {body}, {solver}"
                kept |= {f"{own}: seconds": seconds, f"{own}: poses": poses}
                cells = [f"{1e3 * np.median(seconds):.2f}", f"{1e3 * seconds.max():.1f}"]
                if f"{own}: poses" in other:
                    then, were = 1e3 * np.median(other[f"{own}: seconds"]), other[f"{own}: poses"]
                    share = 1e3 * np.median(seconds) / then
                    cells += [f"{then:.2f}", f"{share:.2f}", f"{np.abs(poses - were).max():.1g}"]
                print_row(name, body, solver, *cells)
    if given.keep:
        np.savez(given.keep, **kept)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
