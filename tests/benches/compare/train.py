"""Training speed side by side: medsift and PyTorch, with the same weights,
the same batches, and the same step: forward, multiple negatives ranking,
backward, clipping, AdamW.

    tests/reference/make_encoder_reference.sh WORK      # environment and model
    cargo bench --workspace --profile dev --bench train --no-run
    WORK/venv/bin/python tests/benches/compare/train.py WORK/minilm DATA BENCH

DATA is the folder of test data (it holds retrieval/cohen2006-drug-reviews);
BENCH is the benchmark's executable as cargo printed it. Batches hold 32 titles
and their abstracts, cut at 256 tokens. PyTorch fills texts up to the longest of
a micro-batch of 16 texts of near lengths, as a careful user would.
"""

import gzip
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from transformers import AutoModel, AutoTokenizer

BATCH, BATCHES, MAX_TOKENS, ROUNDS = 32, 4, 256, 3


def read_batches(model, data):
    tokenizer = AutoTokenizer.from_pretrained(model)
    path = next((data / "retrieval" / "cohen2006-drug-reviews").glob("corpus.jsonl*"))
    with gzip.open(path, "rt") as lines:
        articles = [json.loads(line) for line in lines]
    articles = [a for a in articles if a["title"] and len(a["text"]) > 400][: BATCH * BATCHES]
    encode = lambda texts: tokenizer(texts, truncation=True, max_length=MAX_TOKENS)["input_ids"]
    batches = []
    for at in range(0, len(articles), BATCH):
        part = articles[at : at + BATCH]
        batches.append(encode([a["title"] for a in part]) + encode([a["text"] for a in part]))
    return batches


def forward(model, batch, micro):
    """Mean-pooled vectors in the order of the batch."""
    order = sorted(range(len(batch)), key=lambda i: len(batch[i]))
    vectors = [None] * len(batch)
    for at in range(0, len(order), micro):
        part = order[at : at + micro]
        longest = max(len(batch[i]) for i in part)
        ids = torch.zeros((len(part), longest), dtype=torch.long)
        mask = torch.zeros((len(part), longest))
        for row, i in enumerate(part):
            ids[row, : len(batch[i])] = torch.tensor(batch[i])
            mask[row, : len(batch[i])] = 1
        states = model(input_ids=ids, attention_mask=mask).last_hidden_state
        pooled = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        for row, i in enumerate(part):
            vectors[i] = pooled[row]
    return torch.stack(vectors)


def run(path, batches, mixed):
    torch.manual_seed(0)
    model = AutoModel.from_pretrained(path, add_pooling_layer=False)
    model.train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-5, weight_decay=0.01)
    best, loss = float("inf"), None
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for batch in batches:
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=mixed):
                vectors = forward(model, batch, 16)
            unit = torch.nn.functional.normalize(vectors.float(), dim=1)
            half = len(batch) // 2
            scores = unit[:half] @ unit[half:].T * 20
            loss = torch.nn.functional.cross_entropy(scores, torch.arange(half))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad()
        best = min(best, time.perf_counter() - start)
    return best, float(loss)


def main():
    model, data, bench = sys.argv[1:4]
    batches = read_batches(model, Path(data))
    tokens = sum(len(t) for b in batches for t in b)
    print(f"{BATCHES} batches, {tokens} tokens, PyTorch {torch.__version__}, {torch.get_num_threads()} threads")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "batches.json"
        file.write_text(json.dumps(batches))
        for precision, mixed in [("f32", False), ("bf16", True)]:
            ours = subprocess.run(
                [bench, model, file, precision, str(ROUNDS)], capture_output=True, text=True, check=True
            ).stdout.strip()
            print(f"medsift {precision:5} {ours}")
            best, loss = run(model, batches, mixed)
            print(f"PyTorch {precision:5} {tokens / best:.0f} tokens/s, loss {loss:.5f}", flush=True)


if __name__ == "__main__":
    main()
