"""Bodies made from the embedded adult: the same triangles, weights and joints, at other places."""
