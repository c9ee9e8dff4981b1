"""The panel of poses: what the library holds, in pictures, and taking poses from it and putting them in."""
