"""A picture in, a hand dragged, undone and done again, a scene and a BVH out: the whole way, in a real window."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sample_files import photographs

from app.cli.main import main
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS

pytestmark = [pytest.mark.e2e, pytest.mark.gl, pytest.mark.timeout(240)]
LOOSE = [
    SMPL_JOINTS.index(f"{side}_{part}")
    for part in ("hand", "wrist", "elbow", "foot", "ankle")
    for side in ("left", "right")
]
LOOSE.append(SMPL_JOINTS.index("head"))
PICTURES = [file for file, *_ in photographs(two_men_sitting=(2, 2))]


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture of our own body with its arms out, as a photographer would see it."""
    from app.document import edits
    from app.document.posing.create import new_document
    from app.document.scene_file.io import save_scene

    document = new_document()
    character = document.characters[0]
    for joint, target in (("left_wrist", [0.62, 1.25, 0.15]), ("right_wrist", [-0.60, 1.05, 0.20])):
        effector = next(e for e in character.effectors if e.joint == joint and e.kind == "position")
        document = edits.set_target(character.id, effector.id, np.array(target, np.float32))(document)
    document = edits.solve(character.id)(document)
    save_scene(tmp_path / "posed.json", document)
    path = tmp_path / "picture.png"
    assert main(["render", str(tmp_path / "posed.json"), "-o", str(path), "--view", "front", "--size", "900x900"]) == 0
    return path


def whole_way(run_main: Callable, picture: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, people: int) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QDialogButtonBox, QFileDialog

    from app.dialogs.export_dialog import ExportDialog
    from app.dialogs.people_dialog import PeopleDialog
    from rendering.camera.camera import PhotoView

    scene_file, bvh_file = folder / "scene.json", folder / "out.bvh"
    answers = iter([str(scene_file), str(bvh_file)])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (next(answers), ""))

    def ok(dialog: object) -> None:
        button = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)  # type: ignore[attr-defined]
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def script(session) -> None:  # type: ignore[no-untyped-def]
        view = session.view
        ticks: list[int] = []

        def take(dialog) -> None:  # type: ignore[no-untyped-def]
            ticks.append(len(dialog.ticks))
            ok(dialog)

        session.answer(PeopleDialog, take)
        session.until(lambda: ticks)
        assert ticks[0] >= people
        session.until(lambda: view.scene.backplate is not None and view.scene.handles)
        session.until(lambda: isinstance(view.camera, PhotoView))  # one looks from where the photo was taken

        def handle(id: object) -> object:
            return next(h for h in view.scene.handles if h.id == id)

        places = {h.id: view.current_view.project(h.position) for h in view.scene.handles}
        shapes = {h.id: h.shape for h in view.scene.handles}
        inside = [i for i, p in places.items() if 40 < p[0] < view.width() - 40 and 40 < p[1] < view.height() - 40]
        free = [i for i in inside if shapes[i] == "ball" and (hit := view.pick(*places[i])) and hit.id == i]
        assert free, "no position handle can be taken by the mouse"
        # A hand if one has a handle, else an elbow, a foot, the head: what other handles hold least.
        joints = np.concatenate([figure.joints for figure in view.scene.figures if not figure.ghost])
        nearest = {i: int(np.linalg.norm(joints - handle(i).held_position, axis=1).argmin()) % 24 for i in shapes}  # type: ignore[attr-defined]
        # Two firm handles on one bone hold each other: with a hand and its elbow, either may be the one that is left.
        held = {nearest[i] for i, shape in shapes.items() if shape == "ball"}
        bound = {i for i in free if any(near(nearest[i], j) for j in held - {nearest[i]})}
        order = lambda i: (i in bound, LOOSE.index(nearest[i]) if nearest[i] in LOOSE else len(LOOSE))  # noqa: E731
        chosen = min(free, key=order)
        before = handle(chosen).position.copy()  # type: ignore[attr-defined]
        session.drag(tuple(places[chosen]), (6.0, -5.0))
        session.until(lambda: np.linalg.norm(handle(chosen).position - before) > 0.005)  # type: ignore[attr-defined]
        after = handle(chosen).position.copy()  # type: ignore[attr-defined]
        reached = lambda: np.linalg.norm(handle(chosen).held_position - after)  # type: ignore[attr-defined]  # noqa: E731
        session.until(lambda: reached() < 0.01)

        session.press("Ctrl+Z")
        session.until(lambda: np.array_equal(handle(chosen).position, before), 10)  # type: ignore[attr-defined]
        session.press("Ctrl+Y")
        session.until(lambda: np.array_equal(handle(chosen).position, after), 10)  # type: ignore[attr-defined]

        session.press("Ctrl+S")
        session.until(scene_file.exists)

        session.answer(ExportDialog, ok)
        session.press("Ctrl+E")
        session.until(lambda: list(folder.glob("out*.bvh")))

    assert run_main([str(picture)], script) == 0
    agree(scene_file, sorted(folder.glob("out*.bvh")))


def near(a: int, b: int) -> bool:
    """Whether at most two bones lie between two joints, one after the other."""

    def above(j: int) -> set[int]:
        return {SMPL_PARENTS[j], SMPL_PARENTS[max(0, SMPL_PARENTS[j])]}

    return a in above(b) or b in above(a)


def agree(scene_file: Path, bvh_files: list[Path]) -> None:
    """Each BVH, read by our reader and by an independent one, stands where the saved scene stands."""
    import pybvh

    from app.document.model.figure import joints_of, skeleton_of
    from app.document.scene_file.io import load_scene
    from solver.formats.bvh.read import read_bvh, to_motion
    from solver.kinematics.fk import forward_kinematics

    document = load_scene(scene_file)
    assert len(bvh_files) == len(document.characters)
    for character, file in zip(document.characters, bvh_files, strict=True):
        skeleton = skeleton_of(character)
        motion, _ = to_motion(read_bvh(file), skeleton)
        truth = joints_of(character).positions
        assert np.abs(forward_kinematics(skeleton, motion.pose(0)).positions - truth).max() < 1e-4
        independent = pybvh.read_bvh_file(file, world_up="+y")
        order = [independent.joint_names.index(name) for name in skeleton.names]
        assert np.abs(independent.joint_positions()[0, order] - truth).max() < 1e-4
    assert json.loads(scene_file.read_text(encoding="utf-8"))["photos"][0]["sha256"]


@pytest.mark.slow
def test_a_drawn_picture_goes_the_whole_way(
    run_main: Callable, picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole_way(run_main, picture, tmp_path, monkeypatch, people=1)


@pytest.mark.slow
@pytest.mark.parametrize("file", PICTURES, ids=[file.stem for file in PICTURES])
def test_a_picture_of_two_people_goes_the_whole_way(
    run_main: Callable, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole_way(run_main, file, tmp_path, monkeypatch, people=2)


def test_closing_a_fresh_window_asks_nothing_and_ends_with_0(run_main: Callable) -> None:
    def script(session) -> None:  # type: ignore[no-untyped-def]
        session.until(lambda: session.view.scene.figures)

    assert run_main([], script) == 0
