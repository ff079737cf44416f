"""Twenty steps of tagging words, from tests/fixtures/models/bert-mean.

tagging.json: {"hyper" as in steps.json, "types", "sets": sets of sentences,
each {"known": types that the set labels, "sentences": [{"words", "tags"}]},
"batches": ten batches, used in turn, each {"set", "examples": places in it},
"weights": what a word weighs by its tag, "head": start weights of the head
("weight", tags × hidden, and "bias"), "losses", "gradient_norms",
"learning_rates"}.

A word is labelled on its first piece. Of a word whose set does not label some
types, `O` stands for `O` and for all tags of those types: the loss is
-log of the sum of their probabilities (transformers' cross-entropy where all
types are labelled). It is the mean over the words of a batch by their weights.
Weights of the encoder are those of bert-mean; dropout is off.
"""

import random

import torch
from transformers import AutoTokenizer, BertForTokenClassification

from . import training
from .texts import TEXTS

STEPS = 20
BATCH = 4
BATCHES = 10
TYPES = ["Disease", "Gene"]
WEIGHTS = {"O": 0.5, "B-Gene": 2.0}


def tags():
    return ["O", *(f"{prefix}-{name}" for name in TYPES for prefix in "BI")]


def words(text):
    """Runs of letters and digits, and other characters one by one."""
    out = []
    for c in text:
        if c.isspace():
            out.append("")
        elif c.isalnum() and out and out[-1] and out[-1][-1].isalnum():
            out[-1] += c
        else:
            out.append(c)
    return [word for word in out if word]


def tagged(rng, text, known):
    out, inside = [], None
    for _ in words(text):
        if inside and rng.random() < 0.4:
            out.append(f"I-{inside}")
        elif rng.random() < 0.3:
            inside = rng.choice(known)
            out.append(f"B-{inside}")
        else:
            inside = None
            out.append("O")
    return {"words": words(text), "tags": out}


def encoded(tokenizer, sentences):
    """A padded batch, and for each sentence the places of the first pieces."""
    batch = tokenizer(
        [s["words"] for s in sentences],
        is_split_into_words=True,
        padding=True,
        return_tensors="pt",
    )
    firsts = []
    for row in range(len(sentences)):
        first = {}
        for place, word in enumerate(batch.word_ids(row)):
            if word is not None:
                first.setdefault(word, place)
        firsts.append(first)
    return batch, firsts


def loss_of(model, tokenizer, sentences, known):
    batch, firsts = encoded(tokenizer, sentences)
    assert batch["input_ids"].shape[1] <= model.config.max_position_embeddings
    logits = model(**batch).logits
    chances = torch.log_softmax(logits, dim=-1)
    names = tags()
    free = [0] + [i for i, name in enumerate(names) if i and name[2:] not in known]
    total, weight = 0.0, 0.0
    for row, (sentence, first) in enumerate(zip(sentences, firsts)):
        assert len(first) == len(sentence["words"]), sentence
        for word, name in enumerate(sentence["tags"]):
            allowed = free if name == "O" else [names.index(name)]
            own = torch.logsumexp(chances[row, first[word], allowed], dim=0)
            total = total - WEIGHTS.get(name, 1.0) * own
            weight += WEIGHTS.get(name, 1.0)
    return total / weight


def record(folder):
    rng = random.Random(5)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    short = [text for text in TEXTS if len(tokenizer(text)["input_ids"]) <= 40]
    sets = [
        {"known": known, "sentences": [tagged(rng, text, known) for text in short]}
        for known in (["Disease"], ["Disease", "Gene"], ["Gene"])
    ]
    batches = [
        {"set": number % len(sets), "examples": rng.sample(range(len(short)), BATCH)}
        for number in range(BATCHES)
    ]
    model = BertForTokenClassification.from_pretrained(folder, num_labels=len(tags())).eval()
    generator = torch.Generator().manual_seed(13)
    with torch.no_grad():
        for parameter in model.classifier.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.1)
    head = {key: value.tolist() for key, value in model.classifier.state_dict().items()}

    def step_loss(step):
        batch = batches[step % BATCHES]
        chosen = sets[batch["set"]]
        sentences = [chosen["sentences"][i] for i in batch["examples"]]
        return loss_of(model, tokenizer, sentences, chosen["known"]), {}

    hyper, training.HYPER = training.HYPER, {**training.HYPER, "steps": STEPS}
    try:
        steps = training.run(model.named_parameters(), step_loss)
        own = training.HYPER
    finally:
        training.HYPER = hyper
    return {
        "hyper": own,
        "types": TYPES,
        "sets": sets,
        "batches": batches,
        "weights": WEIGHTS,
        "head": head,
        **steps,
    }
