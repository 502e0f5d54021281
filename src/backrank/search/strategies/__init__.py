"""Strategies of the search engine: the order of rows and moves, by name."""
