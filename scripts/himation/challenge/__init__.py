"""The challenge of 2008: its tasks and their sizes, its scores, its scoreboard and the format of a submission.

Belongs here: whatever follows from its rules. Its tasks are drawn in `simulate`; its files are read in `files`.
"""
