"""Published counts with their sources, and their reader."""
