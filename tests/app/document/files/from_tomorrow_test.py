"""Scenes of a newer version: what is not understood is kept as it is, and nothing of it gets in the way."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from copies import copy_of
from hypothesis import given, settings
from hypothesis import strategies as st

from app.document import edits
from app.document.model.document import Document
from app.document.model.history import History
from app.document.posing.create import new_document
from app.document.posing.solving import solved, usable_of
from app.document.scene_file.io import read_scene_text, scene_text
from app.document.scene_file.read import newer_version
from solver.effectors.asleep import is_asleep
from solver.errors import InputRefused

SCENE = Path("/scenes/scene.json")
TRACKED = '{"id": "t1", "type": "magnet", "joint": "left_wrist", "pull": 1.50, "field": {"range_m": 2e0, "on": [true]}}'
BEYOND = (
    '{"id": "t2", "type": "position", "joint": "head", "target": {"type": "drone", "path": [[0.10, -0]]}, '
    '"tolerance": 0.250}'
)
DIGITS = [
    "1.50",
    "2e0",
    "0.10",
    "-0",
    "0.250",
    "1E-7",
    "123456789012345678901234567890",
    "0.1000000000000000055511151231",
]


def as_json(document: Document) -> dict[str, Any]:
    return json.loads(scene_text(document, SCENE.parent))


def key_of(value: dict[str, Any]) -> dict[str, Any]:
    """The first key of the first character."""
    key: dict[str, Any] = value["characters"][0]["clip"]["keys"][0]
    return key


def read(value: Any) -> Document:
    return read_scene_text(value if isinstance(value, str) else json.dumps(value), SCENE)


def written_with(*effectors: str, **top: Any) -> str:
    """A sound scene with more effectors in the spelling given."""
    value = as_json(new_document())
    key_of(value)["effectors"] += [f"@{i}" for i in range(len(effectors))]
    text = json.dumps({**value, **top})
    for i, effector in enumerate(effectors):
        text = text.replace(f'"@{i}"', effector)
    return text


def test_effectors_from_tomorrow_sleep_and_go_back_as_they_came() -> None:
    document = read(written_with(TRACKED, BEYOND))
    one, two = document.characters[0].effectors[-2:]
    assert (is_asleep(one), one.id, one.joint, one.is_active) == (True, "t1", "left_wrist", False)
    assert (is_asleep(two), two.id, two.joint, two.is_active) == (True, "t2", "head", False)
    text = scene_text(document, SCENE.parent)
    assert key_of(json.loads(text))["effectors"][-2:] == [json.loads(TRACKED), json.loads(BEYOND)]
    assert all(f" {digits}" in text.replace("[", " ") for digits in ("1.50", "2e0", "0.10", "-0", "0.250"))
    assert read(text) == document


@pytest.mark.parametrize("digits", DIGITS)
def test_numbers_that_nobody_knows_keep_their_digits(digits: str) -> None:
    text = json.dumps(as_json(new_document()))[:-1] + f', "x-weight": {digits}, "x-all": [1, {digits}]}}'
    again = scene_text(read(text), SCENE.parent)
    assert f'"x-weight": {digits}' in again
    assert f'"x-all": [1, {digits}]' in again
    assert scene_text(read(again), SCENE.parent) == again


def test_what_sleeps_does_not_change_the_pose() -> None:
    plain, more = read(written_with()).characters[0], read(written_with(TRACKED, BEYOND)).characters[0]
    assert solved(more).pose == solved(plain).pose


def test_what_sleeps_lives_through_everything_that_is_done_to_its_character() -> None:
    document = read(written_with(TRACKED))
    id = document.characters[0].id
    history = History(document)
    for edit in (
        edits.mirror_pose(id),
        edits.set_pinned(id, "t1", True),
        edits.set_enabled(id, "t1", True),
        edits.set_tolerance(id, "t1", 0.5),
        edits.set_recovered(id, ()),
        lambda d: edits.add_character(copy_of(d, id))(d),
    ):
        history.apply("try", edit)
    kept = json.loads(TRACKED)
    for character in as_json(history.document)["characters"]:
        assert character["clip"]["keys"][0]["effectors"] == [kept]
    history.apply("delete", edits.remove_effectors(id, ["t1"]))
    assert key_of(as_json(history.document))["effectors"] == []
    history.undo()
    assert key_of(as_json(history.document))["effectors"] == [kept]


def test_two_that_sleep_under_one_id_are_told_apart() -> None:
    document = read(written_with(TRACKED, TRACKED))
    ids = [e.id for e in document.characters[0].effectors]
    assert len(set(ids)) == len(ids)
    again = key_of(as_json(document))["effectors"][-1]
    assert {**again, "id": "t1"} == json.loads(TRACKED)


def test_a_source_from_tomorrow_leaves_its_target_where_it_is() -> None:
    source = {"type": "comet", "orbit": [1, 2.5], "deep": {"er": None}}
    value = as_json(new_document())
    key_of(value)["effectors"][0]["source"] = source
    document = read(value)
    assert as_json(document) == value
    assert np.array_equal(document.characters[0].effectors[0].target, new_document().characters[0].effectors[0].target)


def test_values_of_a_newer_version_are_replaced_until_somebody_changes_them() -> None:
    value = as_json(new_document())
    value["version"] = 9
    character = value["characters"][0]
    character["color"] = {"hue": 0.5}
    key_of(value)["preserve"]["strength"] = "as firm as the wind"
    character["shape"]["betas"] = [0.5] * 300
    document = read(value)
    assert newer_version(document) == 9
    assert document.characters[0].color == "#7aa2f7"
    assert as_json(document) == value
    painted = as_json(edits.set_color(document.characters[0].id, "#112233")(document))
    assert painted["characters"][0]["color"] == "#112233"
    assert key_of(painted)["preserve"] == key_of(value)["preserve"]


def test_an_effector_on_a_joint_from_tomorrow_sleeps_in_a_newer_file_and_is_refused_in_ours() -> None:
    tail = '{"id": "t", "type": "position", "joint": "tail", "target": [0, 0, 0]}'
    character = read(written_with(tail, version=9)).characters[0]
    assert (is_asleep(character.effectors[-1]), character.effectors[-1].joint) == (True, "pelvis")
    with pytest.raises(InputRefused, match="no joint named “tail”"):
        read(written_with(tail))


def test_what_a_newer_file_needs_is_said_by_name() -> None:
    value = {**as_json(new_document()), "version": 9, "needs": ["soft-bodies"]}
    with pytest.raises(InputRefused, match=r"needs\[0\]: the scene needs “soft-bodies”.*newer version") as refusal:
        read(value)
    assert "scene.json" in str(refusal.value)


def test_a_newer_file_may_not_hold_more_than_ours() -> None:
    value = {**as_json(new_document()), "version": 9}
    value["characters"] = value["characters"] * 101
    with pytest.raises(InputRefused, match="more than 100"):
        read(value)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.slow
@given(st.dictionaries(st.text(min_size=1, max_size=6), ANYTHING, max_size=5), st.text(min_size=1, max_size=9))
@settings(max_examples=20, deadline=None)
def test_whatever_an_unknown_effector_holds_makes_the_round_trip(held: dict[str, Any], kind: str) -> None:
    effector = {**held, "type": f"x-{kind}", "id": "strange"}
    document = read(written_with(json.dumps(effector)))
    assert key_of(as_json(document))["effectors"][-1] == effector
    assert read(scene_text(document, SCENE.parent)) == document


def test_the_photo_may_bring_news_as_well() -> None:
    from document_samples import random_photo

    value = as_json(replace(new_document(), photos=(random_photo(np.random.default_rng(3), "/scenes/a.jpg"),)))
    value["version"] = 9
    value["photos"][0]["camera"]["lens"] = {"k1": 0.01}
    value["photos"][0]["opacity"] = "misty"
    assert as_json(read(value)) == value


def test_a_solver_from_tomorrow_is_kept_and_another_one_poses() -> None:
    value = as_json(new_document())
    value["characters"][0] |= {"solver": "dream-ik", "solver_options": {"depth": 3, "mood": {"calm": 1.0}}}
    document = read(value)
    character = document.characters[0]
    assert as_json(document) == value
    able = usable_of(character)
    assert able.solver.spec.id == "dls"
    assert "“dream-ik”" in able.refusal
    assert as_json(document.with_character(solved(character)))["characters"][0]["solver"] == "dream-ik"
    chosen = as_json(edits.set_solver(character.id, "dls")(document))
    assert chosen["characters"][0]["solver"] == "dls"
