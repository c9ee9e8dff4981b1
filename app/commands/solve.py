"""Let the solver pose every character of a scene anew, starting from its base pose.

The result is written as another scene; a table says how well each effector is met.
"""

from __future__ import annotations

import argparse
import sys

EPILOG = """\
example:
  python main.py solve scene.json -o solved.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("scene", metavar="SCENE", help="the scene file")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the scene file to write")
    parser.add_argument("--solver", metavar="ID", help="use this solver for everyone, not the one each character has")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


def run(args: argparse.Namespace) -> int:
    """Solve all characters and save the scene."""
    from app.commands.open import bodies_of
    from app.document import edits
    from app.document.io import load_scene, save_scene
    from app.document.problem import able_of

    document = load_scene(args.scene, bodies_of(args))
    solvers: dict[str, str] = {}
    refusals: dict[str, None] = {}
    for character in document.characters:
        if args.solver:
            document = edits.set_solver(character.id, args.solver)(document)
        document = edits.solve(character.id)(document)
        able = able_of(document.character(character.id))
        solvers[character.id] = able.solver.spec.id
        if able.refusal:
            refusals[f"{able.refusal} Solved with {able.solver.spec.id} instead."] = None
    save_scene(args.output, document)
    for refusal in refusals:
        print(f"contrapposto: {refusal}", file=sys.stderr)
    if not args.quiet:
        for character in document.characters:
            print(f"{character.name}: {solvers[character.id]}, {1e3 * character.elapsed_s:.2f} ms")
            for effector, residual in zip(character.effectors, character.residuals, strict=True):
                said = describe(effector.kind, effector.joint, 0.0 if effector.loose else residual.value)
                print(f"  {said}  {'loose' if effector.loose else residual.state}")
        print(f"Wrote {args.output}.")
    return 0


def describe(kind: str, joint: str, value: float) -> str:
    """One effector and its error: millimetres for a position, degrees for the rest."""
    from math import degrees

    error = f"{1e3 * value:8.1f} mm" if kind == "position" else f"{degrees(value):8.1f} °"
    return f"{kind:<9} {joint:<15} {error:<11}"
