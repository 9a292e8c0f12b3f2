"""Names of the region's settings, for options: searches for parents and children (`himation.table_tests` has what is
behind them), what becomes of the outermost variables, and which separating sets are kept (`region`, `separations`)."""

SEARCHES = ("mmpc", "hiton-pc", "si-hiton-pc", "get-pcd")
KEPT, PRUNED, JOINED = "kept", "pruned", "joined"
OUTER_LAYERS = (KEPT, PRUNED, JOINED)
FIRST, WEAKEST = "first", "weakest"
SEPARATING_SETS = (FIRST, WEAKEST)
