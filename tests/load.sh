#!/usr/bin/env bash
# Load on one server over 20,000 real abstracts, as docs/performance.md reports it.
#
#   tests/load.sh DATA [CACHE]
#
# DATA is the folder of the real-data suite; CACHE (~/.cache/medsift-load) keeps
# the index between runs. Both binaries are those of target/debug, or of
# LOAD_BIN: build them with
#
#   cargo build --workspace --bin medsift --example load
#
# LOAD_PASSAGES=off indexes one vector an abstract, in half the time (on: two on
# the average).
#
# LOAD_PARTS chooses among "rate saturation mixed"; LOAD_MINUTES is the length of
# the last (10). Server and driver share the machine: the times include that.
set -euo pipefail
cd "$(dirname "$0")/.."

data=$(realpath "$1")
cache=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/medsift-load}
bin=${LOAD_BIN:-${CARGO_TARGET_DIR:-target}/debug}
parts=${LOAD_PARTS:-rate saturation mixed}
retrieval=$data/retrieval
mkdir -p "$cache"

corpus=$cache/corpus.jsonl
if [ ! -s "$corpus" ]; then
    (zcat "$retrieval"/{cohen2006-drug-reviews,synergy-v1}/corpus.jsonl.gz || true) \
        | head -20000 > "$corpus.new"
    mv "$corpus.new" "$corpus"
fi
passages=${LOAD_PASSAGES:-on}
index=$cache/idx-$passages
"$bin/medsift" index "$corpus" --index "$index" --passages "$passages" --quiet

queries=("$retrieval"/{nfcorpus,scifact,pubmedqa-l,evidence-inference}/queries.jsonl)
for kind in search mixed; do
    python3 tests/load/requests.py "$kind" "$corpus" "${queries[@]}" > "$cache/$kind.txt"
done

said=$(mktemp)
"$bin/medsift" serve --index "$index" --port 0 > "$said" &
server=$!
trap 'kill "$server" 2>/dev/null; rm -f "$said"' EXIT
until address=$(grep -o 'http://[0-9.:]*' "$said"); do
    kill -0 "$server"
    sleep 0.2
done

# A server that was just started has read nothing of its files yet.
"$bin/examples/load" "$address" "$cache/search.txt" 20 5 > /dev/null
tail -n +2000 "$cache/search.txt" > "$cache/late.txt"
tail -n +4000 "$cache/search.txt" > "$cache/later.txt"
tail -n +6000 "$cache/search.txt" > "$cache/latest.txt"

uptime
for part in $parts; do
    case $part in
    rate)
        echo "== hybrid search, 20 requests a second, 60 s, no query twice"
        "$bin/examples/load" "$address" "$cache/late.txt" 20 60 "$server"
        ;;
    saturation)
        echo "== as many as eight clients can, 15 s"
        "$bin/examples/load" "$address" "$cache/later.txt" max 15 "$server" | tee "$cache/most.json"
        rate=$(python3 -c 'import json, sys; print(3 * json.load(open(sys.argv[1]))["ok_per_second"])' \
            "$cache/most.json")
        echo "== three times that: $rate requests a second, 30 s"
        "$bin/examples/load" "$address" "$cache/latest.txt" "$rate" 30 "$server"
        ;;
    mixed)
        echo "== mixed requests, 30 a second, ${LOAD_MINUTES:-10} minutes"
        "$bin/examples/load" "$address" "$cache/mixed.txt" 30 "$((60 * ${LOAD_MINUTES:-10}))" "$server"
        ;;
    esac
done
curl --silent --fail "$address/metrics" | grep -E '^medsift_query_' || true
