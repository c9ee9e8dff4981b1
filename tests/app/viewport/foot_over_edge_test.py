"""A foot that is dragged with S from the side of a box onto its top."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.prop import Prop
from app.document.posing.contact_patches import contact_of, patches_of
from app.viewport.tools.surface_drag import Spot, landing
from scripts.drags.arm_drags import new
from scripts.drags.contact_depths import FIRST
from solver.effectors.sources import PropSource

UP, SIDE = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)


def on_top(box: Prop) -> Spot:
    return Spot(box.frame.points((0.0, 1.0, 0.0)), np.array(UP), PropSource(box.id, np.float32(UP)))


@pytest.mark.parametrize(("facing", "patch"), [(SIDE, "left_sole"), (UP, "left_heel")], ids=["the side", "the top"])
def test_a_heel_that_touched_the_side_gives_way_to_the_sole_and_one_on_the_top_stays(
    facing: tuple[float, float, float], patch: str
) -> None:
    document = new("female", "dls")
    box = replace(new_prop(document, "box"), place=np.array([0.1, 0.0, 0.5], np.float32))
    document, person = edits.add_prop(box)(document), document.character(FIRST)
    ankle = next(e for e in person.effectors if e.joint == "left_ankle" and e.holds_joint)
    heel = contact_of(patches_of(person)["left_heel"], box.frame.points((0.5, 0.9, 0.0)), np.array(facing), like=ankle)
    lain = replace(person, effectors=tuple(heel if e.id == ankle.id else e for e in person.effectors))
    found = landing(document, lain, heel, on_top(box), heel.patch)
    assert found is not None
    assert found.patch == patch
