"""From the sampled networks and the thesis's evidence to the variables of the model.

`comparing` finds the natural blanket, `roles` says what each variable is to the target, `rules` has the rules by name,
and `worlds` the AUC to expect of what they select.

Belongs here: a rule of selection, and what it needs to weigh variables.
"""
