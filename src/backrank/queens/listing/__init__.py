"""List placements in lexicographic order, one by one or as arrays."""
