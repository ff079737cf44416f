"""Time from question to answer over HTTP, by mode: `medsift serve` on loopback,
one connection, one request at a time, as one person searching.

    python3 tests/benches/latency.py MEDSIFT INDEX QUERIES.jsonl [COUNT]

MEDSIFT is the binary, INDEX an index, QUERIES JSON lines with `text`, of which
COUNT (1,000) are asked, spread over the file. The modes take turns with each
query, so that a slow minute of the machine falls on all. The first 50 queries
are not counted. Times include the encoding of the query, the stored articles of
ten hits with their highlights, JSON and the socket.
"""

import gzip
import http.client
import json
import re
import subprocess
import sys
import time
from urllib.parse import urlencode

MODES, WARM_UP = ["keyword", "semantic", "hybrid"], 50


def read_queries(path, count):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as lines:
        texts = [json.loads(line)["text"] for line in lines]
    step = max(1, len(texts) // (count + WARM_UP))
    return texts[::step][: count + WARM_UP]


def start(binary, index):
    command = [binary, "serve", "--index", index, "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in server.stdout:
        if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
            return server, int(found[1])
    sys.exit("the server did not start")


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def main():
    binary, index, path = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 1000
    queries = read_queries(path, count)
    server, port = start(binary, index)
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        times = {mode: [] for mode in MODES}
        for number, query in enumerate(queries):
            for mode in MODES:
                clock = time.perf_counter()
                connection.request("GET", "/v1/search?" + urlencode({"q": query, "mode": mode}))
                answer = connection.getresponse()
                body = answer.read()
                took = 1000 * (time.perf_counter() - clock)
                assert answer.status == 200, body
                if number >= WARM_UP:
                    times[mode].append(took)
        print(f"{len(times['hybrid'])} queries")
        for mode, values in times.items():
            shares = "  ".join(f"p{int(100 * s)} {quantile(values, s):6.2f}" for s in (0.5, 0.95, 0.99))
            print(f"{mode:9} {shares}  ms")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
