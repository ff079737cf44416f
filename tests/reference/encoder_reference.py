"""Small models with random weights, and the vectors that the reference
implementations compute with them and with all-MiniLM-L6-v2.

Run by make_encoder_reference.sh: encoder_reference.py TESTS_FOLDER MINILM_FOLDER [MODEL...]
With models named, the others and their values stay as they are.
"""

import json
import shutil
import sys
from pathlib import Path

import sentence_transformers
import torch
import transformers
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

TEXTS = [
    "Statins and muscle pain.",
    "IL-2 and TNF-α in CD4+ T cells (p < 0.001); β-catenin, naïve patients.",
    "A",
    "",
    "The p53 tumour suppressor binds DNA. Effects of c.248T>C on 5-HT2A receptors "
    "were measured in 1,204 patients with SARS-CoV-2 over 12.5 years, and compared "
    "with those of the earlier cohort, which had been followed for two decades.",
]

# Words for vocabularies: what the texts consist of, in pieces.
TRAINING = [
    *TEXTS,
    "Myopathy under statin therapy was seen in patients with muscle pain and weakness.",
    "Expression of interleukin receptors on cells after stimulation with cytokines.",
    "Randomised trials of treatment effects measured receptors, proteins and genes.",
]

HIDDEN = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)


def word_piece(lower_case):
    """A WordPiece tokenizer in BERT's form, trained on the few texts above."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lower_case)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=220,
        special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"],
        show_progress=False,
    )
    tokenizer.train_from_iterator(TRAINING, trainer)
    class_id, separator_id = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", class_id), ("[SEP]", separator_id)],
    )
    return tokenizer


def byte_pairs():
    """A byte-level BPE tokenizer in RoBERTa's form."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=360,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TRAINING, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def write_json(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n")


def dense_files(folder, layers):
    """Linear layers behind the pooling, each with its outputs, whether it has a
    bias, and its activation; gives their places in modules.json."""
    generator = torch.Generator().manual_seed(len(layers))
    width, modules = HIDDEN["hidden_size"], []
    for number, (outputs, bias, activation) in enumerate(layers, start=2):
        path = f"{number}_Dense"
        write_json(
            folder / path / "config.json",
            {
                "in_features": width,
                "out_features": outputs,
                "bias": bias,
                "activation_function": activation,
            },
        )
        tensors = {"linear.weight": torch.randn(outputs, width, generator=generator) * 0.3}
        if bias:
            tensors["linear.bias"] = torch.randn(outputs, generator=generator) * 0.1
        save_file(tensors, folder / path / "model.safetensors")
        modules.append(
            {"idx": number, "name": str(number), "path": path,
             "type": "sentence_transformers.models.Dense"}
        )
        width = outputs
    return modules


def sentence_files(folder, pooling, normalise, max_tokens, prompts=None, dense=()):
    """The files that make a Hugging Face directory a sentence-transformers one."""
    base = "sentence_transformers.models."
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": base + "Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": base + "Pooling"},
    ]
    modules += dense_files(folder, dense)
    if normalise:
        number = len(modules)
        modules.append(
            {"idx": number, "name": str(number), "path": f"{number}_Normalize",
             "type": base + "Normalize"}
        )
    write_json(folder / "modules.json", modules)
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": max_tokens, "do_lower_case": False})
    modes = {"word_embedding_dimension": HIDDEN["hidden_size"]}
    for name in ("cls_token", "mean_tokens", "max_tokens"):
        modes["pooling_mode_" + name] = name == pooling
    write_json(folder / "1_Pooling" / "config.json", modes)
    if prompts:
        write_json(
            folder / "config_sentence_transformers.json",
            {"prompts": prompts, "default_prompt_name": None},
        )


def randomise(model, seed):
    """Weights of a trained network's size, so that every part matters."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            spread = 0.25 if parameter.dim() > 1 else 0.1
            centre = 1.0 if "norm" in name.lower() and name.endswith("weight") else 0.0
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * spread + centre)
    return model.eval()


def old_names(state, prefix):
    """Spells parameters as the TensorFlow conversions of BioBERT do."""
    old = {}
    for name, tensor in state.items():
        name = name.replace("LayerNorm.weight", "LayerNorm.gamma")
        name = name.replace("LayerNorm.bias", "LayerNorm.beta")
        old[prefix + name] = tensor
    old["cls.predictions.bias"] = torch.zeros(3)
    return old


def make_bert(folder):
    """Uncased, mean pooling, normalised, prompts: safetensors and tokenizer.json."""
    tokenizer = word_piece(True)
    config = transformers.BertConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=48, **HIDDEN
    )
    randomise(transformers.BertModel(config), 1).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "BertTokenizerFast"})
    sentence_files(
        folder, "mean_tokens", True, 40, {"query": "query: ", "document": "passage: "}
    )


def make_bert_old(folder):
    """Cased, CLS pooling: pytorch_model.bin with old names and vocab.txt."""
    tokenizer = word_piece(False)
    config = transformers.BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        max_position_embeddings=48,
        hidden_act="gelu_new",
        **HIDDEN,
    )
    model = randomise(transformers.BertModel(config), 2)
    model.save_pretrained(folder)
    (folder / "model.safetensors").unlink()
    torch.save(old_names(model.state_dict(), "bert."), folder / "pytorch_model.bin")
    words = sorted(tokenizer.get_vocab().items(), key=lambda pair: pair[1])
    (folder / "vocab.txt").write_text("".join(word + "\n" for word, _ in words))
    write_json(
        folder / "tokenizer_config.json",
        {"tokenizer_class": "BertTokenizer", "do_lower_case": False, "model_max_length": 44},
    )
    sentence_files(folder, "cls_token", False, None)


def make_roberta(folder):
    """Max pooling; positions begin behind the padding index."""
    tokenizer = byte_pairs()
    config = transformers.RobertaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        max_position_embeddings=66,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        **HIDDEN,
    )
    randomise(transformers.RobertaModel(config), 3).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "RobertaTokenizerFast",
            "model_max_length": 64,
            "bos_token": "<s>",
            "eos_token": "</s>",
            "cls_token": "<s>",
            "sep_token": "</s>",
            "unk_token": "<unk>",
            "pad_token": "<pad>",
            "mask_token": "<mask>",
        },
    )
    sentence_files(folder, "max_tokens", False, 64)


def make_distilbert(folder):
    """A plain Hugging Face directory: no modules.json."""
    tokenizer = word_piece(True)
    config = transformers.DistilBertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        max_position_embeddings=48,
        dim=HIDDEN["hidden_size"],
        n_layers=HIDDEN["num_hidden_layers"],
        n_heads=2,
        hidden_dim=HIDDEN["intermediate_size"],
    )
    randomise(transformers.DistilBertModel(config), 4).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(
        folder / "tokenizer_config.json",
        {"tokenizer_class": "DistilBertTokenizerFast", "model_max_length": 48},
    )


def make_mpnet(folder):
    """Relative positions beside absolute ones, which begin behind the padding index."""
    tokenizer = word_piece(True)
    config = transformers.MPNetConfig(
        vocab_size=tokenizer.get_vocab_size(),
        max_position_embeddings=182,
        layer_norm_eps=1e-5,
        pad_token_id=1,
        relative_attention_num_buckets=32,
        **HIDDEN,
    )
    randomise(transformers.MPNetModel(config), 5).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(
        folder / "tokenizer_config.json",
        {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 180,
         "pad_token": "[UNK]"},
    )
    sentence_files(folder, "mean_tokens", True, 180)


def make_dense(folder):
    """Two linear layers between pooling and normalisation, of which the first
    has a bias and a tangent."""
    tokenizer = word_piece(True)
    config = transformers.BertConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=48, **HIDDEN
    )
    randomise(transformers.BertModel(config), 6).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "BertTokenizerFast"})
    tangent, identity = "torch.nn.modules.activation.Tanh", "torch.nn.modules.linear.Identity"
    sentence_files(
        folder, "mean_tokens", True, 40, dense=[(24, True, tangent), (16, False, identity)]
    )


MODELS = {
    "bert-mean": make_bert,
    "bert-cls-old": make_bert_old,
    "roberta-max": make_roberta,
    "distilbert": make_distilbert,
    "mpnet": make_mpnet,
    "dense": make_dense,
}


def tidy(folder):
    """Names of transformers' releases change config.json from run to run."""
    config = json.loads((folder / "config.json").read_text())
    for key in ("transformers_version", "_name_or_path", "dtype", "torch_dtype"):
        config.pop(key, None)
    write_json(folder / "config.json", config)


def vectors(model, texts, prompt):
    """One text at a time, so that nothing depends on filling."""
    rows = [
        model.encode([text], prompt=prompt, convert_to_numpy=True, show_progress_bar=False)[0]
        for text in texts
    ]
    return [[round(float(value), 7) for value in row] for row in rows]


def expected(folder, texts):
    """What sentence-transformers computes with a model directory."""
    model = SentenceTransformer(str(folder), device="cpu")
    query = model.prompts.get("query") or None
    passage = model.prompts.get("document") or None
    tokens = [
        len(model.tokenizer(text.strip(), truncation=False)["input_ids"]) for text in texts
    ]
    return {
        "max_tokens": model.max_seq_length,
        "tokens": tokens,
        "queries": vectors(model, texts, query),
        "passages": vectors(model, texts, passage),
    }


def main():
    tests, minilm = Path(sys.argv[1]), Path(sys.argv[2])
    fixtures = tests / "fixtures" / "models"
    made_with = {
        "torch": torch.__version__.split("+")[0],
        "transformers": transformers.__version__,
        "sentence-transformers": sentence_transformers.__version__,
    }
    recorded = fixtures / "expected.json"
    named = sys.argv[3:]
    kept = json.loads(recorded.read_text())["models"] if named else {}
    result = {"made_with": made_with, "texts": TEXTS, "models": kept}
    for name, make in MODELS.items():
        if named and name not in named:
            continue
        folder = fixtures / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make(folder)
        tidy(folder)
        result["models"][name] = expected(folder, TEXTS)
    recorded.write_text(json.dumps(result) + "\n")
    if named:
        return
    long = TEXTS[4] + " " + " ".join(TRAINING) * 4
    texts = [*TEXTS, long]
    real = {"made_with": made_with, "texts": texts, **expected(minilm, texts)}
    (tests / "reference" / "minilm.json").write_text(json.dumps(real) + "\n")


main()
