"""Scores of a family, a variable with its parents, by which graphs are compared.

Belongs here: one module for each score; `by_name` lists them, with their settings and the tables they can do.
"""
