"""Count published values again, each by algorithms that share no code."""
