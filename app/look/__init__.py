"""How the window looks and speaks: colours, icons, style sheet, wording."""
