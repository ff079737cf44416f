"""Fifty steps of masked language modelling with next-sentence prediction.

"pretraining" of steps.json: {"batches": ten batches, used in turn, each a list
of examples {"ids" (masked already), "type_ids", "positions" (masked places),
"labels" (the ids that stood there), "relation": 0 where the second segment
goes on, 1 where it is random}, "losses" (the sum), "mlm", "nsp",
"gradient_norms", "learning_rates"}. The masked-language loss is the mean over
all masked places of the batch, the other the mean over its examples. Weights
of the encoder are those of bert-mean; those of the pooler and of the heads are
in heads.safetensors, under the names of BertForPreTraining. The decoder's
weights are the word embeddings.
"""

import random

import torch
from safetensors.torch import save_file
from transformers import AutoTokenizer, BertForPreTraining

from . import training
from .texts import TEXTS

BATCH = 4
BATCHES = 10
LENGTH = 40


def example(tokenizer, rng):
    first, second = rng.sample(TEXTS, 2)
    relation = rng.randrange(2)
    both = tokenizer(first, second, truncation=True, max_length=LENGTH)
    ids = both["input_ids"]
    special = set(tokenizer.all_special_ids)
    places = [i for i, token in enumerate(ids) if token not in special]
    positions = sorted(rng.sample(places, max(1, round(0.15 * len(places)))))
    labels = [ids[i] for i in positions]
    for place in positions:
        chance = rng.random()
        if chance < 0.8:
            ids[place] = tokenizer.mask_token_id
        elif chance < 0.9:
            ids[place] = rng.randrange(5, len(tokenizer))
    return {
        "ids": ids,
        "type_ids": both["token_type_ids"],
        "positions": positions,
        "labels": labels,
        "relation": relation,
    }


def padded(examples):
    """A batch as BertForPreTraining takes it."""
    width = max(len(e["ids"]) for e in examples)
    size = (len(examples), width)
    batch = {
        "input_ids": torch.zeros(size, dtype=torch.long),
        "token_type_ids": torch.zeros(size, dtype=torch.long),
        "attention_mask": torch.zeros(size, dtype=torch.long),
        "labels": torch.full(size, -100),
        "next_sentence_label": torch.tensor([e["relation"] for e in examples]),
    }
    for row, e in enumerate(examples):
        length = len(e["ids"])
        batch["input_ids"][row, :length] = torch.tensor(e["ids"])
        batch["token_type_ids"][row, :length] = torch.tensor(e["type_ids"])
        batch["attention_mask"][row, :length] = 1
        batch["labels"][row, e["positions"]] = torch.tensor(e["labels"])
    return batch


def start(folder, heads):
    """The model with small random heads, which are written to a file."""
    model = BertForPreTraining.from_pretrained(folder).eval()
    generator = torch.Generator().manual_seed(11)
    tensors = {}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.startswith("bert.") and "pooler" not in name:
                continue
            centre = 1.0 if name.endswith("LayerNorm.weight") else 0.0
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.05 + centre)
            tensors[name] = parameter.detach().clone().contiguous()
    tied = model.cls.predictions.decoder.weight is model.bert.embeddings.word_embeddings.weight
    assert tied, "the decoder is not tied to the word embeddings"
    save_file(tensors, heads)
    heads.chmod(0o644)
    return model


def record(folder, heads):
    rng = random.Random(3)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    for name in ("pad", "unk", "cls", "sep", "mask"):
        setattr(tokenizer, f"{name}_token", f"[{name.upper()}]")
    batches = [[example(tokenizer, rng) for _ in range(BATCH)] for _ in range(BATCHES)]
    model = start(folder, heads)

    def step_loss(step):
        batch = padded(batches[step % BATCHES])
        out = model(**batch)
        nsp = torch.nn.functional.cross_entropy(
            out.seq_relationship_logits, batch["next_sentence_label"]
        )
        return out.loss, {"mlm": (out.loss - nsp).item(), "nsp": nsp.item()}

    return {"batches": batches, **training.run(model.named_parameters(), step_loss)}
