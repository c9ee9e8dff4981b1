"""The panel of poses: what the library holds, in pictures, taking poses from it and adding poses to it."""
