"""The shape of our body that a BVH file's skeleton is most like."""

from __future__ import annotations

from solver.body.body import Body, BodyShape
from solver.body.bone_lengths import bone_lengths
from solver.body.shape_fit import DEFAULT_ESTIMATOR, ShapeFit, shape_of_bones
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.motion import UNITS, leg_length, scale_and_unit
from solver.rig.rig import rig_of

NO_LENGTH = 1e-4  # metres; some rigs have joints upon joints


def bvh_shape(bvh: BvhFile, body: Body, estimator: str = DEFAULT_ESTIMATOR) -> ShapeFit:
    """The shape by the file's bones, in the unit that makes its legs most like a person's.

    InputRefused if its joints cannot be recognised; PoserError if the estimator needs joints that it lacks.
    """
    found = bvh.joint_map
    rest = {name: bvh.rest_positions[j] for name, j in found.joints.items()}
    _, unit = scale_and_unit(leg_length(rest, bvh.source), rig_of(body.skeleton(BodyShape())).leg_length)
    lengths = bone_lengths({name: place * UNITS[unit] for name, place in rest.items()})
    real = {pair: length for pair, length in lengths.items() if length > NO_LENGTH}
    return shape_of_bones(real, body, estimator=estimator)
