"""Placeholder of the report command until the page exists."""
