#!/usr/bin/env bash
# Runs a fuzz target from its seeds:
#
#   fuzz/run.sh query|pubmed_xml|nbib|request|server SECONDS
#
# Needs `cargo install cargo-fuzz` and a nightly compiler. What is found lies in
# fuzz/artifacts/TARGET; fuzz/corpus/TARGET keeps what reached something new.
set -euo pipefail
cd "$(dirname "$0")"
target=$1
seconds=$2

corpus=corpus/$target
mkdir -p "$corpus"
case $target in
query | request)
    # A seed for each line.
    split --lines=1 --numeric-suffixes --suffix-length=3 "seeds/$target.txt" "$corpus/seed-"
    ;;
pubmed_xml)
    cp ../tests/fixtures/sample/*.xml "$corpus"
    # And each record by itself, since short inputs are tried more often.
    csplit --quiet --digits=3 --prefix="$corpus/seed-" ../tests/fixtures/sample/medsift-sample.xml \
        '/<PubmedArticle>/' '{*}'
    ;;
nbib) cp seeds/article.nbib "$corpus" ;;
server) cp seeds/server/* "$corpus" ;;
esac
words=()
[ -f "seeds/$target.dict" ] && words=("-dict=seeds/$target.dict")
# No sanitizer: there is `unsafe` only in vector kernels and memory maps, which
# these targets do not reach; so ten times as much is tried.
exec cargo +nightly fuzz run --fuzz-dir . --sanitizer none "$target" "$corpus" -- \
    -max_total_time="$seconds" -timeout=10 -max_len=20000 "${words[@]}"
