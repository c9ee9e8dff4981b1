"""Looks that were made already: some people are looked at in several stages of a search, and a network would only say
the same again.
"""

from __future__ import annotations

import threading
import weakref

from PIL import Image

from solver.photo.detection.blazepose import Landmarks

Way = tuple[float, float, bool]  # scale of the region, turn in radians, mirrored or not
Looks = dict[Way, Landmarks | None]  # None: nobody was seen, or somebody else

_asking = threading.Lock()
_made: weakref.WeakKeyDictionary[Landmarks, tuple[weakref.ref[Image.Image], dict[str, Looks]]]
_made = weakref.WeakKeyDictionary()


def looks_made(picture: Image.Image, first: Landmarks, network: str) -> Looks:
    """The looks that a network has made at whom a first look saw in a picture; more are added to them.

    They are kept as long as the first look is, for one picture.
    """
    with _asking:
        known = _made.get(first)
        if known is None or known[0]() is not picture:
            known = weakref.ref(picture), {}
            _made[first] = known
        return known[1].setdefault(network, {})
