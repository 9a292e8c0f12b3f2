"""The rules of selection by name; apart from `rules`, so that who only names them does not depend on how they work."""

EXPECTED, HEDGED = "expected", "hedged"
BY_EXPECTATION = (EXPECTED, HEDGED)
RULES = ("natural", "thesis", "parents", "averaged", *BY_EXPECTATION)
DEFAULT = HEDGED
