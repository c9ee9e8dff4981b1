"""Warms up what reading a photo needs, so that the first photo is read as fast as the next."""

from __future__ import annotations

from PIL import Image

from solver.body.body import Body
from solver.camera import level_camera
from solver.photo.detection.blazepose import LANDMARK_SIDE, Region, detect, landmarks
from solver.photo.detection.parallel import THREADS, parallel_map
from solver.photo.progressive_fits import ProgressiveFits
from solver.photo.runtime_log_filter import start_networks

_SIDE, _FOCAL_PX = LANDMARK_SIDE, 300.0


def warm_up(body: Body) -> None:
    """Load the networks that find people and the code that first poses them, by running both once; again: quick.

    Networks used only for people who were found, for faces, hands and closer looks, are left until then.
    Raises InputRefused if a network's file is missing or damaged.
    """
    nobody, middle = Image.new("RGB", (_SIDE, _SIDE)), (_SIDE / 2, _SIDE / 2)
    start_networks()
    whole, square = (0.0, 0.0, float(_SIDE), float(_SIDE)), Region(middle, float(_SIDE), 0.0)
    each = range(2 * THREADS)  # so that as many networks are loaded as will run at once
    list(parallel_map(lambda _: detect(nobody, whole, 1.0), each))
    seen, *_ = parallel_map(lambda _: landmarks(nobody, square), each)
    ProgressiveFits(body, level_camera(_FOCAL_PX, (_SIDE, _SIDE)), lambda _: None).found([seen])
