"""Queens row by row: the textbook search, bit masks, and the compiled search that counting and listing share."""
