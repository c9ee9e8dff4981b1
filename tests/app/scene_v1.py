"""Scenes as version 1 of the format wrote them, made from those of today."""

from __future__ import annotations

from typing import Any


def as_version_1(scene: dict[str, Any]) -> dict[str, Any]:
    """The scene in the layout of version 1, which knows one key for each character and one photo."""
    photos = scene["photos"]
    top = {key: value for key, value in scene.items() if key != "photos"}
    characters = [_character(each) for each in scene["characters"]]
    return {
        **top,
        "version": 1,
        "min_reader_version": 1,
        "characters": characters,
        "photo": photos[0] if photos else None,
    }


def _character(character: dict[str, Any]) -> dict[str, Any]:
    clip = character["clip"]
    (key,) = clip["keys"]
    options = dict(character.get("solver_options", {}))
    old = {name: value for name, value in character.items() if name not in ("clip", "solver_options")}
    old |= {name: key[name] for name in ("pose", "effectors", "preserve")}
    old |= {"base_pose": key.get("base_pose", key["pose"]), "raw": options.pop("raw", False), "motion": None}
    if options:
        old["solver_options"] = options
    if source := clip.get("source"):
        packed = {name: value for name, value in source.items() if name != "shape"}
        old["motion"] = {**packed, "fps": clip["fps"], "joints": len(source["joints"])}
    return old
