"""Coarse triangles for pictures in motion."""

from __future__ import annotations

import numpy as np
import pytest

from rendering.scene.coarse import coarse_faces


def ball(n: int = 32) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces of a closed unit ball of rings and poles."""
    theta, phi = np.linspace(0, np.pi, n + 1)[1:-1], np.linspace(0, 2 * np.pi, 2 * n, endpoint=False)
    t, p = np.meshgrid(theta, phi, indexing="ij")
    around = np.stack([np.sin(t) * np.cos(p), np.cos(t), np.sin(t) * np.sin(p)], axis=-1).reshape(-1, 3)
    place = np.arange(len(around)).reshape(t.shape)
    a, b = place[:-1], np.roll(place[:-1], -1, axis=1)
    c, d = place[1:], np.roll(place[1:], -1, axis=1)
    sides = np.concatenate([np.stack(x, axis=-1).reshape(-1, 3) for x in ((a, b, c), (b, d, c))])
    top, bottom = len(around), len(around) + 1
    caps = [(top, place[0, (i + 1) % (2 * n)], place[0, i]) for i in range(2 * n)]
    caps += [(bottom, place[-1, i], place[-1, (i + 1) % (2 * n)]) for i in range(2 * n)]
    return np.concatenate([around, [[0, 1, 0], [0, -1, 0]]]), np.concatenate([sides, caps])


def plain(vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of one joint and no suit."""
    return np.ones((len(vertices), 1)), np.zeros(len(vertices))


def area_and_volume(vertices: np.ndarray, faces: np.ndarray) -> tuple[float, float]:
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    cross = np.cross(b - a, c - a)
    return float(np.linalg.norm(cross, axis=1).sum() / 2), float((a * cross).sum() / 6)


@pytest.mark.parametrize("share", [0.5, 0.25])
def test_a_share_of_the_triangles_keeps_the_form(share: float) -> None:
    vertices, faces = ball()
    coarse = coarse_faces(vertices, faces, *plain(vertices), share=share)
    assert len(coarse) == pytest.approx(share * len(faces), rel=0.02)
    fine = area_and_volume(vertices, faces)
    assert area_and_volume(vertices, coarse) == pytest.approx(fine, rel=0.02)


def test_a_closed_surface_stays_closed() -> None:
    vertices, faces = ball()
    coarse = coarse_faces(vertices, faces, *plain(vertices))
    edges = np.sort(np.concatenate([coarse[:, [0, 1]], coarse[:, [1, 2]], coarse[:, [2, 0]]]), axis=1)
    _, times = np.unique(edges, axis=0, return_counts=True)
    assert (times % 2 == 0).all()


@pytest.mark.slow
def test_triangles_do_not_grow_across_the_border_of_the_suit() -> None:
    vertices, faces = ball()
    weights, bare = plain(vertices)
    suit = (vertices[:, 1] > 0.5).astype(float)

    def area_across(coarse: np.ndarray) -> float:
        return area_and_volume(vertices, coarse[np.ptp(suit[coarse], axis=1) > 0])[0]

    heeding, blind = (area_across(coarse_faces(vertices, faces, weights, s)) for s in (suit, bare))
    assert heeding < 0.75 * blind


def test_the_embedded_body_has_coarse_triangles() -> None:
    from app.viewport.coarse_body import coarse_of
    from solver.body.embedded_body import EmbeddedBody

    body = EmbeddedBody()
    coarse = coarse_of(body.faces)
    assert coarse is not None
    assert coarse.min() >= 0
    assert coarse.max() < len(body.weights)
    assert 0.2 < len(coarse) / len(body.faces) < 0.3
    assert coarse_of(body.faces) is coarse, "the same object, so that it is uploaded once"


def test_a_body_of_other_triangles_has_none() -> None:
    from app.viewport.coarse_body import coarse_of

    assert coarse_of(np.array([[0, 1, 2]], dtype=np.int32)) is None
