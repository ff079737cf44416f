"""Encoding speed side by side: medsift, sentence-transformers on PyTorch, and
ONNX Runtime in f32 and int8, with the same weights and the same texts.

    tests/reference/make_encoder_reference.sh WORK      # environment and model
    cargo bench -p medsift-tests --bench encode --no-run
    WORK/venv/bin/python tests/benches/compare/encode.py WORK/minilm DATA [BENCH]

DATA is the folder of test data (it holds retrieval/nfcorpus); BENCH is the
benchmark's executable as cargo printed it, by default it is run through
`cargo bench`. Prints one table; every line is measured in this one run.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

ABSTRACTS, QUERIES, MAX_TOKENS = 256, 64, 256


def read_texts(data):
    folder = data / "retrieval" / "nfcorpus"
    with gzip.open(folder / "corpus.jsonl.gz", "rt") as lines:
        articles = [json.loads(line) for _, line in zip(range(ABSTRACTS), lines)]
    with open(folder / "queries.jsonl") as lines:
        queries = [json.loads(line)["text"] for _, line in zip(range(QUERIES), lines)]
    return {
        "abstracts": [a["title"] + " " + a["text"] for a in articles],
        "queries": queries,
    }


def measure(encode_many, encode_one, texts):
    """The best of three rounds, and quantiles over four rounds of queries."""
    encode_many(texts["abstracts"][:8])
    rounds = []
    for _ in range(3):
        start = time.perf_counter()
        encode_many(texts["abstracts"])
        rounds.append(time.perf_counter() - start)
    times = []
    for query in texts["queries"] * 4:
        start = time.perf_counter()
        encode_one(query)
        times.append((time.perf_counter() - start) * 1e3)
    return {
        "abstracts_per_s": len(texts["abstracts"]) / min(rounds),
        "query_ms_p50": float(np.quantile(times, 0.5)),
        "query_ms_p95": float(np.quantile(times, 0.95)),
    }


def sgemm_rate():
    """Floating-point operations per second of a large product in PyTorch."""
    a, b = torch.randn(2048, 1536), torch.randn(1536, 1536)
    best = float("inf")
    for _ in range(10):
        start = time.perf_counter()
        a @ b
        best = min(best, time.perf_counter() - start)
    return 2 * 2048 * 1536 * 1536 / best


def work(model, texts):
    """Floating-point operations that the texts need, without filling."""
    config = model[0].auto_model.config
    hidden, inner = config.hidden_size, config.intermediate_size
    total = 0
    for text in texts:
        n = len(model.tokenizer(text, truncation=True, max_length=MAX_TOKENS)["input_ids"])
        layer = 2 * n * (4 * hidden * hidden + 2 * hidden * inner) + 4 * n * n * hidden
        total += config.num_hidden_layers * layer
    return total


class Onnx:
    """ONNX Runtime behind the tokenizer and pooling of the same model."""

    def __init__(self, path, tokenizer, threads):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(
            path, options, providers=["CPUExecutionProvider"]
        )
        self.tokenizer = tokenizer

    def batch(self, texts):
        fields = self.tokenizer(
            texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="np"
        )
        names = ("input_ids", "attention_mask", "token_type_ids")
        states = self.session.run(None, {name: fields[name] for name in names})[0]
        mask = fields["attention_mask"][:, :, None]
        vectors = (states * mask).sum(1) / mask.sum(1)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def many(self, texts, size=32):
        order = np.argsort([-len(text) for text in texts])
        vectors = np.empty((len(texts), 384), np.float32)
        for start in range(0, len(texts), size):
            part = order[start : start + size]
            vectors[part] = self.batch([texts[i] for i in part])
        return vectors

    def one(self, text):
        return self.batch([text])


def export(model, folder):
    """The network as ONNX, and quantised to int8 (dynamic, per channel)."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    network = model[0].auto_model
    fields = model.tokenizer(["statins", "muscle pain"], padding=True, return_tensors="pt")
    names = ["input_ids", "attention_mask", "token_type_ids"]

    class States(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.network = network

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.network(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state

    whole, small = str(folder / "f32.onnx"), str(folder / "int8.onnx")
    axes = {name: {0: "texts", 1: "tokens"} for name in [*names, "states"]}
    torch.onnx.export(
        States(), tuple(fields[name] for name in names), whole,
        input_names=names, output_names=["states"], dynamic_axes=axes, dynamo=False,
    )
    quantize_dynamic(whole, small, weight_type=QuantType.QInt8, per_channel=True)
    return whole, small


def ours(minilm, texts, bench, folder):
    path = folder / "texts.json"
    path.write_text(json.dumps(texts))
    command = [bench] if bench else ["cargo", "bench", "-q", "-p", "medsift-tests", "--bench", "encode", "--"]
    environment = {**os.environ, "MEDSIFT_MINILM": str(minilm)}
    output = subprocess.run(
        [*command, str(path)], env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(output.stdout.strip().splitlines()[-1])


def main():
    minilm, data = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    bench = sys.argv[3] if len(sys.argv) > 3 else None
    threads = len(os.sched_getaffinity(0))
    torch.set_num_threads(threads)
    texts = read_texts(data)
    model = SentenceTransformer(str(minilm), device="cpu")
    operations = work(model, texts["abstracts"])
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        results["medsift f32"] = ours(minilm, texts, bench, folder)
        results["sentence-transformers, PyTorch f32"] = measure(
            lambda many: model.encode(many, batch_size=32, show_progress_bar=False),
            lambda one: model.encode(one, show_progress_bar=False),
            texts,
        )
        try:
            for name, path in zip(("f32", "int8"), export(model, folder)):
                onnx = Onnx(path, model.tokenizer, threads)
                results["ONNX Runtime " + name] = measure(onnx.many, onnx.one, texts)
        except ImportError as error:
            print("ONNX Runtime left out:", error, file=sys.stderr)
        results["medsift f32, again"] = ours(minilm, texts, bench, folder)
    sgemm = sgemm_rate()
    print(f"{threads} threads; {operations / len(texts['abstracts']) / 1e9:.2f} GFLOP an abstract; "
          f"sgemm in PyTorch {sgemm / 1e9:.0f} GFLOP/s")
    print(f"| {'encoder':36} | abstracts/s | of sgemm | query p50 ms | query p95 ms |")
    print(f"|{'-' * 38}|------------:|---------:|-------------:|-------------:|")
    for name, row in results.items():
        share = operations * row["abstracts_per_s"] / len(texts["abstracts"]) / sgemm
        print(f"| {name:36} | {row['abstracts_per_s']:11.1f} | {share:8.2f} "
              f"| {row['query_ms_p50']:12.2f} | {row['query_ms_p95']:12.2f} |")


main()
