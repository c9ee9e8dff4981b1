"""How well a body's shape can be found from the lengths of its bones, on shapes that no estimator has seen.

python -m scripts.rigs.shape_study [--count 500] [--seed 1] [--body ID]

For each estimator, and for the mean body beside them, in millimetres: how much too long or short bones and limbs are,
and how far the joints of the T-pose are off about the pelvis, all at the size of the body, so that a giant counts as
much as a dwarf. “Limbs, to the legs”: with the body found made as large as the legs are, as characters are drawn.

Shapes are likely ones (betas of one standard deviation) or even ones (uniform within ±5), of a person's size in metres
or anything from 0.2 to 2 times that. “Another rig” has its joints elsewhere: its limbs differ by 5 mm and its other
bones by 40 mm (one standard deviation each).
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from solver.body.body import SHAPE_COMPONENTS, SHAPE_LIMIT, Body
from solver.body.bone_lengths import HIPS, bone_lengths, rest_places
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.shape_fit import ESTIMATORS, LIMB_SPREAD, TRUNK_SPREAD
from solver.body.smpl_si import SCALES
from solver.errors import PoserError
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import ARMS, LEGS

Array = NDArray[np.float64]
_LEGS = {part.value for leg in LEGS for part in (leg.hinge, leg.end)}
_LIMBS = {limb_part.value for limb in (*LEGS, *ARMS) for limb_part in (limb.hinge, limb.end)}


def main(arguments: list[str] | None = None) -> int:
    """Print the table; returns 2 if the body cannot be loaded."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--count", type=int, default=500, help="shapes in each row (default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="for the shapes (default: 1)")
    parser.add_argument("--body", default=DEFAULT_BODY, help="a body's id (default: the embedded one)")
    args = parser.parse_args(arguments)
    try:
        body = load_body(args.body)
    except PoserError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"| mm, means of {args.count} | | mean body | {' | '.join(ESTIMATORS)} |")
    print("|--|--|--|" + "--|" * len(ESTIMATORS))
    for even in (False, True):
        for scaled in (False, True):
            for other in (False, True):
                random = np.random.default_rng(args.seed)
                errors = np.mean([_trial(random, body, even, scaled, other) for _ in range(args.count)], axis=0)
                name = f"{'even' if even else 'likely'} shapes, {'any size' if scaled else 'in metres'}"
                for what, row in zip(("bones", "limbs", "limbs, to the legs", "joints"), errors.T, strict=True):
                    figures = " | ".join(f"{1e3 * figure:.1f}" for figure in row)
                    print(f"| {name}, {'another rig' if other else 'our joints'} | {what} | {figures} |")
    return 0


def _trial(random: np.random.Generator, body: Body, even: bool, scaled: bool, other: bool) -> Array:
    """(1 + estimators, 4) metres: errors of bones, limbs, limbs to the legs, and joints for one shape."""
    rest = rest_places(body)
    drawn = random.uniform(-SHAPE_LIMIT, SHAPE_LIMIT, SHAPE_COMPONENTS) if even else random.normal(size=10)
    scale = float(random.uniform(*SCALES)) if scaled else 1.0
    truth = rest.of(np.clip(drawn, -SHAPE_LIMIT, SHAPE_LIMIT))
    lengths = bone_lengths(dict(zip(SMPL_JOINTS, truth, strict=True)))
    noise = random.normal(size=len(lengths)) * [LIMB_SPREAD if _is_limb(pair) else TRUNK_SPREAD for pair in lengths]
    told = {
        pair: scale * max(length + (n if other else 0.0), 1e-3)
        for (pair, length), n in zip(lengths.items(), noise, strict=True)
    }
    found = [estimate(told, body, "neutral", not other).shape.betas for estimate in ESTIMATORS.values()]
    betas: list[NDArray[np.floating]] = [np.zeros(SHAPE_COMPONENTS), *found]
    return np.stack([_errors(rest.of(each), truth) for each in betas])


def _errors(found: Array, truth: Array) -> Array:
    ours, theirs = (bone_lengths(dict(zip(SMPL_JOINTS, places, strict=True))) for places in (found, truth))
    misses = {pair: abs(ours[pair] - length) for pair, length in theirs.items()}
    limbs = [miss for pair, miss in misses.items() if _is_limb(pair)]
    legs = [pair for pair in theirs if pair[1] in _LEGS]
    size = sum(theirs[pair] for pair in legs) / sum(ours[pair] for pair in legs)
    drawn = [abs(size * ours[pair] - length) for pair, length in theirs.items() if _is_limb(pair)]
    joints = np.linalg.norm((found - found[0]) - (truth - truth[0]), axis=1)
    return np.array([np.mean(list(misses.values())), np.mean(limbs), np.mean(drawn), joints.mean()])


def _is_limb(pair: tuple[str, str]) -> bool:
    return pair != HIPS and pair[1] in _LIMBS


if __name__ == "__main__":
    raise SystemExit(main())
