"""Is an edge causal, or due to a hidden cause? The Y-test, the Y-structure, and what they say of each edge.

Belongs here: evidence about hidden causes, from tests of independence around an edge.
"""
