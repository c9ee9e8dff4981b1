"""What the people of one file are called: what the names of each one's joints begin with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from solver.formats.bvh.file import BvhFile

_SEPARATOR = re.compile(r"[:|_. -]+")
_PROGRAMS = re.compile(r"(mixamorig|bip|character|armature|skeleton|rig)\W*\d*", re.IGNORECASE)  # which name nobody


def names_of_people(people: Sequence[BvhFile]) -> list[str]:
    """A name for each person: “Anna” for “Anna:Hips” and “Anna:Spine”; "" where the joints say none, or the same as
    somebody else's."""
    said = [bvh.person or _prefix([bvh.names[j] for j in bvh.joint_map.joints.values()]) for bvh in people]
    return [name if said.count(name) == 1 else "" for name in said]


def _prefix(joints: Sequence[str]) -> str:
    """The last word that all joints have before their own names, but not a program's own word."""
    least, most = min(joints), max(joints)  # what these begin with, all others begin with
    same = next((i for i, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))
    words = _SEPARATOR.split(least[:same])[:-1]  # what comes last is of the joints' own names
    return next((word for word in reversed(words) if word and not _PROGRAMS.fullmatch(word)), "")
