"""From raw numbers to the typed `Table` that every later step sees: types, missing values, order, noise, target codes.

Belongs here: whatever changes or checks data before the first method looks at them. Reading files is in `files`.
"""
