"""What exporting needs, imported with the first export: opening and saving do without it."""

from __future__ import annotations

from app.dialogs.export_dialog import ExportDialog
from app.dialogs.typed_name import asked_files
from app.document.scene_file.own_files import check_not_own_files, own_files, safe_path
from app.film.film_file import MOVING
from app.viewport.camera.framing import all_or_none_in_view
from app.window.exporting import export, files_of, film_work, picture_work, shown_over_time, suggested_stem
from solver.formats.mesh.mesh_file import MESH_FORMATS

__all__ = (
    "MESH_FORMATS", "MOVING", "SUFFIX_FILTERS", "ExportDialog", "all_or_none_in_view", "asked_files",
    "check_not_own_files", "export", "files_of", "film_work", "own_files", "picture_work", "safe_path",
    "shown_over_time", "suggested_stem",
)  # fmt: skip

SUFFIX_FILTERS = {
    "bvh": "BVH (*.bvh)", "json": "Pose JSON (*.json)", "npz": "SMPL motion (*.npz)", "png": "PNG (*.png)",
    "glb": "GLB (*.glb)", "obj": "OBJ (*.obj)", "stl": "STL (*.stl)",
    "gif": "GIF (*.gif)", "mp4": "MP4 (*.mp4)",
}  # fmt: skip
