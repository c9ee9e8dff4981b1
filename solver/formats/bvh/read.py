"""Reading BVH files of any program: text to content, and content to a motion of our skeleton."""

from __future__ import annotations

import os

from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.frames import read_frames
from solver.formats.bvh.hierarchy import HierarchyReader
from solver.formats.bvh.motion import to_motion
from solver.formats.bvh.text import read_bvh_text

__all__ = ["BvhFile", "parse_bvh", "read_bvh", "to_motion"]


def parse_bvh(text: str, source: object) -> BvhFile:
    """BVH text to its content; InputRefused names the line and the reason otherwise."""
    text = text.rstrip("\x1a")  # by which old programs end a text
    if not text.strip():
        raise InputRefused(source, "is empty", "Choose another file")
    reader = HierarchyReader(text, source)
    joints = reader.read()
    channels = sum(len(joint.channels) for joint in joints)
    if channels == 0:
        raise InputRefused(source, "no joint has channels, so nothing moves", "Export the file again")
    frames = read_frames(text, reader.position, channels, source)
    return BvhFile(str(source), tuple(joints), frames.frame_time, frames.values, frames.notes)


def read_bvh(path: str | os.PathLike[str]) -> BvhFile:
    """Read and parse a BVH file; InputRefused otherwise."""
    return parse_bvh(read_bvh_text(path), path)
