"""Coefficients of `mark_shifts`, in millimetres: by part, rows for the axes x (outwards), y and z of its frame.

Columns: 1, the bone's x, y and z, the view's x, y and z, and the view's xx, xy, xz, yy and yz. Measured on renderings:
`python -m scripts.mark_shift_study`.
"""

SHIFTS_MM: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "shoulder": (
        (-8, 13, -10, -9, -1, 5, -2, -9, -8, 0, -10, 3),
        (-8, 5, 4, 3, 0, -9, -2, 14, 22, 1, 16, 6),
        (0, 8, 4, 7, 0, 2, 10, 5, -12, -13, 0, -8),
    ),
    "elbow": (
        (12, 5, 2, 4, -11, 2, 14, -26, 5, -1, -7, -5),
        (-1, 1, -1, -3, 4, 6, 1, -1, 7, 3, 0, 3),
        (1, -4, 0, 1, 10, -3, 5, 4, 0, 19, -1, -5),
    ),
    "hip": (
        (-2, -5, 1, 5, 3, 3, 1, 5, -4, -15, -1, -5),
        (11, -1, 9, 22, 3, -23, 1, -3, 16, 6, 4, 11),
        (-9, 1, 2, 11, 0, 12, 21, 4, 0, -21, -17, -1),
    ),
    "knee": (
        (2, 1, 2, -1, 5, 5, 0, -1, 0, 0, 1, 1),
        (4, -2, 1, -4, 3, -12, -15, -2, 5, 10, -6, 19),
        (1, 0, 7, 2, 0, -13, 7, 13, 6, -4, 8, 6),
    ),
}
