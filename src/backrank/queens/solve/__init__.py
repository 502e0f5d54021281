"""Find one placement: by formula, by completion of a partial placement, by local search."""
