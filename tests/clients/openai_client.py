"""The official client of OpenAI against /v1/embeddings and /v1/models.

openai_client.py http://HOST:PORT
"""

import json
import math
import sys
import urllib.request

import openai

server = sys.argv[1]
client = openai.OpenAI(base_url=f"{server}/v1", api_key="none", max_retries=0)

models = list(client.models.list())
assert len(models) == 1, models
name = models[0].id
assert models[0].created > 0 and models[0].owned_by == "medsift"

# Without an encoding the client asks for base64, and decodes it itself.
texts = ["Statins and muscle pain", "Sleep", "α-synuclein"]
default = client.embeddings.create(input=texts, model=name)
floats = client.embeddings.create(input=texts, model=name, encoding_format="float")
assert default.model == name and len(default.data) == len(texts)
for place, (one, other) in enumerate(zip(default.data, floats.data)):
    assert one.index == other.index == place
    assert isinstance(other.embedding[0], float)
    assert all(math.isclose(a, b, abs_tol=1e-7) for a, b in zip(one.embedding, other.embedding))
    assert math.isclose(sum(x * x for x in one.embedding), 1.0, abs_tol=1e-4)
assert default.usage.prompt_tokens == default.usage.total_tokens == floats.usage.total_tokens
assert default.usage.prompt_tokens > len(texts)

single = client.embeddings.create(input=texts[1], model="medsift", user="somebody")
assert single.data[0].embedding == default.data[1].embedding

# Ours, for models with prompts.
query = client.embeddings.create(input="statins", model=name, extra_body={"input_type": "query"})
assert len(query.data[0].embedding) == len(default.data[0].embedding)

# The same vectors as by /embed.
request = urllib.request.Request(
    f"{server}/embed",
    data=json.dumps({"inputs": texts}).encode(),
    headers={"content-type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    for one, other in zip(json.load(response), floats.data):
        assert one == other.embedding


def refused(kind, code, **asked):
    try:
        client.embeddings.create(**asked)
    except kind as error:
        assert error.code == code, error
        return error
    raise AssertionError(f"not refused: {asked}")


error = refused(openai.NotFoundError, "model_not_found", input="a", model="text-embedding-3-small")
assert name in error.message, error.message
error = refused(openai.BadRequestError, "input_too_long", input=["a", "word " * 2000], model=name)
assert error.param == "input[1]" and error.type == "invalid_request_error"
error = refused(openai.BadRequestError, "invalid_parameter", input=[[1, 2]], model=name)
assert "tokenizer" in error.message
error = refused(openai.BadRequestError, "invalid_parameter", input="a", model=name, dimensions=3)
assert error.param == "dimensions"
print("ok")
