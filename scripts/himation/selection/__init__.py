"""From evidence to the variables of the model: the natural blanket, roles, and the rules that keep or drop.

`comparing` finds the natural blanket, `roles` says what each variable is to the target, `rules` has the rules by name;
`expected_rule` is the default, which draws `worlds` and computes the `expected` AUC in them.

Belongs here: a rule of selection, and what it needs to weigh variables.
"""
