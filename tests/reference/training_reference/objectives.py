"""Losses and gradients of each objective on small random embeddings, computed
in double precision.

Each case of objectives.json: {"name", "config" (medsift's, as in TOML),
"embeddings": columns × batch × dimension, "labels": {"classes": [..]} |
{"scores": [..]} | {"lists": batch × n} | {"teacher": columns × batch × n} |
{}, "parameters": {name: nested list}, "loss", "gradients": like embeddings,
"parameter_gradients": like parameters}.
"""

import torch
from torch import nn

from . import losses

BATCH = 6
GRADES = [5.0, 0.4, 2.5, 2.5, 3.8, 0.0]
CLASSES = [0, 1, 0, 1, 2, 2]

CASES = [
    ("softmax", {"kind": "softmax"}, 2, 6, "classes"),
    ("cosine, signed", {"kind": "cosine"}, 2, 6, "scores"),
    ("cosine, unit", {"kind": "cosine", "target": "unit"}, 2, 6, "scores"),
    ("triplet, euclidean", {"kind": "triplet", "distance": "euclidean", "margin": 1.0}, 3, 6, None),
    ("triplet, cosine", {"kind": "triplet", "distance": "cosine", "margin": 0.3}, 3, 6, None),
    *[
        (
            f"batch triplet, {mining}, {distance}",
            {"kind": "batch_triplet", "mining": mining, "distance": distance, "margin": margin},
            1,
            6,
            "classes",
        )
        for mining in ("hard", "semi_hard")
        for distance, margin in (("euclidean", 1.0), ("cosine", 0.2))
    ],
    ("ranking", {"kind": "ranking", "temperature": 0.05}, 2, 6, None),
    ("ranking, two negatives", {"kind": "ranking", "temperature": 0.1, "negatives": 2}, 4, 6, None),
    (
        "ranking, symmetric",
        {"kind": "ranking", "temperature": 0.2, "negatives": 1, "symmetric": True},
        3,
        6,
        None,
    ),
    (
        "ranking, masked by itself",
        {"kind": "ranking", "temperature": 0.1, "negatives": 1, "mask_margin": 0.1},
        3,
        6,
        None,
    ),
    (
        "ranking, masked by a teacher",
        {"kind": "ranking", "temperature": 0.1, "negatives": 1, "mask_margin": 0.05},
        3,
        6,
        ("teacher", 4),
    ),
    ("distillation", {"kind": "distillation", "texts": 2}, 2, 6, ("teacher", 6)),
    (
        "distillation, projected",
        {"kind": "distillation", "texts": 1, "teacher_dimension": 9},
        1,
        6,
        ("teacher", 9),
    ),
    ("margin, dot", {"kind": "margin_mse", "negatives": 2, "similarity": "dot"}, 4, 6, "lists"),
    ("margin, cosine", {"kind": "margin_mse", "negatives": 1, "similarity": "cosine"}, 3, 6, "lists"),
    (
        "listwise",
        {"kind": "listwise", "passages": 4, "temperature": 0.2, "teacher_temperature": 0.5},
        5,
        6,
        "lists",
    ),
    ("graded, cosine", {"kind": "graded", "similarity": "cosine", "scale": 20.0}, 2, 6, "scores"),
    ("graded, angle", {"kind": "graded", "similarity": "angle", "scale": 20.0}, 2, 6, "scores"),
    ("graded, angle, odd", {"kind": "graded", "similarity": "angle", "scale": 5.0}, 2, 5, "scores"),
    (
        "matryoshka",
        {
            "kind": "matryoshka",
            "dimensions": [2, 4, 6],
            "weights": [0.5, 0.75, 1.0],
            "inner": {"kind": "ranking", "temperature": 0.1},
        },
        2,
        6,
        None,
    ),
    (
        "listwise, over the batch",
        {
            "kind": "listwise",
            "passages": 3,
            "temperature": 0.2,
            "teacher_temperature": 0.5,
            "in_batch": True,
        },
        4,
        6,
        "lists",
    ),
    (
        "relational",
        {"kind": "relational", "passages": 2, "temperature": 0.2, "teacher_temperature": 0.3},
        3,
        6,
        ("teacher", 9),
    ),
]


class Given(nn.Module):
    """A model whose embeddings are its input."""

    device = torch.device("cpu")

    def __init__(self, dimension):
        super().__init__()
        self.dimension = dimension

    def get_embedding_dimension(self):
        return self.dimension

    def forward(self, features):
        return {"sentence_embedding": features["embedding"]}


def rounded(tensor):
    return torch.round(tensor, decimals=4).tolist()


def make_labels(kind, columns, generator):
    if kind is None:
        return {}
    if kind == "classes":
        return {"classes": CLASSES}
    if kind == "scores":
        return {"scores": GRADES}
    if kind == "lists":
        return {"lists": rounded(torch.randn(BATCH, columns - 1, generator=generator))}
    _, dimension = kind
    return {"teacher": rounded(torch.randn(columns, BATCH, dimension, generator=generator))}


def case(name, config, columns, dimension, labels, seed):
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    values = rounded(torch.randn(columns, BATCH, dimension, generator=generator))
    if columns > 1:
        # A pair that is equal: absolute values and distances have no gradient there.
        values[1][1] = values[0][1]
    labels = make_labels(labels, columns, generator)
    embeddings = [torch.tensor(column, requires_grad=True) for column in values]
    teacher = [torch.tensor(column) for column in labels.get("teacher", [])] or None
    loss = losses.build(Given(dimension), config, dimension, teacher)
    parameters = losses.parameters(loss, config["kind"])
    with torch.no_grad():
        for parameter in parameters.values():
            parameter.copy_(torch.round(parameter, decimals=4))
    start = {key: parameter.tolist() for key, parameter in parameters.items()}
    value = loss([{"embedding": x} for x in embeddings], losses.labels_tensor(labels))
    value.backward()
    return {
        "name": name,
        "config": config,
        "embeddings": values,
        "labels": labels,
        "parameters": start,
        "loss": value.item(),
        "gradients": [x.grad.tolist() for x in embeddings],
        "parameter_gradients": {key: p.grad.tolist() for key, p in parameters.items()},
    }


def cases():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        return [case(*parts, seed=seed) for seed, parts in enumerate(CASES)]
    finally:
        torch.set_default_dtype(before)
