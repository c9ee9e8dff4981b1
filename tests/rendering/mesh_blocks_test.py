"""Blocks of triangles, of which those are drawn that have a vertex which is wanted."""

from __future__ import annotations

import numpy as np
import pytest

from rendering.items.gpu_mesh import BLOCK, blocks


@pytest.mark.parametrize("count", [1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK])
def test_each_block_has_every_vertex_of_its_triangles_once_and_no_other(count: int) -> None:
    rng = np.random.default_rng(count)
    order, triangles = rng.permutation(300)[:200], rng.integers(200, size=(count, 3)).astype(np.uint32)
    vertices, starts = blocks(order, triangles)
    made = np.split(vertices, starts[1:])
    assert len(made) == -(-count // BLOCK)
    for number, block in enumerate(made):
        theirs = order[triangles[number * BLOCK : (number + 1) * BLOCK]]
        assert block.tolist() == sorted(set(theirs.ravel().tolist()))
