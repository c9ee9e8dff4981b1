"""Laws that every edit keeps, whatever the document holds: what takes it back, what it may do twice, what it leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from copies import copy_of
from document_samples import random_photo, two_people
from hypothesis import given, settings
from hypothesis import strategies as st

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing.create import new_character
from app.document.posing.fitting_effectors import new_effector
from app.document.scene_file.io import read_scene_text, scene_text
from solver.kinematics.skeleton import SMPL_JOINTS

SEEDS = st.integers(0, 2**32)
SCENE = Path("/scenes/scene.json")
MANY = settings(max_examples=8, deadline=None)


def with_two_effectors(seed: int) -> Document:
    """Two people, the first of whom has a strict effector "s" and a loose one "l" besides its own."""
    document = two_people(seed)
    first = document.characters[0]
    held = new_effector(first, "position", "left_wrist", id="s", tolerance=0.25)
    loose = new_effector(first, "rotation", "head", id="l", loose=True)
    return document.with_character(replace(first, effectors=(*first.effectors, held, loose)))


def there_and_back(document: Document) -> dict[str, tuple[Edit, Edit]]:
    """Edits that change the document, each with the one that takes it back."""
    first = document.characters[0]
    id, kept = first.id, first.preserve
    free = next(name for name in SMPL_JOINTS if name not in kept.place | kept.shape)
    held = first.effector("s")
    photo = document.photo
    assert photo is not None
    added = new_character(document)
    more = new_effector(first, "lookat", "head")
    return {
        "rename": (edits.rename_character(id, "Somebody else"), edits.rename_character(id, first.name)),
        "colour": (edits.set_color(id, "#123456"), edits.set_color(id, first.color)),
        "hide": (edits.set_visible(id, not first.visible), edits.set_visible(id, first.visible)),
        "lock": (edits.set_locked(id, not first.locked), edits.set_locked(id, first.locked)),
        "solver": (edits.set_solver(id, "ccd"), edits.set_solver(id, first.solver)),
        "strength": (
            edits.set_preserve_strength(id, 1.0 - kept.strength / 2, "place"),
            edits.set_preserve_strength(id, kept.strength, "place"),
        ),
        "place": (edits.keep_place(id, [free], True), edits.keep_place(id, [free], False)),
        "shape": (edits.keep_shape(id, [free], True), edits.keep_shape(id, [free], False)),
        "pin": (edits.set_pinned(id, "s", True), edits.set_pinned(id, "s", False)),
        "switch off": (edits.set_enabled(id, "s", False), edits.set_enabled(id, "s", True)),
        "tolerance": (edits.set_tolerance(id, "s", 0.75), edits.set_tolerance(id, "s", held.tolerance)),
        "target": (edits.set_target(id, "s", held.target + np.float32(1)), edits.set_target(id, "s", held.target)),
        "effector": (edits.add_effector(id, more), edits.remove_effectors(id, [more.id])),
        "person": (edits.add_character(added), edits.remove_character(added.id)),
        "standing": (edits.place_together([first], (1.0, 0, -2), 0.7), edits.place_together([first], (0, 0, 0), 0)),
        "photo": (edits.set_photo(None), edits.set_photo(photo)),
        "opacity": (edits.set_photo_opacity(photo.opacity / 2 + 0.5), edits.set_photo_opacity(photo.opacity)),
        "photo shown": (edits.set_photo_visible(not photo.visible), edits.set_photo_visible(photo.visible)),
        "photo moved": (edits.relink_photo("/elsewhere.jpg", "ab"), edits.relink_photo(photo.path, photo.sha256)),
    }  # fmt: skip


TAKEN_BACK = sorted(there_and_back(with_two_effectors(0)))


@pytest.mark.parametrize("name", TAKEN_BACK)
@given(seed=SEEDS)
@settings(max_examples=2, deadline=None)
def test_an_edit_and_the_one_that_takes_it_back_give_the_document_back(name: str, seed: int) -> None:
    document = with_two_effectors(seed)
    there, back = there_and_back(document)[name]
    changed = there(document)
    assert changed != document
    assert back(changed) == document


def settling(document: Document) -> dict[str, Edit]:
    """Edits that say how something is to be: saying it twice changes nothing."""
    first = document.characters[0]
    id = first.id
    return {
        "rename": edits.rename_character(id, " Ada  L. "),
        "strict": edits.make_strict(id, ["s", "l"]),
        "loose": edits.make_loose(id, ["s", "l"]),
        "base": edits.set_current_as_base(id),
        "nothing kept": edits.keep_nothing(id),
        "nobody's shape": edits.reset_shape(id),
        "gender": edits.set_gender(id, "female"),
        "shape": edits.set_beta(id, 1, 2.5),
        "beyond the slider": edits.set_beta(id, 1, 99.0),
        "option": edits.set_solver_option(id, "raw", True),
        "beyond opaque": edits.set_photo_opacity(7),
        "beyond free": edits.set_tolerance(id, "s", 7),
        "floor": edits.stand_on_floor(id),
    }


@pytest.mark.parametrize("name", sorted(settling(with_two_effectors(0))))
@given(seed=SEEDS)
@settings(max_examples=2, deadline=None)
def test_what_is_asked_twice_is_done_once(name: str, seed: int) -> None:
    document = with_two_effectors(seed)
    edit = settling(document)[name]
    once = edit(document)
    assert edit(once) == once


@given(SEEDS)
@MANY
def test_edits_of_two_people_may_come_in_either_order(seed: int) -> None:
    document = with_two_effectors(seed)
    first, second = (c.id for c in document.characters)
    mine: list[Edit] = [
        edits.mirror_pose(first),
        edits.set_gender(first, "male"),
        edits.move_character(first, (0, 0, 1)),
    ]
    theirs: list[Edit] = [
        edits.turn_character(second, 1.0),
        edits.reset_to_base(second),
        edits.set_solver(second, "dls"),
    ]
    one = edits.chain(*mine, *theirs)(document)
    other = edits.chain(*theirs, *mine)(document)
    woven = edits.chain(*(each for pair in zip(mine, theirs, strict=True) for each in pair))(document)
    assert one == other == woven


@given(SEEDS, st.integers(0, 23), st.sampled_from(["position", "rotation", "lookat"]))
@MANY
def test_a_new_effector_anywhere_pulls_nothing_and_moves_with_its_body(seed: int, joint: int, kind: str) -> None:
    document = two_people(seed)
    id = document.characters[0].id
    added = new_effector(document.characters[0], kind, SMPL_JOINTS[joint], id="new")
    document = edits.add_effector(id, added)(document)
    for edit in (edits.move_character(id, (1, 0, 2)), edits.turn_character(id, -2.0), edits.reset_to_base(id)):
        document = edit(document)
        character = document.character(id)
        assert missed(character, "new") < 2e-3


def missed(character: Character, effector: str) -> float:
    """How far the body is from what the effector asks, in its own unit."""
    residual = character.effector(effector).residual(skeleton_of(character), joints_of(character))
    return float(np.abs(residual).max())


def chains(rng: np.random.Generator, document: Document) -> Document:
    """The document after a few edits that it allows."""
    pairs = there_and_back(document)
    named: list[Callable[[Document], Edit]] = [
        lambda d: edits.mirror_pose(d.characters[0].id),
        lambda d: edits.turn_character(d.characters[0].id, float(rng.normal())),
        lambda d: edits.add_character(copy_of(d, d.characters[0].id)),
        lambda d: edits.set_beta(d.characters[0].id, int(rng.integers(10)), float(rng.normal())),
        lambda d: edits.paste_pose(d.characters[0].id, d.characters[-1], flipped=True),
        lambda d: edits.settle_effectors(d.characters[0].id),
        lambda d: edits.add_photo(random_photo(rng, "/photos/more.jpg")),
        lambda d: pairs["target"][0],
        lambda d: pairs["place"][0],
    ]
    for index in rng.integers(0, len(named), 4):
        document = named[index](document)(document)
    return document


@given(SEEDS)
@MANY
def test_whatever_was_edited_is_read_as_it_was_written(seed: int) -> None:
    document = chains(np.random.default_rng(seed), with_two_effectors(seed))
    text = scene_text(document, SCENE.parent)
    again = read_scene_text(text, SCENE)
    assert again == document
    assert scene_text(again, SCENE.parent) == text


@given(SEEDS)
@MANY
def test_no_edit_changes_the_document_that_it_is_given(seed: int) -> None:
    document = with_two_effectors(seed)
    before = scene_text(document, SCENE.parent)
    everything = {**settling(document), **{name: there for name, (there, _) in there_and_back(document).items()}}
    for edit in everything.values():
        edit(document)
    assert scene_text(document, SCENE.parent) == before
