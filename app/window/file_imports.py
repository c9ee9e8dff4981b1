"""What opening and saving need, imported with the first file instead of with the window."""

from __future__ import annotations

from app.dialogs.typed_name import asked_files, free_beside, with_ending
from app.document.exchange.file_kind import ESTIMATE_SUFFIXES, MESH_SUFFIXES, PHOTO_SUFFIXES
from app.document.exchange.open_file import JointsUnclear, open_file
from app.document.exchange.own.own_skin import hidden_colours
from app.document.in_photo.relink import photo_relink
from app.document.scene_file.io import changed_on_disk, save_scene
from app.document.scene_file.read import UnapprovedBodyFolder, newer_version
from solver.estimates.several_pictures import SeveralPictures
from solver.photo.image_file import load_image

__all__ = (
    "MOTION_FILTER", "OPEN_FILTER", "PHOTO_FILTER", "PROP_FILTER", "JointsUnclear", "SeveralPictures",
    "UnapprovedBodyFolder", "asked_files", "changed_on_disk", "free_beside", "hidden_colours", "load_image",
    "newer_version", "open_file", "photo_relink", "save_scene", "with_ending",
)  # fmt: skip

_PHOTOS = " ".join(f"*{suffix}" for suffix in PHOTO_SUFFIXES)
PHOTO_FILTER = f"Photos ({_PHOTOS})"
_MESHES = " ".join(f"*{suffix}" for suffix in (*MESH_SUFFIXES, ".glb", ".gltf"))
PROP_FILTER = f"Meshes ({_MESHES})"
_ESTIMATES = " ".join(f"*{suffix}" for suffix in ESTIMATE_SUFFIXES)
MOTION_FILTER = "Motions (*.bvh *.npz *.glb *.gltf *.vrm *.vrma)"
OPEN_FILTER = (
    f"All supported files (*.json *.bvh *.npz {_ESTIMATES} *.vrm *.vrma {_MESHES} {_PHOTOS});;"
    f"Scenes and poses (*.json);;{MOTION_FILTER};;Estimates (*.npz {_ESTIMATES} *.json);;{PHOTO_FILTER};;{PROP_FILTER}"
)
