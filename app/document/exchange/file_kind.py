"""What kind of file a file is: its content decides, whatever its name says."""

from __future__ import annotations

import re
from pathlib import Path

from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, read_start

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".heic", ".avif")
PHOTO_STARTS = (b"\xff\xd8", b"\x89PNG", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"RIFF")
GLB_START = b"glTF"
FBX_STARTS = (b"Kaydara FBX Binary", b"; FBX")
ZIP_START = b"PK\x03\x04"  # what an .npz file is inside
ESTIMATE_STARTS = (b"\x93NUMPY", *(b"\x80" + bytes([protocol]) for protocol in range(2, 6)), *(
    b"x" + bytes([level]) for level in (0x01, 0x5E, 0x9C, 0xDA)
))  # fmt: skip
MESH_SUFFIXES = (".obj", ".stl", ".ply")
ESTIMATE_SUFFIXES = (".pkl", ".pickle", ".joblib", ".npy")
# How names of files of every known kind end, but for JSON, which may be a scene, a pose or an estimate.
SUFFIXES = {*PHOTO_SUFFIXES, *MESH_SUFFIXES, *ESTIMATE_SUFFIXES, ".bvh", ".npz", ".glb", ".gltf", ".vrm", ".mp4"}
KINDS = (
    "a photo (JPEG, PNG, WebP …), a scene (.json), a pose file (.json), a BVH file, an SMPL motion (.npz), a rig "
    "(.glb, .gltf, .vrm), what an estimator of poses writes (.npz, .pkl, .json) or a mesh (.obj, .stl, .ply, .glb)"
)


# What people try now and then, and how they can bring it in all the same.
ELSEWHERE = {
    ".fbx": "In Blender, import it and export it as glTF 2.0 (.glb, a character with its skin) or BVH (its motion)",
    **dict.fromkeys((".pmx", ".pmd", ".vmd"),
                    "In Blender, import it by the add-on MMD Tools and export it as glTF 2.0 (.glb) or BVH"),
    **dict.fromkeys((".asf", ".amc", ".c3d", ".trc", ".bip"),
                    "Turn it into BVH with the program that recorded it, or import it in Blender and export BVH"),
    **dict.fromkeys((".blend", ".ma", ".mb", ".max", ".c4d", ".usd", ".usda", ".usdc", ".usdz", ".dae", ".x3d"),
                    "Export it there as BVH or GLB (a pose or a motion) or OBJ (a prop), and open that"),
    **dict.fromkeys((".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v"),
                    "Save the images that you need as pictures, and open those"),
    ".zip": "Unpack it, and open the files in it",
}  # fmt: skip


PEEKED = MEBIBYTE  # bytes of a file's beginning that tell what it holds
FORMAT = re.compile(rb'"format"\s*:\s*"([^"]*)"')
OF_FORMATS = {b"contrapposto-scene": "scene", b"contrapposto-pose": "pose", b"contrapposto-label": "label"}


def json_kind(start: bytes) -> str:
    """Whether a JSON file that begins like this is a "scene", "pose" or "label" of this program; else "json"."""
    return next((OF_FORMATS.get(found, "json") for found in FORMAT.findall(start)), "json")


def may_be_pose(path: Path) -> bool:
    """Whether a file can be read and says nothing of itself that makes it anything but a pose file."""
    try:
        return path.suffix.lower() == ".json" and json_kind(read_start(path, PEEKED)) in ("pose", "json")
    except InputRefused:
        return False


def kind_of(path: Path) -> str:
    """Whether a file is a "photo", "bvh", "npz", "json", "glb", "mesh" or "estimate".

    Its first bytes decide, or else its suffix. InputRefused for an empty file and for any other kind.
    """
    start = read_start(path, 64)
    if not start:
        raise InputRefused(path, "is empty", "Save or copy it again")
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    suffix = path.suffix.lower()
    if start.startswith(PHOTO_STARTS):
        return "photo"
    if text[:9].upper() == b"HIERARCHY":
        return "bvh"
    if start.startswith(FBX_STARTS):
        raise InputRefused(path, "is an FBX file, which this program does not read", ELSEWHERE[".fbx"])
    if start.startswith(GLB_START):
        return "glb"
    if start.startswith(ZIP_START) and _packs_arrays(path):
        return "npz"
    if suffix == ".gltf" and text.startswith(b"{"):
        return "glb"
    if text.startswith((b"{", b"[")):
        return "json"
    if start.startswith(ESTIMATE_STARTS) and suffix in ("", *ESTIMATE_SUFFIXES):
        return "estimate"
    if suffix in PHOTO_SUFFIXES:
        return "photo"
    if suffix in (".gltf", ".vrm", ".vrma"):
        return "glb"
    if suffix in (".bvh", ".npz", ".json", ".glb"):
        return suffix[1:]
    if suffix in ESTIMATE_SUFFIXES:
        return "estimate"
    if suffix in MESH_SUFFIXES:
        return "mesh"
    way_out = ELSEWHERE.get(suffix, f"Choose {KINDS}")
    raise InputRefused(path, "is not a kind of file that this program opens", way_out)


def _packs_arrays(path: Path) -> bool:
    """Whether an archive holds what numpy or torch put there; one that is damaged is taken for such."""
    import zipfile  # hardly any file is one

    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.endswith((".npy", "data.pkl")) for name in archive.namelist())
    except (zipfile.BadZipFile, OSError, NotImplementedError):
        return True
