"""Builds and searches hnswlib, faiss and usearch on the data that the vector
benchmark wrote, in turns with the benchmark itself.

    cargo bench --workspace --profile dev --bench vector -- FOLDER
    python3 tests/benches/compare/vector.py FOLDER BENCH_EXECUTABLE

Needs numpy, hnswlib, faiss-cpu and usearch. Same parameters everywhere: M 16,
ef_construction 200, inner product; building on all cores, searching one query
at a time on one.

All take turns for ROUNDS rounds, because a shared machine is now faster, now
slower: a figure is the median over the rounds of the mean over the queries of
the best of three. The last column is what an index takes to reach the recall
of hnswlib at that width, as a share of what hnswlib takes: interpolated in a
straight line between its own widths, which is rather too much than too little.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

DIMENSION, K, M, EF_CONSTRUCTION = 384, 10, 16, 200
WIDTHS = [10, 20, 40, 60, 80, 120, 200]
ROUNDS = 9
LINE = re.compile(r"medsift ef (\d+) +recall@\d+ ([\d.]+) +mean ([\d.]+) ms")


def load(folder):
    read = lambda name, kind: np.fromfile(folder / name, dtype=kind)
    vectors = read("vectors.f32", "<f4").reshape(-1, DIMENSION)
    queries = read("queries.f32", "<f4").reshape(-1, DIMENSION)
    answers = read("answers.u32", "<u4").reshape(-1, K)
    return vectors, queries, answers


def measured(queries, answers, search):
    """Recall, and mean milliseconds of the best of three."""
    best = np.full(len(queries), np.inf)
    for _ in range(3):
        found = []
        for at in range(len(queries)):
            query = queries[at : at + 1]
            start = time.perf_counter()
            keys = search(query)
            best[at] = min(best[at], time.perf_counter() - start)
            found.append(keys)
    hits = sum(len(set(map(int, f)) & set(map(int, a))) for f, a in zip(found, answers))
    return hits / answers.size, best.mean() * 1e3


def built(name, count, build):
    start = time.perf_counter()
    build()
    print(f"{name} build {count / (time.perf_counter() - start):.0f} points/s", flush=True)


def hnswlib_index(vectors):
    import hnswlib

    index = hnswlib.Index(space="ip", dim=DIMENSION)
    index.init_index(max_elements=len(vectors), M=M, ef_construction=EF_CONSTRUCTION)
    index.set_num_threads(os.cpu_count())
    built("hnswlib", len(vectors), lambda: index.add_items(vectors))
    index.set_num_threads(1)

    def search(ef):
        index.set_ef(ef)
        return lambda query: index.knn_query(query, k=K)[0][0]

    return search


def faiss_index(vectors):
    import faiss

    index = faiss.IndexHNSWFlat(DIMENSION, M, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = EF_CONSTRUCTION
    built("faiss", len(vectors), lambda: index.add(vectors))
    faiss.omp_set_num_threads(1)

    def search(ef):
        index.hnsw.efSearch = ef
        return lambda query: index.search(query, K)[1][0]

    return search


def usearch_index(vectors):
    from usearch.index import Index

    index = Index(
        ndim=DIMENSION, metric="ip", dtype="f32", connectivity=M, expansion_add=EF_CONSTRUCTION
    )
    built("usearch", len(vectors), lambda: index.add(np.arange(len(vectors)), vectors))

    def search(ef):
        index.expansion_search = ef
        return lambda query: index.search(query[0], K).keys

    return search


def library(index, queries, answers):
    """One round of a library: recall and milliseconds at each width."""
    return lambda: {ef: measured(queries, answers, index(ef)) for ef in WIDTHS}


def medsift(executable, folder):
    """One round of the benchmark, in a process of its own."""

    def run():
        command = [executable, folder, "--reopen"]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return {int(ef): (float(recall), float(ms)) for ef, recall, ms in LINE.findall(told)}

    return run


def time_at(width, rounds):
    return np.median([each[width][1] for each in rounds])


def time_for(recall, rounds):
    """What an index takes for a recall, between its widths; nothing outside."""
    below = [ef for ef in WIDTHS if rounds[0][ef][0] <= recall]
    above = [ef for ef in WIDTHS if rounds[0][ef][0] >= recall]
    if recall >= 1 or not below or not above:
        return None
    ends = [below[-1], above[0]]
    recalls = [rounds[0][ef][0] for ef in ends]
    return np.interp(recall, recalls, [time_at(ef, rounds) for ef in ends])


def main():
    folder, executable = Path(sys.argv[1]), sys.argv[2]
    vectors, queries, answers = load(folder)
    takers = {"medsift": medsift(executable, folder)}
    for make in (hnswlib_index, faiss_index, usearch_index):
        name = make.__name__.removesuffix("_index")
        takers[name] = library(make(vectors), queries, answers)
    rounds = {name: [] for name in takers}
    for _ in range(ROUNDS):
        for name, round_of in takers.items():
            rounds[name].append(round_of())
    theirs = rounds["hnswlib"]
    for ef in WIDTHS:
        for name, own in rounds.items():
            same_width = np.median([a[ef][1] / b[ef][1] for a, b in zip(own, theirs)])
            same_recall = time_for(theirs[0][ef][0], own)
            share = same_recall and f"{same_recall / time_at(ef, theirs):.2f}"
            print(
                f"{name:8} ef {ef:3} recall@{K} {own[0][ef][0]:.4f}"
                f" mean {time_at(ef, own):.3f} ms"
                f"  of hnswlib: at this width {same_width:.2f}, at its recall {share or '-'}",
                flush=True,
            )


if __name__ == "__main__":
    main()
