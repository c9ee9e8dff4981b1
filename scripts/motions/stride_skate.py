"""How fast planted feet slide when a recorded motion is worn by shorter, taller and younger bodies.

python -m scripts.motions.stride_skate [--data data/mocap.npz] [--split test]

Over the clips of a split in which somebody goes at least a metre. For each body: the mean speed over the floor, m/s, of
soles whose foot is planted in the recording, with the path as it came (stride 1 in the scene file) and with the stride
that the program sets; and how many of the recording's planted frames are found planted in either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.curves.motions import motions_of
from app.document.curves.skate import soles_of
from app.document.model.actor import Actor
from app.document.model.document import Document
from app.document.posing.create import new_document
from scripts.arguments import script_parser
from scripts.motions.recorded_motions import motions_of_split
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.kinematics.pose import Motion
from solver.rig.contacts import foot_contacts_of
from solver.rig.roles import LEGS
from solver.training.data.dataset import PoseData, load_pose_data

WAY_M = 1.0  # metres: who goes less far hardly slides
BODIES = {
    "as recorded": ("anny", 0.0),
    "short": ("anny", -3.0),
    "tall": ("anny", 3.0),
    "child": ("anny:child", 0.0),
    "small child": ("anny:child", -3.0),
    "large child": ("anny:child", 3.0),
}  # the body, and standard deviations of its height


class Planted(NamedTuple):
    """speeds: (N,) m/s of soles in the recording's planted frames. found: (N,) whether the foot is planted here too."""

    speeds: NDArray[np.float64]
    found: NDArray[np.bool_]


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--data", type=Path, default=Path("data/mocap.npz"))
    parser.add_argument("--split", default="test")
    args = parser.parse_args(arguments)
    data, nobody = load_pose_data(args.data), new_document()
    recorded = [edits.import_motion("c1", motion)(nobody) for motion in travels(data, args.split)]
    print(f"{len(recorded)} clips of {args.split}")
    print("| body | m/s as it came | m/s in stride | planted as it came | planted in stride |\n|--|--|--|--|--|")
    for name, (body, height) in BODIES.items():
        shape = BodyShape(np.array([height] + [0.0] * 9, np.float32))
        rows = [(as_it_came(worn(each, body, shape)), worn(each, body, shape)) for each in recorded]
        came, strides = (
            [planted(before.actor("c1"), each.actor("c1")) for before, each in zip(recorded, some, strict=True)]
            for some in zip(*rows, strict=True)
        )
        parts = [f"{np.concatenate([p.speeds for p in some]).mean():.3f}" for some in (came, strides)]
        parts += [f"{np.concatenate([p.found for p in some]).mean():.0%}" for some in (came, strides)]
        print("| " + " | ".join([name, *parts]) + " |", flush=True)


def travels(data: PoseData, split: str) -> Iterator[Motion]:
    """The split's clips in which the root gets at least `WAY_M` away from where it was."""
    for motion in motions_of_split(data, split):
        if np.linalg.norm(np.ptp(motion.root_positions[:, [0, 2]], axis=0)) >= WAY_M:
            yield motion


def worn(document: Document, body: str, shape: BodyShape) -> Document:
    """The document's person in a body, and then in a shape of it."""
    return edits.chain(edits.set_body("c1", body, BodyShape()), edits.set_shape("c1", shape))(document)


def as_it_came(document: Document) -> Document:
    """The document with the path not scaled for its shape."""
    actor = document.actor("c1")
    source = actor.clip.source
    assert source is not None
    clip = replace(actor.clip, keys=actor.clip.keys[:1], source=source.strided(1.0))
    return replace(document, actors=(replace(actor, clip=clip),))


def planted(recorded: Actor, actor: Actor) -> Planted:
    """What becomes of the planted feet of a recording on another body."""
    rig, motion = load_body(actor.build.body).rig(actor.build.shape), motions_of(actor).before
    before = motions_of(recorded)
    assert motion is not None
    assert before.before is not None
    masks = [np.zeros((len(motion), len(LEGS)), bool) for _ in range(2)]
    for mask, contacts in zip(
        masks, (foot_contacts_of(before.rig, before.before), foot_contacts_of(rig, motion)), strict=True
    ):
        for contact in contacts:
            mask[contact.first : contact.last + 1, [leg.tip for leg in LEGS].index(contact.foot)] = True
    body = load_body(actor.build.body)
    sole = float(body.vertices(actor.build.shape)[body.sole_vertices, 1].min())
    return Planted(soles_of(rig, motion, sole).speeds[masks[0]], masks[1][masks[0]])


if __name__ == "__main__":
    main()
