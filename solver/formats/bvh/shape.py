"""The body of ours, and its shape, that a BVH file's skeleton is most like."""

from __future__ import annotations

import numpy as np

from solver.body.body import Body, BodyShape
from solver.body.bone_lengths import Lengths, bone_lengths, spans
from solver.body.catalog import DEFAULT_BODY, VARIANTS, load_body
from solver.body.shape_fit import DEFAULT_ESTIMATOR, ShapeFit, made_with, shape_of_bones
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.motion import UNITS, alignment_of, leg_length, scale_and_unit
from solver.formats.bvh.write import ORDER
from solver.rig.rig import rig_of
from solver.rig.roles import SPINE

NO_LENGTH = 1e-4  # metres; some rigs have joints upon joints
COARSE = 1e-3  # of the file's unit, to which this program rounds none of a body's offsets


def bvh_body(bvh: BvhFile, body: Body, estimator: str = DEFAULT_ESTIMATOR) -> tuple[str, ShapeFit]:
    """The id of a body and its shape, by the file's bones in the unit that makes its legs most like a person's.

    body: what new people get. In place of the embedded adult it is the variant, such as the child, whose bones a file
    of this program has to a hundredth of a millimetre. InputRefused if the file's joints cannot be recognised;
    PoserError if the estimator needs joints that it lacks.
    """
    lengths = _lengths(bvh, body)
    if body.id == DEFAULT_BODY and _may_be_ours(bvh) and made_with(lengths, body) is None:
        for variant in VARIANTS:
            other = load_body(variant)
            if (fit := made_with(_lengths(bvh, other), other)) is not None:
                return variant, fit
    return body.id, shape_of_bones(lengths, body, estimator=estimator)


def _may_be_ours(bvh: BvhFile) -> bool:
    """Whether joints turn, and offsets are rounded, as this program writes them: variants take seconds to make, which
    other files need not."""
    turns = tuple(f"{axis}rotation" for axis in ORDER)
    offsets = np.array([joint.offset for joint in bvh.joints]) / COARSE
    fine = np.abs(offsets - np.round(offsets)).max() > 1e-3
    return bool(fine) and not offsets[0].any() and all(joint.channels == turns for joint in bvh.joints[1:])


def _lengths(bvh: BvhFile, body: Body) -> Lengths:
    found = bvh.joint_map
    rest = {name: bvh.rest_positions[j] for name, j in found.joints.items()}
    _, unit = scale_and_unit(bvh, leg_length(rest, bvh.source), rig_of(body.skeleton(BodyShape())).leg_length)
    places = {name: place * UNITS[unit] for name, place in rest.items()}
    lengths = bone_lengths(places)
    if not all(role in places for role in SPINE):  # where its spine bends is not where ours does
        lengths = {pair: length for pair, length in lengths.items() if not set(pair) & set(SPINE)}
    # Where the spine bends, rigs do not agree; hips, shoulders, neck and head are to be where our body's handles are.
    if not alignment_of(bvh, found, body.skeleton(BodyShape())).collapsed:
        lengths |= spans(places)
    return {pair: length for pair, length in lengths.items() if length > NO_LENGTH}
