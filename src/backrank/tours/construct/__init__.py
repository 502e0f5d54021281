"""Tours of plain boards of any size, assembled from blocks without a search."""
