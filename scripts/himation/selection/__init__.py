"""From the sampled networks and the thesis's evidence to the variables of the model.

`comparing` finds the natural blanket, `evidence` has what the thesis's rule goes by, `rules` the rules by name and the
roles that are reported.

Belongs here: a rule of selection, and what it needs to weigh variables.
"""
