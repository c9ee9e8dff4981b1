"""The people of a BVH file: each of its skeletons in which a human body is recognised."""

from __future__ import annotations

from dataclasses import replace

from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile


def people_of(bvh: BvhFile) -> list[BvhFile]:
    """A file for each ROOT that is a person, with only its channels; the file itself if it has one ROOT or nobody.

    What stands beside people (a prop, a camera, a horse) is left out.
    """
    roots = [j for j, parent in enumerate(bvh.parents) if parent < 0]
    if len(roots) < 2:
        return [bvh]
    return [
        part for part in (_part(bvh, a, b) for a, b in zip(roots, [*roots[1:], None], strict=True)) if _is_person(part)
    ] or [bvh]


def _part(bvh: BvhFile, first: int, end: int | None) -> BvhFile:
    """The joints from one ROOT to the next."""
    joints = tuple(replace(joint, parent=max(joint.parent - first, -1)) for joint in bvh.joints[first:end])
    start = bvh.first_channels[first]
    return replace(
        bvh, joints=joints, values=bvh.values[:, start : start + sum(len(joint.channels) for joint in joints)]
    )


def _is_person(bvh: BvhFile) -> bool:
    try:
        return bool(bvh.joint_map.joints)
    except InputRefused:
        return False
