"""medsift as a retriever of LlamaIndex: pip install llama-index-core"""

import json
import sys
import urllib.request

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode


class MedsiftRetriever(BaseRetriever):
    """Passages within a budget of tokens; filters as /v1/passages takes them."""

    def __init__(self, server="http://127.0.0.1:8080", budget=2000, filters=None):
        self.server, self.budget, self.filters = server, budget, filters or {}
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        body = {"query": query_bundle.query_str, "budget": self.budget, "filter": self.filters}
        request = urllib.request.Request(
            f"{self.server}/v1/passages",
            data=json.dumps(body).encode(),
            headers={"content-type": "application/json"},
        )
        with urllib.request.urlopen(request) as response:
            found = json.load(response)["passages"]

        def node(passage: dict) -> NodeWithScore:
            text, place = passage.pop("text"), f"{passage['id']}:{passage['start']}"
            node = TextNode(id_=place, text=text, metadata=passage)
            return NodeWithScore(node=node, score=passage["score"])

        return [node(passage) for passage in found]


if __name__ == "__main__":
    retriever = MedsiftRetriever(server=sys.argv[1], filters={"retracted": False})
    for hit in retriever.retrieve(" ".join(sys.argv[2:])):
        print(f"{hit.node.get_content()}\n  {hit.node.metadata['citation']}\n")
