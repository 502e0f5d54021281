"""What can be said about a given tour: faults, measures, symmetries."""
