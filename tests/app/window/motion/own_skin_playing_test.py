"""A motion plays with the user's own skin: at each frame it stands where an export puts it, with its fingers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_changes import changed, moving
from motion_samples import look_at_frame
from PySide6.QtCore import QPoint, Qt
from window_driver import Clock, ViewMouse, active, place_of, settled, strike, until

from app.document import edits
from app.document.exchange.onto.own_character import export_onto, own_character_in
from app.document.exchange.skinned_export import export_skinned
from app.document.model.figure import skeleton_of
from app.document.posing.create import new_document
from app.window.editor import Editor
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.hand_presets import preset_hands
from solver.formats.bvh.motion import relation_of
from solver.formats.gltf.nodes import StandingNodes, node_parents
from solver.formats.gltf.skeletons import read_skeletons
from solver.formats.mesh.rig_skin import RigSkin, rig_skin
from solver.rig.roles import Role

pytestmark = pytest.mark.gl
FPS, LAST = 24.0, 8
HANDS = [22, 23]  # joints below the wrists, which other programs do not have


@pytest.fixture
def window_clock() -> Clock:
    return Clock()


@pytest.fixture
def dancer(editor: Editor, tmp_path: Path) -> Path:
    """A moving character of another program, with fingers that are still; it is opened in the window."""

    def foreign(content: dict[str, Any]) -> None:
        content["asset"]["generator"] = "another program"

    motion = moving(LAST + 1, FPS).actors[0].motion()
    assert motion is not None
    turns = np.array(motion.rotations)
    turns[:, HANDS] = np.eye(3)
    people = edits.import_motion("c1", replace(motion, rotations=turns))(new_document()).characters
    (path,) = export_skinned(tmp_path / "dancer.glb", people, names="mixamo", whole_motion=True, fingers=True)
    before = editor.session.document
    editor.files.open_path(changed(path, foreign))
    until(lambda: not editor.jobs.busy and editor.session.document is not before)
    editor.refresh()
    return path


def placed(rig: RigSkin, matrices: np.ndarray) -> np.ndarray:
    """(V, 3): the vertices moved by the matrices of the bones, (B, 4, 4)."""
    blended = np.einsum("vb,bij->vij", rig.weights.astype(np.float64), matrices)
    return np.asarray(np.einsum("vij,vj->vi", blended[:, :3, :3], rig.vertices.astype(float)) + blended[:, :3, 3])


def skin_in(file: Path, frame: int, editor: Editor, original: Path) -> np.ndarray:
    """(V, 3) metres: the skin in an animated file, as large as our body."""
    found = read_skeletons(file)
    assert found.moved is not None
    nodes, rig = found.gltf.content["nodes"], rig_skin(found, found.people[0])
    standing = StandingNodes(nodes, node_parents(nodes), found.moved.moved, found.moved.frames, found.above)
    worlds = [standing.world(int(bone)) for bone in rig.bones]
    places = placed(rig, np.stack([world[frame % len(world)] for world in worlds]) @ rig.binds)
    related = relation_of(own_character_in(original).people[0], skeleton_of(active(editor)))
    return np.asarray(places * related.scale @ related.upright.T)


@pytest.mark.slow
def test_it_stands_where_an_export_puts_it_at_every_frame_that_plays(
    editor: Editor, dancer: Path, window_clock: Clock, tmp_path: Path
) -> None:
    session, mouse, id = editor.session, ViewMouse(editor), active(editor).id
    look_at_frame(session, id, LAST)
    editor.refresh()
    mouse.drag(mouse.place(place_of(editor, Role.LEFT_WRIST)), QPoint(0, -10), QPoint(0, -30))
    settled(session)
    session.edit("Fist", edits.set_hands(id, preset_hands("fist", load_body(DEFAULT_BODY))))
    until(lambda: not editor.in_betweens.solving and not editor.in_betweens.missing(id))
    look_at_frame(session, id, 0)
    editor.refresh()
    target = tmp_path / "danced.glb"
    export_onto(target, active(editor), own_character_in(dancer), whole_motion=True)
    own = active(editor).own_skin
    assert own is not None
    strike(editor, Qt.Key.Key_Space)
    seen = set[int]()
    for _ in range(LAST):
        frame = active(editor).frame
        (drawn,) = editor.viewport.scene.figures
        assert drawn.mesh is not None
        assert drawn.mesh.carried is not None, "not our body"
        assert own.rig().weights.shape[1] == len(drawn.skinning)
        skin = placed(own.rig(), drawn.skinning)  # all of it, as a renderer may leave some out while it moves
        off = np.abs(skin - skin_in(target, frame, editor, dancer)).max()
        assert off < 3e-4, f"frame {frame}"
        seen.add(frame)
        window_clock.now_s += 1 / FPS
        editor.player.live.tick()
        editor.refresh()
    strike(editor, Qt.Key.Key_Space)
    assert len(seen) > 4, "it played"
