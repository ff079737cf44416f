"""python -m training_reference TESTS_FOLDER"""

import json
import sys
from pathlib import Path

import sentence_transformers
import torch
import transformers

from . import answering, labelling, objectives, pretraining, steps, tagging


def made_with():
    return {
        "torch": torch.__version__.split("+")[0],
        "transformers": transformers.__version__,
        "sentence-transformers": sentence_transformers.__version__,
    }


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


def main():
    tests = Path(sys.argv[1])
    torch.use_deterministic_algorithms(True)
    # Small matrices: threads would only wait for each other.
    torch.set_num_threads(1)
    write(
        tests / "reference" / "objectives.json",
        {"made_with": made_with(), "cases": objectives.cases()},
    )
    model, folder = tests / "fixtures" / "models" / "bert-mean", tests / "fixtures" / "training"
    folder.mkdir(parents=True, exist_ok=True)
    content = {"made_with": made_with(), **steps.record(model)}
    content["pretraining"] = pretraining.record(model, folder / "heads.safetensors")
    write(folder / "steps.json", content)
    write(folder / "tagging.json", {"made_with": made_with(), **tagging.record(model)})
    write(folder / "labelling.json", {"made_with": made_with(), **labelling.record(model)})
    write(folder / "answering.json", {"made_with": made_with(), **answering.record(model)})


main()
