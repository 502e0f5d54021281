"""Tours of plain boards of any size, assembled from blocks; rotation-extension, which finds tours of small blocks."""
