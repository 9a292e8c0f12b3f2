"""Problems with a known truth: networks, gene expression, molecules, people, probes, and problems at random.

Belongs here: a simulator, which gives tables and the graph behind them; `tasks` lists those of the challenge by name.
"""
