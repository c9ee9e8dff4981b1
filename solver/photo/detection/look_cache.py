"""A cache of looks: some people are looked at in several stages of a search, and a network would only repeat itself."""

from __future__ import annotations

import threading
import weakref

from PIL import Image

from solver.photo.detection.blazepose import Landmarks

LookVariant = tuple[float, float, bool]  # scale of the region, turn in radians, mirrored or not
Looks = dict[LookVariant, Landmarks | None]  # None: nobody was seen, or somebody else

_asking = threading.Lock()
_made: weakref.WeakKeyDictionary[Landmarks, tuple[weakref.ref[Image.Image], dict[str, Looks]]]
_made = weakref.WeakKeyDictionary()


def cached_looks(picture: Image.Image, first: Landmarks, network: str) -> Looks:
    """The looks a network has made so far at the person a first look saw in a picture; the caller adds to them.

    They are kept for one picture, as long as the first look is.
    """
    with _asking:
        known = _made.get(first)
        if known is None or known[0]() is not picture:
            known = weakref.ref(picture), {}
            _made[first] = known
        return known[1].setdefault(network, {})
