"""medsift as a retriever of LangChain: pip install langchain-core"""

import json
import sys
import urllib.request

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever


class MedsiftRetriever(BaseRetriever):
    """Passages within a budget of tokens; filters as /v1/passages takes them."""

    server: str = "http://127.0.0.1:8080"
    budget: int = 2000
    filters: dict = {}

    def _get_relevant_documents(self, query, *, run_manager) -> list[Document]:
        body = json.dumps({"query": query, "budget": self.budget, "filter": self.filters})
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.server}/v1/passages", body.encode(), headers)
        with urllib.request.urlopen(request) as response:
            found = json.load(response)["passages"]
        return [Document(id=one["id"], page_content=one.pop("text"), metadata=one) for one in found]


if __name__ == "__main__":
    retriever = MedsiftRetriever(server=sys.argv[1], filters={"retracted": False})
    for document in retriever.invoke(" ".join(sys.argv[2:])):
        print(f"{document.page_content}\n  {document.metadata['citation']}\n")
