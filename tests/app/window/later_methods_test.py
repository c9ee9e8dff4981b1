"""Dataclasses of the window, whose methods are compiled when they are first called, do all that others do."""

from __future__ import annotations

import dataclasses
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from app.window.later_methods import LATER, compiled_when_called

with compiled_when_called():

    @dataclass(frozen=True)
    class Point:
        """A value with a default and one that is made anew for each."""

        name: str
        place: tuple[float, ...] = (0.0, 0.0)
        tags: list[str] = field(default_factory=list, compare=False)

    @dataclass(frozen=True)
    class Named(Point):
        """One that has more, and a text of its own."""

        also: str = ""

        def __repr__(self) -> str:
            return f"<{self.name}>"

    @dataclass
    class Chain:
        """One that can change and may hold itself."""

        next: Chain | None = None


@dataclass
class Usual:
    """One that is made when nothing is put off."""

    name: str


def compiled(kind: type, method: str) -> bool:
    """Whether it runs what dataclasses compiled from a text."""
    return bool(getattr(kind, method).__code__.co_filename == "<string>")


def test_all_methods_but_the_one_that_makes_a_value_wait_to_be_compiled() -> None:
    with compiled_when_called():

        @dataclass(frozen=True)
        class Fresh:
            name: str

    assert compiled(Fresh, "__init__")
    assert not any(compiled(Fresh, method) for method in LATER if method != "__repr__")
    assert compiled(Usual, "__init__")
    assert compiled(Usual, "__eq__")
    assert not hasattr(dataclasses, "exec")


def test_values_are_compared_hashed_and_shown_as_ever() -> None:
    one, same, other = Point("a", (1.0, 2.0), ["x"]), Point("a", (1.0, 2.0)), Point("b")
    for _ in range(2):  # at the first call and later
        assert one == same
        assert one != other
        assert one != ("a", (1.0, 2.0))
        assert hash(one) == hash(same)
        assert repr(one) == "Point(name='a', place=(1.0, 2.0), tags=['x'])"
    assert compiled(Point, "__eq__")
    assert compiled(Point, "__hash__")
    assert len({one, same, other}) == 2
    assert replace(one, name="c").place == (1.0, 2.0)
    assert repr(Named("n")) == "<n>"
    assert Named("n") != Point("n")
    assert Named("n", also="m") == Named("n", also="m") != Named("n")


def test_what_is_frozen_stays_frozen() -> None:
    point = Point("a")
    for frozen in (point, Named("n")):
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
            frozen.name = "b"  # type: ignore[misc]
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
            del frozen.name
    assert point.name == "a"


def test_one_that_holds_itself_is_shown_without_end() -> None:
    chain = Chain()
    chain.next = chain
    assert repr(chain).endswith("Chain(next=...)")
    chain.next = None
    assert chain == Chain()
    with pytest.raises(TypeError, match="unhashable"):
        hash(chain)
