"""Counts in the background and their history."""
