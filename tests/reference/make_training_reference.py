"""Makes what the tests of training expect: losses and gradients of every
objective, and the losses of fifty steps of training, with PyTorch,
transformers and sentence-transformers from PyPI.

    python3 tests/reference/make_training_reference.py [WORKING_FOLDER]

The working folder (default: a folder of the system's for temporary files)
keeps the Python environment for the next run; it is the one that
make_encoder_reference.sh makes. Written are

- tests/reference/objectives.json: one case for each kind of objective and
  each of its options, on small random embeddings (training_reference/objectives.py
  describes the format);
- tests/fixtures/training/steps.json and heads.safetensors: fifty steps of
  each objective, and of masked language modelling with next-sentence
  prediction, from tests/fixtures/models/bert-mean (training_reference/steps.py
  and pretraining.py describe the format);
- tests/fixtures/training/tagging.json, labelling.json and answering.json: twenty
  steps of tagging words, of labelling texts, and of finding answers in passages
  (training_reference/tagging.py, labelling.py and answering.py).
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PACKAGES = ["torch", "transformers", "sentence-transformers", "numpy"]


def environment(work):
    """The interpreter of an environment with the packages."""
    folder = work / "venv"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.check_call([python, "-m", "pip", "install", "--quiet", *PACKAGES])
    return python


def main():
    here = Path(__file__).resolve().parent
    default = Path(tempfile.gettempdir()) / "medsift-reference"
    work = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    work.mkdir(parents=True, exist_ok=True)
    python = environment(work)
    os.chdir(here)
    subprocess.check_call([python, "-m", "training_reference", here.parent])


main()
