"""Lines of requests for the load driver, out of real queries and articles.

    python3 tests/load/requests.py search|mixed CORPUS.jsonl QUERIES.jsonl… > REQUESTS

`search` gives a hybrid search for each query, none twice. `mixed` gives what
people and programs ask of a server in a day: searches by every mode and of the
page, with facets and in PubMed's language, articles, similar ones, suggestions,
passages, and now and then an export, an answer, entities, several searches at once
and a search of the E-utilities.
"""

import itertools
import json
import random
import sys
from urllib.parse import urlencode


def read(path, field):
    with open(path) as lines:
        return [json.loads(line)[field] for line in lines]


def queries(paths):
    """Texts in turn from each file, each once."""
    files = [read(path, "text") for path in paths]
    seen = {}
    for row in itertools.zip_longest(*files):
        for text in row:
            if text and len(text) < 400:
                seen.setdefault(" ".join(text.split()))
    return list(seen)


def address(path, **parameters):
    return f"GET {path}?{urlencode(parameters)}"


def search(texts):
    # Some questions have signs that are a fault of PubMed's language: as its page does,
    # they are passed over.
    return [address("/v1/search", q=text, mode="hybrid", lenient="true") for text in texts]


def mixed(texts, ids):
    draw = random.Random(7)
    lines = []
    for number, text in enumerate(texts):
        words = [word for word in text.split() if word.isalpha() and len(word) > 3]
        word = draw.choice(words).lower() if words else "asthma"
        article = draw.choice(ids)
        lines += [
            address("/v1/search", q=text, lenient="true"),
            address("/v1/search", q=word, mode="keyword", sort="date"),
            address("/v1/search", q=text, mode="semantic", limit=20, lenient="true"),
            address("/v1/search", q=word, facets="year,journal,type,mesh"),
            address("/v1/search", q=f"{word}[tiab] AND humans[mh]", mode="keyword"),
            address("/", q=text),
            f"GET /articles/{article}",
            f"GET /v1/articles/{article}",
            f"GET /v1/articles/{article}?format=ris",
            f"GET /v1/articles/{article}/similar",
            address("/v1/suggest", q=word[: draw.randint(2, 6)]),
            address("/v1/passages", q=text, lenient="true"),
            "POST /v1/search " + json.dumps({"q": text, "limit": 50, "lenient": True}),
        ]
        if number % 20 == 0:
            several = [{"q": text, "lenient": True}, {"q": word, "mode": "keyword"}]
            lines += [
                address("/v1/export", q=word, mode="keyword", format="csv"),
                address("/v1/answer", q=text, limit=2, lenient="true"),
                address("/v1/search", q=text, limit=2, enrich="entities", lenient="true"),
                "POST /v1/annotate " + json.dumps({"texts": [text]}),
                "POST /v1/batch " + json.dumps({"searches": several}),
                address("/entrez/eutils/esearch.fcgi", db="pubmed", term=word, usehistory="y"),
            ]
    return lines


def main():
    kind, corpus, *files = sys.argv[1:]
    texts = queries(files)
    lines = search(texts) if kind == "search" else mixed(texts, read(corpus, "_id"))
    print("\n".join(lines))


main()
