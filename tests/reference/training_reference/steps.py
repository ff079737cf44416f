"""Fifty training steps of each objective, from tests/fixtures/models/bert-mean.

steps.json:

- "hyper": steps, learning rate, AdamW's numbers, warm-up steps, clipping.
  The rate rises linearly over the warm-up (it is 0 in the first step) and
  falls linearly to 0 at the end; "learning_rates" of each run has it by step.
  Weight decay is decoupled, on all parameters but biases and those of layer
  normalisation; what has no gradient (the encoder's pooler) stays as it is.
  The norm that is clipped is that of all gradients together,
  those of a classifier or projection included.
- "texts": the pool. They are encoded without a prompt, cut at the model's
  length, mean-pooled and normalised as the model directory says; dropout is
  off.
- "teacher": a random vector of length 1 for each text.
- "runs": for each objective {"name", "config" (medsift's, as in TOML),
  "batches": ten batches, used in turn (step s takes batch s mod 10), each
  {"columns": columns × batch of places in the pool, "labels": {"classes"} |
  {"scores"} | {"lists"} | {"teacher": true} | {}}, "parameters": start weights
  beside the encoder, "losses", "gradient_norms" (before clipping) and
  "learning_rates" of each step}. With {"teacher": true} the labels are the
  teacher's vectors of the batch's texts.
- "pretraining": see pretraining.py.
"""

import random

import torch
from sentence_transformers import SentenceTransformer

from . import losses, training
from .texts import TEXTS

BATCH = 6
BATCHES = 10

RUNS = [
    ("softmax", {"kind": "softmax"}, 2, "classes"),
    ("cosine", {"kind": "cosine", "target": "signed"}, 2, "scores"),
    ("triplet", {"kind": "triplet", "distance": "euclidean", "margin": 1.0}, 3, None),
    ("triplet, cosine", {"kind": "triplet", "distance": "cosine", "margin": 0.5}, 3, None),
    (
        "batch triplet, hard",
        {"kind": "batch_triplet", "mining": "hard", "distance": "euclidean", "margin": 1.0},
        1,
        "pairs",
    ),
    (
        "batch triplet, semi-hard",
        {"kind": "batch_triplet", "mining": "semi_hard", "distance": "euclidean", "margin": 1.0},
        1,
        "pairs",
    ),
    ("ranking", {"kind": "ranking", "temperature": 0.05, "negatives": 1}, 3, None),
    (
        "ranking, symmetric",
        {"kind": "ranking", "temperature": 0.05, "symmetric": True},
        2,
        None,
    ),
    ("distillation", {"kind": "distillation", "texts": 2}, 2, "teacher"),
    ("margin", {"kind": "margin_mse", "negatives": 1, "similarity": "dot"}, 3, "lists"),
    (
        "listwise",
        {"kind": "listwise", "passages": 3, "temperature": 0.1, "teacher_temperature": 1.0},
        4,
        "lists",
    ),
    ("graded, cosine", {"kind": "graded", "similarity": "cosine", "scale": 20.0}, 2, "scores"),
    ("graded, angle", {"kind": "graded", "similarity": "angle", "scale": 20.0}, 2, "scores"),
    (
        "matryoshka",
        {
            "kind": "matryoshka",
            "dimensions": [8, 16, 32],
            "inner": {"kind": "ranking", "temperature": 0.05},
        },
        2,
        None,
    ),
]


def batch(columns, labels, rng):
    places = rng.sample(range(len(TEXTS)), columns * BATCH)
    made = {"columns": [places[i * BATCH :][:BATCH] for i in range(columns)], "labels": {}}
    if labels == "classes":
        made["labels"] = {"classes": [rng.randrange(3) for _ in range(BATCH)]}
    elif labels == "pairs":
        made["labels"] = {"classes": [i // 2 for i in range(BATCH)]}
    elif labels == "scores":
        made["labels"] = {"scores": [rng.randrange(26) / 5 for _ in range(BATCH)]}
    elif labels == "lists":
        made["labels"] = {
            "lists": [[rng.randrange(-20, 21) / 10 for _ in range(columns - 1)] for _ in range(BATCH)]
        }
    elif labels == "teacher":
        made["labels"] = {"teacher": True}
    return made


def labels_tensor(made, teacher):
    if "teacher" not in made["labels"]:
        return losses.labels_tensor(made["labels"])
    columns = [[teacher[place] for place in column] for column in made["columns"]]
    return losses.labels_tensor({"teacher": columns})


def objective_run(folder, teacher, name, config, columns, labels, seed):
    torch.manual_seed(seed)
    rng = random.Random(seed)
    batches = [batch(columns, labels, rng) for _ in range(BATCHES)]
    model = SentenceTransformer(str(folder), device="cpu").eval()
    loss = losses.build(model, config, model.get_embedding_dimension())
    parameters = losses.parameters(loss, config["kind"])
    start = {key: parameter.tolist() for key, parameter in parameters.items()}

    def step_loss(step):
        made = batches[step % BATCHES]
        features = [model.tokenize([TEXTS[i] for i in column]) for column in made["columns"]]
        return loss(features, labels_tensor(made, teacher)), {}

    named = [*model.named_parameters(), *parameters.items()]
    return {
        "name": name,
        "config": config,
        "batches": batches,
        "parameters": start,
        **training.run(named, step_loss),
    }


def record(folder):
    generator = torch.Generator().manual_seed(0)
    vectors = torch.nn.functional.normalize(torch.randn(len(TEXTS), 32, generator=generator), dim=1)
    teacher = [[round(value, 6) for value in row] for row in vectors.tolist()]
    return {
        "hyper": training.HYPER,
        "texts": TEXTS,
        "teacher": teacher,
        "runs": [
            objective_run(folder, teacher, *parts, seed=seed) for seed, parts in enumerate(RUNS)
        ],
    }
