"""What fresh rows would give: every step that looks at labels is repeated without the rows that it is measured on.

`folds` divides the rows, `searching` repeats finders and networks on the others, `competing` fits what competes in
nature, `measuring` makes an AUC with its error of held-out values. `natural` puts these together where nothing was
manipulated; otherwise `manipulated` does, and `moving` changes the rows held out as a network says. `permuting` repeats
all with permuted labels, `telling` says what was done, `options` and `search_options` read it from a command.

Belongs here: a part of the estimate that the page gives.
"""
