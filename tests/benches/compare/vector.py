"""Builds and searches hnswlib, faiss and usearch on the data that the vector
benchmark wrote.

    cargo bench -p medsift-tests --bench vector -- FOLDER --stock
    python3 tests/benches/compare/vector.py FOLDER

Needs numpy, hnswlib, faiss-cpu and usearch. Same parameters everywhere: M 16,
ef_construction 200, inner product; building on all cores, searching one query
at a time on one.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np

DIMENSION, K, M, EF_CONSTRUCTION = 384, 10, 16, 200
WIDTHS = [10, 20, 40, 60, 80, 120, 200]


def load(folder):
    read = lambda name, kind: np.fromfile(folder / name, dtype=kind)
    vectors = read("vectors.f32", "<f4").reshape(-1, DIMENSION)
    queries = read("queries.f32", "<f4").reshape(-1, DIMENSION)
    answers = read("answers.u32", "<u4").reshape(-1, K)
    return vectors, queries, answers


def report(name, queries, answers, search):
    best = np.full(len(queries), np.inf)
    for _ in range(3):
        found = []
        for at, query in enumerate(queries):
            start = time.perf_counter()
            keys = search(query[None, :])
            best[at] = min(best[at], time.perf_counter() - start)
            found.append(keys)
    hits = sum(len(set(map(int, f)) & set(map(int, a))) for f, a in zip(found, answers))
    p50, p95, p99 = np.percentile(best * 1e3, [50, 95, 99])
    print(
        f"{name:16} recall@{K} {hits / answers.size:.4f}  mean {best.mean() * 1e3:.3f} ms"
        f"  p50 {p50:.3f}  p95 {p95:.3f}  p99 {p99:.3f}",
        flush=True,
    )


def built(name, count, build):
    start = time.perf_counter()
    build()
    print(f"{name} build {count / (time.perf_counter() - start):.0f} points/s", flush=True)


def run_hnswlib(vectors, queries, answers):
    import hnswlib

    index = hnswlib.Index(space="ip", dim=DIMENSION)
    index.init_index(max_elements=len(vectors), M=M, ef_construction=EF_CONSTRUCTION)
    index.set_num_threads(os.cpu_count())
    built("hnswlib", len(vectors), lambda: index.add_items(vectors))
    index.set_num_threads(1)
    for ef in WIDTHS:
        index.set_ef(ef)
        report(f"hnswlib ef {ef}", queries, answers, lambda q: index.knn_query(q, k=K)[0][0])


def run_faiss(vectors, queries, answers):
    import faiss

    index = faiss.IndexHNSWFlat(DIMENSION, M, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = EF_CONSTRUCTION
    built("faiss", len(vectors), lambda: index.add(vectors))
    faiss.omp_set_num_threads(1)
    for ef in WIDTHS:
        index.hnsw.efSearch = ef
        report(f"faiss ef {ef}", queries, answers, lambda q: index.search(q, K)[1][0])


def run_usearch(vectors, queries, answers):
    from usearch.index import Index

    index = Index(
        ndim=DIMENSION, metric="ip", dtype="f32", connectivity=M, expansion_add=EF_CONSTRUCTION
    )
    built("usearch", len(vectors), lambda: index.add(np.arange(len(vectors)), vectors))
    for ef in WIDTHS:
        index.expansion_search = ef
        report(f"usearch ef {ef}", queries, answers, lambda q: index.search(q[0], K).keys)


def main():
    folder = Path(sys.argv[1])
    data = load(folder)
    for run in (run_hnswlib, run_faiss, run_usearch):
        run(*data)


if __name__ == "__main__":
    main()
