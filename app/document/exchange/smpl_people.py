"""Several people of one file of SMPL motions, who keep their heights to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.document.exchange.motion_with_hands import ground_of
from solver.body.body import Body, mean_shape
from solver.formats.smpl.motion import MEAN_BODIES, UPRIGHT, smpl_to_motion
from solver.formats.smpl.npz import SmplFile
from solver.rig.rig import rig_of


def on_one_floor(films: Sequence[SmplFile], body: Body) -> tuple[SmplFile, ...]:
    """The motions with the floor of the lowest of their people at the height 0. films: without a floor."""
    shape = mean_shape(body)
    skeleton = body.skeleton(shape)
    ground = min(ground_of(smpl_to_motion(film, skeleton)[0], body, shape) for film in films)

    def raised(film: SmplFile) -> SmplFile:
        scale = rig_of(skeleton).leg_length / MEAN_BODIES[film.model].leg
        up = np.array(UPRIGHT[film.up or "+Z"])[1]
        return replace(film, trans=film.trans - up * ground / scale, has_floor=True)

    return tuple(map(raised, films))
