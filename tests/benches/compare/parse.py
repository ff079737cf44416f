"""Reading speed side by side on one file: medsift, lxml's bare `iterparse`, and
pubmed_parser. CPU seconds of each whole process, so that other work on the
machine counts little.

    cargo bench --workspace --profile dev --bench parse --no-run
    python3 tests/benches/compare/parse.py DATA BENCH

DATA is the folder of test data (it holds pubmed/xml); BENCH is the benchmark's
executable as cargo printed it. Needs lxml and pubmed_parser. The file holds the
records of all real files, again and again up to 75 MB. pubmed_parser takes the
fields that it knows, medsift all of them and a checksum of the file; lxml builds
its tree and nothing else. pubmed_parser reads compressed files only, so it has
the decompression on top.
"""

import gzip
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MEGABYTES, ROUNDS = 75, 3
RECORD = re.compile(rb"<PubmedArticle(?:\s[^>]*)?>.*?</PubmedArticle>", re.S)


def write_file(data, path):
    """Returns the number of records."""
    records = []
    for folder in ["bulk", "records"]:
        for file in sorted((data / "pubmed" / "xml" / folder).iterdir()):
            content = file.read_bytes()
            if file.suffix == ".gz":
                content = gzip.decompress(content)
            records += RECORD.findall(content)
    if not records:
        sys.exit(f"{data} holds no pubmed/xml records")
    size = count = 0
    with open(path, "wb") as out:
        out.write(b'<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>\n')
        while size < MEGABYTES << 20:
            for record in records:
                out.write(record + b"\n")
                size += len(record) + 1
            count += len(records)
        out.write(b"</PubmedArticleSet>\n")
    return count


LXML = """
import sys
from lxml import etree
count = 0
for _, element in etree.iterparse(sys.argv[1], tag="PubmedArticle"):
    count += 1
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]
print(count)
"""

PUBMED_PARSER = """
import sys
import pubmed_parser
print(sum(1 for _ in pubmed_parser.parse_medline_xml(sys.argv[1])))
"""


def cpu_seconds(command):
    """CPU seconds of a child, and what it printed last."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, done.stdout.strip().splitlines()[-1]


def main():
    data, bench = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "records.xml")
        count = write_file(data, file)
        with open(file, "rb") as plain, gzip.open(file + ".gz", "wb", 1) as packed:
            shutil.copyfileobj(plain, packed)
        megabytes = os.path.getsize(file) / 1e6
        print(f"{count} records, {megabytes:.1f} MB")
        commands = {
            "medsift": [bench, "--read", file],
            "lxml iterparse": [sys.executable, "-c", LXML, file],
            "pubmed_parser": [sys.executable, "-c", PUBMED_PARSER, file + ".gz"],
        }
        best = {}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                if name == "pubmed_parser" and name in best:
                    continue  # One round of it takes as long as all the others.
                used, found = cpu_seconds(command)
                assert int(found) == count, (name, found, count)
                best[name] = min(used, best.get(name, used))
        for name, used in best.items():
            print(
                f"{name:16} {megabytes / used:7.1f} MB/s  {count / used:9.0f} records/s"
                f"  {best['medsift'] / used:.2f} of medsift's speed"
            )


if __name__ == "__main__":
    main()
