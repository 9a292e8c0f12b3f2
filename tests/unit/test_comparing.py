"""When the reference's blanket is accepted, and when FSMB's variables join it (thesis, V.2.2)."""

from himation.nested.measuring import Estimate
from himation.selection.comparing import Candidate, better, choose


def candidate(name, members, auc=0.8):
    return Candidate(name, members, Estimate(auc, 0.01))


REFERENCE = candidate("mmmb", (0, 1))


def gains(**by_name):
    """The gain of every candidate over the reference, with an error of 0.004."""
    return lambda name, other: Estimate(by_name.get(name, 0.0), 0.004)


def test_better_means_by_more_than_the_noise_of_the_difference():
    assert better(Estimate(0.01, 0.002)) and better(Estimate(0.006, 0.001))
    assert not better(Estimate(0.004, 0.0)) and not better(Estimate(0.03, 0.02)) and not better(Estimate(-0.1, 0.001))


def test_feature_space_joins_only_if_something_was_missed():
    ahead, space = candidate("rfe", (3, 4), 0.9), candidate("fsmb", (1, 5))
    assert choose([REFERENCE, space], "mmmb", gains(), ["fsmb"]).members == (0, 1)
    joined = choose([REFERENCE, ahead, space], "mmmb", gains(rfe=0.1), ["fsmb"])
    assert joined.members == (0, 1, 5) and joined.joined == ("fsmb",)
    assert choose([REFERENCE, ahead], "mmmb", gains(rfe=0.1)).members == (0, 1)


def test_an_empty_reference_is_replaced_by_the_best_set_or_where_all_is_noise_by_the_strongest_variable():
    nothing, everything = candidate("mmmb", (), 0.5), candidate("all variables", (0, 1, 2), 0.6)
    choice = choose([nothing, everything], "mmmb", gains())
    assert choice.members == (0, 1, 2) and "found nothing" in choice.reason
    assert choose([nothing, everything], "mmmb", gains(), strongest=2, anything=False).members == (2,)
