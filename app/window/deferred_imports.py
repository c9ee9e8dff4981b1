"""What opening, saving and exporting need, imported with the first file instead of with the window."""

from __future__ import annotations

from app.dialogs.export_dialog import ExportDialog
from app.dialogs.typed_name import asked_files, free_beside, with_ending
from app.document.exchange.file_kind import MESH_SUFFIXES, PHOTO_SUFFIXES
from app.document.exchange.open_file import JointsUnclear, open_file
from app.document.in_photo.relink import photo_relink
from app.document.scene_file.io import changed_on_disk, save_scene
from app.document.scene_file.own_files import check_not_own_files, own_files, safe_path
from app.document.scene_file.read import UnapprovedBodyFolder, newer_version
from app.film.film_file import MOVING
from app.viewport.framing import all_or_none_in_view
from app.window.exporting import export, files_of, film_work, picture_work, shown_over_time, suggested_stem
from solver.formats.mesh.mesh_file import MESH_FORMATS
from solver.photo.image_file import load_image

__all__ = (
    "MESH_FORMATS", "MOTION_FILTER", "MOVING", "OPEN_FILTER", "PHOTO_FILTER", "PROP_FILTER", "SUFFIX_FILTERS",
    "ExportDialog", "JointsUnclear",
    "UnapprovedBodyFolder", "all_or_none_in_view", "asked_files",
    "changed_on_disk", "check_not_own_files", "export", "files_of", "film_work",
    "free_beside",
    "load_image", "newer_version", "open_file", "own_files", "photo_relink", "picture_work", "safe_path", "save_scene",
    "shown_over_time", "suggested_stem", "with_ending",
)  # fmt: skip

_PHOTOS = " ".join(f"*{suffix}" for suffix in PHOTO_SUFFIXES)
PHOTO_FILTER = f"Photos ({_PHOTOS})"
_MESHES = " ".join(f"*{suffix}" for suffix in (*MESH_SUFFIXES, ".glb", ".gltf"))
PROP_FILTER = f"Meshes ({_MESHES})"
MOTION_FILTER = "Motions (*.bvh *.npz *.glb *.gltf *.vrm *.vrma)"
OPEN_FILTER = (
    f"All supported files (*.json *.bvh *.npz *.pkl *.npy *.vrm *.vrma {_MESHES} {_PHOTOS});;"
    f"Scenes and poses (*.json);;{MOTION_FILTER};;Estimates (*.npz *.pkl *.npy *.json);;{PHOTO_FILTER};;{PROP_FILTER}"
)
SUFFIX_FILTERS = {
    "bvh": "BVH (*.bvh)", "json": "Pose JSON (*.json)", "npz": "SMPL motion (*.npz)", "png": "PNG (*.png)",
    "glb": "GLB (*.glb)", "obj": "OBJ (*.obj)", "stl": "STL (*.stl)",
    "gif": "GIF (*.gif)", "mp4": "MP4 (*.mp4)",
}  # fmt: skip
