"""Read once every table, list and truth that a configuration names, so that what is wrong shows before long work."""

from himation.errors import UserError
from himation.files.entries import SOURCE, training_places
from himation.table import Table


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
        if "simulate" not in entry:
            return _read_all(entry)
        from himation.studies.simulate.network_files import draw_a_few

        return draw_a_few(entry["simulate"], seed)
    except UserError as error:
        raise UserError(f"data set {entry['id']!r}: {error}") from None


def _read_all(entry: dict) -> Table:
    from himation.files.dataset import Source, manipulated_columns, read_dataset, read_list, read_truth

    table = read_dataset(Source(**{key: entry[key] for key in SOURCE if key in entry}))
    manipulation = entry["manipulation"]
    listed = manipulation if isinstance(manipulation, list) else []
    if isinstance(manipulation, str) and manipulation not in ("none", "unknown"):
        listed = read_list(manipulation)
    manipulated_columns(listed, table)
    if "truth" in entry:
        read_truth(entry["truth"], table.file_columns(), table.target_name)
    return table
