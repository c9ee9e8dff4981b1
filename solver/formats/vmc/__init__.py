"""The VMC protocol: trackers and bones as OSC messages in UDP packets. docs/vmc.md says what is read and written."""
