"""Markov-blanket finders that work by tests of conditional independence.

Belongs here: an algorithm that asks a test object and nothing else, so that it also runs on an `Oracle`. How it is
called on a table is in `finders`.
"""
