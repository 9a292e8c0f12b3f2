"""From a section of the configuration to the words of a command's options.

Options are lists of words, which the rules' ``{params.options:q}`` quotes one by one: a text of a user is never part of
a shell's command.
"""

from collections.abc import Mapping


def flags(section: Mapping, *keys: str, **renamed: str) -> list[str]:
    """The options for some keys of a section, or all; ``renamed`` maps options to keys of another name.

    What is None or false gives nothing, what is true the option alone. A value that begins with a dash is tied to its
    option, to be taken for a value.

    >>> flags({"alpha": 0.05, "test": "g2", "depth": None}, "alpha", "depth", independence="test")
    ['--alpha', '0.05', '--independence', 'g2']
    >>> flags({"most_rows": 9, "gammas": [], "names": ["a", "-o"], "ask_test": True})
    ['--most-rows', '9', '--gammas', '--names', 'a', '--names=-o', '--ask-test']
    """
    chosen = {**{key: key for key in keys}, **renamed} or {key: key for key in section}
    words = []
    for option, key in chosen.items():
        value = section.get(key)
        if value is None or value is False:
            continue
        flag = "--" + option.replace("_", "-")
        values = [] if value is True else list(map(str, value)) if isinstance(value, list | tuple) else [str(value)]
        plain = [text for text in values if not text.startswith("-")]
        tied = [f"{flag}={text}" for text in values if text.startswith("-")]
        words += ([flag, *plain] if plain or not tied else []) + tied
    return words
