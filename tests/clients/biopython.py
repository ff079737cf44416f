"""The usual calls of Biopython's Entrez chapter against a server over the
sample, and what they must give.

    python biopython.py http://127.0.0.1:8080
"""

import json
import os
import sys
import urllib.error
import urllib.request

from Bio import Entrez, Medline

sys.path.insert(
    0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples")
)
from biopython_search import Redirect

TRIAL = "990000001"


def read(handle):
    with handle:
        return Entrez.read(handle)


def info():
    assert read(Entrez.einfo())["DbList"] == ["pubmed"]
    db = read(Entrez.einfo(db="pubmed"))["DbInfo"]
    assert db["DbName"] == "pubmed" and db["Count"] == "71", db["Count"]
    fields = {field["Name"]: field for field in db["FieldList"]}
    assert fields["TIAB"]["FullName"] == "Title/Abstract"
    assert fields["DP"]["IsDate"] == "Y" and fields["AU"]["IsDate"] == "N"
    names = [link["Name"] for link in db["LinkList"]]
    assert names == ["pubmed_pubmed", "pubmed_pubmed_citedin", "pubmed_pubmed_refs"]


def search():
    found = read(Entrez.esearch(db="pubmed", term="statins[ti] AND 2015:2020[dp]", retmax=2))
    assert int(found["Count"]) >= 2 and len(found["IdList"]) == 2
    assert found["RetMax"] == "2" and found["RetStart"] == "0"
    assert found["IdList"] == sorted(found["IdList"], reverse=True)
    assert "statins[Title]" in found["QueryTranslation"]
    everything = read(Entrez.esearch(db="pubmed", term="all[sb]", retmax=100))
    assert everything["Count"] == "71" and len(everything["IdList"]) == 71
    rest = read(Entrez.esearch(db="pubmed", term="all[sb]", retmax=100, retstart=69))
    assert rest["IdList"] == everything["IdList"][69:]
    # A word that no article has, a tag that is none, and a truth beside them.
    odd = read(Entrez.esearch(db="pubmed", term="zzzzq[ti] OR statins[colour]"))
    assert odd["ErrorList"]["PhraseNotFound"] == ["zzzzq[Title]"]
    assert odd["ErrorList"]["FieldNotFound"] == ["colour"]
    assert int(odd["Count"]) > 0
    count = read(Entrez.esearch(db="pubmed", term="all[sb]", rettype="count"))
    assert count == {"Count": "71"}, count
    with Entrez.esearch(db="pubmed", term="all[sb]", retmode="json", retmax=1) as handle:
        assert json.load(handle)["esearchresult"]["count"] == "71"


def orders():
    def ids(sort):
        return read(Entrez.esearch(db="pubmed", term="all[sb]", retmax=100, sort=sort))["IdList"]

    def summaries(ids):
        return {s["Id"]: s for s in read(Entrez.esummary(db="pubmed", id=",".join(ids)))}

    by_journal = ids("JournalName")
    known = summaries(by_journal)
    names = [known[pmid]["Source"].lower() for pmid in by_journal if known[pmid]["Source"]]
    assert names == sorted(names) and len(names) > 60
    by_author = ids("Author")
    firsts = [known[pmid]["AuthorList"][0] for pmid in by_author if known[pmid]["AuthorList"]]
    # Groups stand behind people.
    plain = [name for name in firsts if name.isascii() and "Medsift" not in name]
    assert plain == sorted(plain, key=str.lower), plain
    assert sorted(by_author) == sorted(by_journal)
    years = [int(known[pmid]["PubDate"][:4]) for pmid in ids("pub_date") if known[pmid]["PubDate"][:4].isdigit()]
    assert years == sorted(years, reverse=True) and years[0] > years[-1]


def history():
    found = read(Entrez.esearch(db="pubmed", term="all[sb]", usehistory="y", retmax=100))
    webenv, key = found["WebEnv"], found["QueryKey"]
    both = read(
        Entrez.esearch(
            db="pubmed", term=f"#{key} AND 2019[dp]", WebEnv=webenv, usehistory="y"
        )
    )
    assert both["WebEnv"] == webenv and both["QueryKey"] == "2"
    assert 0 < int(both["Count"]) < int(found["Count"])
    assert set(both["IdList"]) < set(found["IdList"])
    # In batches, as the tutorial downloads.
    got = []
    for start in range(0, int(found["Count"]), 20):
        with Entrez.efetch(
            db="pubmed",
            rettype="medline",
            retmode="text",
            retstart=start,
            retmax=20,
            WebEnv=webenv,
            query_key=key,
        ) as handle:
            got.extend(record["PMID"] for record in Medline.parse(handle))
    assert got == found["IdList"], (got, found["IdList"])
    posted = read(Entrez.epost("pubmed", id=",".join(got)))
    summaries = read(
        Entrez.esummary(db="pubmed", WebEnv=posted["WebEnv"], query_key=posted["QueryKey"])
    )
    assert [summary["Id"] for summary in summaries] == got
    try:
        read(Entrez.esearch(db="pubmed", term="a", WebEnv="MS_none"))
    except RuntimeError as error:
        assert "WebEnv" in str(error), error
    else:
        raise AssertionError("an unknown WebEnv was taken")


def summary():
    [one] = read(Entrez.esummary(db="pubmed", id=TRIAL))
    assert one["Id"] == TRIAL
    assert one["Title"].startswith("Muscle pain in adults taking statins")
    assert one["AuthorList"][0] == "Okonjo AN Jr", one["AuthorList"]
    assert one["LangList"] == ["English"]
    assert one["ArticleIds"]["pubmed"] == [TRIAL]
    assert one["ArticleIds"]["doi"] == one["DOI"] == "10.5555/medsift.2019.0001"
    assert one["HasAbstract"] == 1 and one["RecordStatus"] == "PubMed - indexed for MEDLINE"
    assert one["PubDate"].startswith("2019")
    try:
        read(Entrez.esummary(db="pubmed", id="1"))
    except RuntimeError as error:
        assert "UID=1" in str(error), error
    else:
        raise AssertionError("a summary of nothing")


def fetch():
    with Entrez.efetch(db="pubmed", id=TRIAL, rettype="medline", retmode="text") as handle:
        [record] = Medline.parse(handle)
    assert record["PMID"] == TRIAL and record["TI"].startswith("Muscle pain in adults")
    assert "Okonjo" in record["FAU"][0] and record["LA"] == ["eng"]
    with Entrez.efetch(db="pubmed", id=TRIAL, rettype="abstract", retmode="text") as handle:
        text = handle.read()
    assert text.startswith("1. ") and f"PMID: {TRIAL}" in text
    # Every record of the sample, books and MathML among them, checked against
    # the DTD that Biopython brings.
    ids = read(Entrez.esearch(db="pubmed", term="all[sb]", retmax=100))["IdList"]
    records = read(Entrez.efetch(db="pubmed", id=ids, retmode="xml"))
    articles, books = records["PubmedArticle"], records["PubmedBookArticle"]
    assert len(articles) == 69 and len(books) == 2
    by_id = {str(a["MedlineCitation"]["PMID"]): a for a in articles}
    citation = by_id[TRIAL]["MedlineCitation"]
    article = citation["Article"]
    assert article["ArticleTitle"].startswith("Muscle pain in adults")
    assert article["AuthorList"][0]["LastName"] == "Okonjo"
    assert article["AuthorList"][0]["Identifier"][0].attributes["Source"] == "ORCID"
    assert [part.attributes["Label"] for part in article["Abstract"]["AbstractText"]][0]
    assert article["Journal"]["JournalIssue"]["PubDate"]["Year"] == "2019"
    assert "<i>SLCO1B1</i> c.521T>C" in by_id["990000003"]["MedlineCitation"]["Article"]["ArticleTitle"]
    majors = [h["DescriptorName"].attributes["MajorTopicYN"] for h in citation["MeshHeadingList"]]
    assert "Y" in majors
    listed = {i.attributes["IdType"]: str(i) for i in by_id[TRIAL]["PubmedData"]["ArticleIdList"]}
    assert listed["pubmed"] == TRIAL and listed["doi"].startswith("10.5555/")
    assert {str(b["BookDocument"]["PMID"]) for b in books} == {"990000057", "990000058"}
    # A type without a mode, and an id that the index does not hold.
    with Entrez.efetch(db="pubmed", id=ids[:3] + ["1"], rettype="xml") as handle:
        assert handle.headers["medsift-missing"] == "1"
        some = Entrez.read(handle)
    assert len(some["PubmedArticle"]) + len(some["PubmedBookArticle"]) == 3
    try:
        Entrez.efetch(db="pubmed", id=TRIAL, rettype="gb", retmode="text")
    except urllib.error.HTTPError as error:
        assert error.code == 400
    else:
        raise AssertionError("an unknown type was taken")


def links():
    [links] = read(Entrez.elink(dbfrom="pubmed", db="pubmed", id=TRIAL, cmd="neighbor_score"))
    by_name = {way["LinkName"]: way["Link"] for way in links["LinkSetDb"]}
    near = by_name["pubmed_pubmed"]
    assert len(near) > 50 and TRIAL not in [link["Id"] for link in near]
    scores = [int(link["Score"]) for link in near]
    assert scores == sorted(scores, reverse=True)
    assert [link["Id"] for link in by_name["pubmed_pubmed_refs"]] == ["990000003"]
    [cited] = read(Entrez.elink(dbfrom="pubmed", id="990000003", linkname="pubmed_pubmed_citedin"))
    assert [link["Id"] for link in cited["LinkSetDb"][0]["Link"]] == [TRIAL]
    two = read(Entrez.elink(dbfrom="pubmed", id=[TRIAL, "990000003"], linkname="pubmed_pubmed"))
    assert [one["IdList"] for one in two] == [[TRIAL], ["990000003"]]
    [kept] = read(
        Entrez.elink(dbfrom="pubmed", id=TRIAL, linkname="pubmed_pubmed_refs", cmd="neighbor_history")
    )
    key = kept["LinkSetDbHistory"][0]["QueryKey"]
    ids = Entrez.efetch(
        db="pubmed", WebEnv=kept["WebEnv"], query_key=key, rettype="uilist", retmode="text"
    ).read()
    assert ids.split() == ["990000003"]


def main(server):
    urllib.request.install_opener(urllib.request.build_opener(Redirect(server)))
    Entrez.email = "nobody@example.org"
    Entrez.api_key = "ignored"  # Ten calls a second rather than three.
    for step in (info, search, orders, history, summary, fetch, links):
        step()
        print(step.__name__)


if __name__ == "__main__":
    main(sys.argv[1])
