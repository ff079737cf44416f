"""Writes MeSH's descriptors as NLM's ASCII form, from the tables of a data folder.

    python3 tests/reference/make_mesh_ascii.py DATA d2024.bin
    medsift mesh import d2024.bin

DATA/vocab/mesh holds MeSH 2024 as tables. Only the fields that `medsift mesh
import` reads are written. MeSH is a product of the U.S. National Library of
Medicine, in the public domain.
"""

import csv
import gzip
import pathlib
import sys


def rows(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def main(data, out):
    mesh = pathlib.Path(data) / "vocab/mesh"
    terms = {}
    for row in rows(mesh / "terms.tsv.gz"):
        terms.setdefault(row["ui"], []).append(row["term"])
    count = 0
    with open(out, "w", encoding="utf-8", newline="") as file:
        for row in rows(mesh / "descriptors.tsv.gz"):
            count += 1
            name = row["name"]
            file.write(f"*NEWRECORD\nRECTYPE = D\nMH = {name}\n")
            for term in terms.get(row["ui"], []):
                if term != name:
                    file.write(f"ENTRY = {term}|T000|NON|EQV\n")
            for number in filter(None, row["tree_numbers"].split(";")):
                file.write(f"MN = {number}\n")
            file.write(f"UI = {row['ui']}\n\n")
    print(count, "descriptors")


main(*sys.argv[1:])
