"""The tests of conditional independence by name; apart from their code so that a script's help starts at once."""

EXAMPLES_PER_DF = 5  # a test of discrete variables with fewer examples for each degree of freedom is not made
TESTS = ("auto", "g2-or-fisherz", "g2", "pearson", "permutation", "fisherz", "mixed")
