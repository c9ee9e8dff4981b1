"""A skeleton of another program as its joints' names, its tree and where its joints are."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]

_LINE = 0.12  # of a figure's length: a rest pose that is no wider is a line, and shows nothing


@dataclass(frozen=True, eq=False)
class ForeignSkeleton:
    """names: they may repeat. parents: parents first, -1 for a root. rest: (J, 3) joints at rest, in any unit.

    poses: (F, J, 3) joints in some frames of its motion, at least one, in the same unit.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    rest: Array
    poses: Array

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The joints' names, numbered where one repeats: "Hips", "Hips (2)"."""
        taken, seen, labels = set(self.names), Counter[str](), list[str]()
        for name in self.names:
            seen[name] += 1
            label = name
            if seen[name] > 1:
                label = next(text for n in count(seen[name]) if (text := f"{name} ({n})") not in taken)
            taken.add(label)
            labels.append(label)
        return tuple(labels)

    @cached_property
    def signature(self) -> str:
        """Equal for skeletons with the same names that hang from each other in the same way, in any order and size."""
        lines = sorted(
            f"{label}\n{self.labels[parent] if parent >= 0 else ''}"
            for label, parent in zip(self.labels, self.parents, strict=True)
        )
        return hashlib.sha256("\n\n".join(lines).encode("utf-8", "replace")).hexdigest()

    @cached_property
    def shown(self) -> Array:
        """(J, 3) a pose in which joints can be told apart: at rest, or the first frame if all bones lie along a line
        there, as in files that keep only their lengths."""
        spread = np.linalg.svd(self.rest - self.rest.mean(axis=0), compute_uv=False)
        return self.rest if len(spread) > 1 and spread[1] > _LINE * spread[0] else self.poses[0]

    def is_below(self, joint: int, above: int) -> bool:
        """Whether a joint hangs from another one, directly or through others."""
        while (joint := self.parents[joint]) >= 0:
            if joint == above:
                return True
        return False

    def index_of(self, label: str) -> int | None:
        """The joint with that label; None if there is none."""
        return self._by_label.get(label)

    @cached_property
    def _by_label(self) -> dict[str, int]:
        return {label: j for j, label in enumerate(self.labels)}
