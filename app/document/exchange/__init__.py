"""Documents from and to other files: opening, people in a photo, exports."""
