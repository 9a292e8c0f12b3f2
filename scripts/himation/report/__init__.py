"""The page that shows what was found and why: `collect` reads, `words` says, `figures` draws, `page` puts together.

Belongs here: whatever a reader of the page sees. `values` stands between: all that is shown, as plain values.
"""
