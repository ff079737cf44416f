"""Pre-training speed side by side: medsift and PyTorch, with the same weights,
the same batches, and the same step: forward, masked language modelling and
next-sentence prediction, backward, clipping, AdamW.

    tests/reference/make_encoder_reference.sh WORK      # environment and model
    cargo bench --workspace --profile dev --bench pretrain --no-run
    WORK/venv/bin/python tests/benches/compare/pretrain.py WORK/minilm DATA BENCH

DATA is the folder of test data (it holds retrieval/cohen2006-drug-reviews);
BENCH is the benchmark's executable as cargo printed it. Batches hold 32
sequences of a title and its abstract, cut at 128 tokens, of which 15 % are
masked. PyTorch is measured as `BertForPreTraining` has it, which decodes every
token, and with the decoder over the masked tokens alone, as medsift has it.
"""

import gzip
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from transformers import AutoTokenizer, BertForPreTraining

BATCH, BATCHES, MAX_TOKENS, ROUNDS = 32, 3, 128, 3


def sequence(tokenizer, article, rng):
    both = tokenizer(article["title"], article["text"], truncation=True, max_length=MAX_TOKENS)
    ids = both["input_ids"]
    special = set(tokenizer.all_special_ids)
    places = [i for i, token in enumerate(ids) if token not in special]
    positions = sorted(rng.sample(places, max(1, round(0.15 * len(places)))))
    labels = [ids[i] for i in positions]
    for place in positions:
        ids[place] = tokenizer.mask_token_id
    return {
        "ids": ids,
        "type_ids": both["token_type_ids"],
        "positions": positions,
        "labels": labels,
        "relation": rng.randrange(2),
    }


def read_batches(model, data):
    tokenizer = AutoTokenizer.from_pretrained(model)
    rng = random.Random(1)
    path = next((data / "retrieval" / "cohen2006-drug-reviews").glob("corpus.jsonl*"))
    with gzip.open(path, "rt") as lines:
        articles = [json.loads(line) for line in lines]
    articles = [a for a in articles if a["title"] and len(a["text"]) > 400][: BATCH * BATCHES]
    examples = [sequence(tokenizer, article, rng) for article in articles]
    return [examples[at : at + BATCH] for at in range(0, len(examples), BATCH)]


def padded(batch):
    width = max(len(e["ids"]) for e in batch)
    ids = torch.zeros((len(batch), width), dtype=torch.long)
    types, mask, labels = torch.zeros_like(ids), torch.zeros_like(ids), torch.full_like(ids, -100)
    for row, e in enumerate(batch):
        length = len(e["ids"])
        ids[row, :length] = torch.tensor(e["ids"])
        types[row, :length] = torch.tensor(e["type_ids"])
        mask[row, :length] = 1
        labels[row, e["positions"]] = torch.tensor(e["labels"])
    return ids, types, mask, labels, torch.tensor([e["relation"] for e in batch])


def loss_of(model, batch, masked_only):
    ids, types, mask, labels, relations = padded(batch)
    if not masked_only:
        return model(
            input_ids=ids,
            token_type_ids=types,
            attention_mask=mask,
            labels=labels,
            next_sentence_label=relations,
        ).loss
    out = model.bert(input_ids=ids, token_type_ids=types, attention_mask=mask)
    chosen = labels != -100
    logits = model.cls.predictions(out.last_hidden_state[chosen])
    entropy = torch.nn.functional.cross_entropy
    return entropy(logits, labels[chosen]) + entropy(
        model.cls.seq_relationship(out.pooler_output), relations
    )


def run(path, batches, mixed, masked_only):
    torch.manual_seed(0)
    model = BertForPreTraining.from_pretrained(path)
    model.train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.01)
    best, loss = float("inf"), None
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for batch in batches:
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=mixed):
                loss = loss_of(model, batch, masked_only)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad()
        best = min(best, time.perf_counter() - start)
    return best, float(loss)


def main():
    model, data, bench = sys.argv[1:4]
    batches = read_batches(model, Path(data))
    tokens = sum(len(e["ids"]) for b in batches for e in b)
    masked = sum(len(e["labels"]) for b in batches for e in b)
    threads = torch.get_num_threads()
    print(f"{len(batches)} batches, {tokens} tokens, {masked} masked, PyTorch {torch.__version__}, {threads} threads")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "batches.json"
        file.write_text(json.dumps(batches))
        for kind in ["f32", "tensors", "bf16"]:
            rounds = "1" if kind == "tensors" else str(ROUNDS)
            ours = subprocess.run(
                [bench, model, file, kind, rounds], capture_output=True, text=True
            )
            print(f"medsift {kind:8} {ours.stdout.strip() or ours.stderr.strip()}", flush=True)
            if kind == "tensors":
                continue
            for masked_only in [False, True]:
                best, loss = run(model, batches, kind == "bf16", masked_only)
                which = "masked tokens" if masked_only else "all tokens"
                print(f"PyTorch {kind:8} {which}: {tokens / best:.0f} tokens/s, loss {loss:.5f}", flush=True)


if __name__ == "__main__":
    main()
