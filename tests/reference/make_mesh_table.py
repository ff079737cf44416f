"""Makes cli/src/mesh/small.tsv: the MeSH descriptors of the sample's headings
and all above them, for the demo.

    python3 tests/reference/make_mesh_table.py DATA

DATA/vocab/mesh holds MeSH 2024 as tables. MeSH is a product of the U.S.
National Library of Medicine, in the public domain.
"""

import csv
import gzip
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests/fixtures/sample/medsift-sample.xml"
OUT = ROOT / "cli/src/mesh/small.tsv"


def rows(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def main(data):
    mesh = pathlib.Path(data) / "vocab/mesh"
    names, trees = {}, {}
    for row in rows(mesh / "descriptors.tsv.gz"):
        names[row["ui"]] = row["name"]
        trees[row["ui"]] = [n for n in row["tree_numbers"].split(";") if n]
    by_number = {number: ui for ui, numbers in trees.items() for number in numbers}
    text = SAMPLE.read_text(encoding="utf-8")
    used = set(re.findall(r'<DescriptorName UI="(D\d+)"', text))
    used |= set(re.findall(r'<PublicationType UI="(D\d+)"', text))
    wanted = set()
    for ui in used & set(names):
        wanted.add(ui)
        for number in trees[ui]:
            parts = number.split(".")
            wanted |= {by_number[".".join(parts[:n])] for n in range(1, len(parts) + 1)}
    terms = {ui: [] for ui in wanted}
    for row in rows(mesh / "terms.tsv.gz"):
        if row["ui"] in wanted and row["term"] != names[row["ui"]]:
            terms[row["ui"]].append(row["term"])
    with OUT.open("w", encoding="utf-8", newline="") as out:
        out.write("medsift-mesh\t1\tMeSH 2024, what the sample needs\n")
        for ui in sorted(wanted):
            line = [ui, names[ui], ";".join(trees[ui]), "|".join(terms[ui])]
            out.write("\t".join(line) + "\n")
    print(len(wanted), "descriptors,", len(used - set(names)), "unknown to MeSH 2024")


main(*sys.argv[1:])
