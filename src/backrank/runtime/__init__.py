"""What every algorithm runs on: budgets, random numbers, memory, files, and how kernels are compiled and cached."""
