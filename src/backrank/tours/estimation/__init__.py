"""Estimate the number of tours: sequential Monte Carlo over frontier states."""
