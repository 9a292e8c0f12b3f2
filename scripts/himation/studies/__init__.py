"""What shows how well the product does, and is no part of it: a user's table is treated without this folder.

Belongs here: problems with a known truth, published experiments run again, the challenge of 2008. The names of these
that a configuration may write are in `task_names` and `rerun_list`; a test lists the few files that reach in here.
"""
