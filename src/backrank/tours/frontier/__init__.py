"""The frontier dynamic program that counting, ranking and estimation share: vertex orders, transitions, states."""
