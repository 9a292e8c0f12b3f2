"""The page that shows what was found and why: `collect` reads, `words` says, `figures` draws, `page` puts together."""
