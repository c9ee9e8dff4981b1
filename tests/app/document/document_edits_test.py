"""Edits: each does what its name says, leaves the rest as it was, and can be taken back."""

from __future__ import annotations

import numpy as np
import pytest
from copies import ASIDE, copy_of
from document_samples import only, random_photo, random_pose, two_people
from hypothesis import given, settings
from hypothesis import strategies as st

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.model.history import Edit, History
from app.document.posing.create import DEFAULT_EFFECTORS, new_character, new_document
from app.document.posing.fitting_effectors import new_effector
from solver.effectors.kinds import Position, Rotation
from solver.errors import PoserError, UnknownName
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS


@pytest.fixture
def document() -> Document:
    return new_document()


def random_edit(rng: np.random.Generator, document: Document) -> Edit:
    """An edit that the document allows, whatever it holds."""
    everyone = [c.id for c in document.characters]
    if not everyone:
        return edits.add_character(new_character(document))
    id = str(rng.choice(everyone))
    character = document.character(id)
    joints = [str(name) for name in rng.choice(SMPL_JOINTS, 3)]
    choices = [
        edits.add_character(copy_of(document, id)),
        edits.remove_character(id),
        edits.rename_character(id, str(rng.choice(["Anna", "Ben", "  Cleo  "]))),
        edits.set_visible(id, bool(rng.integers(2))),
        edits.set_locked(id, bool(rng.integers(2))),
        edits.set_color(id, f"#{rng.integers(1 << 24):06x}"),
        edits.set_solver(id, "dls"),
        edits.add_effector(id, new_effector(character, str(rng.choice(["position", "rotation", "lookat"])), joints[0])),
        edits.set_recovered(id, character.effectors[:2]),
        edits.settle_effectors(id),
        edits.set_pose(id, random_pose(rng)),
        edits.set_current_as_base(id),
        edits.reset_to_base(id),
        edits.move_character(id, rng.normal(0, 1, 3)),
        edits.turn_character(id, float(rng.normal())),
        edits.mirror_pose(id),
        edits.paste_pose(id, document.character(str(rng.choice(everyone))), flipped=bool(rng.integers(2))),
        edits.import_motion(id, Motion(rng.normal(0, 1, (3, 3)), from_rotation_vector(rng.normal(0, 1, (3, 24, 3))))),
        edits.set_beta(id, int(rng.integers(10)), float(rng.normal(0, 3))),
        edits.reset_shape(id),
        edits.set_gender(id, str(rng.choice(["male", "female", "neutral"]))),
        edits.set_preserve_strength(id, float(rng.random())),
        edits.keep_place(id, joints, bool(rng.integers(2))),
        edits.keep_shape(id, joints, bool(rng.integers(2))),
        edits.keep_nothing(id),
        edits.set_photo(random_photo(rng, "/photos/other.jpg")),
        edits.set_photo(None),
    ]
    if document.photo is not None:
        choices += [
            edits.set_photo_visible(False),
            edits.set_photo_opacity(0.3),
            edits.relink_photo("/b.jpg", "0" * 64),
        ]
    if character.effectors:
        effector = character.effectors[int(rng.integers(len(character.effectors)))]
        target = from_rotation_vector(rng.normal(0, 1, 3)) if effector.kind == "rotation" else rng.normal(0, 1, 3)
        choices += [
            edits.remove_effectors(id, [effector.id]),
            edits.set_target(id, effector.id, target),
            edits.set_tolerance(id, effector.id, float(rng.random())),
            edits.set_pinned(id, effector.id, not effector.pinned),
            edits.set_enabled(id, effector.id, not effector.enabled),
        ]
    return choices[int(rng.integers(len(choices)))]


@given(st.integers(0, 2**32), st.integers(1, 12))
@settings(max_examples=25, deadline=None)
def test_any_edits_can_be_undone_and_redone(seed: int, length: int) -> None:
    rng = np.random.default_rng(seed)
    history = History(two_people(seed))
    seen = [history.document]
    for number in range(length):
        history.apply(f"edit {number}", random_edit(rng, history.document))
        if history.document is not seen[-1]:
            seen.append(history.document)
    for earlier in reversed(seen[:-1]):
        assert history.undo()
        assert history.document is earlier
    assert not history.undo()
    for later in seen[1:]:
        assert history.redo()
        assert history.document is later


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_an_edit_of_one_character_leaves_the_other_untouched(seed: int) -> None:
    document = two_people(seed)
    after = random_edit(np.random.default_rng(seed), document)(document)
    kept = [c for c in document.characters if any(c is other for other in after.characters)]
    assert len(kept) >= 1


def test_an_edit_that_changes_nothing_returns_the_document_itself(document: Document) -> None:
    character = only(document)
    effector = next(e for e in character.effectors if not e.loose)
    for edit in (
        edits.set_visible("c1", True),
        edits.rename_character("c1", "   "),
        edits.set_target("c1", effector.id, effector.target),  # type: ignore[attr-defined]
        edits.set_beta("c1", 0, 0.0),
        edits.set_gender("c1", "neutral"),
        edits.keep_place("c1", ["head"], False),
        edits.set_current_as_base("c1"),
        edits.set_photo(None),
    ):
        assert edit(document) is document


def test_a_new_character_stands_on_the_floor_with_the_usual_handles_and_nothing_pulls(document: Document) -> None:
    character = only(document)
    assert [(e.kind, e.joint, e.tolerance, e.loose) for e in character.effectors] == list(DEFAULT_EFFECTORS)
    positions = joints_of(character).positions
    for effector in character.effectors:
        if isinstance(effector, Position):
            assert effector.target == pytest.approx(positions[SMPL_JOINTS.index(effector.joint)], abs=1e-6)
    assert 0.0 < positions[:, 1].min() < 0.15
    assert character.base_pose == character.pose


def test_several_people_stand_side_by_side_told_apart() -> None:
    document = Document()
    for _ in range(6):
        document = edits.add_character(new_character(document))(document)
    people = document.characters
    places = np.array([c.pose.root_position[[0, 2]] for c in people])
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1) + 9 * np.eye(6)
    assert apart.min() > 0.8
    assert len({c.id for c in people}) == len({c.name for c in people}) == len({c.color for c in people}) == 6


def test_ids_are_not_given_again_while_a_higher_one_is_in_use() -> None:
    document = Document()
    for _ in range(3):
        document = edits.add_character(new_character(document))(document)
    document = edits.remove_character("c2")(document)
    assert new_character(document).id == "c4"


def test_a_copy_stands_beside_the_original_and_is_the_same_otherwise(document: Document) -> None:
    copy = copy_of(document, "c1")
    original = only(document)
    assert (copy.id, copy.name) == ("c2", "Person 2")
    assert copy.color != original.color
    shift = copy.pose.root_position - original.pose.root_position
    assert shift == pytest.approx(ASIDE, abs=1e-6)
    assert np.array_equal(copy.pose.rotations, original.pose.rotations)
    for one, other in zip(copy.effectors, original.effectors, strict=True):
        assert (one.kind, one.joint, one.id) == (other.kind, other.joint, other.id)
        offset = np.zeros((3, 3)) if isinstance(other, Rotation) else shift
        assert one.target == pytest.approx(other.target + offset, abs=1e-6)  # type: ignore[attr-defined]


@pytest.mark.parametrize("edit", [edits.move_character("c1", [1.0, 0.2, -3.0]), edits.turn_character("c1", 2.0)])
def test_a_person_that_is_moved_or_turned_takes_everything_along(edit: Edit) -> None:
    document = edits.set_pose("c1", random_pose(np.random.default_rng(1)))(two_people(11))
    before, after = document.character("c1"), edit(document).character("c1")
    assert {Position, Rotation} <= {type(effector) for effector in after.effectors}
    old, new = joints_of(before).positions, joints_of(after).positions
    assert new != pytest.approx(old, abs=0.1)
    between = np.linalg.norm(old[:, None] - old[None], axis=-1)
    assert np.linalg.norm(new[:, None] - new[None], axis=-1) == pytest.approx(between, abs=1e-4)
    for effector in after.effectors:
        j = SMPL_JOINTS.index(effector.joint)
        if isinstance(effector, Position):
            assert effector.target == pytest.approx(new[j], abs=1e-4)
        elif isinstance(effector, Rotation):
            assert effector.target == pytest.approx(joints_of(after).rotations[j], abs=1e-4)


def test_turning_keeps_the_place_and_turns_from_the_front_to_the_left(document: Document) -> None:
    after = only(edits.turn_character("c1", np.pi / 2)(document))
    assert after.pose.root_position == pytest.approx(only(document).pose.root_position, abs=1e-6)
    assert joints_of(after).rotations[0] @ [0, 0, 1] == pytest.approx([1, 0, 0], abs=0.2)


def test_a_name_that_is_taken_gets_a_number() -> None:
    document = two_people()
    first, second = document.characters
    document = edits.rename_character(first.id, " Anna ")(document)
    document = edits.rename_character(second.id, "Anna")(document)
    assert [c.name for c in document.characters] == ["Anna", "Anna 2"]


@pytest.mark.parametrize(
    "edit",
    [
        edits.remove_character("c9"),
        edits.set_target("c1", "e99", [0, 0, 0]),
        edits.remove_effectors("c1", ["e99"]),
        edits.keep_shape("c1", ["tail"], True),
    ],
)
def test_what_is_not_there_is_named_with_the_alternatives(document: Document, edit: Edit) -> None:
    with pytest.raises(UnknownName, match="Known:"):
        edit(document)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: edits.set_color("c1", "blue"), "#rrggbb"),
        (lambda: edits.set_beta("c1", 10, 0.0), "no shape component 10"),
        (lambda: edits.set_gender("c1", "R2"), "^Gender must be one of .*, not “R2”.$"),
        (lambda: edits.set_target("c1", "e1", [np.nan, 0, 0]), "Position effector on the left wrist: .*not finite"),
        (lambda: edits.set_target("c1", "e1", np.eye(3)), "has shape"),
        (lambda: edits.set_photo_opacity(0.5), "no photo"),
        (lambda: edits.set_solver("c1", "magic"), "magic"),
        (lambda: edits.set_pose("c1", Pose(np.zeros(3), np.zeros((3, 3, 3)) + np.eye(3))), "3 joints"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(document: Document, make: object, message: str) -> None:
    with pytest.raises(PoserError, match=message) as refusal:
        make()(document)  # type: ignore[operator]
    assert "\n" not in str(refusal.value)
