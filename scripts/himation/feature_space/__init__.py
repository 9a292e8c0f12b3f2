"""Inside a polynomial SVM: products of variables, their weights, the search for the heaviest, and FSMB built on it.

Belongs here: whatever treats products of variables as features (thesis, chapters II and III).
"""
