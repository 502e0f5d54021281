"""Tours by number: rank, unrank, exactly uniform samples, completions of a prefix."""
