"""The command `himation`: from a table to a page, for people who don't want to write a configuration.

Belongs here: what the command asks, says and starts. It writes the same configuration that a user would, and runs the
same workflow on it.
"""
