"""Whether a tour exists: theorems, and proofs from forced moves and cut sets."""
