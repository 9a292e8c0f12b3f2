"""The rules of selection by name, and defaults of their settings; apart from `rules`, so that who only names them does
not depend on how they work."""

POSTERIOR = "posterior"
RULES = (POSTERIOR, "thesis", "parents", "natural")
DEFAULT = POSTERIOR
LEAST_SHARE = 0.3  # of the networks: a variable that fewer would use is left out
CONSISTENT = 0.9  # share of the graphs that counts as "in every PDAG": all of a few, not all of many resamples
CHILD_P_SCORE = 0.5
MOST_CHILD_TESTS = 0
