"""Upside down: standing on the hands, the head and the shoulders, and on the way over."""

from __future__ import annotations

from scripts.starting_poses.record import FLOOR, Held, both, flat, foot, hand, hips, pose, right_hand, spot

TUMBLE = "Tumbling"


def near(held: Held, loose: float = 0.3) -> Held:
    """A part that need only be near its place: what is borne goes where the hands that bear it let it."""
    return held._replace(loose=loose)


POSES = (
    pose("Handstand", TUMBLE, "upside down inverted gymnastics balance", fingers="flat", head=(140, 0, 0),
         chest=(172, 0, 0), tilt=180, solver="dls",
         solid=0.004,
         hips=near(hips(0, 1.02, -0.02, 182)), **both("hand", hand(0.20, FLOOR, 0.08, "ahead", "down", free=0.03)),
         **both("foot", near(foot(0.05, 1.80, -0.04, 240), 0.5))),
    pose("Headstand", TUMBLE, "upside down inverted yoga balance tripod", fingers="flat", head=(176, 0, 0),
         chest=(178, 0, 0),
         solid=0.004, hips=near(hips(0, 0.76, -0.01, 180), 0.3), head_at=spot(0, FLOOR, 0.05, 0.0),
         **both("hand", hand(0.22, FLOOR, -0.15, "ahead", "down", free=0.08)),
         **both("elbow", spot(0.25, 0.29, -0.25, 0.2)),
         **both("foot", near(foot(0.05, 1.62, -0.01, 240), 0.4))),
    pose("Cartwheel", TUMBLE, "upside down inverted gymnastics split", fingers="flat", chest=(176, 0, -8),
         head=(146, 0, -4), tilt=180, solver="dls",
         hips=near(hips(0.04, 1.05, -0.02, 180, 0, -10)),
         left_hand=hand(0.26, FLOOR, 0.08, "ahead", "down", free=0.06),
         right_hand=right_hand(-0.22, FLOOR, 0.08, "ahead", "down", free=0.06),
         left_foot=near(foot(0.74, 1.50, -0.06, 230, 0, 60)), right_foot=near(foot(-0.60, 1.66, 0.06, 230, 0, -50))),
    pose("Bridge", TUMBLE, "backbend arch wheel yoga gymnastics", fingers="flat", head=(-176, 0, 0), chest=(-134, 0, 0),
         tilt=-90, solver="dls",
         solid=0.008, hips=near(hips(0, 0.62, 0, -84)), **both("foot", flat(0.13, 0.38, 6)),
         **both("knee", spot(0.15, 0.46, 0.42, 0.3)),
         **both("hand", hand(0.22, FLOOR, -0.44, "ahead", "down", free=0.06))),
    pose("Shoulder stand", TUMBLE, "upside down inverted yoga candle", fingers="flat", head=(-84, 0, 0),
         chest=(-150, 0, 0), tilt=-180, solver="dls",
         hips=near(hips(0, 0.56, 0.02, -174)), **both("shoulder", spot(0.17, FLOOR, -0.06, 0.1)),
         head_at=spot(0, FLOOR, -0.20, 0.1), **both("hand", hand(0.13, 0.25, 0.13, "up right", "back")),
         **both("elbow", spot(0.22, FLOOR, 0.14, 0.05)), **both("foot", near(foot(0.05, 1.50, -0.03, -120)))),
    pose("Forward roll", TUMBLE, "upside down somersault gymnastics tuck", fingers="flat", head=(270, 0, 0),
         chest=(208, 0, 0), tilt=120, solver="dls",
         hips=near(hips(0, 0.68, 0, 150), 0.1), head_at=spot(0, FLOOR, 0.06, 0.1),
         **both("hand", hand(0.28, FLOOR, -0.02, "ahead", "down")), **both("elbow", spot(0.32, 0.24, -0.12, 0.3)),
         **both("knee", spot(0.14, 0.48, -0.36, 0.2)),
         **both("foot", near(foot(0.09, 0.80, -0.50, 200), 0.1))),
)  # fmt: skip
