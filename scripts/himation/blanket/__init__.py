"""Markov-blanket finders that work by tests of conditional independence."""
