"""Answers questions out of an index with any OpenAI-compatible chat endpoint.

    pip install openai
    medsift serve --index ./idx
    export OPENAI_API_KEY=...
    python rag_loop.py --chat http://127.0.0.1:11434/v1 --model llama3.1 "Do statins cause muscle pain?"

Without a question it asks for one after the other, until an empty line.
"""

import argparse
import json
import os
import urllib.request

from openai import OpenAI

RULES = (
    "Answer the question from the numbered passages alone, and cite them as [1]. "
    "Passages marked as retracted are no evidence. Say so where they do not answer it."
)


def passages(server: str, question: str, budget: int) -> dict:
    body = {"query": question, "budget": budget, "count_citations": True}
    request = urllib.request.Request(
        f"{server}/v1/passages",
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def prompt(question: str, found: list[dict]) -> str:
    def one(passage: dict) -> str:
        retracted = "(retracted) " if passage["retracted"] else ""
        return f"[{passage['source']}] {retracted}{passage['text']}"

    return "\n\n".join([*map(one, found), f"Question: {question}"])


def answer(chat: OpenAI, model: str, server: str, question: str, budget: int) -> str:
    found = passages(server, question, budget)["passages"]
    if not found:
        return "Nothing in the index is about that."
    reply = chat.chat.completions.create(
        model=model,
        temperature=0,
        messages=[
            {"role": "system", "content": RULES},
            {"role": "user", "content": prompt(question, found)},
        ],
    )
    sources = {passage["source"]: passage["citation"] for passage in found}
    lines = [f"[{number}] {citation}" for number, citation in sorted(sources.items())]
    return "\n".join([reply.choices[0].message.content or "", "", *lines])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--server", default="http://127.0.0.1:8080")
    arguments.add_argument("--chat", required=True, help="base URL of the chat endpoint")
    arguments.add_argument("--model", required=True, help="model of the chat endpoint")
    arguments.add_argument("--budget", type=int, default=2000, help="tokens of passages")
    arguments.add_argument("question", nargs="*")
    given = arguments.parse_args()
    chat = OpenAI(base_url=given.chat, api_key=os.environ.get("OPENAI_API_KEY", "none"))
    if given.question:
        print(answer(chat, given.model, given.server, " ".join(given.question), given.budget))
        return
    while question := input("question: ").strip():
        print(answer(chat, given.model, given.server, question, given.budget))


if __name__ == "__main__":
    main()
