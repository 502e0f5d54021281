"""The frontier dynamic program of counts, ranks and estimates: vertex orders, transitions, states, plain reference."""
