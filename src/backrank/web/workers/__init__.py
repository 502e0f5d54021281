"""Processes that do the work of requests, and the pool that lends them."""
