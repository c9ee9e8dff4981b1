"""How long a pose takes to be drawn with the user's own character.

python -m scripts.rigs.own_skin_times [TRIANGLES …]

Robots of about so many triangles (default: 5,000, 20,000, 50,000 and 150,000) are drawn in pose after pose, in turn
with our body, in a picture of 1000 x 800 pixels as in motion. It prints medians in milliseconds: making the scene,
finding the skin under the pointer, and drawing, on this computer's renderer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.model.document import Document
from app.services.screen import drawing
from app.services.view_state import ViewState
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.camera.camera import OrbitCamera, View
from rendering.drawing.offscreen import drawing_context, read_frame
from rendering.drawing.renderer import SceneRenderer
from rendering.items.frame import Frame
from rendering.picking.picking import pick_figure
from rendering.scene.theme import DARK
from scripts.arguments import script_parser
from scripts.rigs.robot import robot_glb
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

USUAL = (5_000, 20_000, 50_000, 150_000)
BLOCKS = 34
POSES, SIZE = 40, (1000, 800)
COLUMNS = ("drawn", "triangles", "vertices", "scene", "pointer", "picture")


def main(arguments: list[str] | None = None) -> None:
    """Print a row for our body and one for each robot."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("triangles", nargs="*", type=int, default=USUAL)
    wanted = parser.parse_args(arguments).triangles
    print("| " + " | ".join(COLUMNS) + " |\n| -- |" + " --: |" * (len(COLUMNS) - 1))
    with TemporaryDirectory() as folder, drawing(), drawing_context():
        for triangles in wanted:
            path = Path(folder, "robot.glb")
            path.write_bytes(robot_glb(max(1, round((triangles / BLOCKS / 16) ** 0.5))))
            edit = open_file(path).edit
            assert edit is not None, "a rig is an edit"
            document = edit(Document())
            ours = edits.show_own_skin(document.characters[0].id, False)(document)
            for row in _rows({"robot": document, "our body": ours}):
                print(row, flush=True)


def _rows(documents: dict[str, Document]) -> list[str]:
    times: dict[str, list[tuple[float, float, float]]] = {name: [] for name in documents}
    builders = {name: (SceneBuilder(), SceneRenderer()) for name in documents}
    frame = replace(Frame(View(OrbitCamera((0, 0.9, 0), distance=3.5), *SIZE), DARK), quick=True)
    random, counts = np.random.default_rng(0), dict[str, str]()
    for _ in range(POSES):
        turns = from_rotation_vector(random.normal(0.0, 0.2, (24, 3))).astype(np.float32)
        for name, document in documents.items():
            (person,) = document.characters
            builder, renderer = builders[name]
            pose = Pose(person.pose.root_position, turns)
            posed = replace(person, pose=pose, base_pose=pose)
            shown = document.with_character(posed)
            steps: list[float] = []
            build = lambda: builder.build(shown, ViewState(handles=False), Look("#ffffff", "#ffffff"))  # noqa: B023, E731
            scene = _timed(build, steps)
            _timed(lambda: pick_figure(frame.view, scene.figures, (SIZE[0] / 2, SIZE[1] / 2)), steps)  # noqa: B023
            _timed(lambda: read_frame(renderer, scene, frame, 0), steps)  # noqa: B023
            times[name].append((steps[0], steps[1], steps[2]))
            mesh = scene.figures[0].mesh
            assert mesh is not None, "somebody is drawn"
            counts[name] = f"{len(mesh.faces):,} | {len(mesh.vertices):,}"
    medians = {name: 1e3 * np.median(each, axis=0) for name, each in times.items()}
    return [f"| {name} | {counts[name]} | " + " | ".join(f"{ms:.1f}" for ms in medians[name]) + " |" for name in times]


def _timed(work: Callable, steps: list[float]):  # type: ignore[no-untyped-def,type-arg]
    start = time.perf_counter()
    found = work()
    steps.append(time.perf_counter() - start)
    return found


if __name__ == "__main__":
    main()
