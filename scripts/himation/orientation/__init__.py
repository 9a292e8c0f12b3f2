"""The region around the target, and the directions of its edges.

`region` finds the skeleton, `ges` and `hill_climbing` search for the best graph by one of `scores`, `averaging` does so
under many settings and says how often each edge goes which way; `structures` has the algorithms of chapter IV.

Belongs here: searches for structure, and operations on what they find. A score goes to `scores`.
"""
