"""Names of the searches for parents and children, for options; `himation.table_tests` has what is behind them."""

SEARCHES = ("mmpc", "hiton-pc", "si-hiton-pc", "get-pcd")
