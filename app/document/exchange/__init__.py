"""Documents to and from other files: opening, people in a photo, exports."""
