"""schemathesis against the OpenAPI document of a running server.

    python tests/clients/schemathesis_run.py ADDRESS [EXAMPLES]

Requests are made from the document, fitting and unfitting ones, and answers are
held to it: no fault of the server, no status, content type, header or shape that
is not described, nothing unfitting accepted, no method that is not described.

Some rules cannot be said in a schema: `q` and `query` are one parameter, `year`
excludes `year_from`, a query in PubMed's language has a syntax, limits are the
operator's. So a fitting request may be refused, if the refusal names what was
sent (`schemathesis_hooks.py`), instead of not at all.
"""

import os
import pathlib
import subprocess
import sys

address = sys.argv[1]
examples = sys.argv[2] if len(sys.argv) > 2 else "8"
here = pathlib.Path(__file__).parent
environment = dict(os.environ, SCHEMATHESIS_HOOKS="schemathesis_hooks")
environment["PYTHONPATH"] = str(here)
command = [
    sys.executable,
    "-c",
    "from schemathesis.cli import schemathesis; schemathesis()",
    "run",
    f"{address}/openapi.json",
    "--phases=examples,coverage,fuzzing",
    f"--max-examples={examples}",
    "--exclude-checks=positive_data_acceptance",
    "--continue-on-failure",
    "--seed=1",
    "--no-color",
    "--warnings=off",
    # A busy machine is no fault of the interface.
    "--suppress-health-check=too_slow,filter_too_much,data_too_large,large_base_example",
]
ended = subprocess.run(command, env=environment, capture_output=True, text=True)
if ended.returncode != 0:
    sys.exit(f"{ended.stdout[-8000:]}\n{ended.stderr[-2000:]}")
print("ok")
