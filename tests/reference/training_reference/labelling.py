"""Twenty steps of labelling texts, from tests/fixtures/models/bert-mean.

labelling.json: {"hyper" as in steps.json, "labels", "texts": each {"text",
"label"}, "batches": ten batches of places in the texts, used in turn,
"weights": what a text weighs by its label, "head": start weights ("weight",
labels × hidden, and "bias"), "cases": each {"pooling", "pooler", "losses",
"gradient_norms", "learning_rates"}}.

The vector of a text is the state of [CLS], or the mean of the states of all
its tokens, in one case behind BERT's own pooler (dense layer with tanh; the
checkpoint of bert-mean has its weights). A linear layer stands on it, and the
loss is PyTorch's cross-entropy with weights, averaged by them. Dropout is off.
"""

import random

import torch
from transformers import AutoTokenizer, BertModel

from . import training
from .texts import TEXTS

STEPS = 20
BATCH = 4
BATCHES = 10
LABELS = ["none", "cause", "treatment"]
WEIGHTS = {"none": 0.5, "cause": 2.0}
CASES = [("cls", False), ("cls", True), ("mean", False)]


class Classifier(torch.nn.Module):
    def __init__(self, folder, pooling, pooler, head):
        super().__init__()
        self.bert = BertModel.from_pretrained(folder)
        self.pooling, self.pooler = pooling, pooler
        if not pooler:
            self.bert.pooler = None
        self.classifier = torch.nn.Linear(self.bert.config.hidden_size, len(LABELS))
        with torch.no_grad():
            self.classifier.weight.copy_(torch.tensor(head["weight"]))
            self.classifier.bias.copy_(torch.tensor(head["bias"]))

    def forward(self, batch):
        states = self.bert(**batch).last_hidden_state
        if self.pooler:
            vector = self.bert.pooler(states)
        elif self.pooling == "cls":
            vector = states[:, 0]
        else:
            mask = batch["attention_mask"].unsqueeze(-1)
            vector = (states * mask).sum(1) / mask.sum(1)
        return self.classifier(vector)


def record(folder):
    rng = random.Random(9)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    short = [text for text in TEXTS if len(tokenizer(text)["input_ids"]) <= 40]
    texts = [{"text": text, "label": LABELS[i % len(LABELS)]} for i, text in enumerate(short)]
    batches = [rng.sample(range(len(texts)), BATCH) for _ in range(BATCHES)]
    generator = torch.Generator().manual_seed(17)
    hidden = BertModel.from_pretrained(folder).config.hidden_size
    head = {
        "weight": (torch.randn((len(LABELS), hidden), generator=generator) * 0.1).tolist(),
        "bias": (torch.randn(len(LABELS), generator=generator) * 0.1).tolist(),
    }
    weights = torch.tensor([WEIGHTS.get(label, 1.0) for label in LABELS])

    def case(pooling, pooler):
        model = Classifier(folder, pooling, pooler, head).eval()

        def step_loss(step):
            chosen = [texts[i] for i in batches[step % BATCHES]]
            batch = tokenizer([t["text"] for t in chosen], padding=True, return_tensors="pt")
            gold = torch.tensor([LABELS.index(t["label"]) for t in chosen])
            return torch.nn.functional.cross_entropy(model(batch), gold, weight=weights), {}

        return {
            "pooling": pooling,
            "pooler": pooler,
            **training.run(model.named_parameters(), step_loss),
        }

    hyper, training.HYPER = training.HYPER, {**training.HYPER, "steps": STEPS}
    try:
        cases = [case(*one) for one in CASES]
        own = training.HYPER
    finally:
        training.HYPER = hyper
    return {
        "hyper": own,
        "labels": LABELS,
        "texts": texts,
        "batches": batches,
        "weights": WEIGHTS,
        "head": head,
        "cases": cases,
    }
