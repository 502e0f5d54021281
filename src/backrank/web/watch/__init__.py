"""Searches that the page watches: moments, windows of events, kept runs."""
