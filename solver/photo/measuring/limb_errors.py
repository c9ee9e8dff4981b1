"""`python -m solver.photo.measuring.limb_errors --renderings DIR [--half report]`: where errors in the picture arise.

Of everybody read in renderings of several people, by part of the body: how far landmarks are from the truth, the figure
from the landmarks, and the figure from the truth; of landmarks that are far off, on whose limb they lie; and of people
whose figures are off, how they were misread.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.camera import PinholeCamera
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.photo.accuracy import SHARED_JOINTS, landmark_pixels, shared_indices, shared_landmarks
from solver.photo.estimate import estimate_people
from solver.photo.fit.evidence import body_points
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import NOBODY, matched_people
from solver.photo.measuring.misreadings import AIM, MISREADINGS, misreading
from solver.photo.measuring.truth import HALVES, REPORT, KnownPerson, TruePerson, TruePicture, read_renderings
from solver.photo.people import PhotoResult
from solver.photo.reprojection import posed_points
from solver.rig.roles import SMPL_ROLES, Role

Array = NDArray[np.float64]
OFF = 0.05  # of the extent, beyond which a landmark is far off
_WORST = 10  # people in the second table
DISTANCES = {  # medians, in per cent of the extent
    "landmark_off": "landmarks on truth %", "figure_from_landmark": "figure on landmarks %",
    "figure_off": "figure on truth %",
}  # fmt: skip
OWN, OTHER_SIDE, PARTNER, NOWHERE = WHOSE = ("their own", "their other side's", "somebody else's", "nobody's")
PARTS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")
_LIMB = 3  # joints of an arm or a leg, which follow one another in SHARED_JOINTS
# Metres from a bone to the skin, by the joint at its end, and how much nearer to the camera a limb is that hides.
_THICK = {Role.HEAD: 0.11, Role.LEFT_KNEE: 0.08, Role.RIGHT_KNEE: 0.08, Role.LEFT_ANKLE: 0.06, Role.RIGHT_ANKLE: 0.06}
_THIN, _TRUNK, _NEARER = 0.05, 0.13, 0.02
_ARMS_AND_FEET = ("elbow", "wrist", "hand", "foot")


@dataclass(frozen=True)
class JointRow:
    """One of the twelve limb joints of somebody who was read. Distances are shares of the person's extent.

    whose: on whose limb the landmark lies, one of WHOSE. hidden: whether somebody else is in front of the joint.
    """

    part: str
    landmark_off: float
    figure_from_landmark: float
    figure_off: float
    whose: str
    hidden: bool


@dataclass(frozen=True)
class ReadPerson:
    """Somebody who was read in a picture, and their twelve joints. misread: one of MISREADINGS; "" if the figure is
    where it should be. seen: whether any single look has the joints in the median where they should be."""

    picture: str
    number: int
    joints: tuple[JointRow, ...]
    misread: str = ""
    seen: bool = False


def rows_of(picture: TruePicture, result: PhotoResult, body: Body) -> list[ReadPerson]:
    """Everybody in a rendering who was read in it."""
    shared = shared_indices()
    known = [KnownPerson(p.posture, p.joints[shared], p.pixels[shared]) for p in picture.people]
    pairs = matched_people(known, result, body)
    return [_read(body, result, number, picture, i) for i, number in enumerate(pairs) if number != NOBODY]


def _read(body: Body, result: PhotoResult, number: int, picture: TruePicture, true: int) -> ReadPerson:
    body = result.people[number].own(body)
    joints, marks = _joints(body, result, number, picture, true), result.people[number].landmarks
    own = picture.people[true].pixels[shared_indices()]
    aim = AIM * max(float(np.linalg.norm(np.ptp(own, axis=0))), 1.0)
    looks = [np.median(np.linalg.norm(look.pixels[shared_landmarks()] - own, axis=1)) for look in marks.looks]
    misread = ""
    if _middle(joints, "figure_off") > AIM:
        hidden = np.array([joint.hidden for joint in joints])
        misread = misreading(landmark_pixels(result, number), own, hidden, picture.camera.image_size)
    return ReadPerson(picture.name, true, joints, misread, bool(looks) and float(min(looks)) <= aim)


def _joints(body: Body, result: PhotoResult, number: int, picture: TruePicture, true: int) -> tuple[JointRow, ...]:
    person, shared = result.people[number], shared_indices()
    own, *others = [p.pixels[shared] for p in (picture.people[true], *_all_but(picture.people, true))]
    size = max(float(np.linalg.norm(np.ptp(own, axis=0))), 1.0)
    seen = landmark_pixels(result, number)
    marks = body_points(body).landmark.tolist()
    marked = posed_points(body, result, person, person.pose)[[marks.index(mark) for mark in shared_landmarks()]]
    places = forward_kinematics(body.skeleton(person.shape), person.pose).positions[shared]
    figure = result.camera.project(places)
    hidden = hidden_joints(picture.people[true], _all_but(picture.people, true), picture.camera)
    off, from_mark, figure_off = (
        np.linalg.norm(one - other, axis=1) / size for one, other in ((seen, own), (marked, seen), (figure, own))
    )
    return tuple(
        JointRow(
            PARTS[joint % len(PARTS)], float(off[joint]), float(from_mark[joint]), float(figure_off[joint]),
            whose_limb(seen[joint], joint, own, others, OFF * size), bool(hidden[joint]),
        )
        for joint in range(len(SHARED_JOINTS))
    )  # fmt: skip


def _all_but(people: Sequence[TruePerson], number: int) -> list[TruePerson]:
    return [person for i, person in enumerate(people) if i != number]


def whose_limb(point: Array, joint: int, own: Array, others: Sequence[Array], reach: float) -> str:
    """Whose arm (or leg, for a leg's joint) a point in the picture lies on, one of WHOSE: the nearest within reach.

    point: (2,) pixels. joint: its number in SHARED_JOINTS. own, others: (12, 2) true pixels of each person.
    """
    this = joint // _LIMB * _LIMB
    other = (this + len(SHARED_JOINTS) // 2) % len(SHARED_JOINTS)

    def away(at: Array, first: int) -> float:
        return min(_to_bone(point, start, end) for start, end in pairwise(at[first : first + _LIMB]))

    nearest = {
        OWN: away(own, this),
        OTHER_SIDE: away(own, other),
        PARTNER: min((away(at, first) for at in others for first in (this, other)), default=np.inf),
    }
    best = min(nearest, key=nearest.__getitem__)
    return best if nearest[best] < reach else NOWHERE


def hidden_joints(person: TruePerson, others: Sequence[TruePerson], camera: PinholeCamera) -> NDArray[np.bool_]:
    """(12,) whether a limb, trunk or head of somebody else is in front of each of a person's joints."""
    shared = shared_indices()
    places, hidden = camera.in_frame(person.joints)[shared], np.zeros(len(shared), dtype=bool)
    for other in others:
        bones = camera.in_frame(other.joints)
        for end, start in enumerate(SMPL_PARENTS):
            if start < 0:
                continue
            thick = _thick(SMPL_ROLES[end])
            for i, at in enumerate(places):
                # The bone as it is seen at the joint's depth.
                line = [bones[j] * (at[2] / bones[j][2]) for j in (start, end)]
                share, away = _along(at[:2], line[0][:2], line[1][:2])
                depth = -(bones[start][2] + share * (bones[end][2] - bones[start][2]))
                hidden[i] |= away < thick and depth < -at[2] - _NEARER
    return hidden


def _thick(role: Role) -> float:
    if any(part in role for part in _ARMS_AND_FEET):
        return _THIN
    return _THICK.get(role, _TRUNK)


def _to_bone(point: Array, start: Array, end: Array) -> float:
    return _along(point, start, end)[1]


def _along(point: Array, start: Array, end: Array) -> tuple[float, float]:
    """How far along a bone its nearest place to a point is, 0..1, and how far away that is."""
    way = end - start
    share = float(np.clip((point - start) @ way / max(float(way @ way), 1e-12), 0.0, 1.0))
    return share, float(np.linalg.norm(point - start - share * way))


def tables(people: Sequence[ReadPerson]) -> str:
    """Markdown: a row for each part of the body, and one for each of the worst people; on whose limbs landmarks lie
    that are far off, and how many of these are of joints that are hidden; and how people were misread."""
    joints = [joint for person in people for joint in person.joints]
    parts = {"all": joints} | {part: [joint for joint in joints if joint.part == part] for part in PARTS}
    worst = sorted(people, key=lambda one: -_middle(one.joints, "landmark_off"))[:_WORST]
    beyond = [sum(_middle(one.joints, figure) > AIM for one in people) for figure in ("landmark_off", "figure_off")]
    return "\n\n".join(
        (
            f"Off by more than {100 * AIM}% in the median joint: the landmarks of {beyond[0]} and the figures of "
            f"{beyond[1]} of {len(people)} people",
            _table(f"joints of {len(people)} people", parts),
            _table("the worst people", {f"{one.picture}, person {one.number}": one.joints for one in worst}),
            _misread(people),
        )
    )


def _misread(people: Sequence[ReadPerson]) -> str:
    lines = ["| figures that are off | people | of these, in a single look right |", "|--|--:|--:|"]
    for name in MISREADINGS:
        if those := [one for one in people if one.misread == name]:
            lines.append(f"| {name} | {len(those)} | {sum(one.seen for one in those)} |")
    return "\n".join(lines)


def _table(title: str, groups: Mapping[str, Sequence[JointRow]]) -> str:
    head = [title, "joints", *DISTANCES.values(), "far off", *(f"on {whose}" for whose in WHOSE), "hidden"]
    lines = [head, ["---", *("--:" for _ in head[1:])]]
    for name, rows in groups.items():
        far = [row for row in rows if row.landmark_off > OFF]
        counts = [
            len(far),
            *(sum(row.whose == whose for row in far) for whose in WHOSE),
            sum(row.hidden for row in far),
        ]
        distances = [f"{100 * _middle(rows, figure):.2f}" for figure in DISTANCES]
        lines.append([name, str(len(rows)), *distances, *map(str, counts)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _middle(rows: Sequence[JointRow], figure: str) -> float:
    return float(np.median([getattr(row, figure) for row in rows])) if rows else float("nan")


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m solver.photo.measuring.limb_errors", description=__doc__)
    parser.add_argument("--renderings", metavar="DIR", type=Path, required=True)
    parser.add_argument("--half", choices=HALVES, default=REPORT)
    args = parser.parse_args()
    body, people = load_body(DEFAULT_BODY), list[ReadPerson]()
    for picture in read_renderings(args.renderings):
        if picture.half == args.half and len(picture.people) > 1:
            people += rows_of(picture, estimate_people(load_image(args.renderings / picture.name), body), body)
    print(tables(people))
    return 0


if __name__ == "__main__":
    sys.exit(main())
