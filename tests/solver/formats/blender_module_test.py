"""BVH and GLB as Blender's own importers open them, by the `bpy` wheel (`pip install -e ".[blender]"`, Python 3.11)."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats_samples import sample_motion, world_positions

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.formats.bvh.write import write_bvh
from solver.formats.mesh.skinned_glb import Part, SkinnedFigure, write_skinned_glb

pytestmark = pytest.mark.slow
if find_spec("bpy") is None:  # it is looked at in processes of its own, and never imported here
    pytest.skip("the extra “blender” (bpy, for Python 3.11) is not installed", allow_module_level=True)

BODY, SHAPE = load_body("anny"), BodyShape(np.linspace(1, -1, 10))
MOTION = sample_motion(frames=5, fps=24.0)
FACES = np.split(BODY.faces, [len(BODY.faces) // 2])
SHOWN = np.concatenate([np.unique(faces) for faces in FACES])  # each material has vertices of its own in Blender
MILLIMETRE = 1e-3
LOOK = """
import json, sys
import bpy
source, out = sys.argv[-2:]
bpy.ops.wm.read_factory_settings(use_empty=True)
if source.endswith(".bvh"):
    bpy.ops.import_anim.bvh(filepath=source)
else:
    bpy.ops.import_scene.gltf(filepath=source)
scene = bpy.context.scene
armature = next(o for o in scene.objects if o.type == "ARMATURE")
skins = [o for o in scene.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers)]

def frames(count, first, of):
    result = []
    for frame in range(count):
        scene.frame_set(first + frame)
        bpy.context.view_layer.update()
        result.append(of())
    return result

def joints():
    return {bone.name: list(armature.matrix_world @ bone.head) for bone in armature.pose.bones}

def skin():
    depsgraph = bpy.context.evaluated_depsgraph_get()
    posed = skins[0].evaluated_get(depsgraph)
    return [list(posed.matrix_world @ vertex.co) for vertex in posed.data.vertices]

fps = scene.render.fps / scene.render.fps_base
action = armature.animation_data.action if armature.animation_data else None
first, last = action.frame_range if action else (1, 1)
told = {
    "rest": {bone.name: list(armature.matrix_world @ bone.head_local) for bone in armature.data.bones},
    "first": first, "last": last, "fps": fps,
    "joints": frames(5, round(first), joints) if action else [joints()],
    "skin": frames(5, round(first), skin) if skins and action else [skin()] if skins else [],
    "materials": [slot.material.name for slot in skins[0].material_slots] if skins else [],
}
with open(out, "w") as file:
    json.dump(told, file)
"""


def seen(file: Path) -> dict[str, Any]:
    """What Blender has of a file."""
    script, out = file.with_suffix(".py"), file.with_suffix(".seen")
    script.write_text(LOOK, encoding="utf-8")
    run = [sys.executable, str(script), str(file), str(out)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    result: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return result


def upright(places: np.ndarray) -> np.ndarray:
    """Ours in Blender's axes: its z is up, and a person's face looks along -y."""
    x, y, z = np.moveaxis(np.asarray(places), -1, 0)
    return np.stack([x, -z, y], axis=-1)


def figure(moving: bool) -> SkinnedFigure:
    parts = (Part("skin", "#d9a98b", FACES[0]), Part("suit", "#4a5568", FACES[1]))
    return SkinnedFigure(
        "Ann", BODY.skeleton(SHAPE), BODY.vertices(SHAPE), BODY.weights, parts, MOTION.pose(2),
        MOTION if moving else None,
    )  # fmt: skip


def assert_skinned(theirs: list[list[float]], frame: int) -> None:
    ours = upright(posed_vertices(BODY, SHAPE, MOTION.pose(frame)))
    assert np.abs(np.array(theirs) - ours[SHOWN]).max() < MILLIMETRE


def assert_near(theirs: dict[str, list[float]], ours: np.ndarray) -> None:
    names = BODY.skeleton(SHAPE).names
    assert np.abs(np.array([theirs[name] for name in names]) - upright(ours)).max() < MILLIMETRE


def test_a_glb_stands_at_rest_in_the_t_pose_and_plays_the_clip(tmp_path: Path) -> None:
    write_skinned_glb(tmp_path / "ann.glb", [figure(moving=True)])
    told, skeleton = seen(tmp_path / "ann.glb"), BODY.skeleton(SHAPE)
    assert_near(told["rest"], skeleton.rest_positions)
    assert told["materials"] == ["skin", "suit"]
    assert (told["last"] - told["first"]) / told["fps"] == pytest.approx(4 / 24.0, abs=1e-3)
    for frame, ours in enumerate(world_positions(skeleton, MOTION)):
        assert_near(told["joints"][frame], ours)
        assert_skinned(told["skin"][frame], frame)


def test_a_glb_without_a_clip_shows_its_pose_over_the_t_pose(tmp_path: Path) -> None:
    write_skinned_glb(tmp_path / "still.glb", [figure(moving=False)])
    told, skeleton = seen(tmp_path / "still.glb"), BODY.skeleton(SHAPE)
    assert_near(told["rest"], skeleton.rest_positions)
    assert_near(told["joints"][0], world_positions(skeleton, MOTION)[2])
    assert_skinned(told["skin"][0], 2)


def test_a_bvh_stands_at_rest_in_the_t_pose_and_plays_the_clip(tmp_path: Path) -> None:
    skeleton = BODY.skeleton(SHAPE)
    write_bvh(tmp_path / "ann.bvh", skeleton, MOTION)
    told = seen(tmp_path / "ann.bvh")
    at_rest = {name: np.subtract(place, told["rest"]["pelvis"]) for name, place in told["rest"].items()}
    assert_near(at_rest, skeleton.rest_positions - skeleton.rest_positions[0])
    for frame, ours in enumerate(world_positions(skeleton, MOTION)):
        assert_near(told["joints"][frame], ours)
