"""Coefficients of `mark_shifts`, in millimetres: by part, rows for the axes x (outwards), y and z of its frame.

Columns: 1, the bone's x, y and z, the view's x, y and z, and the view's xx, xy, xz, yy and yz. Measured on renderings:
`python -m scripts.photo.mark_shift_study`.
"""

SHIFTS_MM: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "shoulder": (
        (-8, 10, -10, -7, -1, 1, -3, -9, -8, 1, -16, 4),
        (-7, 5, 4, 3, 0, -10, -1, 15, 22, 2, 16, 6),
        (0, 8, 4, 7, 0, 3, 11, 5, -15, -13, 2, -7),
    ),
    "elbow": (
        (12, 6, 2, 3, -10, 1, 14, -26, 5, -1, -8, -5),
        (-1, 1, 0, -4, 4, 6, 1, -1, 9, 3, 0, 2),
        (2, -2, 1, 1, 9, -3, 4, 5, -2, 16, -1, -5),
    ),
    "hip": (
        (-2, -4, 1, 6, 3, 0, 1, 4, -5, -16, -9, -6),
        (10, -5, 10, 22, 3, -23, 1, -2, 18, 5, 5, 8),
        (-9, 3, 2, 11, 0, 8, 20, 6, -3, -22, -24, 0),
    ),
    "knee": (
        (2, 2, 3, -1, 5, 6, 0, -1, 0, -1, 1, -1),
        (4, -2, 2, -7, 5, -10, -14, -5, 6, 9, -5, 18),
        (1, 1, 9, 1, 1, -14, 5, 14, 9, -5, 4, 4),
    ),
}
