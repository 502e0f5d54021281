"""`backrank watch`: a search in the terminal."""
