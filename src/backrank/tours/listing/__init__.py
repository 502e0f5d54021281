"""List tours in the order of their squares: the textbook search, pruned, and from any tour on."""
