"""Dialogs, questions and messages."""
