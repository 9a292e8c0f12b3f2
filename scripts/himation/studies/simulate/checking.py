"""See whether a simulation that a configuration asks for can be drawn, from a few of its examples."""

from himation.errors import UserError
from himation.studies.simulate.network_files import open_task
from himation.studies.simulate.tasks import simulate as draw

_FEW = 100


def draw_a_few(simulate: dict, seed: int) -> None:
    """Simulate as the job will, but few examples: what it would refuse is refused here."""
    sizes, adult = [min(simulate[key], _FEW) for key in ("train", "test")], None
    if "adult" in simulate:
        from himation.studies.simulate.adult_table import read_adult

        sizes, adult = [simulate["train"], simulate["test"]], read_adult(simulate["adult"])
    listed = simulate.get("manipulate") or None
    listed = (listed,) if isinstance(listed, str) else listed and tuple(listed)
    version, variables, seed = simulate.get("version", 0), simulate.get("variables"), simulate.get("seed", seed)
    network = open_task(simulate["network"], seed, simulate.get("target"), simulate.get("positive"))
    drawn = draw(network, seed, version, *sizes, variables, listed, adult)
    if simulate["train"] == sizes[0] and len(set(drawn.train.target.tolist())) < 2:
        raise UserError(f"simulate: all {sizes[0]} training examples are of one class; write a larger 'train'")
