"""Placements by number: rank, unrank, exactly uniform samples."""
