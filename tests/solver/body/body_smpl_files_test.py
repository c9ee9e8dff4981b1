"""A user's official files: every kind is folded to 24 joints, and no pickle runs anything."""

from __future__ import annotations

import os
import pickle
import sys
import types
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from body_samples import official

from solver.body.body import BodyShape
from solver.body.catalog import load_body, official_body_id
from solver.body.embedded_body import BODY_FOLDER
from solver.body.pickles.safe_pickle import load_pickled_arrays
from solver.body.smpl_files import SmplBody
from solver.errors import InputRefused, PoserError

pytest.importorskip("smplx")
OURS = load_body("anny")
SHAPE = BodyShape(np.linspace(-1, 1, 10), "neutral")


@pytest.mark.parametrize("kind", ["SMPL", "SMPLH", "SMPLX"])
def test_all_three_kinds_come_in_as_the_same_24_joints(kind: str, tmp_path: Path) -> None:
    np.savez(tmp_path / f"{kind}_NEUTRAL.npz", **official(kind))  # type: ignore[arg-type]
    body = load_body(official_body_id(tmp_path))
    ours = OURS.skeleton(SHAPE).rest_positions
    assert np.abs(body.skeleton(SHAPE).rest_positions - ours).max() < 1e-5
    assert np.abs(body.vertices(SHAPE) - OURS.vertices(SHAPE)).max() < 1e-5
    assert np.abs(body.weights - OURS.weights).max() < 1e-5
    assert len(body.component_names) == 10
    assert body.id == official_body_id(tmp_path)


@pytest.mark.parametrize(("kind", "joints"), [("SMPL", 24), ("SMPLH", 54), ("SMPLX", 57)])
def test_a_file_gives_all_the_joints_it_has_behind_the_24(kind: str, joints: int, tmp_path: Path) -> None:
    np.savez(tmp_path / f"{kind}_NEUTRAL.npz", **official(kind))  # type: ignore[arg-type]
    body, ours = load_body(official_body_id(tmp_path)), OURS.whole_rig(SHAPE)
    whole = body.whole_rig(SHAPE)
    assert len(whole) == joints
    assert whole.names[:24] == OURS.rig(SHAPE).names
    for j, name in enumerate(whole.names):
        assert np.abs(whole.rest_positions[j] - ours.rest_positions[ours.index(name)]).max() < 1e-5
        assert whole.parents[j] < 0 or whole.names[whole.parents[j]] == ours.names[ours.parents[ours.index(name)]]
    weights = body.whole_weights
    assert weights.shape == (len(OURS.weights), joints)
    assert np.abs(weights.sum(axis=1) - 1.0).max() < 1e-5
    assert body.whole_rig(SHAPE) is whole


def test_a_gender_that_the_folder_lacks_is_refused_with_those_it_has(tmp_path: Path) -> None:
    np.savez(tmp_path / "SMPL_MALE.npz", **official("SMPL"))  # type: ignore[arg-type]
    body = SmplBody(tmp_path)
    assert body.genders == ("male",)
    with pytest.raises(InputRefused, match="no female body here. Choose male"):
        body.skeleton(BodyShape(gender="female"))


def test_an_empty_folder_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="basicmodel"):
        SmplBody(tmp_path)
    with pytest.raises(InputRefused, match="no such folder"):
        SmplBody(tmp_path / "nowhere")


def test_without_the_library_its_licence_condition_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "smplx.lbs", None)
    with pytest.raises(PoserError, match="non-commercial"):
        SmplBody(tmp_path)


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        (lambda a: a.pop("weights"), "weights"),
        (lambda a: a.update(J_regressor=a["J_regressor"][:, :100]), "J_regressor"),
        (lambda a: a.update(v_template=a["v_template"] * np.nan), "v_template"),
        (lambda a: a.update(f=a["f"] + 1), "f"),
        (lambda a: a.update(weights=a["weights"][:, :20]), "weights"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_is_refused_with_its_name_and_the_array(damage, place: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    arrays = official("SMPL")
    damage(arrays)
    np.savez(tmp_path / "SMPL_NEUTRAL.npz", **arrays)
    with pytest.raises(InputRefused, match=f"SMPL_NEUTRAL.npz, {place}:"):
        SmplBody(tmp_path).skeleton(BodyShape())


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "SMPL_NEUTRAL.npz").write_bytes((BODY_FOLDER / "neutral.npz").read_bytes()[:5000])
    with pytest.raises(InputRefused, match="cannot be read"):
        SmplBody(tmp_path).skeleton(BodyShape())


def chumpy_like(monkeypatch: pytest.MonkeyPatch) -> type:
    """A class that pickles under chumpy's name, as the arrays of the official files do."""
    module = types.ModuleType("chumpy.ch")
    Ch = type("Ch", (), {"__module__": "chumpy.ch", "__init__": lambda self, x: self.__dict__.update(x=x)})
    module.Ch = Ch  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "chumpy", types.ModuleType("chumpy"))
    monkeypatch.setitem(sys.modules, "chumpy.ch", module)
    return Ch


@pytest.mark.sweep
@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_a_pickle_of_arrays_is_read(protocol: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Ch = chumpy_like(monkeypatch)
    arrays: dict[str, object] = dict(official("SMPL"))
    plain = {k: np.asarray(v) for k, v in arrays.items()}
    arrays["J_regressor"] = scipy.sparse.csc_matrix(plain["J_regressor"])
    arrays["shapedirs"] = Ch(plain["shapedirs"])
    arrays["bs_style"] = "lbs"
    path = tmp_path / "basicmodel_neutral_lbs_10_207_0_v1.0.0.pkl"
    path.write_bytes(pickle.dumps(arrays, protocol=protocol))
    body = SmplBody(tmp_path)
    assert np.abs(body.vertices(SHAPE) - OURS.vertices(SHAPE)).max() < 1e-5


class Runs:
    """A pickle of this runs a command when it is loaded freely."""

    def __reduce__(self) -> tuple:
        return os.system, ("touch should-not-exist",)


@pytest.mark.parametrize("wrap", [lambda e: e, lambda e: {"v_template": e}, lambda e: {"a": [np.zeros(3), {"b": e}]}])
def test_a_pickle_that_tries_to_run_something_is_refused_and_runs_nothing(
    wrap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "SMPL_NEUTRAL.pkl"
    path.write_bytes(pickle.dumps(wrap(Runs())))
    with pytest.raises(InputRefused, match=r"asks for .*system.*nothing in it was run"):
        load_pickled_arrays(path)
    assert not (tmp_path / "should-not-exist").exists()


@pytest.mark.parametrize(
    "name", ["builtins\neval", "numpy\nload", "scipy.sparse\nload_npz", "numpy.core.multiarray\nfromfile"]
)
def test_no_other_name_is_let_through(name: str, tmp_path: Path) -> None:
    path = tmp_path / "SMPL_NEUTRAL.pkl"
    path.write_bytes(f"c{name}\n(Vx\ntR.".encode())
    with pytest.raises(InputRefused, match="nothing in it was run"):
        load_pickled_arrays(path)


def test_damage_is_a_refusal_never_a_traceback(tmp_path: Path) -> None:
    whole = pickle.dumps(official("SMPL"))
    path = tmp_path / "SMPL_NEUTRAL.pkl"
    for cut in (0, 1, 10, 200, len(whole) // 2):
        path.write_bytes(whole[:cut])
        with pytest.raises(InputRefused, match="cannot be read"):
            load_pickled_arrays(path)
    path.write_bytes(pickle.dumps([1, 2, 3]))
    with pytest.raises(InputRefused, match="does not hold a body"):
        load_pickled_arrays(path)
