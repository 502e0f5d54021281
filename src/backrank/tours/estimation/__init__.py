"""Estimate the number of tours: random probes, and sequential Monte Carlo over frontier states."""
