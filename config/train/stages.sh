#!/bin/sh
# Trains config/train/stages.toml and measures every stage, from the
# repository's root; further arguments go to `medsift train run`:
#
#     config/train/stages.sh ../shared/data
#
# The table is left in runs/stages-data/table.jsonl, a line a measurement. MEDSIFT
# names the program (default: the release build).
set -eu
data=$1
shift
work=runs/stages-data
medsift=${MEDSIFT:-target/release/medsift}
mkdir -p "$work"

"$medsift" train run config/train/stages.toml --data "$data" "$@"

measure() { # NAME MODEL
    for set in nfcorpus scifact; do
        "$medsift" eval retrieval "$data/retrieval/$set" --model "$2" --json --quiet \
            --mode semantic --exact --passages off --index "$work/index/$1-$set"
    done
    "$medsift" eval sts "$data/sts/stsb/test.tsv" "$data/sts/biosses/biosses.tsv" \
        --model "$2" --json --quiet
    "$medsift" eval triplet "$data/triplets/pmc_rct_sections/triplets.test.tsv.gz" \
        --model "$2" --json --quiet
    # A model without the head for masked tokens has no perplexity.
    "$medsift" eval mlm "$data/retrieval/pubmedqa-l/corpus.jsonl.gz" \
        --model "$2" --json --quiet || true
}
{
    echo '{"stage": "base"}'
    measure base minilm
    for stage in mlm nli sts triplet ranking; do
        echo "{\"stage\": \"$stage\"}"
        measure "$stage" "runs/stages/stages/$stage"
    done
} >"$work/table.jsonl"
