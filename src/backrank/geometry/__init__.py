"""Boards, pieces, symmetries, and the rules that answers are checked against."""
