"""BVH as Blender itself opens it, with the importer's own defaults; only where Blender is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from formats_samples import sample_motion, sample_skeleton, world_positions

from solver.formats.bvh.write import write_bvh

BLENDER = shutil.which("blender")
IMPORT = """
import builtins, json, sys
plain = builtins.open
# Debian pairs Blender 3.4, whose importer opens files in mode "rU", with a Python that dropped that mode
builtins.open = lambda file, mode="r", *rest, **more: plain(file, mode.replace("U", ""), *rest, **more)
import bpy
source, out = sys.argv[-2:]
bpy.ops.import_anim.bvh(filepath=source)
scene, armature = bpy.context.scene, bpy.context.object
frames = []
for frame in range(1, 4):
    scene.frame_set(frame)
    bpy.context.view_layer.update()
    frames.append({bone.name: list(armature.matrix_world @ bone.head) for bone in armature.pose.bones})
with plain(out, "w") as file:
    json.dump(frames, file)
"""


@pytest.mark.slow
@pytest.mark.skipif(BLENDER is None, reason="Blender is not installed")
def test_blender_opens_a_motion_upright_and_in_the_right_poses(tmp_path: Path) -> None:
    skeleton, motion = sample_skeleton(), sample_motion(frames=3)
    write_bvh(tmp_path / "motion.bvh", skeleton, motion)
    (tmp_path / "read.py").write_text(IMPORT, encoding="utf-8")
    command = [str(BLENDER), "--background", "--factory-startup", "--python", str(tmp_path / "read.py"), "--"]
    files = [str(tmp_path / "motion.bvh"), str(tmp_path / "seen.json")]
    subprocess.run([*command, *files], check=True, capture_output=True, timeout=100)
    seen = json.loads((tmp_path / "seen.json").read_text(encoding="utf-8"))
    for frame, ours in zip(seen, world_positions(skeleton, motion), strict=True):
        x, y, z = ours.T
        upright = np.stack([x, -z, y], axis=1)  # Blender's z is up, and a person's face looks along -y
        assert np.abs(np.array([frame[name] for name in skeleton.names]) - upright).max() < 1e-4
