"""glTF files made to take hours, or more memory than there is: all are refused in one line, or read in no time."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_changes import changed, exported, moving, parts, posed

from solver.errors import InputRefused
from solver.formats.gltf import content as gltf_content
from solver.formats.gltf import skeletons
from solver.formats.gltf.nodes import StandingNodes, next_above, with_all_above
from solver.formats.gltf.skeletons import read_skeletons
from solver.size_limits import MAX_JOINTS, MAX_PEOPLE

Content = dict[str, Any]


def with_numbers(content: Content, numbers: np.ndarray, component: int, kind: str) -> int:
    """Adds an accessor with a buffer of its own."""
    encoded = base64.b64encode(numbers.tobytes()).decode()
    content["buffers"].append({"uri": f"data:;base64,{encoded}", "byteLength": numbers.nbytes})
    content["bufferViews"].append({"buffer": len(content["buffers"]) - 1, "byteLength": numbers.nbytes})
    view = len(content["bufferViews"]) - 1
    content["accessors"].append({"bufferView": view, "componentType": component, "count": len(numbers), "type": kind})
    return len(content["accessors"]) - 1


def animated(content: Content, frames: int, channels: int) -> None:
    """The whole person, or whoever it is, by as many channels that all have the same dense keys."""
    times = with_numbers(content, np.arange(frames, dtype="<f4") / 1000, 5126, "SCALAR")
    places = with_numbers(content, np.zeros((frames, 3), "i1"), 5120, "VEC3")
    content["animations"] = [{
        "samplers": [{"input": times, "output": places}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}] * channels,
    }]  # fmt: skip


def lost(content: Content) -> None:
    """Somebody whose way ends nowhere."""
    times = with_numbers(content, np.array([0, 1], "<f4"), 5126, "SCALAR")
    places = with_numbers(content, np.array([[0, 0, 0], [0, np.nan, 0]], "<f4"), 5126, "VEC3")
    content["animations"] = [{
        "samplers": [{"input": times, "output": places}],
        "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
    }]  # fmt: skip


def lasting(content: Content, seconds: float) -> None:
    """One joint that goes from here to there, and takes its time."""
    times = with_numbers(content, np.array([0, seconds], "<f4"), 5126, "SCALAR")
    places = with_numbers(content, np.zeros((2, 3), "<f4"), 5126, "VEC3")
    content["animations"] = [{
        "samplers": [{"input": times, "output": places}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
    }]  # fmt: skip


def test_keys_that_a_thousand_channels_share_are_not_held_a_thousand_times(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, posed()), lambda c: animated(c, 100_000, 1000))
    with pytest.raises(InputRefused, match="moves too many joints for too long"):
        read_skeletons(path)


def test_no_more_keys_are_held_than_a_file_may_have(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, posed()), lambda c: animated(c, 100_000, 80))
    (person,) = read_skeletons(path).people
    assert len(person) == 3000


def test_what_stands_above_the_joints_counts_as_the_joints_do(tmp_path: Path) -> None:
    def far_below(content: Content) -> None:
        first = len(content["nodes"])
        content["nodes"] += [{"children": [first + i + 1]} for i in range(599)] + [{"children": [0]}]
        lasting(content, 166.0)

    with pytest.raises(InputRefused, match="moves too many joints for too long"):
        read_skeletons(changed(exported(tmp_path, posed()), far_below))


def with_twins(content: Content, count: int) -> None:
    """Copy the person until there are `count`; one node carries all the copies."""
    nodes, joints = content["nodes"], content["skins"][0]["joints"]
    ours, roots = [dict(nodes[j]) for j in joints], []
    for _ in range(count - 1):
        shift = len(nodes)
        moved = {old: shift + i for i, old in enumerate(joints)}
        nodes += [
            {**node, "children": [moved[c] for c in node["children"]]} if "children" in node else dict(node)
            for node in ours
        ]
        content["skins"].append({"joints": list(moved.values())})
        roots.append(shift)
    nodes.append({"children": roots})


def test_people_share_the_room_for_a_file_s_motion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crowd(content: Content, count: int) -> None:
        with_twins(content, count)
        lasting(content, 1.0)
        content["animations"][0]["channels"][0]["target"]["node"] = len(content["nodes"]) - 1

    monkeypatch.setattr(skeletons, "MAX_CURVE_VALUES", 3 * 31 * 25 * 6)
    assert len(read_skeletons(changed(exported(tmp_path, posed()), lambda c: crowd(c, 4))).people) == 4
    with pytest.raises(InputRefused, match="moves too many joints for too long"):
        read_skeletons(changed(exported(tmp_path, posed()), lambda c: crowd(c, 5)))


@pytest.mark.slow
def test_a_file_of_more_people_than_a_scene_holds_is_refused_before_they_are_fitted(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, posed()), lambda c: with_twins(c, MAX_PEOPLE + 1))
    with pytest.raises(InputRefused, match="holds more than 100 people. Export fewer people"):
        read_skeletons(path)


@pytest.mark.parametrize(
    ("skins", "said"),
    [
        ([{"joints": list(range(MAX_JOINTS + 1))}], "has more than 1000 joints"),
        ([{"joints": [j]} for j in range(1000)], "has more than 1,000 skins"),
        ([{"joints": list(range(MAX_JOINTS))}] * 51, "has more than 50,000 joints in its skins"),
    ],
)
def test_more_than_anybody_is_made_of_is_refused_at_once(
    tmp_path: Path, skins: list[Content], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crowded(content: Content) -> None:
        content["nodes"] += [{} for _ in range(2000)]
        content["skins"] += skins

    monkeypatch.delattr(skeletons, "_bound")
    with pytest.raises(InputRefused, match=said):
        read_skeletons(changed(exported(tmp_path, posed()), crowded))


def test_of_thousands_of_meshes_only_a_few_are_tried_as_what_a_skin_is_bound_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scattered(content: Content) -> None:
        content["nodes"] += [{"skin": 0, "translation": [i, 0, 0]} for i in range(3000)]

    tried, unlike = [], skeletons._unlike
    monkeypatch.setattr(skeletons, "_unlike", lambda *asked: tried.append(1) or unlike(*asked))
    assert len(read_skeletons(changed(exported(tmp_path, posed()), scattered)).people) == 1
    assert 2 < len(tried) < 20


def test_a_buffer_beside_the_file_is_not_read_over_and_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content, buffer = parts(exported(tmp_path, moving(), whole_motion=True))
    (tmp_path / "her.bin").write_bytes(buffer)
    content["buffers"] = [{"uri": "her.bin"} for _ in content["bufferViews"]]
    for number, view in enumerate(content["bufferViews"]):
        view["buffer"] = number
    (tmp_path / "a.gltf").write_text(json.dumps(content))
    assert len(read_skeletons(tmp_path / "a.gltf").people) == 1
    monkeypatch.setattr(gltf_content, "MAX_BYTES", len(buffer) + 1000)
    with pytest.raises(InputRefused, match="has buffers of more than"):
        read_skeletons(tmp_path / "a.gltf")


@pytest.mark.parametrize(
    "uri", ["..", "%2e%2e/her.bin", "in/../../her.bin", "in/..", "file:///etc/passwd", "C:\\her.bin", ""]
)
def test_no_buffer_is_read_from_outside_the_folder(tmp_path: Path, uri: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    content, buffer = parts(exported(folder, posed()))
    (tmp_path / "her.bin").write_bytes(buffer)
    content["buffers"][0]["uri"] = uri
    (folder / "a.gltf").write_text(json.dumps(content))
    with pytest.raises(InputRefused, match="asks for a file outside its folder"):
        read_skeletons(folder / "a.gltf")


@pytest.mark.parametrize("version", [0, 1, 3])
def test_another_version_of_gltf_is_refused(tmp_path: Path, version: int) -> None:
    path = exported(tmp_path, posed())
    data = path.read_bytes()
    path.write_bytes(data[:4] + bytes([version]) + data[5:])
    with pytest.raises(InputRefused, match=r"is not a GLB file of glTF 2\.0"):
        read_skeletons(path)


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("sub", "is a folder, not a file"),
        (".", "folder"),
        ("a%00b", "not there"),
        ("her.bin", r"a\.gltf: the file her\.bin that belongs to it is not there\. Keep"),
        ("../her.bin", "asks for a file outside its folder"),
        ("/etc/passwd", "asks for a file outside its folder"),
    ],
)
def test_a_buffer_that_is_no_file_beside_it_is_refused(tmp_path: Path, uri: str, said: str) -> None:
    (tmp_path / "sub").mkdir()
    content, _ = parts(exported(tmp_path, posed()))
    content["buffers"][0]["uri"] = uri
    (tmp_path / "a.gltf").write_text(json.dumps(content))
    with pytest.raises(InputRefused, match=said):
        read_skeletons(tmp_path / "a.gltf")


@pytest.mark.parametrize(
    ("change", "fine"),
    [
        (lambda view, told: view.update(byteStride=64), True),
        (lambda view, told: view.update(byteStride=63), False),
        (lambda view, told: view.update(byteStride=-64), False),
        (lambda view, told: told.update(byteOffset=1), False),
        (lambda view, told: view.update(byteOffset=view.get("byteOffset", 0) + 10**6), False),
        (lambda view, told: told.update(count=0), False),
        (lambda view, told: told.update(count=-1), False),
    ],
)
def test_numbers_lie_within_their_buffer(tmp_path: Path, change: Any, fine: bool) -> None:
    def matrices(content: Content) -> None:
        joints = len(content["skins"][0]["joints"])
        told = content["skins"][0]["inverseBindMatrices"] = with_numbers(
            content, np.tile(np.eye(4, dtype="<f4").ravel(), (joints, 1)), 5126, "MAT4"
        )
        change(content["bufferViews"][-1], content["accessors"][told])

    path = changed(exported(tmp_path, posed()), matrices)
    if fine:
        assert read_skeletons(path).people
    else:
        with pytest.raises(InputRefused, match="not valid glTF"):
            read_skeletons(path)


class Counted(list[int]):
    """Parents, and how often one was asked for."""

    asked = 0

    def __getitem__(self, place: Any) -> Any:
        self.asked += 1
        return super().__getitem__(place)


def stood(places: Iterable[int], parents: Sequence[int]) -> None:
    nodes = StandingNodes([{}] * len(parents), parents, {})
    for place in places:
        nodes.world(place)


@pytest.mark.parametrize("ask", [next_above, with_all_above, stood])
def test_nodes_above_many_joints_are_gone_through_once(ask: Any) -> None:
    chain, joints = 2000, 500
    parents = Counted([-1, *range(chain - 1), *([chain - 1] * joints)])
    ask(range(chain, chain + joints), parents)
    assert parents.asked < 3 * (chain + joints)


def test_the_next_joint_above_is_found_past_nodes_that_are_none() -> None:
    #           0
    #       1       2
    #     3   4     5
    #     6   7
    parents = [-1, 0, 0, 1, 1, 2, 3, 4]
    assert next_above([6, 7, 1, 5], parents) == {6: 1, 7: 1, 1: -1, 5: -1}
    assert next_above([0, 6, 3, 5], parents) == {0: -1, 6: 3, 3: 0, 5: 0}
    assert with_all_above([6, 5], parents) == {6, 3, 1, 0, 5, 2}
    assert with_all_above([], parents) == set()


@pytest.mark.parametrize(("form", "component"), [("i1", 5120), ("u1", 5121), ("<i2", 5122), ("<u2", 5123)])
def test_whole_numbers_are_shares_of_the_largest(form: str, component: int) -> None:
    content: Content = {"buffers": [], "bufferViews": [], "accessors": []}
    least, most = np.iinfo(form).min, np.iinfo(form).max
    told = with_numbers(content, np.array([least, 0, most], form), component, "SCALAR")
    shares = gltf_content.Gltf(Path("a.gltf"), content, b"").numbers(told, "SCALAR")[:, 0]
    assert shares.tolist() == [-1.0 if least < 0 else 0.0, 0.0, 1.0]


@pytest.mark.filterwarnings("error")
def test_keys_that_are_no_numbers_are_refused_by_the_joint_that_they_move(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, posed()), lost)
    joint = parts(path)[0]["nodes"][1]["name"]
    with pytest.raises(InputRefused, match=rf"{joint}: its animation gives a translation that is not a number \(NaN\)"):
        read_skeletons(path)
