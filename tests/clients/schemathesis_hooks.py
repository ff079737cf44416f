"""What is checked beside what schemathesis checks by itself."""

import json
import xml.etree.ElementTree as tree

import schemathesis


def names_of(value, path=""):
    """Every path into a JSON body, with dots, and indices in brackets."""
    if isinstance(value, dict):
        for name, inner in value.items():
            place = f"{path}.{name}" if path else name
            yield place
            yield from names_of(inner, place)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield f"{path}[{at}]"
            yield from names_of(inner, f"{path}[{at}]")


@schemathesis.check
def a_refusal_names_what_was_sent(ctx, response, case):
    """A fitting request that is refused is told for which of its parts."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.status_code not in (400, 422):
        return
    text = response.content.decode()
    if case.path.startswith("/entrez/"):
        assert tree.fromstring(text).findtext("ERROR"), text
        return
    error = json.loads(text)["error"]
    if case.path in ("/embed", "/rerank", "/info"):
        # The shape of text-embeddings-inference has no field for the place.
        assert isinstance(error, str) and error
        return
    place = error["field"] if "field" in error else error["param"]
    sent = set(case.query or {}) | set(names_of(case.body)) | set(case.path_parameters or {})
    # What is missing cannot have been sent: "q is missing" names it all the same.
    missing = "missing" in error["message"] or "empty" in error["message"]
    known = place in sent or place in ("q", "query") or missing
    assert known, f"{place!r} is at fault, sent were {sorted(sent)}: {error['message']}"
