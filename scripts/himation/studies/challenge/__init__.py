"""The challenge of 2008: its files, its scoreboard and the format of a submission.

Belongs here: whatever follows from its rules. Its tasks are drawn in `simulate`.
"""
