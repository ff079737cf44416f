"""Makes tests/fixtures/models/biobert-old: a checkpoint as BioBERT v1.1 is
published, small and with random weights. Python alone is enough for it.

    python3 tests/reference/make_biobert_fixture.py

Like the original it is a bare BERT-base directory, not one of
sentence-transformers: config.json, a cased vocab.txt without tokenizer.json,
and pytorch_model.bin, a pickle of tensors under the names of 2019 (`bert.`
before the encoder, `gamma` and `beta` for layer normalisation, the
`position_ids` buffer, pooler and both pre-training heads). The zip of
`torch.save` is written here by hand: `data.pkl`, whose tensors refer to
`data/NUMBER`, the raw little-endian numbers.
"""

import array
import io
import json
import pickle
import random
import sys
import types
import zipfile
from collections import OrderedDict
from pathlib import Path

HIDDEN, LAYERS, HEADS, INNER, POSITIONS = 32, 2, 4, 64, 48
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = """the of in and with was were to by for on at from after is a not
patients muscle pain therapy Statins statins weakness receptors cells cytokines genes proteins
tumour DNA IL TNF SARS CoV heart lung trial effect blood drug dose risk study group treated
##s ##ing ##ed ##er ##tion ##al ##ic ##in""".split()


class Storage:
    """Numbers of one tensor, as a file of the archive."""

    def __init__(self, kind, values):
        self.kind, self.values, self.key = kind, values, None


class Tensor:
    """What is pickled as a tensor of PyTorch."""

    def __init__(self, storage, shape):
        self.storage, self.shape = storage, shape

    def __reduce__(self):
        strides, step = [], 1
        for size in reversed(self.shape):
            strides.insert(0, step)
            step *= size
        arguments = (self.storage, 0, self.shape, tuple(strides), False, OrderedDict())
        return sys.modules["torch._utils"]._rebuild_tensor_v2, arguments


def stand_ins():
    """Modules of the names that the pickle refers to."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")

    def _rebuild_tensor_v2(*arguments):
        raise NotImplementedError

    _rebuild_tensor_v2.__module__ = "torch._utils"
    _rebuild_tensor_v2.__qualname__ = "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2 = _rebuild_tensor_v2
    for name in ("FloatStorage", "LongStorage"):
        setattr(torch, name, type(name, (), {"__module__": "torch"}))
    sys.modules.update({"torch": torch, "torch._utils": utils})
    return torch


class Pickler(pickle.Pickler):
    """Storages are left outside, and numbered."""

    def __init__(self, file, torch):
        super().__init__(file, protocol=2)
        self.torch, self.storages = torch, []

    def persistent_id(self, value):
        if not isinstance(value, Storage):
            return None
        if value.key is None:
            value.key = str(len(self.storages))
            self.storages.append(value)
        kind = getattr(self.torch, value.kind)
        return ("storage", kind, value.key, "cpu", len(value.values))


def parameters(vocabulary):
    """Names and shapes in the order of BertForPreTraining."""
    def dense(name, rows, columns):
        return [(f"{name}.weight", (rows, columns)), (f"{name}.bias", (rows,))]

    def norm(name):
        return [(f"{name}.gamma", (HIDDEN,)), (f"{name}.beta", (HIDDEN,))]

    bert = "bert.embeddings"
    yield from [
        (f"{bert}.word_embeddings.weight", (vocabulary, HIDDEN)),
        (f"{bert}.position_embeddings.weight", (POSITIONS, HIDDEN)),
        (f"{bert}.token_type_embeddings.weight", (2, HIDDEN)),
        *norm(f"{bert}.LayerNorm"),
    ]
    for number in range(LAYERS):
        layer = f"bert.encoder.layer.{number}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            yield from dense(f"{layer}.attention.{part}", HIDDEN, HIDDEN)
        yield from norm(f"{layer}.attention.output.LayerNorm")
        yield from dense(f"{layer}.intermediate.dense", INNER, HIDDEN)
        yield from dense(f"{layer}.output.dense", HIDDEN, INNER)
        yield from norm(f"{layer}.output.LayerNorm")
    yield from dense("bert.pooler.dense", HIDDEN, HIDDEN)
    yield ("cls.predictions.bias", (vocabulary,))
    yield from dense("cls.predictions.transform.dense", HIDDEN, HIDDEN)
    yield from norm("cls.predictions.transform.LayerNorm")
    yield ("cls.predictions.decoder.weight", (vocabulary, HIDDEN))
    yield from dense("cls.seq_relationship", 2, HIDDEN)


def state(vocabulary):
    rng = random.Random(19)
    tensors = OrderedDict()
    for name, shape in parameters(vocabulary):
        count = 1
        for size in shape:
            count *= size
        centre = 1.0 if name.endswith("gamma") else 0.0
        values = array.array("f", (rng.gauss(centre, 0.05) for _ in range(count)))
        tensors[name] = Tensor(Storage("FloatStorage", values), shape)
    # Tied, as in the original: two names for one storage.
    words = tensors["bert.embeddings.word_embeddings.weight"]
    tensors["cls.predictions.decoder.weight"] = Tensor(words.storage, words.shape)
    places = Storage("LongStorage", array.array("q", range(POSITIONS)))
    tensors["bert.embeddings.position_ids"] = Tensor(places, (1, POSITIONS))
    return tensors


def write_checkpoint(path, tensors):
    buffer = io.BytesIO()
    pickler = Pickler(buffer, stand_ins())
    pickler.dump(tensors)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        def add(name, content):
            entry = zipfile.ZipInfo(f"pytorch_model/{name}", (2019, 1, 1, 0, 0, 0))
            archive.writestr(entry, content)

        add("data.pkl", buffer.getvalue())
        for storage in pickler.storages:
            values = storage.values
            if sys.byteorder == "big":
                values = array.array(values.typecode, values)
                values.byteswap()
            add(f"data/{storage.key}", values.tobytes())
        add("version", b"3\n")


def main():
    folder = Path(__file__).resolve().parent.parent / "fixtures" / "models" / "biobert-old"
    folder.mkdir(parents=True, exist_ok=True)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    pieces = [*SPECIAL, *".,()-", *letters, *(f"##{c}" for c in letters), *WORDS]
    pieces = list(dict.fromkeys(pieces))
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in pieces))
    config = {
        "architectures": ["BertForPreTraining"],
        "attention_probs_dropout_prob": 0.1,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "hidden_size": HIDDEN,
        "initializer_range": 0.02,
        "intermediate_size": INNER,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": POSITIONS,
        "model_type": "bert",
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "pad_token_id": 0,
        "type_vocab_size": 2,
        "vocab_size": len(pieces),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}\n')
    write_checkpoint(folder / "pytorch_model.bin", state(len(pieces)))


main()
