#!/bin/sh
# Trains the candidate for a default model, from the repository's root:
#
#     config/train/medsift-mini.sh ../shared/data
#
# The folder of data sets is the only argument. Index and lists are left in
# runs/medsift-mini-teacher, the run in runs/medsift-mini. MEDSIFT names the
# program (default: the release build).
set -eu
data=$1/retrieval
work=runs/medsift-mini-teacher
medsift=${MEDSIFT:-target/release/medsift}
mkdir -p "$work"

# What the teacher ranks: an index of these sets with MiniLM, keyword and vector
# side fused.
"$medsift" index --index "$work/pool" --model minilm \
    "$data/cohen2006-drug-reviews/corpus.jsonl.gz" "$data/synergy-v1/corpus.jsonl.gz" \
    "$data/pubmedqa-l/corpus.jsonl.gz" "$data/evidence-inference/corpus.jsonl.gz"

# What the student reads: of the articles of evidence-inference only those under
# CC BY and CC0, and none of pubmedqa-l, which stays a set for measuring.
gzip -dc "$data/evidence-inference/corpus.jsonl.gz" |
    grep -E '"licence": "(cc-by|cc0)"' >"$work/evidence-inference-open.jsonl"
"$medsift" train lists --index "$work/pool" --output "$work/lists.jsonl" \
    --exclude "$data/nfcorpus" --exclude "$data/scifact" \
    --passages 8 --top 4 --depth 60 --per-article 2 --limit 10200 \
    "$data/cohen2006-drug-reviews/corpus.jsonl.gz" "$data/synergy-v1/corpus.jsonl.gz" \
    "$work/evidence-inference-open.jsonl"

"$medsift" train run config/train/medsift-mini.toml --data "$1"
