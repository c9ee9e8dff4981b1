"""Files read with care and written completely or not at all; JSON checked and laid out."""
