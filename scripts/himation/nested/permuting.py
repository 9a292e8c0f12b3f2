"""The same estimate for a table whose labels were permuted: what luck alone finds in a table of this shape."""

from dataclasses import replace

import numpy as np

from himation.independence.overall import goes_with_target
from himation.nested.competing import Fitting
from himation.nested.folds import plan_folds
from himation.nested.natural import expect_natural
from himation.nested.searching import Search, search_fold
from himation.table import Table


def permuted_auc(table: Table, number: int, folds: int, divisions: int, how: Search, fitting: Fitting) -> float:
    """The expected AUC in nature after the permutation of this number."""
    order = np.random.default_rng([how.seed, number]).permutation(table.train.n)
    shuffled = replace(table, target=np.asarray(table.target)[order])
    planned = plan_folds(shuffled.target, how.seed, folds, divisions)
    searched = [search_fold(shuffled, fold, how, fitting) for fold in planned]
    return expect_natural(searched, goes_with_target(shuffled, how.seed)[0].found).here.auc
