"""Let the solver pose every character of a scene anew, starting from its base pose.

The result is written as a new scene file; a table says how well each effector is met.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.effectors.kind import Kind
    from solver.ik.solution import IKSolution

EPILOG = """\
example:
  python main.py solve scene.json -o solved.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("scene", metavar="SCENE", help="the scene file")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the scene file to write")
    parser.add_argument(
        "--solver", metavar="ID", help="use this solver for everyone, not the one each character has; “info” lists them"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


def run(args: argparse.Namespace) -> int:
    """Solve all characters and save the scene."""
    from app.cli.open import bodies_of
    from app.cli.scene_files import check_scene_output, scene_named
    from app.document import edits
    from app.document.posing.solving import usable_of
    from app.document.posing.surroundings import surroundings_of
    from app.document.posing.tied_groups import answers_of, tied_groups
    from app.document.posing.touched_surfaces import props_of
    from app.document.scene_file.io import save_scene
    from app.document.scene_file.own_files import own_files
    from solver.effectors.asleep import AsleepEffector

    document = scene_named(args.scene, bodies_of(args))
    check_scene_output(args.output, own_files(document, None))
    solvers: dict[str, str] = {}
    solutions: dict[str, IKSolution] = {}
    refusals: dict[str, None] = {}
    for character in document.characters if args.solver else ():
        document = edits.set_solver(character.id, args.solver)(document)
    cameras = tuple(photo.camera for photo in document.photos)
    for group in tied_groups(document.characters):
        surroundings, props = surroundings_of(document, group), props_of(document)
        for id, answer in answers_of(group, {}, cameras, surroundings=surroundings, props=props).items():
            solutions[id] = answer.solution
            document = edits.with_solution(id, answer.solution, answer.effectors)(document)
    for character in document.characters:
        able = usable_of(character)
        solvers[character.id] = able.solver.spec.id
        if able.refusal:
            refusals[f"{able.refusal} Solved with {able.solver.spec.id} instead."] = None
    save_scene(args.output, document)
    for refusal in refusals:
        print(f"contrapposto: {refusal}", file=sys.stderr)
    if not args.quiet:
        first = {solvers[id]: id for id in reversed(solutions)}  # the first person that each solver posed
        for character in document.characters:
            solution, solver = solutions[character.id], solvers[character.id]
            loading = ", loading included" if first[solver] == character.id else ""
            print(f"{character.name}: {solver}, {1e3 * solution.elapsed_s:.2f} ms{loading}")
            for effector, residual in zip(character.effectors, solution.residuals, strict=True):
                if isinstance(effector, AsleepEffector):
                    print(f"  {effector.unknown:<9} {effector.joint:<15} made by a newer version: kept, not used")
                    continue
                said = describe(effector.spec, effector.joint, 0.0 if effector.loose else residual.value)
                print(f"  {said}  {'loose' if effector.loose else residual.state}")
        print(f"Wrote {args.output}.")
    return 0


def describe(kind: Kind, joint: str, value: float) -> str:
    """One effector and its error, in millimetres or degrees."""
    error = f"{kind.unit.to_small_unit(value):8.1f} {kind.unit.value}"
    return f"{kind.id:<9} {joint:<15} {error:<11}"
