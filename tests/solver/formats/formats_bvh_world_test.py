"""Where a BVH file's channels put its joints in the file's own world."""

from __future__ import annotations

import numpy as np
import pytest

from solver.formats.bvh.read import parse_bvh
from solver.formats.bvh.world import BvhWorld

FILE = """HIERARCHY
ROOT Hips
{{
  OFFSET 5 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Spine
  {{
    OFFSET 0 10 0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
    End Site
    {{
      OFFSET 0 8 0
    }}
  }}
}}
MOTION
Frames: 1
Frame Time: 0.04
{hips} -90 0 0 {spine} 0 0 0
"""


@pytest.mark.parametrize(
    ("hips", "spine", "at_hips", "at_spine"),
    [
        ("1 2 3", "0 0 0", (1, 2, 3), (11, 2, 3)),  # zeros keep a joint's offset, turned along with its parent
        ("1 2 3", "0 20 0", (1, 2, 3), (21, 2, 3)),  # anything else replaces it
        ("0 0 0", "0 0 0", (0, 0, 0), (10, 0, 0)),  # the root is where its channels say, also at nought
    ],
)
def test_position_channels_replace_the_offset(hips: str, spine: str, at_hips, at_spine) -> None:
    world = BvhWorld(parse_bvh(FILE.format(hips=hips, spine=spine), "a.bvh"), slice(None))
    np.testing.assert_allclose(world.position(0)[0], at_hips, atol=1e-6)
    np.testing.assert_allclose(world.position(1)[0], at_spine, atol=1e-6)
