"""From evidence to the variables of the model: the natural blanket, roles, and the rules that keep or drop.

`comparing` finds the natural blanket, `roles` says what each variable is to the target, `rules` has the rules by name;
`expected_rule` is the default, which draws `worlds`, computes the `expected` AUC in them, and by `hedging` divides the
variables among the machines of an ensemble.

Belongs here: a rule of selection, and what it needs to weigh variables.
"""
