"""Methods that rank or eliminate variables: by kernels, by Markov blanket filtering, by models, by neighbours.

Belongs here: an algorithm whose result is an order of the variables; `cuts` makes sets of orders. How such a method is
called on a table is in `finders`.
"""
