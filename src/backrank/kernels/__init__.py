"""Compiled inner loops: the only place that imports numba. Functions over ints and arrays; they return a status."""
