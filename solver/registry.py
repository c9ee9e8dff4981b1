"""Names to implementations, loaded only when asked for: importing the application loads no implementation."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Generic, Protocol, TypeVar

from solver.errors import UnknownName


class Named(Protocol):
    """What a registry holds: an id, and where the implementation is ("package.module:Class")."""

    @property
    def id(self) -> str:
        """The name in the table."""
        ...

    @property
    def target(self) -> str:
        """Where the implementation is."""
        ...


S = TypeVar("S", bound=Named)


class Registry(Generic[S]):
    """An ordered table of specs by id; `load` imports what a spec points to."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._specs: dict[str, S] = {}

    def register(self, spec: S) -> S:
        """Add a spec; raises ValueError when its id is taken."""
        if spec.id in self._specs:
            raise ValueError(f"{self._what} “{spec.id}” is registered twice")
        self._specs[spec.id] = spec
        return spec

    def remove(self, id: str) -> None:
        """Removes a spec; raises UnknownName if there is none."""
        del self._specs[self[id].id]

    def __getitem__(self, id: str) -> S:
        try:
            return self._specs[id]
        except KeyError:
            raise UnknownName(self._what, id, self._specs) from None

    def __iter__(self) -> Iterator[S]:
        return iter(self._specs.values())

    def __contains__(self, id: object) -> bool:
        return id in self._specs

    def load(self, id: str) -> type:
        """The class that the spec names, imported now."""
        module, _, name = self[id].target.partition(":")
        return getattr(import_module(module), name)  # type: ignore[no-any-return]
