"""Which solver poses a character: the default, who stands in where it cannot be loaded, its network alone, others."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from document_samples import given_effectors
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import settled, until

from app.cli.main import main
from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_character, new_document
from app.document.posing.solving import problem_of
from app.document.scene_file.io import load_scene, save_scene, scene_text
from app.panels.option_rows import SwitchRow
from app.services.session import Session
from app.services.solve_service import solve_character
from app.window.editor import Editor
from solver.body.catalog import load_body
from solver.ik.options import PROPOSAL_ALONE
from solver.solvers import catalog
from solver.solvers.catalog import DEFAULT_SOLVER, load_solver, usable_on, usable_solver
from solver.solvers.learned import shipped
from solver.solvers.learned.weights import WEIGHTS

ROOT = Path(__file__).resolve().parents[4]
BODY = load_body("anny")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of weights of our own, which the solvers are loaded from anew; the shipped ones afterwards."""
    folder = tmp_path / "weights"
    shutil.copytree(WEIGHTS, folder)
    monkeypatch.setattr(shipped, "WEIGHTS", folder)
    forget()
    yield folder
    forget()


def forget() -> None:
    load_solver.cache_clear()
    catalog.try_again()


def remove(folder: Path) -> None:
    shutil.rmtree(folder)


def truncate(folder: Path) -> None:
    model = folder / "model.onnx"
    model.write_bytes(model.read_bytes()[:100_000])


def other_joints(folder: Path) -> None:
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"left_wrist"', '"left_paw"'))


def other_body(folder: Path) -> None:
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"body": "anny"', '"body": "smpl:elsewhere"'))


def a_pickle(folder: Path) -> None:
    (folder / "extra.pkl").write_bytes(pickle.dumps([1]))


BAD = {
    "missing": (remove, "no such folder"),
    "truncated": (truncate, "truncated"),
    "of other joints": (other_joints, "not SMPL's body joints"),
    "of another body": (other_body, "trained on the body “smpl:elsewhere”"),
    "a pickle": (a_pickle, "could run any program"),
}


def raised(character: Character, height: float = 1.3) -> Character:
    """With the left wrist asked for elsewhere."""
    effector = next(e for e in character.effectors if e.joint == "left_wrist")
    target = np.array([effector.target[0], height, 0.3])  # type: ignore[attr-defined]
    document = new_document().with_characters((character,))
    return edits.set_target(character.id, effector.id, target)(document).characters[0]


def raise_wrist(session: Session, height: float = 1.3) -> None:
    character = session.document.characters[0]
    effector = next(e for e in raised(character, height).effectors if e.joint == "left_wrist")
    session.edit("Move", edits.set_target(character.id, effector.id, effector.target), solve=True)  # type: ignore[attr-defined]
    settled(session)


def wrist_height(character: Character) -> float:
    return float(joints_of(character).positions[skeleton_of(character).index("left_wrist")][1])


def test_a_new_character_is_posed_by_smplik() -> None:
    assert DEFAULT_SOLVER == "smplik"
    assert new_character(new_document()).solver == "smplik"
    assert usable_on("smplik", BODY).solver.spec.id == "smplik"
    assert usable_on("smplik", BODY).refusal == ""


def test_a_scene_keeps_the_solver_it_was_saved_with(tmp_path: Path) -> None:
    for id in ("smplik", "dls", "protores"):
        document = edits.set_solver("c1", id)(new_document())
        save_scene(tmp_path / "scene.json", document)
        assert load_scene(tmp_path / "scene.json").characters[0].solver == id


@pytest.mark.parametrize("what", BAD)
def test_where_weights_are_refused_dls_goes_on_and_the_choice_stays(what: str, weights: Path, session: Session) -> None:
    spoil, reason = BAD[what]
    spoil(weights / "smplik")
    failed: list[str] = []
    session.solve_failed.connect(failed.append)
    raise_wrist(session)
    character = session.document.characters[0]
    assert wrist_height(character) == pytest.approx(1.3, abs=0.005)
    assert character.solver == "smplik"
    assert reason in usable_on("smplik", BODY).refusal
    assert str(weights / "smplik") in usable_on("smplik", BODY).refusal
    assert failed == []
    expected = solve_character(raised(new_document().characters[0]))
    by_dls = solve_character(raised(replace(new_document().characters[0], solver="dls")))
    assert expected.pose == by_dls.pose


@pytest.mark.sweep
@pytest.mark.parametrize("what", BAD)
def test_the_command_line_names_the_stand_in_and_succeeds(
    what: str, weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, reason = BAD[what]
    spoil(weights / "smplik")
    document = edits.add_character(new_character(new_document()))(new_document())
    save_scene(tmp_path / "scene.json", document)
    assert main(["solve", str(tmp_path / "scene.json"), "-o", str(tmp_path / "solved.json")]) == 0
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert reason in said.err
    assert "Solved with dls instead." in said.err
    assert "Person 1: dls," in said.out
    assert [c.solver for c in load_scene(tmp_path / "solved.json").characters] == ["smplik", "smplik"]


def test_mended_weights_are_taken_when_the_solver_is_chosen_again(weights: Path) -> None:
    (weights / "smplik").rename(weights / "away")
    assert usable_on("smplik", BODY).solver.spec.id == "dls"
    (weights / "away").rename(weights / "smplik")
    assert usable_on("smplik", BODY).solver.spec.id == "dls"
    catalog.try_again()
    assert usable_on("smplik", BODY).solver.spec.id == "smplik"


def test_a_network_is_not_asked_about_a_body_it_does_not_know() -> None:
    elsewhere = replace(problem_of(new_document().characters[0]), body="smpl:/somewhere")
    able = usable_solver("smplik", elsewhere)
    assert able.solver.spec.id == "dls"
    assert "trained on the body “anny”" in able.refusal
    assert usable_solver("dls", elsewhere).refusal == ""


@pytest.mark.slow
def test_protores_runs_from_a_folder_of_weights(weights: Path, tmp_path: Path) -> None:
    from solver.training.commands import train
    from solver.training.data.synthetic import synthetic_poses
    from solver.training.export.export import export

    train(ROOT / "configs" / "protores.toml", tmp_path / "run", smoke=True, steps=2, threads=1)
    shutil.rmtree(weights / "protores", ignore_errors=True)
    export(tmp_path / "run", weights / "protores", data=synthetic_poses(500), precision="fp32", every=10)
    solution = solve_character(raised(replace(new_document().characters[0], solver="protores")))
    assert usable_on("protores", BODY).refusal == ""
    assert solution.residuals[0].value < 0.002


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_the_window_names_the_stand_in_once_and_the_panel_as_long_as_it_poses(weights: Path, editor: Editor) -> None:
    shutil.rmtree(weights / "smplik")
    forget()
    said: list[str] = []
    editor.window.status.notices.changed.connect(lambda text: said.append(text) if text else None)
    for height in (1.2, 1.25, 1.3):
        raise_wrist(editor.session, height)
    assert len(said) == 1
    assert "no such folder of weights" in said[0]
    assert "Damped least squares stands in." in said[0]
    editor.refresh()
    panel = editor.panels.solver
    assert not panel.refusal.isHidden()
    assert "Damped least squares stands in." in panel.refusal.text()
    assert panel.choice.currentData() == "smplik"
    assert PROPOSAL_ALONE.id not in panel.options.rows
    panel.choice.setCurrentIndex(panel.choice.findData("dls"))
    panel.choice.activated.emit(panel.choice.currentIndex())
    settled(editor.session)
    editor.refresh()
    assert panel.refusal.isHidden()


@pytest.mark.usefixtures("unfolded")
def test_the_network_alone_is_shown_undone_and_kept_in_the_file(editor: Editor, tmp_path: Path) -> None:
    session, panel = editor.session, editor.panels.solver
    raise_wrist(session)
    exact = session.document.characters[0]
    editor.refresh()
    alone = panel.options.rows[PROPOSAL_ALONE.id]
    assert isinstance(alone, SwitchRow)
    QTest.mouseClick(alone.box, LEFT, pos=QPoint(8, alone.box.height() // 2))
    settled(session)
    raw = session.document.characters[0]
    solver = load_solver("smplik")
    assert raw.pose == solver.propose(problem_of(raw))
    assert max(r.value for r in session.finding.residuals) > 0.005
    assert session.history.undo_text == "Turn on “Network alone”"
    editor.refresh()
    assert any("Missed" in row.detail.text() for row in editor.panels.effectors.rows)
    assert not editor.actions["pose.other"].isEnabled()
    save_scene(tmp_path / "raw.json", session.document)
    assert PROPOSAL_ALONE.of(load_scene(tmp_path / "raw.json").characters[0].solver_options)
    QTest.mouseClick(alone.box, LEFT, pos=QPoint(8, alone.box.height() // 2))
    settled(session)
    again = session.document.characters[0]
    assert np.abs(again.pose.rotations - exact.pose.rotations).max() < 1e-3
    session.undo()
    assert session.document.characters[0] == raw
    session.undo()
    assert session.document.characters[0] == exact


@pytest.mark.usefixtures("unfolded")
def test_a_classical_solver_has_no_network_to_show(editor: Editor) -> None:
    session, panel = editor.session, editor.panels.solver
    session.edit("Choose", edits.set_solver("c1", "dls"), solve=True)
    settled(session)
    editor.refresh()
    assert PROPOSAL_ALONE.id not in panel.options.rows


def test_a_file_that_asks_for_the_network_alone_is_solved_so_without_a_window(tmp_path: Path) -> None:
    document = edits.set_solver_option("c1", "raw", True)(new_document())
    save_scene(tmp_path / "scene.json", document)
    assert main(["solve", str(tmp_path / "scene.json"), "-o", str(tmp_path / "solved.json"), "-q"]) == 0
    solved = load_scene(tmp_path / "solved.json").characters[0]
    solver = load_solver("smplik")
    assert np.abs(solved.pose.rotations - solver.propose(problem_of(solved)).rotations).max() < 1e-6
    assert '"raw": true' in scene_text(document, tmp_path)


@pytest.mark.slow
def test_another_solution_is_one_step_meets_the_effectors_and_goes_on(editor: Editor) -> None:
    session = editor.session
    raise_wrist(session)
    seen = [session.document.characters[0]]
    for press in range(3):
        editor.actions["pose.other"].trigger()
        until(lambda press=press: len(session.history.steps()) == press + 2)  # type: ignore[misc]
        seen.append(session.document.characters[0])
    for before, after in pairwise(seen):
        gone = np.linalg.norm(joints_of(after).positions - joints_of(before).positions, axis=1)
        assert gone.max() > 0.05
        asked = [i for i, e in enumerate(after.effectors) if e.is_active]
        assert [after.effectors[i] for i in asked] == [before.effectors[i] for i in asked]
        assert {session.findings.of(after).residuals[i].state for i in asked} == {"met"}
    assert session.history.undo_text == "Other solution"
    session.undo()
    assert session.document.characters[0] == seen[-2]


@pytest.mark.usefixtures("unfolded")
def test_the_panels_button_asks_for_another_solution_too(editor: Editor) -> None:
    session = editor.session
    raise_wrist(session)
    editor.refresh()
    editor.panels.solver.other.click()
    until(lambda: session.history.undo_text == "Other solution")
    session.edit("None left", edits.remove_effectors("c1", [e.id for e in session.document.characters[0].effectors]))
    editor.refresh()
    assert not editor.panels.solver.other.isEnabled()


@pytest.mark.slow
def test_where_there_is_no_other_pose_nothing_is_done_and_it_is_said(editor: Editor) -> None:
    from app.document.posing.fitting_effectors import new_effector

    session = editor.session
    character = session.document.characters[0]
    every = [new_effector(character, "position", name, id=name) for name in skeleton_of(character).names]
    session.edit("All", given_effectors(character.id, every), solve=True)
    settled(session)
    steps = session.history.steps()
    editor.actions["pose.other"].trigger()
    until(lambda: "no other pose" in editor.window.hint.text())
    assert session.history.steps() == steps


@pytest.mark.slow
def test_solving_with_the_default_network_needs_neither_torch_nor_onnxruntime() -> None:
    script = (
        "import sys\n"
        "from app.services.solve_service import prepare_default\n"
        "prepare_default()\n"
        "from solver.body.catalog import load_body\n"
        "from solver.solvers.catalog import usable_on\n"
        "assert usable_on('smplik', load_body('anny')).refusal == ''\n"
        "heavy = {'torch', 'onnxruntime'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
