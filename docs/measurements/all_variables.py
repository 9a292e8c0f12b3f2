"""Why not just use all variables? Himation beside models on all variables, on tables that come with scikit-learn.

Each table is divided into halves at random. In the second half nothing is set, or three variables chosen at random are
set: their values are shuffled over the rows, so that nothing decides them any more. Models learn from the first half
and rank the second (AUC, mean over the divisions, and the standard error of the difference to Himation).

example:
  python docs/measurements/all_variables.py --divisions 10
"""

import argparse

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from himation import Himation

SET = 3  # variables that somebody sets
QUICK = {"chains": 8, "sweeps": 200}


def tables():
    """Name, variables and a target of two classes."""
    cancer, diabetes, wine = (load(as_frame=True) for load in (load_breast_cancer, load_diabetes, load_wine))
    yield "diabetes, above the median", diabetes.data, (diabetes.target > diabetes.target.median()).to_numpy(dtype=int)
    yield "wine, class 1 or not", wine.data, (wine.target == 1).to_numpy(dtype=int)
    yield "breast cancer", cancer.data, cancer.target.to_numpy()


def division(X, y, seed: int, how: str) -> dict[str, float]:
    """The AUC of every model on the second half."""
    A, B, ya, yb = train_test_split(X, y, test_size=0.5, random_state=seed, stratify=y)
    rng = np.random.default_rng(seed)
    chosen = sorted(rng.choice(X.columns, SET, replace=False)) if how != "nothing set" else []
    B = B.assign(**{name: rng.permutation(B[name].to_numpy()) for name in chosen})
    told = {"nothing set": None, "set, told": chosen, "set, unknown": "unknown"}[how]
    linear = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    models = {
        "Himation": Himation(manipulation=told, **QUICK).fit(A, ya, test=B),
        "all, logistic regression": linear.fit(A, ya),
        "all, random forest": RandomForestClassifier(200, random_state=seed).fit(A, ya),
    }
    return {name: roc_auc_score(yb, model.predict_proba(B)[:, 1]) for name, model in models.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--divisions", type=int, default=10)
    args = parser.parse_args()
    for name, X, y in tables():
        for how in ("nothing set", "set, told", "set, unknown"):
            found = [division(X, y, seed, how) for seed in range(args.divisions)]
            ours = np.array([one["Himation"] for one in found])
            shown = [f"Himation {ours.mean():.3f}"]
            for model in list(found[0])[1:]:
                theirs = np.array([one[model] for one in found])
                error = (theirs - ours).std(ddof=1) / len(ours) ** 0.5
                shown.append(f"{model} {theirs.mean():.3f} ({theirs.mean() - ours.mean():+.3f} ± {error:.3f})")
            print(f"{name}; {how}: {'; '.join(shown)}", flush=True)


if __name__ == "__main__":
    main()
