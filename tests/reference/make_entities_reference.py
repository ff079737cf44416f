"""Makes what the tests expect of entity scores, with seqeval from PyPI.

    python3 -m venv ENVIRONMENT && ENVIRONMENT/bin/pip install seqeval
    ENVIRONMENT/bin/python tests/reference/make_entities_reference.py

Written is tests/reference/entities.json: random sequences of tags, valid and
broken, with seqeval's scores in its default mode ("conll") and in its strict
mode with the scheme IOB2 ("strict"): "micro" is precision, recall and F1,
"types" these and the number of entities to be found.
"""

import json
import random
import warnings
from importlib.metadata import version
from pathlib import Path

from seqeval.metrics import classification_report
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.scheme import IOB2, Entities

TYPES = ["Disease", "Chemical", "Gene-or-protein"]


def valid(rng, length):
    tags, inside = [], None
    for _ in range(length):
        if inside and rng.random() < 0.5:
            tags.append(f"I-{inside}")
        elif rng.random() < 0.4:
            inside = rng.choice(TYPES)
            tags.append(f"B-{inside}")
        else:
            inside = None
            tags.append("O")
    return tags


def broken(rng, length):
    return [
        "O" if rng.random() < 0.3 else f"{rng.choice('BI')}-{rng.choice(TYPES)}"
        for _ in range(length)
    ]


def noisy(rng, tags):
    """The tags with some of them replaced."""
    other = broken(rng, len(tags))
    return [o if rng.random() < 0.2 else t for t, o in zip(tags, other)]


def scores(gold, predicted, **mode):
    report = classification_report(gold, predicted, output_dict=True, zero_division=0, **mode)
    row = lambda name: [float(report[name][key]) for key in ("precision", "recall", "f1-score")]
    names = [name for name in report if not name.endswith(" avg")]
    return {
        "micro": row("micro avg"),
        "macro_f1": float(report["macro avg"]["f1-score"]),
        "types": {name: [*row(name), float(report[name]["support"])] for name in names},
    }


def any_entity(gold, predicted):
    """seqeval gives no report where there is none."""
    default = get_entities(gold) or get_entities(predicted)
    strict = [e for tags in (gold, predicted) for s in Entities(tags, IOB2).entities for e in s]
    return bool(default) and bool(strict)


def case(rng, number):
    gold, predicted = [], []
    for _ in range(rng.randint(1, 4)):
        length = rng.randint(1, 12)
        tags = broken(rng, length) if number % 4 == 3 else valid(rng, length)
        gold.append(tags)
        predicted.append(valid(rng, length) if number % 4 == 0 else noisy(rng, tags))
    if not any_entity(gold, predicted):
        return case(rng, number)
    return {
        "gold": gold,
        "predicted": predicted,
        "conll": scores(gold, predicted),
        "strict": scores(gold, predicted, mode="strict", scheme=IOB2),
    }


def main():
    warnings.simplefilter("ignore")
    rng = random.Random(7)
    cases = [case(rng, number) for number in range(120)]
    content = {"made_with": {"seqeval": version("seqeval")}, "cases": cases}
    path = Path(__file__).resolve().parent / "entities.json"
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
