"""Find one tour: path covers and rotations, narrow boards column by column, exhaustive proofs."""
