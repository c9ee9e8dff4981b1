"""Motions and what lies between keys."""
