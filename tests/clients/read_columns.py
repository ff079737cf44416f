"""Reads what `medsift export` writes with pyarrow, DuckDB and Polars, and
writes a file of its own for `medsift import`.

read_columns.py check FOLDER   FOLDER has all.jsonl, all.parquet, all.arrow, all.arrows
read_columns.py make FOLDER    writes FOLDER/made.parquet with vectors of the same model
read_columns.py back FOLDER    FOLDER/back.parquet is what became of it
read_columns.py served FOLDER ADDRESS   fetches the same from a server, and checks it
"""

import json
import math
import sys
import urllib.request
from pathlib import Path

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq

ID = "990000001"


def articles(folder):
    """The articles by id, as medsift writes them in JSON."""
    lines = (folder / "all.jsonl").read_text(encoding="utf-8").splitlines()
    return {article["id"]: article for article in map(json.loads, lines)}


def plain(text):
    return text if isinstance(text, str) else text["plain"]


def running_text(article):
    """As docs/data.md describes it."""
    sections = article.get("abstract") or []
    if not sections and article.get("other_abstracts"):
        sections = article["other_abstracts"][0]["sections"]
    sections = sections + article.get("body", [])
    sections = [section for section in sections if plain(section["text"])]
    label = lambda section: f"{section['label']}: " if section.get("label") else ""
    return " ".join(label(section) + plain(section["text"]) for section in sections)


def check_rows(rows, expected, dimension):
    """Rows as dictionaries: the same articles, lists in lists and vectors."""
    assert len(rows) == len(expected), (len(rows), len(expected))
    assert {row["id"] for row in rows} == set(expected)
    for row in rows:
        article = expected[row["id"]]
        assert row["title"] == (plain(article["title"]) if article.get("title") else None)
        sections = [section["text"] for section in row["abstract"]]
        assert sections == [plain(section["text"]) for section in article.get("abstract", [])]
        authors = [author["last"] for author in row["authors"]]
        names = [author.get("name") for author in article.get("authors", [])]
        assert authors == [name.get("last", "") if name else None for name in names]
        headings = [heading["name"] for heading in row["mesh"]]
        assert headings == [heading["descriptor"]["name"] for heading in article.get("mesh", [])]
        text = running_text(article)
        for place, passage in enumerate(row["passages"]):
            assert passage["ordinal"] == place
            assert passage["text"] == text[passage["start"] : passage["end"]], row["id"]
            vector = passage["vector"]
            assert len(vector) == dimension
            assert abs(math.sqrt(sum(x * x for x in vector)) - 1) < 1e-3
        assert bool(row["passages"]) == bool(
            text or row["title"] or row["vernacular_title"] or article.get("book")
        )


def check(folder):
    expected = articles(folder)
    path = str(folder / "all.parquet")
    table = pq.read_table(path)
    metadata = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    model = json.loads(metadata["medsift.model"])
    assert metadata["medsift.columns"] == "1" and metadata["medsift.normalised"] == "true"
    assert metadata["medsift.pooling"] == model["pooling"] == "mean"
    dimension = int(metadata["medsift.dimension"])
    assert dimension == model["dimension"]
    rows = table.to_pylist()
    check_rows(rows, expected, dimension)

    with pa.OSFile(str(folder / "all.arrow")) as file:
        from_file = pa.ipc.open_file(file).read_all()
    with pa.OSFile(str(folder / "all.arrows")) as file:
        from_stream = pa.ipc.open_stream(file).read_all()
    for other in (from_file, from_stream):
        assert other.schema.metadata == table.schema.metadata
        assert other.to_pylist() == rows

    for frame in (
        polars.read_parquet(path),
        polars.read_ipc(str(folder / "all.arrow")),
        polars.read_ipc_stream(str(folder / "all.arrows")),
    ):
        check_rows(frame.to_dicts(), expected, dimension)
        years = frame.filter(polars.col("id") == ID)["year"].to_list()
        assert years == [next(row["year"] for row in rows if row["id"] == ID)]

    connection = duckdb.connect()
    count, with_mesh = connection.execute(
        "select count(*), count(*) filter (len(mesh) > 0) from read_parquet(?)", [path]
    ).fetchone()
    assert count == len(expected)
    assert with_mesh == sum(bool(article.get("mesh")) for article in expected.values())
    cursor = connection.execute("select * from read_parquet(?)", [path])
    names = [column[0] for column in cursor.description]
    check_rows([dict(zip(names, row)) for row in cursor.fetchall()], expected, dimension)
    passages = connection.execute(
        "select id, unnest(passages) from read_parquet(?) where id = ?",
        [path, ID],
    ).fetchall()
    assert len(passages) == len(next(row["passages"] for row in rows if row["id"] == ID))
    keys = connection.execute("select key from parquet_kv_metadata(?)", [path]).fetchall()
    assert (b"medsift.model",) in keys, keys
    print(f"{count} articles, {sum(len(row['passages']) for row in rows)} passages")


def make(folder):
    """A file of another program: pyarrow's own types, the model's metadata."""
    metadata = pq.read_schema(str(folder / "all.parquet")).metadata
    dimension = int(metadata[b"medsift.dimension"])
    first, second = [0.0] * dimension, [0.0] * dimension
    first[0], second[1] = 1.0, 1.0
    text = "Überall we looked. We found tea."
    rows = [
        {
            "id": "made-1",
            "title": "Tea everywhere",
            "abstract": [{"label": None, "text": text}],
            "authors": [{"last": "Smith", "initials": "JA"}],
            "year": 2021,
            "passages": [
                {"start": 0, "end": 19, "text": "Überall we looked. ", "vector": first},
                {"start": 19, "end": 32, "text": "We found tea.", "vector": second},
            ],
            "cited_by": 7,
        },
        {
            "id": "made-2",
            "title": "Wrong offsets",
            "abstract": [{"label": None, "text": "Short."}],
            "authors": [],
            "year": None,
            "passages": [{"start": 0, "end": 99, "text": None, "vector": first}],
            "cited_by": None,
        },
        {
            "id": "made-3",
            "title": "Without vectors",
            "abstract": [{"label": "AIM", "text": "To be encoded."}],
            "authors": [],
            "year": 1999,
            "passages": [],
            "cited_by": 0,
        },
    ]
    table = pa.Table.from_pylist(rows).replace_schema_metadata(metadata)
    pq.write_table(table, str(folder / "made.parquet"))
    # Without the model's name the vectors are nobody's.
    nameless = table.replace_schema_metadata({})
    pq.write_table(nameless, str(folder / "nameless.parquet"))


def back(folder):
    """What was imported and exported again has the very numbers."""
    rows = {row["id"]: row for row in pq.read_table(str(folder / "back.parquet")).to_pylist()}
    assert set(rows) == {"made-1", "made-3"}, set(rows)
    first, second = (passage["vector"] for passage in rows["made-1"]["passages"])
    assert first == [1.0] + [0.0] * (len(first) - 1)
    assert second == [0.0, 1.0] + [0.0] * (len(second) - 2)
    # This one was encoded, since it brought no vectors.
    (passage,) = rows["made-3"]["passages"]
    assert passage["text"] == "AIM: To be encoded."
    assert sum(x != 0 for x in passage["vector"]) > 2


def served(folder, address):
    """The files of `medsift export`, fetched from a server."""
    fetched = folder / "served"
    fetched.mkdir()
    for form, name in [
        ("parquet&vectors=true", "all.parquet"),
        ("arrow&vectors=true", "all.arrow"),
        ("arrow-stream&vectors=true", "all.arrows"),
        ("jsonl", "all.jsonl"),
        ("parquet", "bare.parquet"),
    ]:
        url = f"{address}/v1/export?q=all%5Bsb%5D&mode=keyword&format={form}"
        with urllib.request.urlopen(url) as answer:
            expected = int(answer.headers["medsift-articles"])
            (fetched / name).write_bytes(answer.read())
    check(fetched)
    bare = pq.read_table(str(fetched / "bare.parquet"))
    assert bare.num_rows == expected and "passages" not in bare.column_names
    rows = lambda where: {
        row["id"]: row for row in pq.read_table(str(where / "all.parquet")).to_pylist()
    }
    assert rows(fetched) == rows(folder)


if __name__ == "__main__":
    commands = {"check": check, "make": make, "back": back, "served": served}
    commands[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
