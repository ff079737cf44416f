"""Reads what a collector was sent: `read_traces.py FOLDER TRACE_ID PARENT_ID`."""

import pathlib
import sys

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

folder, trace, parent = sys.argv[1:]

spans = []
for file in sorted(pathlib.Path(folder).iterdir()):
    request = ExportTraceServiceRequest.FromString(file.read_bytes())
    for resource in request.resource_spans:
        of_resource = {entry.key: entry.value.string_value for entry in resource.resource.attributes}
        assert of_resource["service.name"] == "medsift", of_resource
        for scope in resource.scope_spans:
            spans += scope.spans

by_name = {span.name: span for span in spans}
assert len(by_name) == len(spans), [span.name for span in spans]
assert set(by_name) == {"GET /v1/search", "queue", "encode", "retrieve", "fetch"}, sorted(by_name)
assert all(span.trace_id.hex() == trace for span in spans)

server = by_name.pop("GET /v1/search")
assert server.parent_span_id.hex() == parent
assert server.kind == Span.SPAN_KIND_SERVER
attributes = {entry.key: entry.value for entry in server.attributes}
assert attributes["http.request.method"].string_value == "GET"
assert attributes["http.route"].string_value == "/v1/search"
assert attributes["http.response.status_code"].int_value == 200
assert attributes["url.path"].string_value == "/v1/search"
# What people look for is not sent.
assert "secret" not in str(server)

for stage in by_name.values():
    assert stage.parent_span_id == server.span_id, stage.name
    assert server.start_time_unix_nano <= stage.start_time_unix_nano
    assert stage.end_time_unix_nano <= server.end_time_unix_nano
order = sorted(by_name.values(), key=lambda span: span.start_time_unix_nano)
assert [span.name for span in order] == ["queue", "encode", "retrieve", "fetch"], order
print("ok")
