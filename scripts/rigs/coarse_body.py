"""Make assets/body/coarse.npz: the embedded body's triangles for pictures in motion. Run it when the body changes.

python -m scripts.rigs.coarse_body
"""

from __future__ import annotations

import numpy as np

from app.viewport.coarse_body import FILE, signature
from rendering.scene.coarse import coarse_faces
from scripts.arguments import script_parser
from solver.body.body import BodyShape
from solver.body.embedded_body import EmbeddedBody


def main() -> None:
    """Write the file."""
    script_parser(__file__, __doc__).parse_args()
    body = EmbeddedBody()
    faces = coarse_faces(body.vertices(BodyShape()), body.faces, body.weights, body.suit_mask)
    np.savez_compressed(FILE, faces=faces.astype(np.uint16), of=signature(body.faces))
    print(f"{FILE.name}: {len(faces)} triangles for {len(body.faces)}, {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
