"""From the words of a command to an entry of the configuration."""

import re
from pathlib import Path

from himation.errors import UserError

_ADVICE = re.compile(r"\b(by|as|or|say) (ignore|positive): (\[[^\]]*\]|'[^']*'|[\w.]+)")
_LEFT = "-"  # what stands for characters that an id can't have


def dataset_entry(args) -> dict:
    """The data set that the options describe, as config.yaml would have it; paths are made absolute."""
    entry = {"id": args.name or id_from(args.table), "train": _path(args.table)}
    entry["target"] = _path(args.target) if Path(args.target).is_file() else args.target
    for key in ("test", "test_target", "truth"):
        if getattr(args, key, None):
            entry[key] = _path(getattr(args, key))
    if args.types != "auto":
        entry["types"] = _path(args.types) if Path(args.types).is_file() else args.types
    entry["missing"] = args.missing
    if args.ignore:
        entry["ignore"] = [word for text in args.ignore for word in _words(text)]
    if args.positive is not None:
        entry["positive"] = args.positive
    if args.manipulation is not None:
        entry["manipulation"] = manipulation_from(args.manipulation)
    return entry


def manipulation_from(text: str):
    """none or unknown, the path of a list, or names with commas between them."""
    if text in ("none", "unknown"):
        return text
    return _path(text) if Path(text).is_file() else _words(text)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _path(text) -> str:
    return str(Path(text).resolve())


def as_options(text: str) -> str:
    """Advice for a configuration as advice for the command.

    >>> as_options("leave it out by ignore: [date, visit]"), as_options("cut it, such as positive: '> median'")
    ('leave it out by --ignore date,visit', "cut it, such as --positive '> median'")
    """

    def option(found) -> str:
        before, key, value = found.groups()
        if value.startswith("["):
            value = ",".join(word.strip() for word in value[1:-1].split(","))
            value = f"'{value}'" if " " in value else value
        return f"{before} --{key} {value}"

    return _ADVICE.sub(option, text)


def id_from(path) -> str:
    """A name for the results from that of a file.

    >>> id_from("data/My Table (2).csv.gz"), id_from("_.csv")
    ('my-table-2', 'table')
    """
    stem = Path(path).name.removesuffix(".gz").rsplit(".", 1)[0]
    name = re.sub(r"[^a-z0-9_]+", _LEFT, stem.lower()).strip(_LEFT + "_")[:40]
    return f"table-{name}" if name in ("logs", "benchmarks", "reruns") else name or "table"


def configuration(entry: dict, seed: int | None) -> dict:
    """All that differs from the configuration as it is shipped."""
    return {**({} if seed is None else {"seed": seed}), "datasets": [entry]}


def quick_settings(project: Path) -> dict:
    """What the preset for a first look sets beside its data sets."""
    from himation.files.config_file import read_config_file

    preset = read_config_file(project / "workflow/presets/quick.yaml")
    return {key: value for key, value in preset.items() if key not in ("datasets", "folder")}


def checked(given: dict, project: Path) -> dict:
    """The resolved configuration, or one clear line of what is wrong with it."""
    from himation.files.config_file import laid_over, read_config_file
    from himation.files.configuration import load_schema, resolve_configuration
    from himation.files.needs import refuse_what_cannot_fit

    if not Path(given["datasets"][0]["train"]).is_file():
        raise UserError(f"{given['datasets'][0]['train']}: no such file")
    schema = load_schema(project / "workflow/schemas/config.schema.yaml")
    config = resolve_configuration(laid_over(read_config_file(project / "config.yaml"), given), schema, [Path.cwd()])
    refuse_what_cannot_fit(config)
    return config
