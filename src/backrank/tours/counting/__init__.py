"""Count tours: plans, layers of frontier states in memory and on disk, symmetric tours, classes."""
