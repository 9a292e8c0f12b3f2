"""A paragraph on the methods, to paste into a paper, with the works that it cites."""

from himation.report.values import DataSet
from himation.report.words import count, join, number

_STRATEGY = "Brown LE, Tsamardinos I (2008) A strategy for making predictions under manipulation. JMLR W&CP 3:35-52"
_ORDERS = (
    "Friedman N, Koller D (2003) Being Bayesian about network structure. Machine Learning 50:95-125",
    "Kuipers J, Suter P, Moffa G (2022) Efficient sampling and structure learning of Bayesian networks. "
    "Journal of Computational and Graphical Statistics 31:639-650",
)
_PLATT = "Platt J (1999) Probabilistic outputs for support vector machines. Advances in Large Margin Classifiers 61-74"
_MAX_MIN = "Tsamardinos I, Aliferis CF, Statnikov A (2003) Time and sample efficient discovery of Markov blankets and \
direct causal relations. KDD"
_IAMB = "Tsamardinos I, Aliferis CF, Statnikov A (2003) Algorithms for large scale Markov blanket discovery. FLAIRS"
_HITON = "Aliferis CF, Tsamardinos I, Statnikov A (2003) HITON: a novel Markov blanket algorithm. AMIA 21-25"
_PENA = "Peña JM, Nilsson R, Björkegren J, Tegnér J (2007) Towards scalable and data efficient learning of Markov \
boundaries. International Journal of Approximate Reasoning 45:211-232"
_RFE = "Guyon I, Weston J, Barnhill S, Vapnik V (2002) Gene selection for cancer classification using support vector \
machines. Machine Learning 46:389-422"
_FINDERS = {
    **dict.fromkeys(("mmmb", "mmpc"), _MAX_MIN),
    **dict.fromkeys(("hiton", "hiton-mb", "hiton-pc", "si-hiton-pc"), _HITON),
    **dict.fromkeys(("iamb", "inter-iamb"), _IAMB),
    **dict.fromkeys(("pcmb", "kpcmb", "kiamb"), _PENA),
    **dict.fromkeys(("rfe", "rfe-linear"), _RFE),
    "fsmb": _STRATEGY,
}


def methods_text(data: DataSet, run: dict) -> tuple[str, list[str]]:
    """The paragraph, and the works in the order of their first mention."""
    cited: list[str] = []

    def cite(*works: str) -> str:
        numbers = []
        for work in works:
            cited.append(work) if work not in cited else None
            numbers.append(str(cited.index(work) + 1))
        return f" [{', '.join(numbers)}]"

    facts, versions = dict(data.facts), run.get("versions", {})
    tool = f"Himation{' ' + versions['himation'] if 'himation' in versions else ''}"
    parts = [
        f"{facts.get('training examples', 'The')} training examples of {count(data.n_variables, 'variable')} with the "
        f"target {facts.get('target', data.target)} were analysed with {tool}, an implementation of the strategy of "
        f"Brown and Tsamardinos{cite(_STRATEGY)}."
    ]
    if data.methods:
        finders = join([m.id + (cite(_FINDERS[m.id]) if m.id in _FINDERS else "") for m in data.methods])
        parts.append(f"Markov blankets of the target were searched with {finders}.")
    if data.networks and data.networks.chains:
        parts.append(
            f"{count(data.networks.draws, 'network')} around the target were sampled from their posterior by "
            f"{count(data.networks.chains, 'Markov chain')} over causal orders{cite(*_ORDERS)}; the probability of a "
            "role is its share of these networks."
        )
    parts.append(_selection(data))
    parts.append(f"Probabilities were calibrated by a logistic curve{cite(_PLATT)}.")
    if data.outlook:
        parts.append(
            f"The AUC to expect, {number(data.outlook.value, data.outlook.error)} (standard error), was measured on "
            "rows held out from search and fit."
        )
    seed = run.get("configuration", {}).get("seed")
    parts.append(f"All random choices started from seed {seed}." if seed is not None else "")
    return " ".join(part for part in parts if part), cited


def _selection(data: DataSet) -> str:
    was = {
        "none": "Nothing was taken to be manipulated",
        "known": f"{count(data.n_manipulated, 'variable')} were known to be manipulated in the test table",
    }.get(data.manipulation, "What was manipulated in the test table was unknown")
    asked = " and was inferred from its unlabelled rows" if data.asked else ""
    chosen = count(len(data.selected), "variable")
    return f"{was}{asked}; the rule '{data.rule}' selected {chosen}, on which the model was built."
