"""Scenes of version 1 as version 2 reads them: what has a new place is moved there."""

from __future__ import annotations

from typing import Any

from solver.files.json_checks import Node

POSED = ("pose", "base_pose", "effectors", "preserve")
MOVED = frozenset({*POSED, "motion", "raw", "frame"})


def upgraded(top: Node) -> Node:
    """The scene with its values where version 2 has them; each keeps the key path it has in the file."""
    values = {key: value for key, value in top.object().items() if key != "photo"}
    if photo := top.get("photo"):
        values["photos"] = Node([photo], top.source, "photo")
    if "characters" in values:
        node = top["characters"]
        values["characters"] = Node([_character(each) for each in node.items()], top.source, node.path)
    return Node(values, top.source, top.path)


def _character(node: Node) -> Node:
    values: dict[str, Any] = {key: value for key, value in node.object().items() if key not in MOVED}
    if (alone := node.get("raw")) and alone.boolean():
        others = node.get("solver_options")
        options = {"raw": True, **(others.object() if others else {})}
        values["solver_options"] = Node(options, node.source, f"{node.path}.solver_options")
    key = {name: found for name in POSED if (found := node.get(name))}
    clip: dict[str, Any] = {}
    if motion := node.get("motion"):  # without one, version 1 ignored the frame
        shape = node.get("shape") or Node({}, node.source, f"{node.path}.shape")
        source = {name: value for name, value in motion.object().items() if name != "fps"}
        clip = {"fps": motion["fps"], "source": Node({**source, "shape": shape}, node.source, motion.path)}
        if frame := node.get("frame"):
            values["frame"] = key["frame"] = frame
    clip["keys"] = Node([Node(key, node.source, node.path)], node.source, node.path)
    return Node({**values, "clip": Node(clip, node.source, node.path)}, node.source, node.path)
