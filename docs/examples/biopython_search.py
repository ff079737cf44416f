"""Searches a medsift server with Biopython's Entrez.

    pip install biopython
    python biopython_search.py http://127.0.0.1:8080 "statins AND muscle pain"

Where the server needs a key, the environment variable MEDSIFT_KEY holds it.
"""

import os
import sys
import urllib.request

from Bio import Entrez, Medline

NCBI = "https://eutils.ncbi.nlm.nih.gov"


class Redirect(urllib.request.BaseHandler):
    """Sends what Biopython means for NCBI to another server.

    Biopython has no setting for the address; its requests go through Python's
    own opener, which takes handlers.
    """

    handler_order = 400  # Before the request is made ready for its host.

    def __init__(self, server, key=None):
        self.server = server.rstrip("/")
        self.key = key

    def https_request(self, request):
        if request.full_url.startswith(NCBI):
            request.full_url = self.server + request.full_url[len(NCBI) :]
            if self.key:
                request.add_header("X-API-Key", self.key)
        return request


def main(server, term):
    redirect = Redirect(server, os.environ.get("MEDSIFT_KEY"))
    urllib.request.install_opener(urllib.request.build_opener(redirect))
    Entrez.email = "nobody@example.org"  # Biopython asks for one; the server does not.

    found = Entrez.read(
        Entrez.esearch(db="pubmed", term=term, sort="relevance", usehistory="y", retmax=0)
    )
    print(f"{found['Count']} articles for {found['QueryTranslation']}")
    fetched = Entrez.efetch(
        db="pubmed",
        rettype="medline",
        retmode="text",
        retmax=5,
        WebEnv=found["WebEnv"],
        query_key=found["QueryKey"],
    )
    for record in Medline.parse(fetched):
        print(f"{record['PMID']}  {record.get('TI', '')}  {record.get('SO', '')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
