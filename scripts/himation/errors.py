"""The one exception that a user is meant to read, and what to write instead of a word that is not known."""

WARNINGS_ALONE = "HIMATION_WARNINGS_ALONE"  # set by the workflow: commands say no more than warnings on the terminal


class UserError(Exception):
    """Something in the input that the user can put right.

    The message is one line: what was found, what is allowed, and what to write instead. Scripts print it and end with
    status 1; any other exception is a fault of ours and leaves its traceback in the log.
    """


def suggestion(word: str, allowed) -> str:
    """The closest of the words that are allowed, or all of them."""
    from difflib import get_close_matches

    close = get_close_matches(word, allowed, n=1)
    return f"did you mean {close[0]!r}?" if close else f"allowed are {', '.join(allowed)}"
