"""Networks around the target from their posterior, and averages over them: the one object that answers rest on.

`networks` draws: `nodes` chooses who takes part, `target` judges how far the labels are a copy, `orders` has the Markov
chain over causal orders. `averages` has the shares of networks that are roles, and the blankets of ensemble members;
`manipulation` asks the test table what was manipulated, by `mechanisms` that it kept or not.

Belongs here: a part of the model of networks, and an average over them.
"""
