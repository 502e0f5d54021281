"""Queens row by row: textbook, bit masks and kernels that counting and listing share; how large a search will be."""
