"""Body files made to do harm: a few bytes that crash the interpreter, fill memory or the stack. All are refused."""

from __future__ import annotations

import pickle
import struct
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

from solver.body.body import BodyShape
from solver.body.pickles.safe_pickle import load_pickled_arrays
from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE

ARRAY = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR"


def refusal(path: Path) -> str:
    with pytest.raises(InputRefused) as caught:
        load_pickled_arrays(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    return str(caught.value)


def written(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "SMPL_NEUTRAL.pkl"
    path.write_bytes(data)
    return path


def dtype(kind: str, state: bytes = b"(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb") -> bytes:
    return b"cnumpy\ndtype\n(S'" + kind.encode() + b"'\nI0\nI1\ntR" + state


def array(kind: str, data: bytes, shape: bytes = b"(I1\nt") -> bytes:
    return b"(dS'v_template'\n" + ARRAY + b"(I1\n" + shape + dtype(kind) + b"I00\n" + data + b"tbs."


def test_an_array_of_objects_made_of_bytes_does_not_become_pointers(tmp_path: Path) -> None:
    crash = array("O8", b"S'AAAAAAAA'\n")  # eight bytes, which would be taken for an object's address
    assert load_pickled_arrays(written(tmp_path, crash)) == {}


@pytest.mark.parametrize("kind", ["O8", "S8", "U2", "V8", "M8", "c16", "f3", "f8,f8"])
def test_arrays_of_anything_but_numbers_are_left_out(kind: str, tmp_path: Path) -> None:
    assert load_pickled_arrays(written(tmp_path, array(kind, b"S'AAAAAAAA'\n"))) == {}


def test_an_array_of_numbers_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, array("f8", b"S'\\x00\\x00\\x00\\x00\\x00\\x00\\xf0?'\n"))
    assert load_pickled_arrays(path)["v_template"].tolist() == [1.0]


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (b"S'AAAA'\n", b"(I1\nt"),
        (b"S'AAAAAAAA'\n", b"(I-1\nt"),
        (b"S'A'\n", b"(I99999999\nI99999999\nt"),
        (b"N", b"(t"),
    ],
)
def test_an_array_whose_bytes_do_not_fill_its_shape_is_refused_with_its_key(
    data: bytes, shape: bytes, tmp_path: Path
) -> None:
    assert "SMPL_NEUTRAL.pkl, v_template: this array is damaged" in refusal(written(tmp_path, array("f8", data, shape)))


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x04Nr\xff\xff\xff\x1f.",  # the memo's place 536,870,911
        b"\x80\x04\x95" + struct.pack("<Q", 1 << 32) + b"N.",  # a frame of 4 GB
        b"\x80\x04\x8e" + struct.pack("<Q", 1 << 32) + b"x.",  # 4 GB of bytes
        b"\x80\x05\x96" + struct.pack("<Q", 1 << 32) + b"x.",  # which can be changed
        b"\x80\x04\x8d" + struct.pack("<Q", 1 << 32) + b"x.",  # text
        b"\x80\x02\x8b" + struct.pack("<i", 0x7FFFFFFF) + b"x.",  # one number of 2 GB
        b"p999999999\n.",
    ],
)
def test_a_few_bytes_that_ask_for_gigabytes_are_refused_before_they_get_them(data: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, data)
    tracemalloc.start()
    try:
        refusal(path)
        assert tracemalloc.get_traced_memory()[1] < 20 * MEBIBYTE
    finally:
        tracemalloc.stop()


def test_millions_of_small_objects_are_refused(tmp_path: Path) -> None:
    assert "absurd number of parts" in refusal(written(tmp_path, b"\x80\x04(" + b"}" * 9_000_000 + b"l."))


def test_a_key_nested_a_hundred_thousand_deep_does_not_overflow_the_stack(tmp_path: Path) -> None:
    data = b"\x80\x04}N" + b"\x85" * 99_000 + b"Ns."
    assert "absurd number of parts" in refusal(written(tmp_path, data))


def test_a_choice_of_itself_is_refused(tmp_path: Path) -> None:
    circle = b"(dS'f'\nccchumpy\nSelect\n(tRp0\n(dS'a'\ng0\nsS'idxs'\nI0\nsbs.".replace(b"cc", b"c", 1)
    assert "choice within choice" in refusal(written(tmp_path, circle))


def test_bytes_that_many_arrays_share_are_unpacked_for_none_that_is_not_wanted(tmp_path: Path) -> None:
    text = b"X" + struct.pack("<I", 5_000_000) + b"a" * 5_000_000 + b"q\x01"
    bytes_of_it = b"c_codecs\nencode\nh\x01X\x06\0\0\0latin1\x86R"
    data = b"\x80\x02" + text + b"0(" + bytes_of_it * 2000 + b"l."
    path = written(tmp_path, data)
    tracemalloc.start()
    try:
        assert "does not hold a body" in refusal(path)
        assert tracemalloc.get_traced_memory()[1] < 60 * MEBIBYTE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "name",
    ["numpy.core.multiarray\n_reconstruct", "numpy\ndtype", "chumpy.ch\nCh", "scipy.sparse.csc\ncsc_matrix",
     "copy_reg\n_reconstructor", "__builtin__\nobject", "_codecs\nencode", "numpy.core.multiarray\nscalar"],
)  # fmt: skip
def test_nothing_that_a_pickle_may_name_can_be_changed_by_it(name: str, tmp_path: Path) -> None:
    class_ = f"c{name}\n".encode()
    for change in (b"(dS'x'\nI1\nsb.", b"(N(dS'__setstate__'\nNstb."):
        refusal(written(tmp_path, class_ + change))
        refusal(written(tmp_path, class_ + b"(tR" + change))
    loaded = load_pickled_arrays(written(tmp_path, pickle.dumps({"f": np.arange(3)}, protocol=2)))
    assert loaded["f"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("form", ["csc", "csr", "coo"])
@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_sparse_matrices_become_the_same_dense_ones(form: str, protocol: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(7, 11)) * (rng.random((7, 11)) < 0.3)
    sparse = getattr(scipy.sparse, f"{form}_matrix")(dense)
    path = written(tmp_path, pickle.dumps({"J_regressor": sparse}, protocol=protocol))
    assert np.array_equal(load_pickled_arrays(path)["J_regressor"], dense)


@pytest.mark.parametrize("damage", ["indptr", "indices", "shape", "huge"])
def test_a_sparse_matrix_that_points_beyond_itself_is_refused(damage: str, tmp_path: Path) -> None:
    sparse = scipy.sparse.csc_matrix(np.eye(4))
    if damage == "indptr":
        sparse.indptr[-1] = 1 << 30
    elif damage == "indices":
        sparse.indices[2] = -9
    elif damage == "shape":
        sparse = scipy.sparse.csc_matrix(np.eye(4, 5))
        sparse.indptr = sparse.indptr[:-1]
    else:
        sparse = scipy.sparse.csc_matrix((1 << 22, 4))
    assert "J_regressor: this array is damaged" in refusal(written(tmp_path, pickle.dumps({"J_regressor": sparse})))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["<f8", ">f4", "<i4", "|u1", "|b1", "<f2"])
@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_arrays_of_every_kind_and_order_come_back_as_they_were(
    kind: str, order: str, protocol: int, tmp_path: Path
) -> None:
    numbers = np.asarray(np.arange(12).reshape(3, 4) % 2, dtype=kind, order=order)
    found = load_pickled_arrays(written(tmp_path, pickle.dumps({"f": numbers}, protocol=protocol)))["f"]
    assert np.array_equal(found, numbers)
    assert found.shape == (3, 4)


@pytest.mark.parametrize("key", ["v_template", "shapedirs", "J_regressor", "weights", "f"])
@pytest.mark.parametrize("suffix", ["npz", "pkl"])
@pytest.mark.parametrize(
    "value",
    [
        np.float32(3), np.zeros((0, 3)), np.array(["a", "b"]), np.zeros(5),
        np.full((8, 3), np.iinfo(np.int64).min),  # whose absolute value is negative
    ],
    ids=["number", "nothing", "text", "row", "least"],
)  # fmt: skip
def test_an_array_that_is_none_is_refused_in_one_line_with_file_and_key(
    key: str, suffix: str, value: np.ndarray, tmp_path: Path
) -> None:
    pytest.importorskip("smplx")
    from solver.body.smpl_files import SmplBody

    count = 8  # a small body: only its shapes are looked at before it is refused
    arrays = {
        "v_template": np.zeros((count, 3)), "shapedirs": np.zeros((count, 3, 10)), "weights": np.zeros((count, 24)),
        "J_regressor": np.zeros((24, count)), "f": np.zeros((2, 3), np.int32), key: np.asarray(value),
    }  # fmt: skip
    path = tmp_path / f"SMPL_NEUTRAL.{suffix}"
    if suffix == "npz":
        np.savez(path, **arrays)
    else:
        path.write_bytes(pickle.dumps(arrays, protocol=2))
    with pytest.raises(InputRefused) as caught:
        SmplBody(tmp_path).skeleton(BodyShape())
    assert str(caught.value).startswith(f"{path}, {key}")
    assert "\n" not in str(caught.value)


def test_the_recursion_limit_is_left_as_it_is(tmp_path: Path) -> None:
    before = sys.getrecursionlimit()
    refusal(written(tmp_path, b"\x80\x04" + b"]" * 50_000 + b"a" * 49_999 + b"."))
    assert sys.getrecursionlimit() == before
