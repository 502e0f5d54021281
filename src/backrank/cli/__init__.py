"""The command line: it parses, calls the library and prints, nothing else."""
