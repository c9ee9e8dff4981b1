"""Contacts as edits of a document: put in the place of others, mirrored, merged, and refused with a reason."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from body_samples import official
from copies import copy_of

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, facing_patch, on_patch, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.scene_file.io import read_scene_text, scene_text
from app.look.wording import held_title, left_surface_text, surface_text
from solver.body.catalog import official_body_id
from solver.body.hand_presets import preset_hands
from solver.contact.patch_table import PATCH_ROWS
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position, Rotation
from solver.effectors.sources import FloorSource, PropSource, SkinSource
from solver.errors import InputRefused, PoserError
from solver.resources import resource_folder

UP = np.float32([0, 1, 0])
HOLDS = {hold.id: hold for hold in COMMON_HOLDS if not hold.needs_thing}


@pytest.fixture
def scene() -> Document:
    document = new_document()
    return edits.add_character(new_character(document, "Ben"))(document)


def on_hip(document: Document) -> Contact:
    person = document.characters[0]
    source, place, normal = on_patch(person, "left_hip")
    return replace(contact_of(patches_of(person)["left_palm"], place, normal), source=source)


def contacts(document: Document, number: int = 0) -> list[Contact]:
    return [e for e in document.characters[number].effectors if isinstance(e, Contact)]


def test_a_contact_takes_the_place_of_what_held_its_joint_and_loosens_what_turned_it(scene: Document) -> None:
    turned = Rotation.on(skeleton_of(scene.characters[0]), "left_wrist", joints_of(scene.characters[0]))
    before = edits.add_effector("c1", replace(turned, id="turn"))(scene)
    after = edits.hold("c1", on_hip(before))(before)
    assert [e.id for e in after.characters[0].effectors] == [e.id for e in before.characters[0].effectors]
    assert [(e.id, e.joint) for e in contacts(after)] == [("e1", "left_wrist")]
    assert after.characters[0].effector("turn").loose


@pytest.mark.parametrize("hold", HOLDS)
def test_a_hold_asks_nothing_more_of_handles_on_hands_nor_of_those_that_a_photo_left_on_elbows(
    scene: Document, hold: str
) -> None:
    for id in ("c1", "c2"):
        person = scene.character(id)
        for joint in ("left_hand", "right_hand", "left_elbow", "right_elbow"):
            made = Position.on(skeleton_of(person), joint, joints_of(person))
            guessed = replace(made, id=joint, tolerance=0.5, estimated=joint != "right_elbow")
            scene = edits.add_effector(id, guessed)(scene)
    after = edits.take_hold("c1", HOLDS[hold])(scene)
    for person in after.characters:
        taken = {e.joint.replace("wrist", "hand") for e in person.effectors if isinstance(e, Contact)}
        for joint in ("left_hand", "right_hand"):
            assert person.effector(joint).loose == (joint in taken)
        assert person.effector("left_elbow").loose == ("left_hand" in taken)
        assert not person.effector("right_elbow").loose, "the user set it"


def test_a_hand_dragged_by_its_wrist_onto_something_is_no_longer_held_by_its_middle_but_by_a_pin(
    scene: Document,
) -> None:
    person = scene.characters[0]
    for id, pinned in (("free", False), ("pin", True)):
        made = Position.on(skeleton_of(person), "left_hand", joints_of(person))
        scene = edits.add_effector("c1", replace(made, id=id, pinned=pinned))(scene)
    after = edits.hold("c1", on_hip(scene), instead_of="e1")(scene).characters[0]
    assert after.effector("free").loose
    assert not after.effector("pin").loose


def test_a_mirrored_contact_with_the_own_hip_is_on_the_other_hip(scene: Document) -> None:
    mirrored = edits.mirror_pose("c1")(edits.hold("c1", on_hip(scene))(scene))
    (held,) = contacts(mirrored)
    assert held.patch == "right_palm"
    assert isinstance(held.source, SkinSource)
    assert held.source.spot == "right hip"


def test_a_person_who_let_go_holds_the_joint_and_only_contacts_can(scene: Document) -> None:
    held = edits.hold("c1", on_hip(scene))(scene)
    free = edits.let_go("c1", ["e1"])(held).characters[0].effector("e1")
    assert isinstance(free, Position)
    assert free.holds_joint
    with pytest.raises(PoserError, match="holds on to nothing"):
        edits.let_go("c1", ["e3"])(held)


def test_a_merged_person_keeps_the_hands_on_them_and_a_deleted_one_frees_them(scene: Document) -> None:
    touching = edits.take_hold("c1", HOLDS["shoulder"])(scene)
    (freed,) = contacts(edits.remove_character("c2")(touching))
    assert freed.source is None
    assert surface_text(freed) == "in its place"
    names = {"c2": "Ben"}
    assert surface_text(contacts(touching)[0], "c1", names).startswith("on Ben's ")


def test_a_hold_for_two_says_that_it_takes_two() -> None:
    with pytest.raises(PoserError, match="needs two people"):
        edits.take_hold("c1", HOLDS["hands"])(new_document())


def test_two_hold_hands_on_the_sides_where_they_stand_though_the_near_hand_is_raised() -> None:
    document = new_document()
    disco = poses_of(entry_of(resource_folder("assets", "poses") / "Dancing" / "Disco.json"))  # the right arm points up
    dancer = take_pose("c1", disco, Taking())(document).characters[0]
    beside = edits.move_character("c2", (0.9, 0.0, 0.0))
    document = edits.chain(edits.add_character(replace(dancer, id="c2", name="Ben")), beside)(document)
    held = edits.take_hold("c1", HOLDS["hands"])(document)
    patches = [e.patch for person in held.characters for e in person.effectors if isinstance(e, Contact)]
    assert patches == ["left_palm", "right_palm"], "the first stands to the right of the other"


def test_hands_that_hold_each_other_close_and_the_others_stay() -> None:
    document = new_document()
    other = replace(new_character(document), id="c2", name="Ben")
    document = edits.chain(edits.add_character(other), edits.move_character("c2", (0.7, 0.0, 0.0)))(document)
    held = edits.take_hold("c1", HOLDS["hands"])(document)
    for before, after in zip(document.characters, held.characters, strict=True):
        (palm,) = (e for e in after.effectors if isinstance(e, Contact))
        assert palm.offset == pytest.approx(patches_of(after)[palm.patch].middle, abs=1e-6), "of the hand as it closed"
        side = ("left_palm", "right_palm").index(palm.patch)
        grip = preset_hands("grip_thick", body_of(after))
        assert before.hands is not None
        assert after.hands == before.hands.mixed(grip, sides=(side,))


def test_hands_behind_the_head_lie_on_its_two_sides() -> None:
    held = edits.take_hold("c1", HOLDS["behind_head"])(new_document()).characters[0]
    left, right = (e for e in held.effectors if isinstance(e, Contact))
    assert (left.patch, right.patch) == ("left_palm", "right_palm")
    head = joints_of(held).positions[skeleton_of(held).index("head")]
    assert left.target[0] > head[0] + 0.02
    assert right.target[0] < head[0] - 0.02
    assert max(left.target[2], right.target[2]) < head[2]


def test_a_copy_of_somebody_touches_itself_as_the_original_does(scene: Document) -> None:
    copy = copy_of(edits.hold("c1", on_hip(scene))(scene), "c1")
    (held,) = (e for e in copy.effectors if isinstance(e, Contact))
    assert isinstance(held.source, SkinSource)
    assert held.source.character == copy.id


def test_only_palms_open_their_hand(scene: Document) -> None:
    assert edits.open_hand("c1", "left_knee")(scene) is scene
    assert edits.lay_hand("c1", "left_knee")(scene) is scene
    laid = edits.lay_hand("c1", "left_palm")(scene).characters[0].hands
    assert laid not in (scene.characters[0].hands, edits.open_hand("c1", "left_palm")(scene).characters[0].hands)
    opened = edits.open_hand("c1", "left_palm")(scene).characters[0].hands
    before = scene.characters[0].hands
    assert opened is not None
    assert before is not None
    assert (opened.rotations[15:] == before.rotations[15:]).all()
    assert not np.allclose(opened.rotations[:15], before.rotations[:15])


def test_a_new_contact_of_any_joint_is_on_a_patch_in_the_air(scene: Document) -> None:
    from app.document.posing.fitting_effectors import new_effector

    person = scene.characters[0]
    for joint in skeleton_of(person).names:
        made = new_effector(person, Contact.kind, joint)
        assert isinstance(made, Contact)
        assert made.patch
        assert made.residual(skeleton_of(person), joints_of(person)) == pytest.approx(0, abs=1e-5)


def test_surfaces_have_names() -> None:
    held = Contact("left_wrist", UP, source=FloorSource())
    assert surface_text(held) == "on the floor"
    assert surface_text(replace(held, source=PropSource("p", UP)), names={"p": "Chair"}) == "on Chair"
    assert surface_text(Position("left_wrist", UP)) == ""
    on_head = replace(held, source=SkinSource("c2", 0, UP, spot="back of head"))
    assert surface_text(on_head, "c1", {"c2": "Ben"}) == "on back of Ben's head"
    assert surface_text(on_head, "c2") == "on back of own head"


def test_contacts_that_come_off_their_surfaces_are_named_or_counted() -> None:
    in_air, place = Contact("left_wrist", UP, patch="left_palm"), Position("left_wrist", UP)
    floor, chair = (replace(in_air, source=source) for source in (FloorSource(), PropSource("p", UP)))
    assert left_surface_text([place, floor, in_air], "c1", {}) == "Left palm: no longer on the floor."
    assert left_surface_text([chair], "c1", {"p": "Chair"}) == "Left palm: no longer on Chair."
    assert left_surface_text([floor, chair], "c1", {}) == "2 contacts are no longer on their surfaces."
    assert left_surface_text([in_air, place], "c1", {}) == ""


def test_patches_are_called_what_one_says() -> None:
    said = {
        "left_palm": "Left palm",
        "left_back_of_hand": "Back of left hand",
        "right_front_of_hip": "Front of right hip",
        "left_back_of_head": "Left back of head",
        "back_of_head": "Back of head",
        "seat": "Seat",
    }
    for patch, title in said.items():
        assert held_title(Contact("left_wrist", UP, patch=patch)) == title
        assert PATCH_ROWS[patch].words.capitalize() == title


def test_shares_of_a_triangle_that_do_not_add_up_are_refused_with_their_place(scene: Document) -> None:
    written = scene_text(edits.hold("c1", on_hip(scene))(scene), Path("/scenes"))
    assert contacts(read_scene_text(written, Path("/scenes/a.json")))
    wrong = json.loads(written)
    keys = wrong["characters"][0]["clip"]["keys"][0]
    next(e for e in keys["effectors"] if e["type"] == "contact")["source"]["shares"] = [0.5, 0.5, 0.5]
    with pytest.raises(InputRefused, match="do not add up to 1") as refused:
        read_scene_text(json.dumps(wrong), Path("/scenes/a.json"))
    assert "shares" in str(refused.value)


def test_a_hand_lies_on_its_palm_unless_that_is_turned_well_away() -> None:
    person = new_document().characters[0]
    palm = patches_of(person)["left_palm"]
    turn = joints_of(person).rotations[skeleton_of(person).index("left_wrist")]
    normal = turn @ palm.normal
    aside = np.cross(normal, (0.0, 1.0, 0.0))
    aside /= np.linalg.norm(aside)
    for away, name in ((0.4, "left_palm"), (0.95, "left_back_of_hand")):
        facing = away * normal + np.sqrt(1.0 - away**2) * aside
        found = facing_patch(person, "left_wrist", facing)
        assert found is not None
        assert found.name == name


@pytest.fixture(scope="module")
def fingerless(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The id of a body without fingers."""
    pytest.importorskip("smplx")
    folder = tmp_path_factory.mktemp("fingerless")
    np.savez(folder / "SMPL_NEUTRAL.npz", **official("SMPL"))  # type: ignore[arg-type]
    return official_body_id(folder)


@pytest.mark.sweep
@pytest.mark.parametrize("id", HOLDS)
def test_a_body_without_fingers_takes_holds_too_and_its_hands_stay_as_they_are(
    id: str, scene: Document, fingerless: str
) -> None:
    steps = [edits.set_body(person.id, fingerless, person.shape) for person in scene.characters]
    before = edits.chain(*steps)(scene)
    after = edits.take_hold("c1", HOLDS[id])(before)
    assert contacts(after)
    assert [person.hands for person in after.characters] == [person.hands for person in before.characters]
    assert edits.open_hand("c1", "left_palm")(before) == before
