"""Search through the Model Context Protocol, with the official client.

    pip install mcp
    medsift serve --index ./idx
    python mcp_client.py "statins and muscle pain" [http://127.0.0.1:8080/mcp]
"""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main(question, url="http://127.0.0.1:8080/mcp"):
    async with streamable_http_client(url) as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        result = await session.call_tool("search", {"query": question, "limit": 5})
        if result.is_error:
            sys.exit(result.content[0].text)
        for hit in json.loads(result.content[0].text)["hits"]:
            retracted = " [RETRACTED]" if hit["retracted"] else ""
            print(f"{hit['id']}  {hit['title']} ({hit.get('year', '?')}){retracted}")


asyncio.run(main(*sys.argv[1:]))
