"""Shades for the skin of people who pass through themselves, each other, props or the floor."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from app.document.model.document import Document
from solver.body.catalog import load_body
from solver.contact.intersections import Skinned, intersections

Shades = NDArray[np.float32]
HALO = 0.06  # metres around an intersection tinted as well, since what is within something cannot be seen
LEAST, DEEP = 0.85, 0.03  # the shade of the shallowest; metres from which it is full


def intersection_shades(document: Document) -> Mapping[str, Shades]:
    """By id of each visible person, (V,) 0..1, how much each vertex is tinted; those who meet nothing are left out.

    Hidden people and props do not count, nor do meshes that are not closed. Raises InputRefused where the embedded
    body's contact vertices cannot be read.
    """
    people = [character for character in document.characters if character.visible]
    things = [solid for prop in document.props if prop.visible for solid in prop.solids()]
    found = intersections([Skinned(load_body(c.body), c.shape, c.pose, c.hands) for c in people], things)
    return {
        character.id: _shades(skin, depths)
        for character, (skin, depths) in zip(people, found, strict=True)
        if depths.any()
    }


def _shades(skin: NDArray[np.float64], depths: NDArray[np.float64]) -> Shades:
    deep = np.flatnonzero(depths)
    shade = LEAST + (1.0 - LEAST) * np.minimum(depths[deep] / DEEP, 1.0)
    away, at = cKDTree(skin[deep]).query(skin, distance_upper_bound=HALO)
    near = np.isfinite(away)
    shades = np.zeros(len(skin), np.float32)
    shades[near] = shade[at[near]] * np.minimum(2.0 * (1.0 - away[near] / HALO), 1.0)
    return shades
