"""Props with keys in scene files and exports: kept as they are, refused with the place, animated as nodes in GLB."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_reader import read_glb

from app.document import edits
from app.document.edits.props import new_prop
from app.document.exchange.export import export_bvh, export_pose_json, export_smpl, placed_props
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, read_scene_text, save_scene, scene_text
from app.services.clock import frames_at
from solver.errors import InputRefused
from solver.kinematics.rotations import from_rotation_vector

SCENE = Path("/scenes/scene.json")
FRAMES = 61
UP = np.array([0.0, 1.0, 0.0])


def looked_at(document: Document, frame: int) -> Document:
    return document.at(frames_at(document, frame / 30.0))


def thrown() -> Document:
    """Somebody with 61 frames and a ball that goes up, turns and comes down; another one stands still."""
    document = edits.set_clip_length("c1", FRAMES)(new_document())
    for kind in ("ball", "box"):
        document = edits.add_prop(new_prop(document, kind))(document)
    document = edits.animate_prop("p1", FRAMES)(document)
    document = edits.move_prop("p1", (0.2, 1.0, 0.1))(looked_at(document, 30))
    document = edits.set_prop_turn("p1", from_rotation_vector(UP * 2.0))(document)
    return looked_at(edits.move_prop("p1", (0.2, -1.0, 0.1))(looked_at(document, 60)), 20)


def as_json(document: Document) -> dict[str, Any]:
    return json.loads(scene_text(document, SCENE.parent))


def read(value: dict[str, Any]) -> Document:
    return read_scene_text(json.dumps(value), SCENE)


def test_a_scene_comes_back_with_the_keys_and_the_frame_looked_at(tmp_path: Path) -> None:
    document = thrown()
    save_scene(tmp_path / "scene.json", document)
    back = load_scene(tmp_path / "scene.json")
    assert back == document
    assert back.prop("p1").clip == document.prop("p1").clip
    assert back.frames["prop p1"] == 20
    assert back.prop("p1").place == pytest.approx(document.prop("p1").place)


def test_a_prop_that_stands_still_is_written_as_before(tmp_path: Path) -> None:
    assert not {"clip", "frame"} & as_json(thrown())["props"][1].keys()


def test_a_scene_of_before_has_props_that_stand_still() -> None:
    value = as_json(thrown())
    for key in ("clip", "frame"):
        del value["props"][0][key]
    prop = read(value).prop("p1")
    assert prop.clip is None
    assert prop.place == pytest.approx(thrown().prop("p1").place)


def test_unknown_values_of_clips_and_keys_are_kept_as_the_prop_is_moved() -> None:
    value = as_json(thrown())
    value["props"][0]["clip"]["loops"] = True
    value["props"][0]["clip"]["keys"][1]["ease"] = "bounce"
    document = edits.move_prop("p1", (0.0, 0.1, 0.0))(looked_at(read(value), 30))
    clip = as_json(document)["props"][0]["clip"]
    assert clip["loops"] is True
    assert [key.get("ease") for key in clip["keys"]] == [None, "bounce", None]


def test_the_keys_say_where_a_prop_is_if_its_place_says_something_else() -> None:
    value = as_json(thrown())
    value["props"][0]["place"] = [9.0, 9.0, 9.0]
    assert read(value).prop("p1").place == pytest.approx(thrown().prop("p1").place)


def _key(frame: int) -> dict[str, Any]:
    return {"frame": frame, "place": [0, 0, 0]}


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        (lambda p: p["clip"].update(keys=[_key(5), _key(5)]), "props[0].clip", "one at each"),
        (lambda p: p["clip"].update(keys=[_key(9), _key(5)]), "props[0].clip", "in the order of their frames"),
        (lambda p: p["clip"].update(keys=[]), "props[0].clip", "at least one key"),
        (lambda p: p["clip"]["keys"][0].update(frame=-1), "props[0].clip.keys[0].frame", ""),
        (lambda p: p["clip"]["keys"][0].update(frame=10**9), "props[0].clip.keys[0].frame", ""),
        (lambda p: p["clip"]["keys"][0].update(place=[float("nan"), 0, 0]), "", ""),
        (lambda p: p["clip"]["keys"][0].update(place=[1e9, 0, 0]), "props[0].clip.keys[0]", ""),
        (lambda p: p["clip"]["keys"][0].update(turn=[0] * 9), "props[0].clip.keys[0].turn", ""),
        (lambda p: p["clip"].update(fps=0), "props[0].clip.fps", ""),
        (lambda p: p.update(frame=FRAMES), "props[0].frame", ""),
    ],
)
def test_impossible_keys_are_refused_with_their_place(
    change: Callable[[dict[str, Any]], object], place: str, reason: str
) -> None:
    value = as_json(thrown())
    change(value["props"][0])
    with pytest.raises(InputRefused) as refused:
        read(value)
    assert place in str(refused.value)
    assert reason in str(refused.value)


def test_keys_of_a_mesh_whose_surface_is_missing_are_refused_as_the_mesh_is() -> None:
    value = as_json(thrown())
    value["props"][0]["kind"] = "mesh"
    with pytest.raises(InputRefused, match="mesh"):
        read(value)


def test_a_glb_file_animates_the_node_of_a_prop_that_moves_and_no_other(tmp_path: Path) -> None:
    document = thrown()
    things = placed_props(document, whole_motion=True)
    (path,) = export_skinned(tmp_path / "x.glb", document.characters, whole_motion=True, things=things)
    file = read_glb(path)
    names = [node["name"] for node in file.content["nodes"]]
    assert len(file.content["animations"]) == 1, "one that plays everything"
    moved = {names[channel["target"]["node"]] for channel in file.content["animations"][0]["channels"]}
    assert moved & {"Ball", "Box"} == {"Ball"}
    for frame in (None, 0, 20, 30, 60):
        matrix = file.locals_at(None if frame is None else frame / 30)[names.index("Ball")]
        prop = document.prop("p1") if frame is None else looked_at(document, frame).prop("p1")
        assert matrix[:3, 3] == pytest.approx(prop.place, abs=1e-5)
        assert matrix[:3, :3] == pytest.approx(prop.turn, abs=1e-4)


def test_a_glb_file_of_the_frame_alone_stands_still_and_so_it_does_where_nothing_moves(tmp_path: Path) -> None:
    document = thrown()
    still = edits.delete_prop_keys("p1", [0, 30, 60])(document)
    for one, whole in ((document, False), (edits.set_clip_length("c1", 1)(still), True)):
        things = placed_props(one, whole)
        (path,) = export_skinned(tmp_path / "x.glb", one.characters, whole_motion=whole, things=things)
        assert "animations" not in read_glb(path).content


def test_the_other_formats_are_as_without_props(tmp_path: Path) -> None:
    document = thrown()
    without = replace(document, props=())
    for name, write in (
        ("x.bvh", lambda path, d: export_bvh(path, d.characters, whole_motion=True)),
        ("x.npz", lambda path, d: export_smpl(path, d.characters, whole_motion=True)),
        ("x.json", lambda path, d: export_pose_json(path, d, whole_motion=True)),
    ):
        files = []
        for each in (document, without):
            write(tmp_path / name, each)
            files.append((tmp_path / name).read_bytes())
        assert files[0] == files[1]
