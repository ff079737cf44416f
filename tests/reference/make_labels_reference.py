"""Makes what the tests expect of label scores, with scikit-learn from PyPI.

    python3 -m venv ENVIRONMENT && ENVIRONMENT/bin/pip install scikit-learn
    ENVIRONMENT/bin/python tests/reference/make_labels_reference.py

Written is tests/reference/labels.json: random labels and probabilities, ties
among them, with accuracy, precision, recall and F1 over the labels but the
negative one ("micro"), the mean F1 of all labels that occur or are predicted
("macro_f1"), with two labels the area under the ROC curve, and precision,
recall, F1 and support of each label ("each").
"""

import json
import random
from importlib.metadata import version
from pathlib import Path

from sklearn.metrics import (
    accuracy_score,
    f1_score,
    precision_recall_fscore_support,
    roc_auc_score,
)


def probabilities(rng, labels, coarse):
    """Numbers that add up to about 1; coarse ones are often equal."""
    raw = [rng.randint(1, 4) if coarse else rng.random() + 1e-3 for _ in range(labels)]
    return [round(x / sum(raw), 4) for x in raw]


def case(rng, number):
    labels = 2 if number % 2 else rng.randint(2, 6)
    negative = rng.choice([None, 0, labels - 1])
    count = rng.randint(1, 40)
    # Some labels do not occur.
    used = rng.sample(range(labels), rng.randint(1, labels))
    gold = [rng.choice(used) for _ in range(count)]
    chances = [probabilities(rng, labels, number % 3 == 0) for _ in range(count)]
    predicted = [row.index(max(row)) for row in chances]
    positives = [label for label in range(labels) if label != negative]
    micro = precision_recall_fscore_support(
        gold, predicted, labels=positives, average="micro", zero_division=0
    )
    each = precision_recall_fscore_support(
        gold, predicted, labels=list(range(labels)), zero_division=0
    )
    auc = None
    if labels == 2 and len(set(gold)) == 2:
        positive = 0 if negative == 1 else 1
        auc = float(
            roc_auc_score([g == positive for g in gold], [row[positive] for row in chances])
        )
    return {
        "labels": labels,
        "negative": negative,
        "gold": gold,
        "probabilities": chances,
        "accuracy": float(accuracy_score(gold, predicted)),
        "micro": [float(x) for x in micro[:3]],
        "macro_f1": float(f1_score(gold, predicted, average="macro", zero_division=0)),
        "auc": auc,
        "each": [[float(x) for x in row] for row in zip(*each)],
    }


def main():
    rng = random.Random(11)
    cases = [case(rng, number) for number in range(120)]
    content = {"made_with": {"scikit-learn": version("scikit-learn")}, "cases": cases}
    path = Path(__file__).resolve().parent / "labels.json"
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
