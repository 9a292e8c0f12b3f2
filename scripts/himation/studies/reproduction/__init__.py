"""Belongs here: which tables the papers have, how our figures compare with theirs, and the pages that show it."""
