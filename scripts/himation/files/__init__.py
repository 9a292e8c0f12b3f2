"""The one corner of the library that knows of files: reading what users bring, keeping what steps hand on."""
