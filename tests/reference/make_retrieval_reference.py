"""Records trec_eval's values for random runs, ties and unjudged queries included.

    python3 -m venv .venv && .venv/bin/pip install pytrec_eval-terrier==0.5.11
    .venv/bin/python tests/reference/make_retrieval_reference.py > tests/reference/retrieval.json
"""

import json
import random
import sys

import pytrec_eval

rng = random.Random(7)
qrels, run = {}, {}
for q in range(12):
    docs = [f"d{i}" for i in range(150)]
    judged = rng.sample(docs, rng.randint(1, 30))
    qrels[f"q{q}"] = {d: rng.choice([0, 1, 1, 2]) for d in judged} | {judged[0]: 1}
    found = rng.sample(docs, rng.randint(5, 140))
    # Few distinct scores, so that ties decide.
    run[f"q{q}"] = {d: rng.randint(0, 40) / 8 for d in found}

evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10", "recall_100", "map"})
results = evaluator.evaluate(run)


def reciprocal_rank_at_10(query):
    """trec_eval's order (score, then larger document id), cut at ten."""
    ranked = sorted(run[query].items(), key=lambda item: (item[1], item[0]), reverse=True)
    for rank, (document, _) in enumerate(ranked[:10], 1):
        if qrels[query].get(document, 0) > 0:
            return 1 / rank
    return 0.0


def mean(measure):
    return sum(r[measure] for r in results.values()) / len(results)


json.dump(
    {
        "qrels": qrels,
        "run": run,
        "ndcg_cut_10": mean("ndcg_cut_10"),
        "recall_100": mean("recall_100"),
        "map": mean("map"),
        "recip_rank_10": sum(map(reciprocal_rank_at_10, run)) / len(run),
    },
    sys.stdout,
)
