"""What networks saw of a person in a photo, in a scene file: its tables."""

from __future__ import annotations

from solver.files.json_forms import Boolean, ListOf, Number, Numbers, Text
from solver.files.json_record import Field, Record, made_as
from solver.photo.sighting import SeenPoint, Sighting

MOST = 1_000  # points

SEEN_POINT = Record(
    "seen_point",
    "One landmark as it was seen, whatever the pose is now.",
    (
        Field("name", Text(200), "What it marks: nose, left_ear, left_shoulder, left_elbow … right_toes."),
        Field("pixel", Numbers(2), "Where it is in the photo, x and y from the top left."),
        Field(
            "confidence",
            Number(0, 1),
            "How sure the networks were that it shows; 1 where the user put it.",
            SeenPoint.confidence,
        ),
        Field("depth", Number(), "How much farther away it is than the middle of the hips, metres.", SeenPoint.depth),
        Field(
            "pixel_spread",
            Number(0),
            "Pixels by which several looks disagreed (standard deviation).",
            None,
            quiet=True,
        ),
        Field("depth_spread", Number(0), "Metres by which their depths disagreed.", None, quiet=True),
    ),
    made_as(SeenPoint),
    keeps=True,
)
SIGHTING = Record(
    "sighting",
    "The landmarks of a person in a photo, and how far several looks at the person disagreed.",
    (
        Field("photo", Text(64), "SHA-256 of the photo's file."),
        Field("points", ListOf(SEEN_POINT, MOST), "The landmarks."),
        Field(
            "decided",
            ListOf(Text(200), MOST),
            "Elbows and knees of arms and legs that somebody flipped in depth: left_elbow … right_knee.",
            (),
            quiet=True,
        ),
        Field(
            "facing_unsure", Boolean(), "Whether some looks took front for back, and nobody decided.", False, quiet=True
        ),
        Field(
            "limbs_apart",
            Number(0),
            "How far close looks disagreed about the median joint of arms and legs, as a share of the person's extent.",
            None,
            quiet=True,
        ),
        Field(
            "looked_over",
            Boolean(),
            "Whether the user has corrected the pose since, or found it right.",
            False,
            quiet=True,
        ),
    ),
    made_as(Sighting),
    keeps=True,
)
