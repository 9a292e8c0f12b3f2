"""The tests of conditional independence by name; apart from their code so that a script's help starts at once."""

TESTS = ("auto", "g2", "pearson", "permutation", "fisherz", "mixed")
