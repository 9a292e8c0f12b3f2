"""The one corner of the library that knows of files: reading what users bring, keeping what steps hand on.

Belongs here: whatever opens a path, and what the workflow has to know before a job starts.
"""
