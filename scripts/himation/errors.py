"""The one exception that a user is meant to read."""


class UserError(Exception):
    """Something in the input that the user can put right.

    The message is one line: what was found, what is allowed, and what to write instead. Scripts print it and end with
    status 1; any other exception is a fault of ours and leaves its traceback in the log.
    """
