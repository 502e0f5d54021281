"""The algorithms that the arena compares, by discipline."""
