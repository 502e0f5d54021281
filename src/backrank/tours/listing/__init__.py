"""List tours in the order of their squares: textbook, pruned, exactly once each, and from any tour on."""
