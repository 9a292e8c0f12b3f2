"""Read once every table, list and truth that a configuration names, so that what is wrong shows before long work."""

from himation.errors import UserError
from himation.files.entries import training_places
from himation.table import Table

_FEW = 100  # examples of a simulation that are drawn to see whether it can be


def check_datasets(entries: list[dict], seed: int) -> None:
    """Stop at the first data set with which something is wrong; a simulated training table is drawn once."""
    tables, drawn = training_places(entries), set()
    for entry in entries:
        simulate, table = entry.get("simulate"), tables[entry["id"]]
        if simulate is None or "manipulate" in simulate or table not in drawn:
            check_dataset(entry, seed)
            drawn.add(table)


def check_dataset(entry: dict, seed: int) -> Table | None:
    """The table of a data set, None where it is simulated; what is wrong is said with the data set's name."""
    try:
        return _draw_a_few(entry["simulate"], seed) if "simulate" in entry else _read_all(entry)
    except UserError as error:
        raise UserError(f"data set {entry['id']!r}: {error}") from None


def _read_all(entry: dict) -> Table:
    from himation.files.dataset import Source, manipulated_columns, read_dataset, read_list, read_truth

    keys = ("train", "target", "test", "test_target", "types", "missing", "calibrants", "positive")
    keys += ("knowledge", "environment")
    grid = tuple(entry["grid"]) if "grid" in entry else None
    ignore = tuple(map(str, entry.get("ignore", ())))
    table = read_dataset(Source(**{key: entry.get(key) for key in keys}, grid=grid, ignore=ignore))
    manipulation = entry["manipulation"]
    listed = manipulation if isinstance(manipulation, list) else []
    if isinstance(manipulation, str) and manipulation not in ("none", "unknown"):
        listed = read_list(manipulation)
    manipulated_columns(listed, table)
    if "truth" in entry:
        read_truth(entry["truth"], table.file_columns(), table.target_name)
    return table


def _draw_a_few(simulate: dict, seed: int) -> None:
    """Simulate as the job will, but few examples: what it would refuse is refused here."""
    from himation.files.network_file import open_task
    from himation.simulate.tasks import simulate as draw

    sizes, adult = [min(simulate[key], _FEW) for key in ("train", "test")], None
    if "adult" in simulate:
        from himation.files.adult_table import read_adult

        sizes, adult = [simulate["train"], simulate["test"]], read_adult(simulate["adult"])
    listed = simulate.get("manipulate") or None
    listed = (listed,) if isinstance(listed, str) else listed and tuple(listed)
    version, variables, seed = simulate.get("version", 0), simulate.get("variables"), simulate.get("seed", seed)
    network = open_task(simulate["network"], seed, simulate.get("target"), simulate.get("positive"))
    drawn = draw(network, seed, version, *sizes, variables, listed, adult)
    if simulate["train"] == sizes[0] and len(set(drawn.train.target.tolist())) < 2:
        raise UserError(f"simulate: all {sizes[0]} training examples are of one class; write a larger 'train'")
