"""Count placements: by column sets, by rows, and up to symmetry."""
