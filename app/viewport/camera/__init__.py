"""Where the view looks from: framing, what it orbits about, moves by commands."""
