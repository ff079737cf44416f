"""The official MCP client against `medsift mcp` and against /mcp of a server.

    mcp_client.py stdio BINARY INDEX | http URL
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

TOOLS = {"search", "get_article", "similar", "answer", "annotate"}


async def called(session, tool, **arguments):
    """The result of a call, and whether it is an error."""
    result = await session.call_tool(tool, arguments)
    text = result.content[0].text
    return (text, True) if result.is_error else (json.loads(text), False)


async def check(session):
    about = await session.initialize()
    assert about.server_info.name == "medsift", about
    assert "PubMed" in about.instructions, about
    tools = (await session.list_tools()).tools
    assert {tool.name for tool in tools} >= TOOLS, tools
    for tool in tools:
        assert tool.annotations.read_only_hint, tool
        for name, schema in tool.input_schema["properties"].items():
            assert schema.get("description"), (tool.name, name)

    found, failed = await called(session, "search", query="statins", mode="keyword", limit=2)
    assert not failed and len(found["hits"]) == 2, found
    first = found["hits"][0]
    assert {"id", "title", "text", "retracted", "year"} <= first.keys(), first
    more, _ = await called(
        session, "search", query="statins", mode="keyword", limit=2, cursor=found["next_cursor"]
    )
    assert more["hits"][0]["id"] not in {hit["id"] for hit in found["hits"]}
    filtered, _ = await called(session, "search", query="statins", mode="keyword", year_from=3000)
    assert filtered["hits"] == [], filtered

    whole, _ = await called(session, "get_article", id=f"PMID: {first['id']}")
    assert whole["article"]["id"] == first["id"], whole
    cited, _ = await called(session, "get_article", id=first["id"], format="ris")
    assert cited["citation"].startswith("TY  - "), cited
    near, _ = await called(session, "similar", id=first["id"], limit=3)
    assert len(near["hits"]) == 3 and first["id"] not in {hit["id"] for hit in near["hits"]}

    for tool, arguments, part in [
        ("get_article", {"id": "999999999"}, "no article"),
        ("search", {"query": ""}, "empty"),
        ("search", {"query": "a", "mode": "fuzzy"}, "hybrid, keyword or semantic"),
        ("search", {"query": "a", "limit": 1000}, "use 1 to 50"),
        # The small model of the tests has no heads.
        ("answer", {"question": "Do statins cause myopathy?"}, "no head for answers"),
        ("annotate", {"text": "Statins may cause myopathy."}, "no head for entities"),
    ]:
        said, failed = await called(session, tool, **arguments)
        assert failed and part in said, (tool, said)


async def main(way, *where):
    if way == "stdio":
        binary, index = where
        server = StdioServerParameters(command=binary, args=["mcp", "--index", index])
        transport = stdio_client(server)
    else:
        transport = streamable_http_client(where[0])
    async with transport as streams, ClientSession(streams[0], streams[1]) as session:
        await check(session)
    print("ok")


asyncio.run(main(*sys.argv[1:]))
