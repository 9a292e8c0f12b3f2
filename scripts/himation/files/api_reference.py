"""The page of classes and functions that a user of the library calls, from their own docstrings."""

import inspect
import re
from collections.abc import Iterator


def api_reference() -> str:
    """The page in Markdown: the strategy, the functions, then every finder with its parameters and their defaults."""
    import himation
    from himation.estimators import ESTIMATORS, Himation, make_lucas

    functions = [make_lucas, *(getattr(himation, name) for name in ("effect", "network", "bayesian_network"))]
    lines = [
        "# Classes and functions",
        "",
        "All of these are imported from `himation`. The page is written by `make reference`; "
        "[The library](library.md) has examples in order.",
        "",
        *_class(Himation),
        "## Functions",
        "",
    ]
    for function in functions:
        lines += [f"### `{function.__name__}{_plain(inspect.signature(function))}`", "", *_text(function), ""]
    lines += [
        "## Finders",
        "",
        "After `fit`: `blanket_`, `scores_`, `support_`, `kinds_` ([The library](library.md)).",
        "",
    ]
    for made in sorted(ESTIMATORS.values(), key=lambda made: made.__name__.lower()):
        lines += _class(made, level=3)
    return "\n".join(lines).rstrip() + "\n"


def _class(made: type, level: int = 2) -> Iterator[str]:
    yield f"{'#' * level} `{made.__name__}`"
    yield ""
    yield f"```python\n{made.__name__}{_plain(inspect.signature(made))}\n```"
    yield ""
    yield from _text(made)
    yield ""
    own = [name for name, value in vars(made).items() if inspect.isfunction(value) and not name.startswith("_")]
    for name in own:
        text = inspect.getdoc(vars(made)[name])
        if text:
            yield f"- `{name}{_plain(inspect.signature(vars(made)[name]))}` {' '.join(text.split())}"
    yield ""


def _plain(signature: inspect.Signature) -> str:
    """A signature without types and without self."""
    kept = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in signature.parameters.items()
        if name != "self"
    ]
    return str(inspect.Signature(kept))


def _text(item) -> Iterator[str]:
    """A docstring: headings with a line under them in bold, lists of parameters and examples as they stand."""
    text = inspect.getdoc(item) or ""
    text = re.sub(r"^(.+)\n-{3,}$", r"**\1**\n", text, flags=re.MULTILINE)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    code = False
    for line in text.splitlines():
        starts = line.startswith(">>> ")
        if starts and not code:
            yield "```python"
            code = True
        elif code and not line.strip():
            yield "```"
            code = False
        if not code and re.match(r"[\w`, ]+ : ", line):
            name, rest = line.split(" : ", 1)
            yield f"- `{name.strip('`')}`: {rest}"
        else:
            yield line
    if code:
        yield "```"
