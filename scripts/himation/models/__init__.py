"""The kinds of model, and everything between selected variables and a fitted model that can predict.

`kinds` lists the kinds by name, `building` fits, measures and calibrates one, `encoding` reads new tables for it.

Belongs here: a classifier, or what is done to its inputs and outputs. One trained SVM as plain arrays is
`himation.svm`.
"""
