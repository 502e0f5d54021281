"""Executors for the units of jobs: threads and processes of this machine, and Dask clusters."""
