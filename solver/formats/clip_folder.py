"""Folders of motion files, and the manifest that assigns their clips to splits."""

from __future__ import annotations

import json
from pathlib import Path

from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, read_text

SPLITS = ("train", "val", "test")
MANIFEST = "manifest.json"
MAX_BYTES = 64 * MEBIBYTE


def clip_files(folder: Path, kind: str = "BVH") -> dict[str, Path]:
    """Every file of a kind ("BVH", "NPZ") below the folder by its clip's name ("walks/slow"), in order.

    InputRefused if there is none.
    """
    suffix = f".{kind.lower()}"
    way_out = f"Name a folder with {suffix} files"
    if not folder.is_dir():
        raise InputRefused(folder, "there is no such folder", way_out)
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() == suffix and path.is_file())
    if not files:
        raise InputRefused(folder, f"there are no {kind} files in it", way_out)
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in files}


def split_files(folder: Path, split: str, way_out: str = "Name another split") -> dict[str, Path]:
    """The BVH files of one split by clip, or all if the folder has no manifest; InputRefused if there is none."""
    files, splits = clip_files(folder), read_manifest(folder / MANIFEST)
    wanted = {clip: path for clip, path in files.items() if not splits or splits.get(clip) == split}
    if not wanted:
        raise InputRefused(folder / MANIFEST, f"it lists no clip of the split “{split}”", way_out)
    return wanted


def read_manifest(path: Path) -> dict[str, str]:
    """The split of each clip that the manifest lists; empty if there is none."""
    if not path.exists():
        return {}
    try:
        rows = json.loads(read_text(path, MAX_BYTES))
        splits = {str(row["clip"]): str(row["split"]) for row in rows}
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputRefused(path, f"it is not a list of clips and splits ({error!r})", "Correct or remove it") from None
    for clip, split in splits.items():
        if split not in SPLITS:
            raise InputRefused(path, f"“{split}” is not a split", f"Use {', '.join(SPLITS)}", place=clip)
    return splits
