"""Twenty steps of finding answers, from tests/fixtures/models/bert-mean.

answering.json: {"hyper" as in steps.json, "lengths": {"max_tokens",
"max_question", "doc_stride"}, "questions": each {"question", "passage",
"answer": [start, end) in characters, or null}, "batches": ten batches of places
in the questions, used in turn, "head": start weights ("weight", 2 × hidden,
starts then ends, and "bias"), "losses", "gradient_norms", "learning_rates"}.

A window is [CLS] question [SEP] part of the passage [SEP], the second part in
the second segment, each window doc_stride tokens behind the one before. A
linear layer gives every token two scores; the softmax of each goes over [CLS]
and the passage's tokens. Where the answer is not wholly in the window, [CLS] is
both start and end. The loss is the mean of both cross-entropies, averaged over
the windows of a batch: a window with the answer weighs 1, those without, of one
question, 1 together. Dropout is off. Every window is run by itself, so that
nothing is padded.
"""

import random

import torch
from transformers import AutoTokenizer, BertModel

from . import training
from .texts import TEXTS

STEPS = 20
BATCH = 4
BATCHES = 10
LENGTHS = {"max_tokens": 32, "max_question": 8, "doc_stride": 10}


def windows(tokenizer, example):
    """(ids, types, place of the first passage token, start, end, weight)"""
    question = tokenizer(example["question"], add_special_tokens=False)["input_ids"]
    question = question[: LENGTHS["max_question"]]
    passage = tokenizer(
        example["passage"], add_special_tokens=False, return_offsets_mapping=True
    )
    ids, places = passage["input_ids"], passage["offset_mapping"]
    answer = None
    if example["answer"]:
        first, last = example["answer"]
        inside = [i for i, (a, b) in enumerate(places) if b > first and a < last]
        answer = inside[0], inside[-1]
    room = LENGTHS["max_tokens"] - 3 - len(question)
    cls, sep = tokenizer.cls_token_id, tokenizer.sep_token_id
    made = []
    start = 0
    while True:
        part = ids[start : start + room]
        front = [cls, *question, sep]
        types = [0] * len(front) + [1] * (len(part) + 1)
        gold = (0, 0)
        if answer and start <= answer[0] and answer[1] < start + len(part):
            gold = answer[0] - start + 1, answer[1] - start + 1
        made.append([[*front, *part, sep], types, len(front), *gold])
        if start + room >= len(ids):
            break
        start += min(LENGTHS["doc_stride"], room)
    silent = sum(window[3] == 0 for window in made)
    return [(*window, 1.0 if window[3] else 1.0 / silent) for window in made]


def record(folder):
    rng = random.Random(13)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    questions = []
    for i in range(16):
        passage = " ".join(rng.sample(TEXTS, 1 + i % 3))
        words = passage.split(" ")
        place = rng.randrange(len(words))
        start = len(" ".join(words[:place])) + (place > 0)
        answer = None if i % 4 == 3 else [start, start + len(words[place])]
        questions.append(
            {"question": rng.choice(TEXTS), "passage": passage, "answer": answer}
        )
    batches = [rng.sample(range(len(questions)), BATCH) for _ in range(BATCHES)]
    generator = torch.Generator().manual_seed(19)
    bert = BertModel.from_pretrained(folder, add_pooling_layer=False).eval()
    layer = torch.nn.Linear(bert.config.hidden_size, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.randn(layer.weight.shape, generator=generator) * 0.1)
        layer.bias.copy_(torch.randn(2, generator=generator) * 0.1)
    head = {"weight": layer.weight.tolist(), "bias": layer.bias.tolist()}

    def step_loss(step):
        total, weights = 0.0, 0.0
        for place in batches[step % BATCHES]:
            for ids, types, first, start, end, weight in windows(tokenizer, questions[place]):
                states = bert(
                    input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([types])
                ).last_hidden_state[0]
                rows = torch.cat([states[:1], states[first:-1]])
                scores = layer(rows)
                cross = [
                    torch.nn.functional.cross_entropy(scores[:, side][None], torch.tensor([gold]))
                    for side, gold in enumerate((start, end))
                ]
                total = total + weight * sum(cross) / 2
                weights += weight
        return total / weights, {}

    hyper, training.HYPER = training.HYPER, {**training.HYPER, "steps": STEPS}
    try:
        named = [*bert.named_parameters(), *layer.named_parameters(prefix="span")]
        run = training.run(named, step_loss)
        own = training.HYPER
    finally:
        training.HYPER = hyper
    return {
        "hyper": own,
        "lengths": LENGTHS,
        "questions": questions,
        "batches": batches,
        "head": head,
        **run,
    }
