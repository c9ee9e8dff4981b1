"""Somebody gets a body with other triangles: who is in contact with their skin goes on being so at the same place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from body_samples import official

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.history import History
from app.document.posing.contact_patches import contact_of, on_patch, patches_of
from app.document.posing.create import new_character, new_document
from solver.body.catalog import official_body_id
from solver.contact.skins import skin
from solver.effectors.contact import Contact
from solver.effectors.sources import SkinSource

SMALLER = 0.8


@pytest.fixture(scope="module")
def other_body(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A smaller body whose triangles have other numbers."""
    pytest.importorskip("smplx")
    folder = tmp_path_factory.mktemp("smaller")
    arrays = official("SMPL")
    arrays["v_template"] = SMALLER * arrays["v_template"]
    arrays["f"] = np.random.default_rng(0).permutation(arrays["f"])
    np.savez(folder / "SMPL_NEUTRAL.npz", **arrays)  # type: ignore[arg-type]
    return official_body_id(folder)


def holding(place: str, owner: str = "c2") -> Document:
    """Two people; the first one's palm on a patch of somebody's skin."""
    document = new_document()
    document = edits.add_character(new_character(document, "Ben"))(document)
    source, at, normal = on_patch(document.character(owner), place)
    contact = contact_of(patches_of(document.characters[0])["left_palm"], at, normal)
    return edits.hold("c1", replace(contact, source=source))(document)


def held(document: Document) -> SkinSource:
    """What skin the palm is held on."""
    (source,) = (e.source for e in document.character("c1").effectors if isinstance(e, Contact))
    assert isinstance(source, SkinSource)
    return source


def from_patch(character: Character, source: SkinSource, patch: str) -> float:
    """Metres from a place of somebody's skin to the middle of one of their patches."""
    world, known = joints_of(character), patches_of(character)[patch]
    at, _ = skin(body_of(character), character.shape).point_at(source.triangle, source.shares, world)
    j = skeleton_of(character).index(known.joint)
    return float(np.linalg.norm(world.positions[j] + world.rotations[j] @ known.middle - at))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("owner", "patch"),
    [("c2", "back"), ("c2", "left_cheek"), ("c2", "right_thigh"), ("c2", "left_heel"), ("c1", "left_hip")],
)
def test_a_palm_stays_at_the_same_place_of_a_body_with_other_triangles_and_undo_brings_it_back(
    owner: str, patch: str, other_body: str
) -> None:
    history = History(holding(patch, owner))
    person, before = history.document.character(owner), held(history.document)
    history.apply("Body", edits.set_body(owner, other_body, person.shape))
    changed, after = history.document.character(owner), held(history.document)
    assert changed.body == other_body
    assert from_patch(changed, before, patch) > 0.15, "a triangle of the old number is elsewhere"
    assert from_patch(changed, after, patch) < from_patch(person, before, patch) + 0.015
    assert (after.spot, after.lift) == (before.spot, before.lift)
    back = edits.set_body(owner, person.body, person.shape)(history.document)
    assert from_patch(back.character(owner), held(back), patch) < from_patch(person, before, patch) + 0.015
    history.undo()
    assert held(history.document) == before


def test_hands_on_others_and_on_bodies_of_the_same_triangles_stay_as_they_are(other_body: str) -> None:
    document = holding("back")
    shape = document.characters[0].shape
    assert held(edits.set_body("c1", other_body, shape)(document)) == held(document)
    assert held(edits.set_body("c2", "anny:child", shape)(document)) == held(document)
