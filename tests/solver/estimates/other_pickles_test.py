"""Pickles of other Pythons and of its other dictionaries: read as plain values, and nothing in them is run."""

from __future__ import annotations

import pickle
from collections import OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import InputRefused
from solver.estimates.content import read_content
from solver.estimates.plain_pickle import plain_content

CONTENT: dict[str, Any] = {"poses": np.arange(6.0).reshape(2, 3), "name": "walk", "list": [1, 2.5, None, True]}


@pytest.mark.parametrize("protocol", range(6))
def test_every_protocol_is_read(tmp_path: Path, protocol: int) -> None:
    path = tmp_path / "a.pkl"
    path.write_bytes(pickle.dumps(CONTENT, protocol=protocol))
    found = read_content(path)
    assert np.array_equal(found.pop("poses"), CONTENT["poses"])
    assert found == {name: value for name, value in CONTENT.items() if name != "poses"}


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_dictionaries_of_other_kinds_are_plain_ones(protocol: int) -> None:
    kept: Any = defaultdict(dict)
    kept[0]["pose"] = OrderedDict(a=1, b=[2])
    assert plain_content(pickle.dumps(kept, protocol=protocol), "a.pkl") == {0: {"pose": {"a": 1, "b": [2]}}}


@pytest.mark.parametrize("protocol", [0, 2, 4])
@pytest.mark.parametrize("make", [list, int, float, str])
def test_a_dictionary_may_make_whatever_it_lacks(make: type, protocol: int) -> None:
    kept: Any = defaultdict(make)
    kept["pose"] = [1, 2]
    assert plain_content(pickle.dumps(kept, protocol=protocol), "a.pkl") == {"pose": [1, 2]}


@pytest.mark.parametrize("value", [b"cbuiltins\nlist\n.", b"cbuiltins\nlist\n(tR.", b"cbuiltins\nint\n(S'1'\ntR."])
def test_what_makes_values_is_none_itself(value: bytes) -> None:
    with pytest.raises(InputRefused):
        plain_content(value, "a.pkl")


@pytest.mark.parametrize(
    "hostile",
    [
        b"(dp0\nS'a'\np1\ncos\nsystem\n(S'true'\ntR.",
        b"(dp0\nS'a'\n(S'true'\nios\nsystem\ns.",
        b"(dp0\nS'a'\n(cos\nsystem\nS'true'\nos.",
        b"\x80\x02ccollections\ndefaultdict\ncos\nsystem\n\x85R.",
        b"\x80\x02ccollections\nChainMap\n)R.",
    ],
)
def test_nothing_in_them_is_run(hostile: bytes) -> None:
    with pytest.raises(InputRefused, match="this pickle asks for .*nothing in it was run"):
        plain_content(hostile, "a.pkl")


@pytest.mark.parametrize("damaged", [b"(dp0\nS'a'\nP1\ns.", b"(dp0\nS'a'\n\x82\x01s.", b"(dp0\n", b"]q\x00(K\x01"])
def test_what_is_damaged_is_refused(damaged: bytes) -> None:
    with pytest.raises(InputRefused, match="this pickle cannot be read"):
        plain_content(damaged, "a.pkl")
